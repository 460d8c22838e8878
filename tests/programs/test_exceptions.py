"""Exceptions: programs at several points, so that all handlers run, and errors that come out."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from importlib import import_module

import numpy as np
import pytest
from mooncake_runtime import tangents
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import module, transpiled
from tests.programs.catalogue import Catalogue, for_each, open_catalogue, programs
from tests.programs.inputs import arguments

THEMES = ("exceptions", "implicit", "leaving", "raising")
CAUGHT = [name for name in programs() if name.partition(".")[0] in THEMES]
FAILING = [
    "in_fused_loop", "between_sweeps", "after_library", "in_called", "in_recursion", "own_class",
    "own_class_without_message", "failed_assertion", "bare_assertion", "through_finally",
    "not_caught", "raised_again", "another_instead", "from_manager", "not_definite", "without_axis",
    "too_few_numbers",
]  # fmt: skip
LEFT = [
    "number", "all_kinds", "never_at_the_end", "in_loop", "endless", "in_called",
    "in_function_of_numbers",
    "through_finally", "raised_again", "asserted", "in_tuples", "one_of_two", "shapes_do_not_fit",
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


def negative(value: object) -> object:
    """``value`` with all numbers that are not integers negative, in objects, too."""
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: negative(getattr(value, f.name)) for f in fields(value)})
    if isinstance(value, tuple):
        made = [negative(item) for item in value]
        return type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    return -np.abs(value) if isinstance(value, float | np.ndarray) else value


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


def check_left(name: str, catalogue: Catalogue, jit: bool) -> None:
    """The error of the primal, and what that leaves in objects; they are the same objects."""
    primal = getattr(import_module("left"), name)
    generated = catalogue.module("left", jit=jit)
    start = arguments(primal, "left")
    left = copy.deepcopy(negative(start))
    assert isinstance(left, tuple)
    expected = outcome(primal, left)
    dots = tangents.zero_tangent(start)
    for kind, extra in (("value_and_grad", ()), ("grad", ()), ("fwd", ()), ("vjp", (1.0,)),
                        ("jvp", dots)):  # fmt: skip
        args = copy.deepcopy(negative(start))
        assert isinstance(args, tuple)
        error = outcome(getattr(generated, f"{name}_{kind}"), (*args, *copy.deepcopy(extra)))
        assert type(error) is type(expected), kind
        assert error.args == expected.args or name == "shapes_do_not_fit", kind
        np.testing.assert_equal(described(args), described(left), err_msg=kind)
    check_gradients(primal, generated, start)


def described(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: described(getattr(value, f.name)) for f in fields(value)}
    return [described(item) for item in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", LEFT)
def test_fields_are_left(name: str, catalogue: Catalogue) -> None:
    check_left(name, catalogue, jit=False)


def test_fields_are_left_jitted(catalogue: Catalogue) -> None:
    check_left("in_loop", catalogue, jit=True)


def test_new_arrays_are_not_left(catalogue: Catalogue) -> None:
    """Fields are of one moment: all of them hold what they held before the call."""
    generated = catalogue.module("left")
    args = negative(arguments(import_module("left").new_array, "left"))
    assert isinstance(args, tuple)
    before = copy.deepcopy(args)
    assert str(outcome(generated.new_array_grad, args)) == "negative"
    np.testing.assert_equal(described(args), described(before))


LISTED = [("failing", FAILING), ("left", [*LEFT, "new_array"])]


@pytest.mark.parametrize(("theme", "listed"), LISTED)
def test_all_failing_programs_are_listed(theme: str, listed: list[str]) -> None:
    public = [
        name
        for name, made in vars(import_module(theme)).items()
        if inspect.isfunction(made) and made.__module__ == theme and name[0] != "_"
    ]
    assert public == listed


def test_what_always_raises() -> None:
    """There is no result, so nothing is known of the arrays in it."""
    _, generated = transpiled(
        "import numpy as np\nfrom typing import Annotated\nfrom numpy.typing import NDArray\n"
        'Vec = Annotated[NDArray[np.float64], "n"]\n'
        "def f(x: Vec, a: float) -> tuple[float, tuple[Vec, float]]:\n"
        "    raise ValueError('no')\n    return (a, (x, a))\n"
    )
    with pytest.raises(ValueError, match="no"):
        generated.f_vjp(np.ones(2), 0.5, (1.0, (np.ones(2), 1.0)))


TEXTS = """
def f(x: float) -> float:
    reason = "low" if x < 0.5 else "high"
    if x > 0.6 or x < 0.2:
        raise RuntimeError(reason)
    return x * x
"""


def test_one_of_two_texts() -> None:
    for function in (module(TEXTS, "program").f, transpiled(TEXTS, jit=True)[1].f_grad):
        for x, text in ((0.1, "low"), (0.7, "high")):
            with pytest.raises(RuntimeError, match=f"^{text}$"):
                function(x)
        function(0.3)


NESTED = """
import numpy as np

def f(x: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    def product(a: float, b: float) -> float:
        return a * b

    def outer(v):
        def inner(a, b):
            return a - b
        return inner(*v)

    if x[0] > 5.0:
        return (lambda a, b: a + b)(*x)
    if x[0] > 4.0:
        return outer(x)
    return product(*x)
"""


def test_too_many_arguments_name_the_function_as_python_does() -> None:
    program, grad = transpiled(NESTED)
    for first in (6.0, 4.5, 1.0):
        x = np.array([first, 2.0, 3.0])
        with pytest.raises(TypeError) as expected:
            program.f(x)
        with pytest.raises(TypeError, match=f"^{re.escape(str(expected.value))}$"):
            grad.f_grad(x)
        assert "f.<locals>." in str(expected.value)
