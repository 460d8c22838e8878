"""A program at a point in plain Python: result, what it leaves, derivative by differences."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import get_args, get_origin, get_type_hints

import numpy as np
from mooncake_runtime import tangents
from mooncake_runtime.differences import richardson
from mooncake_runtime.tangents import Tree
from mooncake_transpiler.verify.deadline import deadline
from numpy.typing import NDArray

from tests.property.leaves import arrays, double, same_leaves

Vector = NDArray[np.float64]
Arguments = tuple[Tree, ...]
RTOL = 1e-7
ROUNDING = 1e-10  # of programs that may amplify it: their intermediates can be large
LARGE = 1e5  # numbers in which rounding may decide
NUDGES = (1e-14, -1e-14, 3e-15)  # of arguments, relatively: what rounding does, and some more
EPSILON = 4e-16  # the rounding of a number, relatively
PATIENCE = 3.0  # seconds for what takes milliseconds, unless a loop does not end


class Discarded(Exception):
    """The program says nothing: it fails itself, or has a kink or a jump nearby."""


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
    The value of a function that returns None are the arguments ``shown``, known by their places.
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
        self.unclear = ""  # why there is none
        self.error = 0.0
        self.shown: tuple[int, ...] = ()
        self._result = get_type_hints(f).get("return")
        with discarding():
            self.after = tangents.copy(self.args)
            self.arrays = arrays(self.after)
            try:
                self.value = self.f(*self.after)
            except raises as raised:  # what programs raise to end with
                self.raised = raised
        rng = np.random.default_rng(7)
        self.direction = tangents.direction(self.args, rng)
        self.toward = self.direction
        if self.center is not args:
            self.toward = tangents.map_leaves(double, self.direction)
        self._draw()

    def _draw(self) -> None:
        """The cotangent of the value."""
        declared = _as_declared(self.value, self._result)
        is_number = isinstance(declared, float | np.floating)
        self.y_bar = 1.0 if is_number else tangents.cotangent(declared, np.random.default_rng(8))

    @property
    def is_large(self) -> bool:
        """True where rounding may decide."""
        return not max(map(tangents.magnitude, (self.after, self.value))) < LARGE

    def show(self, shown: Sequence[int]) -> None:
        """Let the value be what the arguments at these places hold after the call."""
        self.shown = tuple(shown)
        self.value = self._shown(self.after)
        self._draw()

    def _shown(self, after: Arguments) -> Tree:
        found = tuple(after[at] for at in self.shown)
        return found[0] if len(found) == 1 else found

    def changed(self) -> set[int]:
        """The places of the arguments that the function changes."""
        pairs = enumerate(zip(self.args, self.after, strict=True))
        return {at for at, (old, new) in pairs if not same_leaves(old, new, 0.0)}

    def differentiate(self) -> None:
        """Find the derivative by differences, or say why there is none.

        Items of an array that have none get the cotangent 0.
        """
        if self.raised:
            return
        try:
            with discarding():
                noise = EPSILON * tangents.magnitude(self.value) if self.is_large else 0.0
                expected, error = richardson(self._along, noise=noise)
                kink = kink_of(self._along)
        except Discarded as failed:
            self.unclear = str(failed)
            return
        bound = 1e-6 * np.maximum(1.0, abs(expected))
        smooth = (error <= bound) & (kink <= bound)
        if not smooth.any():
            self.unclear = f"derivative {expected} ± {error}, a kink of {kink}"
            return
        if isinstance(self.y_bar, np.ndarray):
            self.y_bar = np.where(smooth.reshape(self.y_bar.shape), self.y_bar, 0.0)
        self.derivative, self.error = (float(np.sum(v[smooth])) for v in (expected, error))

    def is_rounding(self) -> bool:
        """True if rounding in the arguments alone makes a result another one."""
        return any(not self._is_same_at(nudge) for nudge in NUDGES)

    def _is_same_at(self, nudge: float) -> bool:
        given = tangents.moved(self.args, self.direction, nudge)
        try:
            with discarding():
                value = self.f(*given)
        except Discarded:
            return False
        value = self._shown(given) if self.shown else value
        pairs = ((self.value, value), (self.after, given))
        return all(same_leaves(*pair, self.precision) for pair in pairs)

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
        given = tangents.moved(self.center, self.toward, t)
        found = self.smooth(*given)
        found = self._shown(given) if self.shown else _as_declared(found, self._result)
        if isinstance(self.y_bar, np.ndarray):  # of these, some items may have a kink
            return np.ravel((self.y_bar.conj() * found).real)
        if np.isscalar(found) and np.iscomplexobj(found) != np.iscomplexobj(self.y_bar):
            return np.array([np.nan])  # a root of a negative number
        return np.array([tangents.dot(self.y_bar, found)])

    def differentiated(self, slots: Arguments) -> Arguments:
        """The items of ``slots``, one for each parameter, that have derivatives."""
        pairs = zip(self.args, slots, strict=True)
        return tuple(slot for arg, slot in pairs if _carries(arg))


def kink_of(along: Callable[[float], Vector]) -> Vector:
    """The jump of the derivative at 0: the part that remains for smaller steps.

    Central differences do not see that: they take the mean of both sides.
    """
    middle = 2.0 * along(0.0)
    sums = ((along(h) + along(-h), h) for h in (1e-4, 1e-5))
    wide, narrow = (abs(both - middle) / h for both, h in sums)
    return np.where(narrow <= 0.3 * wide, 0.0, narrow)


def _carries(arg: Tree) -> bool:
    """True if there are derivatives with respect to ``arg``."""
    return any(tangents.has_tangent(leaf) for _, leaf in tangents.leaves(arg))


def _as_declared(value: Tree, declared: object) -> Tree:
    """A result, with floats for the whole numbers that are annotated so."""
    kinds = get_args(declared)
    match value:
        case int() | np.integer() | np.bool_() if declared is float:
            return float(value)
        case tuple() if get_origin(declared) is tuple and len(kinds) == len(value):
            return tuple(map(_as_declared, value, kinds))
        case list() if get_origin(declared) is list:
            return [_as_declared(item, kinds[0]) for item in value]
        case _:
            return value
