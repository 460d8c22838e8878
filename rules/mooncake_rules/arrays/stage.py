"""The interface of the compiler to library functions: the statements that they may emit.

A library function runs when a call of it is compiled. Numbers that are known then (axes, flags,
literals) are plain Python numbers; those of the running program are ``Num``. Whatever a stage is
asked to compute from plain numbers alone is a plain number again where that is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from mooncake_rules.arrays.values import Arr, Num

T = TypeVar("T")


class Stage(Protocol):
    """Statements, in the order in which these methods are called."""

    @property
    def minimal(self) -> bool:
        """True if rules that only make code faster are left out: derivatives come from loops."""

    # ---- scalars ----

    def op(self, name: str, *args: Num | complex) -> Num | complex:
        """A scalar op of ``mooncake_rules.scalar``."""

    def result(self, name: str, *args: Num | Arr | complex) -> str:
        """The dtype of that op, where arrays stand for their elements."""

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

    def require(self, cond: Num | bool, message: str, exc: str = "ValueError") -> None:
        """Raise ``exc(message)`` when the program runs unless ``cond`` holds."""

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

        ``order``: how NumPy has them there; "C", "K" for that of ``array``, or nothing is known.
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
        """Two sizes are equal from here on: a check has made sure."""

    # ---- calls ----

    def primitive(
        self, name: str, args: Sequence[Num | Arr | complex], results: Sequence[tuple[str, int]]
    ) -> tuple[Num | Arr, ...]:
        """A function of ``mooncake_runtime.kernels``; ``results`` are dtypes and ranks."""

    def rule(self, name: str, rule: Callable[..., object], *args: object) -> tuple[Num | Arr, ...]:
        """The results of a function with a pullback.

        ``rule(stage, *args) -> (results, pullback)``; ``pullback(*seeds) -> bars``, a cotangent or
        None for each argument; seeds of results that carry no floats are None. A pullback with a
        parameter ``x_bar`` is given the shadow of the argument ``x``, an array, to add to instead.
        The bodies see the arguments only: they are lowered once for all calls with such types.
        """

    def shaped(self, array: Arr, shape: Sequence[Num | int]) -> Arr:
        """``array``, which is known to have this shape."""

    def call(self, function: str, *args: object, **keywords: object) -> object:
        """Another function of the library, by the name that users call it by."""
