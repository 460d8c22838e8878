"""Hessians, Jacobians and derivatives of derivatives of programs, as on the host."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.cuda import compiler, standin
from tests.cuda.comparing import assert_equal, called, like, on_host, tangents
from tests.cuda.programs import INPUTS, named, spelled
from tests.helpers.transpile import Modules, gradient_text, module

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


Program = tuple[str, Modules]  # its name, and both back ends


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=pytest.mark.xdist_group(f"compositions of {name}"))
        for name in (*OF_NUMBERS, *OF_ARRAYS)
    ],
)
def program(request: pytest.FixtureRequest) -> Iterator[Program]:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    name: str = request.param
    dense = "hessian" if name in OF_NUMBERS else "jacobian"
    modes = f"reverse,forward,{dense},{','.join(COMPOSED)}"
    text = named(name)
    with standin.installed():
        yield (
            name,
            (
                module(gradient_text(spelled(text, "cupy", modes, modes)), "composed_device"),
                module(gradient_text(spelled(text, "numpy", modes, modes)), "composed_host"),
            ),
        )


def _arguments(name: str, most: int = SMALL) -> tuple[Any, ...]:
    args = INPUTS[name](np.random.default_rng(1))
    if name in WHOLE:
        return args
    return tuple(a[(slice(most),) * a.ndim] if isinstance(a, np.ndarray) else a for a in args)


def test_all_second_derivatives(program: Program) -> None:
    """A Hessian, or a Jacobian."""
    name, both = program
    mode = "hessian" if hasattr(both[1], f"{name}_hessian") else "jacobian"
    assert_equal(*called(both, f"{name}_{mode}", *_arguments(name)), 1e-10)


@pytest.mark.parametrize("how", COMPOSED)
def test_derivatives_of_derivatives(program: Program, how: str) -> None:
    """Each of them at the arguments of the first derivative."""
    name, both = program
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
