"""One program checked: what the transpiler makes of it against the program itself."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
from tests.property.generator import Arguments, arguments
from tests.property.reference import reference

Vector = NDArray[np.float64]
RTOL = 1e-7
ROUNDING = 1e-10  # of programs that may amplify it: their intermediates can be large
LARGE = 1e5  # the sine of larger numbers has no differences
PATIENCE = 3.0  # seconds for what takes milliseconds, unless a loop does not end


@dataclass(frozen=True, slots=True)
class Failure:
    """``kind``: a word for the kind of failure, kept while a program is reduced."""

    kind: str
    message: str


class Discarded(Exception):
    """The program says nothing: it fails itself, or has a kink or a jump nearby."""


class Mismatch(Exception):
    """The derivatives are not those of the program."""


def check(source: str, seed: int, *, jit: bool = False) -> Failure | None:
    """What is wrong with the derivatives of ``f`` at the arguments of ``seed``."""
    primal = _Primal(source, seed)
    try:
        with deadline(20 * PATIENCE):
            text = gradient_text(source)
    except Refusal as refusal:
        return Failure(f"refused {refusal.diagnostics[0].code}", str(refusal))
    except Crashed as crashed:
        return Failure(f"crash {crashed.crash.error[:60]}", crashed.crash.traceback)
    except AssertionError as nothing:  # to differentiate, as parameters are left out
        raise Discarded(repr(nothing)) from nothing
    except Exception as error:
        return Failure(f"crash {type(error).__name__}", f"{error!r}")
    primal.differentiate()
    try:
        with deadline(PATIENCE if not jit else 20 * PATIENCE), np.errstate(all="ignore"):
            _compare(primal, module(text, "program_grad", jit=jit))
    except Mismatch as wrong:
        return Failure(*wrong.args)
    except Exception as error:
        return Failure(f"error {type(error).__name__}", f"{error!r}")
    return None


class _Primal:
    """``f`` in plain Python: its value or its exception, and its derivative in a direction."""

    def __init__(self, source: str, seed: int) -> None:
        self.value, self.raised = 0.0, ""
        self.derivative, self.error = 0.0, 0.0
        try:
            with _quiet():
                made = reference(source)
                self.f, self.args = made.f, arguments(made, seed)
                self.after = tangents.copy(self.args)
                self.arrays = _arrays(self.after)
                self.value = float(self.f(*self.after))
        except RuntimeError as raised:  # what programs raise to end with
            self.raised = repr(raised)
        except Exception as failed:
            raise Discarded(repr(failed)) from failed
        if not tangents.magnitude(self.after) < LARGE:
            raise Discarded("the numbers have become large: rounding, too")
        self.direction = tangents.direction(self.args, np.random.default_rng(7))
        if not abs(self.value) < 1e3:
            raise Discarded(f"the value is {self.value}")

    def differentiate(self) -> None:
        """The derivative by differences; what has none is discarded."""
        if self.raised:
            return
        try:
            with _quiet():
                expected, error = richardson(self._along)
        except Exception as failed:
            raise Discarded(repr(failed)) from failed
        self.derivative, self.error = float(expected[0]), float(error[0])
        if not self.error <= 1e-6 * max(1.0, abs(self.derivative)):
            raise Discarded(f"derivative {self.derivative} ± {self.error}")

    def _along(self, t: float) -> Vector:
        return np.array([self.f(*tangents.moved(self.args, self.direction, t))])

    def differentiated(self, slots: Arguments) -> Arguments:
        """Those of ``slots``, one for each parameter, that are not for integers."""
        pairs = zip(self.args, slots, strict=True)
        return tuple(slot for arg, slot in pairs if not isinstance(arg, int))


@contextmanager
def _quiet() -> Iterator[None]:
    """Without warnings, for a limited time."""
    with warnings.catch_warnings(), deadline(PATIENCE):
        warnings.simplefilter("ignore")
        yield


def _compare(primal: _Primal, generated: ModuleType) -> None:
    """Raise ``Mismatch`` where the generated functions are not the derivatives of ``primal``."""
    if primal.raised:
        _compare_raised(primal, generated)
        return
    args, given = tangents.copy(primal.args), tangents.copy(primal.args)
    before = [_memory(tree) for tree in (args, given)]
    value, gradient = generated.f_value_and_grad(*args)
    again, split = generated.f_vjp(*args, 1.0)
    value_fwd, residuals = generated.f_fwd(*given)
    _expect_same("f_fwd leaves", given, primal.after, "mutation")
    slots = generated.f_pullback(residuals, 1.0)
    for tree, memory in zip((args, given), before, strict=True):
        _expect_same("the gradient leaves", tree, primal.args, "restore")
        if _memory(tree) != memory:
            raise Mismatch("restore", f"other arrays are in the arguments: {tree}")
    for found in (value, again, value_fwd):
        _expect_value(primal, found)
    kept = primal.differentiated(slots)
    for name, found in (("value_and_grad", gradient), ("vjp", split), ("pullback", kept)):
        _expect_gradient(primal, name, tuple(found))
    if hasattr(generated, "f_jvp"):
        _compare_forward(primal, generated, tuple(gradient))


def _compare_raised(primal: _Primal, generated: ModuleType) -> None:
    """The derivatives raise what the program raises, and leave what it leaves.

    Fields are of one moment: some programs leave in all of them what they held before the call.
    """
    dots = primal.differentiated(tangents.copy(primal.direction))
    for name, more in (("value_and_grad", ()), ("fwd", ()), ("jvp", dots)):
        if not hasattr(generated, f"f_{name}"):
            continue
        args = tangents.copy(primal.args)
        arrays = _arrays(args)
        try:
            getattr(generated, f"f_{name}")(*args, *more)
        except RuntimeError as raised:
            if repr(raised) != primal.raised:
                raise Mismatch("raise", f"{name}: {raised!r}, expected {primal.raised}") from None
        else:
            raise Mismatch("raise", f"{name} does not raise {primal.raised}")
        _expect_same(f"f_{name} raises and leaves", arrays, primal.arrays, "mutation")
        if not any(_same_numbers(args, left) for left in (primal.after, primal.args)):
            raise Mismatch("mutation", f"f_{name} raises and leaves {args}, not {primal.after}")


def _compare_forward(primal: _Primal, generated: ModuleType, gradient: Arguments) -> None:
    """``f_jvp`` agrees with the gradient to rounding, and does what ``f`` does."""
    given, drawn = tangents.copy((primal.args, primal.direction))
    value, dot = generated.f_jvp(*given, *primal.differentiated(drawn))
    _expect_same("f_jvp leaves", given, primal.after, "mutation")
    _expect_value(primal, value)
    terms = tangents.products(gradient, primal.differentiated(primal.direction))
    if not abs(dot - terms.sum()) <= ROUNDING * max(1.0, float(abs(terms).sum())):
        raise Mismatch("tangent", f"{dot!r}, by the gradient it is {terms.sum()!r}")


# ---- what is expected ---------------------------------------------------------------------------


def _expect_value(primal: _Primal, found: float) -> None:
    if not abs(found - primal.value) <= ROUNDING * max(1.0, abs(primal.value)):
        raise Mismatch("value", f"{found!r}, expected {primal.value!r}")


def _expect_gradient(primal: _Primal, name: str, found: Arguments) -> None:
    got = tangents.dot(found, primal.differentiated(primal.direction))
    size = max(1.0, abs(primal.derivative), tangents.magnitude(found))
    if not abs(got - primal.derivative) <= RTOL * size + 4 * primal.error:
        expected = f"{primal.derivative!r} ± {primal.error:.1e}"
        raise Mismatch("gradient", f"{name}: {got!r}, expected {expected}: {found}")


def _expect_same(what: str, found: Tree, expected: Tree, kind: str) -> None:
    """Equal numbers in equally shared memory; but for rounding, if they have been computed."""
    pairs = [(a, b) for _, a, b in tangents.leaves(expected, found)]
    equal = np.array_equal if kind == "restore" else _nearly_equal
    shared = _sharing([a for a, _ in pairs]) == _sharing([b for _, b in pairs])
    if not shared or not all(equal(a, b, equal_nan=True) for a, b in pairs):
        raise Mismatch(kind, f"{what} {found}, expected {expected}")


def _nearly_equal(a: Vector, b: Vector, equal_nan: bool) -> bool:
    same = np.shape(a) == np.shape(b)
    return same and np.allclose(b, a, rtol=ROUNDING, atol=ROUNDING, equal_nan=equal_nan)


def _same_numbers(found: Tree, expected: Tree) -> bool:
    """Whether all numbers outside of arrays are equal."""
    lists = [
        [leaf for _, leaf in tangents.leaves(tree) if not isinstance(leaf, np.ndarray)]
        for tree in (found, expected)
    ]
    pairs = zip(*lists, strict=False)
    return len(lists[0]) == len(lists[1]) and all(_nearly_equal(a, b, True) for a, b in pairs)


def _memory(tree: Tree) -> list[tuple[int, tuple[int, ...]]]:
    """Where each array lies."""
    return [(_address(a), a.strides) for a in _arrays(tree)]


def _address(array: Vector) -> int:
    return int(array.__array_interface__["data"][0])


def _arrays(tree: Tree) -> list[Vector]:
    return [leaf for _, leaf in tangents.leaves(tree) if isinstance(leaf, np.ndarray)]


def _sharing(parts: Sequence[Tree]) -> list[int]:
    """For each array, the first one that begins where it does."""
    places = [_address(part) for part in parts if isinstance(part, np.ndarray)]
    return [places.index(place) for place in places]
