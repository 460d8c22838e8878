"""Kernels compute what the CPU back end computes, in all modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.cuda import ordered_programs, spectral_programs, truth_programs, waiting_programs
from tests.cuda.array_programs import SHAPED, WAITING
from tests.cuda.comparing import assert_equal, called, like, on_device, on_host, tangents
from tests.cuda.conftest import Programs
from tests.cuda.programs import INPUTS, WIDE
from tests.cuda.standin import counts

pytestmark = pytest.mark.filterwarnings("ignore:All-NaN slice")
SINGLE = (
    "rounded",
    "single",
    "mixed",
    "promoted",
    "single_waves",
    "single_special",
)  # float32 in them
NAMES = list(INPUTS)
ALL_WAITING = (
    *WAITING, *waiting_programs.WAITING, *spectral_programs.WAITING, *ordered_programs.WAITING,
    *truth_programs.WAITING,
)  # fmt: skip

ALL_SHAPED = (*SHAPED, *spectral_programs.SHAPED, *ordered_programs.SHAPED)


def _arguments(name: str) -> tuple[Any, ...]:
    return INPUTS[name](np.random.default_rng(1))


def _tolerance(name: str) -> float:
    return 1e-5 if name in SINGLE else 1e-12


def _check(both: Programs, name: str, args: tuple[Any, ...]) -> None:
    """All modes of a program, at ``args``."""
    tolerance = _tolerance(name)
    modules = both.device, both.host
    draw = np.random.default_rng(2)
    with np.errstate(all="ignore"):
        y_bar = like(getattr(both.primal, name)(*args), draw)
    counts.clear()
    assert_equal(*called(modules, f"{name}_vjp", *args, y_bar), tolerance)
    if hasattr(both.host, f"{name}_value_and_grad"):
        assert_equal(*called(modules, f"{name}_value_and_grad", *args), tolerance)
    moved = tangents(args, draw)
    assert_equal(*called(modules, f"{name}_jvp", *args, *moved), tolerance)
    if hasattr(both.host, f"{name}_hvp"):
        assert_equal(*called(modules, f"{name}_hvp", *args, *moved), tolerance)
    assert counts["synchronisations"] == 0 or name in ALL_WAITING
    y, residuals = both.device.__dict__[f"{name}_fwd"](*map(on_device, args))
    bars = both.device.__dict__[f"{name}_pullback"](residuals, on_device(y_bar))
    wanted, kept = both.host.__dict__[f"{name}_fwd"](*map(on_host, args))
    assert_equal(on_host(y), wanted, tolerance)
    assert_equal(on_host(bars), getattr(both.host, f"{name}_pullback")(kept, on_host(y_bar)),
                 tolerance)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_as_on_the_host(both: Programs, name: str) -> None:
    _check(both, name, _arguments(name))


def test_many_have_all_modes(both: Programs) -> None:
    """Value, gradient, tangent and product with the Hessian."""
    modes = ("value_and_grad", "jvp", "hvp")
    full = [n for n in NAMES if all(hasattr(both.device, f"{n}_{mode}") for mode in modes)]
    assert len(full) >= 150


@pytest.mark.parametrize("name", NAMES)
def test_strided(both: Programs, name: str) -> None:
    """Arrays of Fortran order, and with negative strides."""
    args = tuple(
        np.asfortranarray(a[::-1]) if isinstance(a, np.ndarray) and a.ndim == 2
        else np.repeat(a, 2)[::-2] if isinstance(a, np.ndarray) and a.ndim == 1 else a
        for a in _arguments(name)
    )  # fmt: skip
    _check(both, name, args)


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ALL_SHAPED])
def test_small(both: Programs, name: str) -> None:
    """One element along each axis: all that is broadcast is not told by its shape."""
    _check(both, name, tuple(_first(a, 1) for a in _arguments(name)))


@pytest.mark.parametrize("name", WIDE)
def test_wide(both: Programs, name: str) -> None:
    _check(both, name, WIDE[name](np.random.default_rng(1)))


def test_wide_with_ties_and_nan(both: Programs) -> None:
    """Of elements that are equal the first is the largest, and a NaN before all others."""
    x = np.zeros((3, 64))
    x[0, [40, 50]] = x[1, [9, 41]] = 1.0
    x[2, [33, 60]] = np.nan
    _check(both, "spans", (x,))


# The others raise on the host: the maximum of nothing, and 0 / 0 in plain Python.
RAISING = (
    "softmax", "spans", "two_sums", "cross_entropy", "smoothed_from_first", "percentiles",
    "mirrored", "bordered", "likelihood", "fitted", "highest", "centres", *SHAPED,
    *spectral_programs.RAISING, *ordered_programs.SHAPED, *ordered_programs.RAISING,
    *truth_programs.RAISING,
)  # fmt: skip


@pytest.mark.parametrize("name", [n for n in NAMES if n not in RAISING])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # the mean of nothing
def test_empty(both: Programs, name: str) -> None:
    args = tuple(_first(a, 0) for a in _arguments(name))
    _check(both, name, args)


def _first(value: Any, count: int) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    return value[(slice(count),) * value.ndim]


WRITING = ("overwritten", "diffused", "changed_in_place", "handed_on", "summed_on")


@pytest.mark.parametrize("mode", ["value_and_grad", "jvp", "hvp"])
@pytest.mark.parametrize("name", WRITING)
def test_arguments_are_left_as_on_the_host(both: Programs, name: str, mode: str) -> None:
    """Reverse mode restores those that the program writes; forward mode writes them, as it does."""
    args = _arguments(name)
    moved = () if mode == "value_and_grad" else tangents(args, np.random.default_rng(2))
    given = [on_device(a.copy() if isinstance(a, np.ndarray) else a) for a in (*args, *moved)]
    there = [a.copy() if isinstance(a, np.ndarray) else a for a in (*args, *moved)]
    getattr(both.device, f"{name}_{mode}")(*given)
    getattr(both.host, f"{name}_{mode}")(*there)
    for one, other in zip(given, there, strict=True):
        assert_equal(on_host(one), on_host(other), 1e-12)


def test_wide_dtypes_are_exact(both: Programs) -> None:
    """float32 times int32 is float64, and not rounded to float32 on the way."""
    x = np.asarray([0.1, 2.5], np.float32)
    k = np.asarray([16777217, 3], np.int32)  # more than float32 can tell
    found, _ = called((both.device, both.host), "promoted_jvp", x, k, np.ones_like(x))[0]
    assert_equal(found, x.astype(np.float64) * k, 1e-15)
