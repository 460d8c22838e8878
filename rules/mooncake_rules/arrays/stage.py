"""The interface of the compiler to library functions: the statements that they may emit.

A library function runs when a call of it is compiled. Numbers that are known then (axes, flags,
literals) are plain Python numbers; those of the running program are ``Num``, with Python's
operators, and its arrays are ``Arr``. Whatever a stage is asked to compute from plain numbers alone
is a plain number again where that is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from mooncake_rules.arrays.referring import referred

T = TypeVar("T")
# Gives results, and a closure from their cotangents to those of the arguments.
Rule = Callable[..., tuple[Sequence[object], Callable[..., Sequence[object]]]]


class Stage(Protocol):
    """Statements, in the order in which these methods are called."""

    @property
    def minimal(self) -> bool:
        """True if rules that only make code faster are left out: derivatives come from loops."""

    @property
    def stretching(self) -> bool:
        """True if axes that turn out to be 1 when the program runs are stretched, not refused."""

    # ---- scalars ----

    @property
    def on_device(self) -> bool:
        """True where CuPy's functions are called, which tell nothing of single elements."""

    def op(self, name: str, *args: Num | complex) -> Num | complex:
        """A scalar op of ``mooncake_rules.scalar``."""

    def result(self, name: str, *args: Num | Arr | complex) -> str:
        """The dtype of the result of an op, where arrays stand for their elements."""

    def cast(self, x: Num | complex, dtype: str) -> Num | complex:
        """``x`` converted to ``dtype``, whatever that loses."""

    def element(self, x: Num | complex, dtype: str) -> Num | complex:
        """``x``, an element of an array of ``dtype``: its precision counts, even if it is known."""

    def promote(self, *args: Num | Arr | complex) -> str:
        """NumPy's common dtype; plain numbers count by their kind only."""

    # ---- control ----

    def nest(self, shape: Sequence[Num | int], body: Callable[..., None]) -> None:
        """``body(i, j, ...)`` for every index of ``shape``, in C order."""

    def fold(
        self,
        shape: Sequence[Num | int],
        inits: Sequence[Num | complex],
        body: Callable[..., Sequence[Num | complex]],
    ) -> tuple[Num | complex, ...]:
        """Carried values: ``body(accs, i, j, ...)`` gives the next ``accs``; the last come out."""

    def choose(
        self,
        cond: Num | bool,
        then: Callable[[], Sequence[Num | complex]],
        orelse: Callable[[], Sequence[Num | complex]],
    ) -> tuple[Num | complex, ...]:
        """The values of one of two arms, of which only that one runs."""

    def loop(
        self,
        inits: Sequence[Num | complex],
        cond: Callable[..., Num | bool],
        body: Callable[..., Sequence[Num | complex]],
    ) -> tuple[Num | complex, ...]:
        """``while cond(*values): values = body(*values)``."""

    def before(self) -> Callable[[Callable[[], T]], T]:
        """A function that runs its argument so that it emits here, before the next loop nest."""

    def require(
        self, cond: Num | bool, message: str, exc: str = "ValueError", *numbers: Num | complex
    ) -> None:
        """Raise ``exc(message)`` when the program runs unless ``cond`` holds.

        ``numbers`` stand for the braces of ``message``.
        """

    def refuse(self, message: str, help: str | None = None, code: str = "MK303") -> Exception:
        """A diagnostic at the call, to be raised."""

    # ---- arrays ----

    def new(
        self, shape: Sequence[Num | int], dtype: str, fill: bool | int | float | None = None
    ) -> Arr:
        """New memory, unset unless ``fill`` is given."""

    def store(self, array: Arr, index: Sequence[Num | int], value: Num | complex) -> None:
        """``array[index] = value``; the array must be in memory."""

    def add(self, array: Arr, index: Sequence[Num | int], value: Num | complex) -> None:
        """``array[index] += value``; the array must be in memory."""

    def keep(self, array: Arr) -> Arr:
        """``array`` in memory: what is delayed is computed now."""

    def copied(self, array: Arr, order: str = "") -> Arr:
        """The elements of ``array`` in new memory, at the latest when it is used.

        ``order``: how NumPy has them there; "C", "F", "K" as ``array``, or nothing is known.
        """

    def writable(self, array: Arr) -> Arr:
        """``array``, which is about to be written to; a diagnostic where that can't be done."""

    def apart(self, source: Arr, target: Arr) -> Arr:
        """``source``, computed or copied now if it may read memory that ``target`` shows."""

    def contiguous(self, array: Arr) -> Arr:
        """``np.ascontiguousarray(array)``: as it is, or a copy."""

    def view(self, array: Arr, index: Sequence[object], axes: Sequence[int] = ()) -> Arr:
        """``array[index]`` by numbers, slices and None, then transposed; aliases memory."""

    def part(self, array: Arr, name: str) -> Arr:
        """The "real" or "imag" parts of complex numbers in memory; aliases that."""

    def reshape(self, array: Arr, shape: Sequence[Num | int]) -> Arr:
        """``array.reshape(shape)``, of as many items."""

    def ravel(self, array: Arr, size: Num | int) -> Arr:
        """``array.ravel()``, which has ``size`` items."""

    def flat(self, array: Arr, size: Num | int) -> Arr:
        """``array.flat``, which has ``size`` items."""

    def like(self, array: Arr) -> object:
        """The layout of a copy of ``array`` that keeps its order."""

    def c_order(self, shape: Sequence[Num | int]) -> object:
        """The layout of an array in C order."""

    def in_order(self, array: Arr) -> Arr:
        """``array``, new memory that NumPy has in C order."""

    def laid_out(self, array: Arr, layout: object) -> Arr:
        """``array``, new memory or delayed, with a layout."""

    def any_order(self, shape: Sequence[Num | int]) -> object:
        """A layout of which nothing is known."""

    def gathered(
        self, base: Arr, axes: Sequence[int], indices: Sequence[Arr], common: Sequence[Num | int],
        at: int,
    ) -> object:  # fmt: skip
        """The layout of what ``indices``, of one ``common`` shape, pick from ``axes`` of ``base``.

        Its axes are those of ``base`` that are left, and before the axis ``at`` of them those of
        the indices, which are the outermost in memory.
        """

    def joined(self, parts: Sequence[Arr], axis: int, shape: Sequence[Num | int]) -> object:
        """The layout of ``parts`` one after the other along ``axis``, which have ``shape`` then."""

    def with_axis(self, array: Arr, axis: int) -> object:
        """The layout of ``array`` with a new axis of size 1."""

    def fortran(self, array: Arr, shape: Sequence[Num | int]) -> object:
        """Fortran order for ``shape`` if ``array`` is contiguous in that only, else C order."""

    def elementwise(self, operands: Sequence[Arr], shape: Sequence[Num | int]) -> object:
        """The layout of what a ufunc makes of ``operands``, which have this common shape."""

    def shrunk(self, size: Num | int, by: int) -> Num | int:
        """``max(size - by, 0)``."""

    def half(self, size: Num | int) -> Num | int:
        """``size // 2 + 1``, the same one for equal sizes."""

    def same(self, a: Num | int, b: Num | int) -> bool:
        """True if two sizes are proved equal."""

    def at_most_one(self, size: Num | int) -> bool:
        """True if a size is proved to be at most 1, as that of a slice ``k:k+1``."""

    def equate(self, a: Num | int, b: Num | int) -> None:
        """Record that two sizes are equal from here on, as a check has made sure."""

    # ---- calls ----

    def primitive(
        self, name: str, args: Sequence[Num | Arr | complex], results: Sequence[tuple[str, int]]
    ) -> tuple[Num | Arr, ...]:
        """A function of ``mooncake_runtime.kernels``; ``results`` are dtypes and ranks."""

    def rule(self, name: str, rule: Rule, *args: object) -> tuple[Num | Arr, ...]:
        """The results of a function with a pullback.

        ``rule(stage, *args) -> (results, pullback)``; ``pullback(*seeds) -> bars``, a cotangent or
        None for each argument; seeds of results that carry no floats are None. A pullback with a
        parameter ``x_bar`` is given the shadow of the argument ``x``, an array, to add to instead.
        The bodies see the arguments only: they are lowered once for all calls with such types.
        """

    def shaped(self, array: Arr, shape: Sequence[Num | int]) -> Arr:
        """``array``, which is known to have this shape."""

    def broadcast(self, name: str, *args: Num | Arr | complex) -> Num | Arr | complex:
        """A scalar op of arrays and numbers, element by element."""

    def has(self, function: str) -> bool:
        """True if the library has a function of that name."""

    def call(self, function: str, *args: object, **keywords: object) -> object:
        """Another function of the library, by the name that users call it by."""


