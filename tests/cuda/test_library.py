"""The examples of the library functions over CuPy's arrays: as on the host, or refused with a code.

A sample of the functions, or all of them with ``--whole-grid``.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from mooncake_rules.arrays import Function
from mooncake_rules.library import FUNCTIONS, METHODS

from tests.cuda import compiler, standin
from tests.cuda.comparing import assert_equal, called, like, on_host, tangents
from tests.helpers.transpile import Refusal, gradient_text, module
from tests.rules.library_programs import HEADER, inputs, programs

SCIPY = "".join(
    f"import cupyx.scipy.{name}\n" for name in ("fft", "linalg", "special")
)  # there is no `stats`
CUPY = f"""import math
from typing import Annotated

import cupy as np
{SCIPY}from cupyx import scipy
from cupy.typing import NDArray
"""
EVERY = 12
# Nothing like it in CuPy, random numbers, loops of elements that need one another, or no kernel.
REFUSED = {"MK601", "MK603", "MK605", "MK194"}


def _functions() -> Iterator[tuple[str, Function]]:
    """Each function by its first name."""
    seen: set[int] = set()
    for name, function in (*FUNCTIONS.items(), *METHODS.items()):
        if id(function) not in seen and function.examples:
            seen.add(id(function))
            yield name, function


ALL = dict(_functions())
NONE_TAKEN = Path(__file__).with_name("refused_functions.txt").read_text().splitlines()[1:]
SAMPLE = list(ALL)[::EVERY]


def _made(function: str) -> str | None:
    """The gradient module over CuPy's arrays; None if a code refuses it."""
    try:
        return gradient_text(f"{CUPY}\n\ndef {function}")
    except Refusal as refused:
        if not {d.code for d in refused.diagnostics} <= REFUSED:
            raise
        return None


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in SAMPLE else pytest.mark.wide) for name in ALL]
)
def test_examples(name: str) -> None:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    given = inputs()
    text, found = programs(ALL[name], given, at_most=2)
    body = text.removeprefix(HEADER)
    if not found:
        return
    host = module(gradient_text(HEADER + body), "library_host")
    taken = False
    for program in found:
        own = next(p for p in body.split("\ndef ") if p.startswith(f"{program.name}("))
        made = _made(own)
        if made is None:
            continue
        taken = True
        args = tuple(given[arg] for arg in program.args)
        draw = np.random.default_rng(0)
        with (
            standin.installed(),
            warnings.catch_warnings(action="ignore"),
            np.errstate(all="ignore"),
        ):
            modules = module(made, "library_device"), host
            moved = tangents(args, draw)
            assert_equal(*called(modules, f"{program.name}_jvp", *args, *moved), 1e-10)
            value = getattr(host, f"{program.name}_fwd")(*map(on_host, args))[0]
            y_bar = like(value, draw)
            assert_equal(*called(modules, f"{program.name}_vjp", *args, y_bar), 1e-10)
    assert taken == (name not in NONE_TAKEN)
