"""Emitted text computes what the normal form says, for random functions."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.emit.debug import run, text_of

from tests.emit.interp import Interpreter
from tests.emit.random_func import random_func

ERRORS = (ValueError, ZeroDivisionError, IndexError, OverflowError)


def draw(seed: int) -> dict[str, ir.Func]:
    rng = random.Random(seed)
    turns = seed % 2 == 1
    callee = random_func(rng, "m:g", None, turns)
    return {"m:g": callee, "m:f": random_func(rng, "m:f", callee, turns)}


def outcome(call: Callable[..., object], *args: object) -> object:
    """The result, or the name of the exception."""
    try:
        return call(*args)
    except ERRORS as error:
        return type(error).__name__


def same(a: object, b: object) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return all(map(same, a, b))
    if a is None or isinstance(a, str):
        return a == b
    return np.array_equal(np.asarray(a), np.asarray(b), equal_nan=True)


def check(seed: int, jit: bool) -> None:
    funcs = draw(seed)
    emitted = run(funcs.values(), jit=jit)["f"]
    for k in range(3):
        x = np.array([0.5, -1.0, 2.0, 0.25]) * (k + 1)
        expected_x, x = x.copy(), x.copy()
        with np.errstate(all="ignore"):
            expected = outcome(Interpreter(funcs).run, funcs["m:f"], expected_x, 0.3 * k - 0.1, k)
            got = outcome(emitted, x, 0.3 * k - 0.1, k)
        text = text_of(funcs.values())
        assert same(expected, got), f"{expected} != {got}\n{text}"
        assert same(expected_x, x), f"{expected_x} != {x}\n{text}"


@pytest.mark.parametrize("start", range(0, 500, 50))
def test_plain_python(start: int) -> None:
    for seed in range(start, start + 50):
        check(seed, jit=False)


@pytest.mark.parametrize("seed", range(4))
def test_jitted(seed: int) -> None:
    check(seed, jit=True)


def test_text_depends_on_nothing_else() -> None:
    assert text_of(draw(7).values()) == text_of(draw(7).values())
