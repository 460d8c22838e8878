"""Examples of every library function, over the grid of its static arguments.

Some of each, drawn at random; all of them with ``--whole-grid``.

Value, gradient by differences, agreement of all generated functions; strided and read-only
arrays, too. In plain mode; ``test_library_jit.py`` has a sample compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import ModuleType

import numpy as np
import pytest
from mooncake_rules.arrays import Function
from mooncake_rules.library import ALL
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import transpiled
from tests.rules.library_programs import Program, annotation, evaluate, inputs, programs

# NumPy warns of means of nothing and the like.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

SOME = 1
FEW = 1  # examples of each function where more would say nothing new
SINGLE, SHARE = 1, 6  # of those in single precision, of one function in so many
WITH_EXAMPLES = [function for function in ALL if function.examples]


def few(found: list[Program]) -> list[Program]:
    """Some of ``found``, spread over the grid."""
    return found[:: -(-len(found) // FEW)] if found else []


def name_of(function: Function) -> str:
    return function.names[0]


def for_each_function(share: int = 1) -> pytest.MarkDecorator:
    """``function`` is each of the library, or one in ``share``; one worker checks all about it."""
    group, some = pytest.mark.xdist_group, WITH_EXAMPLES[::share]
    params = [pytest.param(f, id=name_of(f), marks=group(name_of(f))) for f in some]
    return pytest.mark.parametrize("function", params)


Derivatives = Callable[[Function], tuple[list[Program], ModuleType, ModuleType]]


@pytest.fixture(scope="session")
def derivatives(pytestconfig: pytest.Config) -> Derivatives:
    """Gives the examples of a function as programs, and their derivatives."""
    count = None if pytestconfig.getoption("--whole-grid") else SOME

    @lru_cache(maxsize=2)
    def made(function: Function) -> tuple[list[Program], ModuleType, ModuleType]:
        source, found = programs(function, inputs(), count)
        return found, *transpiled(source)

    return made


@for_each_function()
def test_examples(function: Function, derivatives: Derivatives) -> None:
    given = inputs()
    found, module, generated = derivatives(function)
    assert found, "no example has a result that carries floats"
    for program in found:
        args = [given[name] for name in program.args]
        one_by_one = 32 if program in few(found) else 0  # random directions see all coordinates
        try:
            with np.errstate(all="ignore"):
                check_gradients(
                    getattr(module, program.name), generated, args,
                    coordinates=one_by_one, layouts=True,
                )  # fmt: skip
        except AssertionError as error:
            raise AssertionError(f"{program.expression}: {error}") from error


ONE_VARIABLE = ("np.reshape(np.cov(x", "np.reshape(np.corrcoef(x")  # a number, to be a vector


@pytest.mark.parametrize("size", [(1, 1), (0, 3)], ids=str)
@for_each_function()
def test_small(function: Function, size: tuple[int, int], derivatives: Derivatives) -> None:
    """One element, or none at all: wherever NumPy takes that."""
    given = inputs(*size)
    found, module, generated = derivatives(function)
    for program in few(found):
        args = [given[name] for name in program.args]
        value = evaluate(program.expression, given)
        if annotation(value) is None:  # refused, or the int 0 as a sum of nothing
            continue
        if "p_indices" in program.expression and size == (1, 1):
            continue  # there SciPy's indices are of 64 bits, elsewhere of 32
        if program.expression.startswith(ONE_VARIABLE) and size == (1, 1):
            with pytest.raises(ValueError, match="one variable"):
                getattr(generated, f"{program.name}_fwd")(*args)
            continue
        if not is_finite(value):  # as of the mean of nothing: there are no differences
            got, _ = getattr(generated, f"{program.name}_fwd")(*args)
            assert_close(got, value, program.expression)
            continue
        try:
            with np.errstate(all="ignore"):
                check_gradients(getattr(module, program.name), generated, args)
        except AssertionError as error:
            raise AssertionError(f"{program.expression}: {error}") from error


def assert_close(got: object, value: object, message: str) -> None:
    if isinstance(value, tuple | list):
        assert isinstance(got, tuple), message
        for one, other in zip(got, value, strict=True):
            assert_close(one, other, message)
    else:
        np.testing.assert_allclose(got, value, err_msg=message)  # type: ignore[arg-type]


def is_finite(value: object) -> bool:
    if isinstance(value, tuple | list):
        return all(map(is_finite, value))
    return bool(np.all(np.isfinite(np.asarray(value, complex))))


@for_each_function(SHARE)
def test_single_precision(function: Function, derivatives: Derivatives) -> None:
    given, wide = inputs(dtype="float32"), inputs()
    _, _, exact = derivatives(function)
    source, found = programs(function, given, SINGLE)
    _, generated = transpiled(source)
    for program in found:
        args, wide_args = ([kind[n] for n in program.args] for kind in (given, wide))
        compare_precisions(program, generated, exact, args, wide_args)


def compare_precisions(
    program: object, generated: object, exact: object, args: list[object], wide: list[object]
) -> None:
    """The gradient in single precision is that in double precision, to 1e-3."""
    name = program.name  # type: ignore[attr-defined]
    if not hasattr(exact, f"{name}_fwd"):
        return
    y, residuals = getattr(generated, f"{name}_fwd")(*args)
    y_wide, residuals_wide = getattr(exact, f"{name}_fwd")(*wide)
    seeds = ones(y), ones(y_wide)
    got = getattr(generated, f"{name}_pullback")(residuals, seeds[0])
    expected = getattr(exact, f"{name}_pullback")(residuals_wide, seeds[1])
    for one, other in zip(got, expected, strict=True):
        if other is not None:
            scale = max(1.0, float(np.max(np.abs(other), initial=0.0)))
            np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-3 * scale,
                                       err_msg=program.expression)  # type: ignore[attr-defined]  # fmt: skip


def ones(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(ones, value))
    if np.asarray(value).dtype.kind not in "fc":
        return None
    return np.ones_like(value) if isinstance(value, np.ndarray) else type(value)(1)  # type: ignore[call-arg]
