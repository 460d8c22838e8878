"""One program checked: what the transpiler makes of it against the program itself."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from mooncake_runtime.differences import richardson
from mooncake_transpiler.products import Crashed
from numpy.typing import NDArray

from tests.helpers.deadline import deadline
from tests.helpers.transpile import Refusal, gradient_text, module
from tests.property.generator import Inputs

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
        moved = (a + t * d for a, d in zip(self.args, self.direction, strict=False))
        return np.array([self.f(*moved, self.args[-1])])


def _direction() -> tuple[Vector | float, ...]:
    rng = np.random.default_rng(7)
    draw = lambda shape: rng.uniform(0.2, 1.0, shape) * rng.choice((-1.0, 1.0), shape)  # noqa: E731
    return tuple(draw(shape) for shape in (5, 5, (4, 3), None, None))


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
        pairs = zip(found, primal.direction, strict=True)
        got = float(sum(np.sum(g * d) for g, d in pairs))
        if not abs(got - primal.derivative) <= _tolerance(primal, found):
            return Failure("gradient", f"{name}: {got!r}, expected {primal.derivative!r}: {found}")
    return None


def _tolerance(primal: _Primal, found: tuple[Vector | float, ...]) -> float:
    size = max(float(np.max(np.abs(g), initial=0.0)) for g in found)
    return RTOL * max(1.0, abs(primal.derivative), size) + 4 * primal.error


def _same(a: Inputs, b: Inputs) -> bool:
    return all(np.array_equal(x, y, equal_nan=True) for x, y in zip(a, b, strict=True))