@dataclass(frozen=True, slots=True, eq=False)
class Num:
    """A number of the running program; ``atom`` is what the stage knows it by."""

    s: Stage
    atom: object
    dtype: str

    def __add__(self, other: Num | complex) -> Num | complex:
        if isinstance(other, Arr):
            return NotImplemented
        return self.s.op("add", self, other)

    def __radd__(self, other: complex) -> Num | complex:
        return self.s.op("add", other, self)

    def __sub__(self, other: Num | complex) -> Num | complex:
        if isinstance(other, Arr):
            return NotImplemented
        return self.s.op("sub", self, other)

    def __rsub__(self, other: complex) -> Num | complex:
        return self.s.op("sub", other, self)

    def __mul__(self, other: Num | complex) -> Num | complex:
        if isinstance(other, Arr):
            return NotImplemented
        return self.s.op("mul", self, other)

    def __rmul__(self, other: complex) -> Num | complex:
        return self.s.op("mul", other, self)

    def __truediv__(self, other: Num | complex) -> Num | complex:
        if isinstance(other, Arr):
            return NotImplemented
        return self.s.op("div", self, other)

    def __rtruediv__(self, other: complex) -> Num | complex:
        return self.s.op("div", other, self)

    def __floordiv__(self, other: Num | complex) -> Num | complex:
        return self.s.op("floordiv", self, other)

    def __rfloordiv__(self, other: complex) -> Num | complex:
        return self.s.op("floordiv", other, self)

    def __mod__(self, other: Num | complex) -> Num | complex:
        return self.s.op("mod", self, other)

    def __rmod__(self, other: complex) -> Num | complex:
        return self.s.op("mod", other, self)

    def __neg__(self) -> Num | complex:
        return self.s.op("neg", self)

    def __lt__(self, other: Num | float) -> Num | complex:
        return self.s.op("lt", self, other)

    def __le__(self, other: Num | float) -> Num | complex:
        return self.s.op("le", self, other)

    def __gt__(self, other: Num | float) -> Num | complex:
        return self.s.op("gt", self, other)

    def __ge__(self, other: Num | float) -> Num | complex:
        return self.s.op("ge", self, other)

    def equals(self, other: Num | complex) -> Num | complex:
        return self.s.op("eq", self, other)


