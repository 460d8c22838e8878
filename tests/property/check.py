"""One program checked: what the transpiler makes of it against the program itself."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from mooncake_runtime import tangents
from mooncake_runtime.differences import richardson
from mooncake_runtime.tangents import Tree
from mooncake_transpiler.compilation import Crashed
from mooncake_transpiler.verify.deadline import deadline
from numpy.typing import NDArray

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


def check(source: str, seed: int, jit: bool = False) -> Failure | None:
    """The failure of the derivatives of ``f`` at the arguments of ``seed``, or None."""
    with discarding():
        made = reference(source)
        args = arguments(made, seed)
    primal = Primal(made.f, args)
    with discarding():
        size = abs(float(primal.value))
    if not size < 1e3:
        raise Discarded(f"the value is {primal.value}")
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
    return compared(primal, lambda: module(text, "program_grad", jit=jit))


def compared(primal: Primal, made: Callable[[], ModuleType]) -> Failure | None:
    """The failure of the derivatives in the module that is ``made``, or None.

    Kernels of the runtime are compiled when first called, by plain modules too: that takes seconds.
    """
    try:
        with deadline(20 * PATIENCE), np.errstate(all="ignore"):
            _compare(primal, made())
    except Mismatch as wrong:
        return Failure(*wrong.args)
    except Exception as error:
        return Failure(f"error {type(error).__name__}", f"{error!r}")
    return None


@contextmanager
def discarding() -> Iterator[None]:
    """A context in which exceptions discard the program; without warnings, for a limited time."""
    try:
        with warnings.catch_warnings(), deadline(PATIENCE):
            warnings.simplefilter("ignore")
            yield
    except Exception as failed:
        raise Discarded(repr(failed)) from failed


class Primal:
    """``f`` in plain Python: its value or its exception, and its derivative in a direction.

    ``raises``: the exceptions that are results of the program. ``precision`` is that of its
    numbers; where it is low, differences are taken of ``smooth``, a function and its arguments.
    """

    def __init__(
        self,
        f: Callable[..., Tree],
        args: Arguments,
        *,
        raises: type[Exception] = RuntimeError,
        smooth: tuple[Callable[..., Tree], Arguments] | None = None,
        precision: float = ROUNDING,
    ) -> None:
        self.f, self.args = f, args
        self.smooth, self.center = smooth or (f, args)
        self.precision = precision
        self.value: Tree = 0.0
        self.raised: Exception | None = None
        self.derivative: float | None = None  # until it is known
        self.error = 0.0
        with discarding():
            self.after = tangents.copy(self.args)
            self.arrays = _arrays(self.after)
            try:
                self.value = _as_floats(self.f(*self.after))
            except raises as raised:  # what programs raise to end with
                self.raised = raised
        if not max(map(tangents.magnitude, (self.after, self.value))) < LARGE:
            raise Discarded("the numbers have become large: rounding, too")
        rng = np.random.default_rng(7)
        self.direction = tangents.direction(self.args, rng)
        self.toward = self.direction
        if self.center is not args:
            self.toward = tangents.map_leaves(_double, self.direction)
        self.y_bar = 1.0 if np.ndim(self.value) == 0 else tangents.cotangent(self.value, rng)

    def differentiate(self) -> None:
        """The derivative by differences; what has none is discarded.

        Items of an array that have none get the cotangent 0.
        """
        if self.raised:
            return
        with discarding():
            expected, error = richardson(self._along)
            kink = self._kink()
        bound = 1e-6 * np.maximum(1.0, abs(expected))
        smooth = (error <= bound) & (kink <= bound)
        if not smooth.any():
            raise Discarded(f"derivative {expected} ± {error}, a kink of {kink}")
        if isinstance(self.y_bar, np.ndarray):
            self.y_bar = np.where(smooth.reshape(self.y_bar.shape), self.y_bar, 0.0)
        self.derivative, self.error = (float(np.sum(v[smooth])) for v in (expected, error))

    def _kink(self) -> Vector:
        """The jump of the derivative at this point: the part that remains for smaller steps.

        Central differences do not see that: they take the mean of both sides.
        """
        middle = 2.0 * self._along(0.0)
        sums = ((self._along(h) + self._along(-h), h) for h in (1e-4, 1e-5))
        wide, narrow = (abs(both - middle) / h for both, h in sums)
        return np.where(narrow <= 0.3 * wide, 0.0, narrow)

    def same_exception(self, other: Exception) -> bool:
        """True if the derivatives should raise ``other``: a ``RuntimeError`` with its message."""
        if isinstance(self.raised, RuntimeError):
            return repr(other) == repr(self.raised)
        return isinstance(other, type(self.raised)) or isinstance(self.raised, type(other))

    def find(self, generated: ModuleType, suffix: str) -> Callable[..., Tree] | None:
        """The generated function of this kind, if there is one."""
        found: Callable[..., Tree] | None
        found = getattr(generated, f"{self.f.__name__}_{suffix}", None)
        return found

    def of(self, generated: ModuleType, suffix: str) -> Callable[..., Tree]:
        found = self.find(generated, suffix)
        assert found, f"there is no {suffix}"
        return found

    def _along(self, t: float) -> Vector:
        moved = self.smooth(*tangents.moved(self.center, self.toward, t))
        found = _as_floats(moved)
        if isinstance(self.y_bar, np.ndarray):  # of these, some items may have a kink
            return np.ravel((self.y_bar.conj() * found).real)
        if np.iscomplexobj(found) != np.iscomplexobj(self.y_bar):
            return np.array([np.nan])  # a root of a negative number
        return np.array([tangents.dot(self.y_bar, found)])

    def differentiated(self, slots: Arguments) -> Arguments:
        """The items of ``slots``, one for each parameter, that have derivatives."""
        pairs = zip(self.args, slots, strict=True)
        return tuple(slot for arg, slot in pairs if _carries(arg))


def _carries(arg: Tree) -> bool:
    """True if there are derivatives with respect to ``arg``."""
    return any(tangents.has_tangent(leaf) for _, leaf in tangents.leaves(arg))


def _as_floats(tree: Tree) -> Tree:
    """A result, with floats for whole numbers: it is annotated so."""

    def number(leaf: Tree) -> Tree:
        return float(leaf) if isinstance(leaf, int | np.integer | np.bool_) else leaf

    return tangents.map_leaves(number, tree)


def _compare(primal: Primal, generated: ModuleType) -> None:
    """Raise ``Mismatch`` where the generated functions are not the derivatives of ``primal``."""
    if primal.raised:
        _compare_raised(primal, generated)
        return
    args, given = tangents.copy(primal.args), tangents.copy(primal.args)
    before = [_memory(tree) for tree in (args, given)]
    again, split = primal.of(generated, "vjp")(*args, tangents.copy(primal.y_bar))
    value, gradient = again, split
    if value_and_grad := primal.find(generated, "value_and_grad"):
        value, gradient = value_and_grad(*args)
    value_fwd, residuals = primal.of(generated, "fwd")(*given)
    _expect_same("fwd leaves", given, primal.after, "mutation", primal.precision)
    slots = primal.of(generated, "pullback")(residuals, tangents.copy(primal.y_bar))
    for tree, memory in zip((args, given), before, strict=True):
        _expect_same("the gradient leaves", tree, primal.args, "restore", 0.0)
        if _memory(tree) != memory:
            raise Mismatch("restore", f"other arrays are in the arguments: {tree}")
    for found in (value, again, value_fwd):
        _expect_value(primal, found)
    kept = primal.differentiated(slots)
    single = len(kept) == 1
    gradient, split = ((gradient,), (split,)) if single else (tuple(gradient), tuple(split))
    for name, found in (("value_and_grad", gradient), ("vjp", split), ("pullback", kept)):
        _expect_gradient(primal, name, found)
    if jvp := primal.find(generated, "jvp"):
        _compare_forward(primal, jvp, gradient)


def _compare_raised(primal: Primal, generated: ModuleType) -> None:
    """The derivatives raise what the program raises, and leave what it leaves.

    Fields are of one moment: some programs leave in all of them what they held before the call.
    """
    dots = primal.differentiated(tangents.copy(primal.direction))
    for name, more in (("value_and_grad", ()), ("fwd", ()), ("jvp", dots)):
        function = primal.find(generated, name)
        if function is None:
            continue
        args = tangents.copy(primal.args)
        arrays = _arrays(args)
        try:
            function(*args, *more)
        except Exception as raised:
            if not primal.same_exception(raised):
                message = f"{name}: {raised!r}, expected {primal.raised!r}"
                raise Mismatch("raise", message) from None
        else:
            raise Mismatch("raise", f"{name} does not raise {primal.raised!r}")
        kind, precision = "mutation", primal.precision
        _expect_same(f"{name} raises and leaves", arrays, primal.arrays, kind, precision)
        if not any(_same_numbers(args, left) for left in (primal.after, primal.args)):
            raise Mismatch(kind, f"{name} raises and leaves {args}, not {primal.after}")


def _compare_forward(primal: Primal, jvp: Callable[..., Tree], gradient: Arguments) -> None:
    """``f_jvp`` agrees with the gradient to rounding, and does what ``f`` does."""
    given, drawn = tangents.copy((primal.args, primal.direction))
    value, dot = jvp(*given, *primal.differentiated(drawn))
    _expect_same("jvp leaves", given, primal.after, "mutation", primal.precision)
    _expect_value(primal, value)
    terms = tangents.products(gradient, primal.differentiated(primal.direction))
    forward = tangents.dot(primal.y_bar, dot)
    if primal.derivative is None and not np.isfinite([*terms, forward]).all():
        return  # there is none
    size = max(1.0, float(abs(terms).sum()))
    if not abs(forward - terms.sum()) <= primal.precision * size:
        raise Mismatch("tangent", f"{forward!r}, by the gradient it is {terms.sum()!r}")


# ---- what is expected ---------------------------------------------------------------------------


def _expect_value(primal: Primal, found: Tree) -> None:
    pairs = [(a, b) for _, a, b in tangents.leaves(primal.value, found)]
    if not all(nearly_equal(a, b, primal.precision) for a, b in pairs):
        raise Mismatch("value", f"{found!r}, expected {primal.value!r}")


def _expect_gradient(primal: Primal, name: str, found: Arguments) -> None:
    if primal.derivative is None:
        return
    got = tangents.dot(found, primal.differentiated(primal.direction))
    size = max(1.0, abs(primal.derivative), tangents.magnitude(found))
    bound = max(RTOL, 10 * primal.precision) * size + 4 * primal.error
    if not abs(got - primal.derivative) <= bound:
        expected = f"{primal.derivative!r} ± {primal.error:.1e}"
        raise Mismatch("gradient", f"{name}: {got!r}, expected {expected}: {found}")


def _expect_same(what: str, found: Tree, expected: Tree, kind: str, precision: float) -> None:
    """Equal numbers in equally shared memory."""
    pairs = [(a, b) for _, a, b in tangents.leaves(expected, found)]
    shared = _sharing([a for a, _ in pairs]) == _sharing([b for _, b in pairs])
    if not shared or not all(nearly_equal(a, b, precision) for a, b in pairs):
        raise Mismatch(kind, f"{what} {found}, expected {expected}")


def nearly_equal(expected: Tree, found: Tree, precision: float) -> bool:
    """True if two leaves have one shape, and the same numbers but for rounding."""
    if np.shape(expected) != np.shape(found):
        return False
    if isinstance(expected, str | None):
        return bool(expected == found)
    size = np.max(abs(np.asarray(expected)), initial=1.0, where=np.isfinite(expected))
    same: bool = np.allclose(found, expected, rtol=0.0, atol=precision * size, equal_nan=True)
    return same


def _same_numbers(found: Tree, expected: Tree) -> bool:
    """True if all numbers outside of arrays are equal."""
    lists = [
        [leaf for _, leaf in tangents.leaves(tree) if not isinstance(leaf, np.ndarray)]
        for tree in (found, expected)
    ]
    pairs = zip(*lists, strict=False)
    return len(lists[0]) == len(lists[1]) and all(nearly_equal(a, b, ROUNDING) for a, b in pairs)


def _memory(tree: Tree) -> list[tuple[int, tuple[int, ...]]]:
    """The address and strides of each array."""
    return [(_address(a), a.strides) for a in _arrays(tree)]


def _address(array: Vector) -> int:
    return int(array.__array_interface__["data"][0])


def _arrays(tree: Tree) -> list[Vector]:
    return [leaf for _, leaf in tangents.leaves(tree) if isinstance(leaf, np.ndarray)]


def _sharing(parts: Sequence[Tree]) -> list[int]:
    """For each array, the first one that begins where it does."""
    places = [_address(part) for part in parts if isinstance(part, np.ndarray)]
    return [places.index(place) for place in places]


def _as_floats(tree: Tree) -> Tree:
    """A result, with floats for whole numbers: it is annotated so."""

    def number(leaf: Tree) -> Tree:
        return float(leaf) if isinstance(leaf, int | np.integer | np.bool_) else leaf

    return tangents.map_leaves(number, tree)


def _double(leaf: Tree) -> Tree:
    """A number or an array in double precision."""
    return np.multiply(leaf, 1.0, dtype=None if np.iscomplexobj(leaf) else np.float64)
