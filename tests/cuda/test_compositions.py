"""Hessians, Jacobians and derivatives of derivatives of programs, as on the host."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.cuda import compiler, standin
from tests.cuda.comparing import assert_equal, called, like, on_host, tangents
from tests.cuda.programs import INPUTS, named, spelled
from tests.helpers.transpile import gradient_text, module

OF_NUMBERS = (
    "logistic", "two_sums", "gaussian_process", "gathered", "masked", "heat", "pair_energy",
    "in_place", "product",
)  # fmt: skip
OF_ARRAYS = ("softmax", "ruled", "discounted", "damped")
WHOLE = ("gaussian_process",)  # of certain shapes
COMPOSED = {
    "forward-over-reverse": ("grad", "jvp"),
    "reverse-over-reverse": ("grad", "vjp"),
    "reverse-over-forward": ("jvp", "vjp"),
    "forward-over-forward": ("jvp", "jvp"),
}
SMALL = 7  # elements along an axis, for derivatives with respect to each of them


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[ModuleType, ModuleType]]:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    text = named(*OF_NUMBERS, *OF_ARRAYS)
    composed = ",".join(COMPOSED)
    modes = f"reverse,forward,hessian,{composed}", f"reverse,forward,jacobian,{composed}"
    with standin.installed():
        yield (
            module(gradient_text(spelled(text, "cupy", *modes)), "composed_device"),
            module(gradient_text(spelled(text, "numpy", *modes)), "composed_host"),
        )


def _arguments(name: str, most: int = SMALL) -> tuple[Any, ...]:
    args = INPUTS[name](np.random.default_rng(1))
    if name in WHOLE:
        return args
    return tuple(a[(slice(most),) * a.ndim] if isinstance(a, np.ndarray) else a for a in args)


@pytest.mark.parametrize("name", [*OF_NUMBERS, *OF_ARRAYS])
def test_all_second_derivatives(both: tuple[ModuleType, ModuleType], name: str) -> None:
    """A Hessian, or a Jacobian."""
    mode = "hessian" if hasattr(both[1], f"{name}_hessian") else "jacobian"
    assert_equal(*called(both, f"{name}_{mode}", *_arguments(name)), 1e-10)


@pytest.mark.parametrize("how", COMPOSED)
@pytest.mark.parametrize("name", [*OF_NUMBERS, *OF_ARRAYS])
def test_derivatives_of_derivatives(
    both: tuple[ModuleType, ModuleType], name: str, how: str
) -> None:
    """Each of them at the arguments of the first derivative."""
    inner, outer = COMPOSED[how]
    if inner == "grad" and not hasattr(both[1], f"{name}_grad"):
        inner = "vjp"
    draw = np.random.default_rng(2)
    args = _arguments(name, 40)
    if inner == "jvp":
        args = (*args, *tangents(args, draw))
    elif inner == "vjp":
        y, _ = getattr(both[1], f"{name}_fwd")(*map(on_host, args))
        args = (*args, like(y, draw))
    first = getattr(both[1], f"{name}_{inner}")
    copied = (a.copy() if isinstance(a, np.ndarray) else a for a in args)
    further = tangents(args, draw) if outer == "jvp" else (like(first(*copied), draw),)
    assert_equal(*called(both, f"{name}_{inner}_{outer}", *args, *further), 1e-10)
