"""Exceptions: programs at several points, so that all handlers run, and errors that come out."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator
from importlib import import_module

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.programs.catalogue import Catalogue, for_each, open_catalogue, programs
from tests.programs.inputs import arguments

THEMES = ("exceptions", "implicit", "leaving", "raising")
CAUGHT = [name for name in programs() if name.partition(".")[0] in THEMES]
FAILING = [
    "in_fused_loop", "between_sweeps", "after_library", "in_called", "in_recursion", "own_class",
    "own_class_without_message", "failed_assertion", "bare_assertion", "through_finally",
    "not_caught", "raised_again", "another_instead", "from_manager", "not_definite",
]  # fmt: skip
JITTED = ["in_fused_loop", "through_finally", "raised_again", "own_class_without_message"]


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Catalogue]:
    with open_catalogue() as made:
        yield made


def scaled(args: tuple[object, ...], by: float) -> tuple[object, ...]:
    return tuple(a * by if isinstance(a, float | np.ndarray) else a for a in args)


@pytest.mark.parametrize("by", [-1.0, 0.5])
@for_each(CAUGHT)
def test_elsewhere(name: str, by: float, catalogue: Catalogue) -> None:
    theme, _, function = name.partition(".")
    primal = getattr(import_module(theme), function)
    generated = catalogue.module(theme)
    check_gradients(primal, generated, scaled(arguments(primal, theme), by))


def outcome(function: Callable[..., object], args: tuple[object, ...]) -> BaseException:
    with pytest.raises(Exception) as caught:  # noqa: PT011  - its type is what is compared
        function(*args)
    return caught.value


def check_failure(name: str, catalogue: Catalogue, jit: bool) -> None:
    """The error of the primal, with the arguments as that leaves them; the next call works."""
    primal = getattr(import_module("failing"), name)
    generated = catalogue.module("failing", jit=jit)
    positive = tuple(np.abs(a) if isinstance(a, np.ndarray) else a
                     for a in arguments(primal, "failing"))  # fmt: skip
    negative = scaled(positive, -1.0)
    left = copy.deepcopy(negative)
    expected = outcome(primal, left)
    for kind, extra in (("value_and_grad", ()), ("grad", ()), ("fwd", ()), ("vjp", (1.0,)),
                        ("jvp", negative)):  # fmt: skip
        function = getattr(generated, f"{name}_{kind}")
        args, others = copy.deepcopy(negative), copy.deepcopy(extra)
        error = outcome(function, (*args, *others))
        assert type(error) is type(expected), kind
        assert error.args == expected.args, kind
        for one, other in zip(args, left, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-14, err_msg=kind)  # type: ignore[arg-type]
    check_gradients(primal, generated, positive)


@pytest.mark.parametrize("name", FAILING)
def test_errors_come_out(name: str, catalogue: Catalogue) -> None:
    check_failure(name, catalogue, jit=False)


@pytest.mark.parametrize("name", JITTED)
def test_errors_come_out_jitted(name: str, catalogue: Catalogue) -> None:
    check_failure(name, catalogue, jit=True)


def test_all_failing_programs_are_listed() -> None:
    public = [
        name
        for name, made in vars(import_module("failing")).items()
        if inspect.isfunction(made) and made.__module__ == "failing" and name[0] != "_"
    ]
    assert public == FAILING