Sizes = tuple["Num | int", ...]


@dataclass(frozen=True, slots=True, eq=False)
class Arr:
    """An array of the running program, in memory or delayed.

    ``at(i, j, ...)`` emits what computes one element; the indices are in range. ``memory`` is what
    the stage knows an array by that exists; a delayed one is computed where it is used. ``cheap``:
    its elements may be computed more than once (arithmetic and loads). ``reads``: the memory that
    ``at`` loads from, also that of all arrays which it refers to. ``fine``: the same elements in
    the same order, by more axes than these, of which ``groups[k]`` each are one axis here: what
    needs divisions by one index may not by more. ``shows``: NumPy makes a read-only view of the
    memory in ``reads`` here. ``layout``: how NumPy has it in memory, as the stage knows that; None
    for new memory in an order that is not known.
    """

    s: Stage
    dtype: str
    shape: Sizes
    at: Callable[..., Num | complex]
    memory: object | None = None
    cheap: bool = True
    reads: frozenset[object] = field(default_factory=frozenset)
    fine: Arr | None = None
    groups: tuple[int, ...] = ()
    shows: bool = False
    layout: object | None = None

    def __post_init__(self) -> None:
        known = (array.reads for array in referred(self.at, Arr) if isinstance(array, Arr))
        object.__setattr__(self, "reads", self.reads.union(*known))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def lazy(
        self,
        shape: Sizes,
        at: Callable[..., Num | complex],
        dtype: str | None = None,
        cheap: bool | None = None,
    ) -> Arr:
        """A delayed array made of this one."""
        cheap = self.cheap if cheap is None else cheap
        return Arr(self.s, dtype or self.dtype, shape, at, None, cheap, self.reads)

    def __add__(self, other: Value) -> Value:
        return self.s.broadcast("add", self, other)

    def __radd__(self, other: Value) -> Value:
        return self.s.broadcast("add", other, self)

    def __sub__(self, other: Value) -> Value:
        return self.s.broadcast("sub", self, other)

    def __rsub__(self, other: Value) -> Value:
        return self.s.broadcast("sub", other, self)

    def __mul__(self, other: Value) -> Value:
        return self.s.broadcast("mul", self, other)

    def __rmul__(self, other: Value) -> Value:
        return self.s.broadcast("mul", other, self)

    def __truediv__(self, other: Value) -> Value:
        return self.s.broadcast("div", self, other)

    def __rtruediv__(self, other: Value) -> Value:
        return self.s.broadcast("div", other, self)

    def __neg__(self) -> Value:
        return self.s.broadcast("neg", self)

    def __matmul__(self, other: Arr) -> Arr:
        found = self.s.call("numpy.matmul", self, other)
        assert isinstance(found, Arr)
        return found

    def __iter__(self) -> Iterator[Arr]:
        raise TypeError("an array of the program has no items while it is compiled")


Value = Num | Arr | complex  # an array or number of the program, or a plain number
