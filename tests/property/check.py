"""One program checked: what the transpiler makes of it against the program itself."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from mooncake_runtime import tangents
from mooncake_runtime.differences import richardson
from mooncake_runtime.tangents import Tree
from mooncake_transpiler.products import Crashed
from numpy.typing import NDArray

from tests.helpers.deadline import deadline
from tests.helpers.transpile import Refusal, gradient_text, module
from tests.property.generator import Inputs, inputs

Vector = NDArray[np.float64]
RTOL = 1e-7
PATIENCE = 3.0  # seconds for what takes milliseconds, unless a loop does not end


@dataclass(frozen=True, slots=True)
class Failure:
    """``kind``: a word for the kind of failure, kept while a program is reduced."""

    kind: str
    message: str


class Discarded(Exception):
    """The program says nothing: it fails itself, or has a kink or a jump nearby."""


def check(source: str, args: Inputs, *, jit: bool = False) -> Failure | None:
    """What is wrong with the derivatives of ``f`` at ``args``."""
    primal = _Primal(source, args)
    try:
        text = gradient_text(source)
    except Refusal as refusal:
        return Failure(f"refused {refusal.diagnostics[0].code}", str(refusal))
    except Crashed as crashed:
        return Failure(f"crash {crashed.crash.error[:60]}", crashed.crash.traceback)
    try:
        with deadline(PATIENCE if not jit else 20 * PATIENCE):
            return _compare(primal, module(text, "program_grad", jit=jit))
    except Exception as error:
        return Failure(f"error {type(error).__name__}", f"{error!r}")


class _Primal:
    """``f`` in plain Python at ``args``: its value, and its derivative along one direction."""

    def __init__(self, source: str, args: Inputs) -> None:
        self.args = args
        try:
            with warnings.catch_warnings(), deadline(PATIENCE):
                warnings.simplefilter("ignore")
                self.f: Callable[..., float] = module(source, "program").f
                self.after = deepcopy(args)
                self.value = float(self.f(*self.after))
                self.direction = _direction()
                expected, error = richardson(self._along)
        except Exception as failed:
            raise Discarded(repr(failed)) from failed
        self.derivative, self.error = float(expected[0]), float(error[0])
        smooth = self.error <= 1e-6 * max(1.0, abs(self.derivative))
        if not (smooth and abs(self.value) < 1e3):
            raise Discarded(f"{self.value}, derivative {self.derivative} ± {self.error}")

    def _along(self, t: float) -> Vector:
        pairs = zip(self.args, (*self.direction, None), strict=True)
        return np.array([self.f(*(tangents.moved(a, d, t) for a, d in pairs))])


def _direction() -> tuple[Tree, ...]:
    """A tangent for each parameter but the last one, an integer."""
    rng = np.random.default_rng(7)
    return tuple(tangents.direction(arg, rng) for arg in inputs(0)[:-1])


def _compare(primal: _Primal, generated: ModuleType) -> Failure | None:
    args = deepcopy(primal.args)
    value, gradient = generated.f_value_and_grad(*args)
    again, split = generated.f_vjp(*args, 1.0)
    given = deepcopy(primal.args)
    value_fwd, residuals = generated.f_fwd(*given)
    if not _same(given, primal.after):
        return Failure("mutation", f"f_fwd leaves {given}, f leaves {primal.after}")
    slots = generated.f_pullback(residuals, 1.0)
    if not (_same(args, primal.args) and _same(given, primal.args)):
        return Failure("restore", f"arguments were {primal.args}, are {args}, {given}")
    for v in (value, again, value_fwd):
        if not abs(v - primal.value) <= 1e-12 * max(1.0, abs(primal.value)):
            return Failure("value", f"{v!r}, expected {primal.value!r}")
    for name, found in (("value_and_grad", gradient), ("vjp", split), ("pullback", slots[:-1])):
        got = tangents.dot(tuple(found), primal.direction)
        if not abs(got - primal.derivative) <= _tolerance(primal, found):
            return Failure("gradient", f"{name}: {got!r}, expected {primal.derivative!r}: {found}")
    return _compare_forward(primal, generated, tuple(gradient))


def _compare_forward(
    primal: _Primal, generated: ModuleType, gradient: tuple[Tree, ...]
) -> Failure | None:
    """``f_jvp`` agrees with the gradient to rounding, and does what ``f`` does."""
    given = deepcopy(primal.args)
    value, dot = generated.f_jvp(*given, *deepcopy(primal.direction))
    if not _same(given, primal.after):
        return Failure("mutation", f"f_jvp leaves {given}, f leaves {primal.after}")
    if not abs(value - primal.value) <= 1e-12 * max(1.0, abs(primal.value)):
        return Failure("value", f"f_jvp: {value!r}, expected {primal.value!r}")
    terms = tangents.flat(gradient) * tangents.flat(primal.direction)
    if not abs(dot - terms.sum()) <= 1e-12 * max(1.0, float(abs(terms).sum())):
        return Failure("tangent", f"{dot!r}, by the gradient it is {terms.sum()!r}")
    return None


def _tolerance(primal: _Primal, found: tuple[Tree, ...]) -> float:
    size = max(1.0, abs(primal.derivative), tangents.magnitude(found))
    return RTOL * size + 4 * primal.error


def _same(a: Inputs, b: Inputs) -> bool:
    return np.array_equal(tangents.flat(a), tangents.flat(b), equal_nan=True)
