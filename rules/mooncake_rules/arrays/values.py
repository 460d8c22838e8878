"""Numbers and arrays of the program under compilation, with Python's operators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from mooncake_rules.arrays.stage import Stage


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
    ``at`` loads from. ``fine``: the same elements in the same order, by more axes than these, of
    which ``groups[k]`` each are one axis here: what needs divisions by one index may not by more.
    ``shows``: NumPy makes a read-only view of the memory in ``reads`` here. ``layout``: how NumPy
    has it in memory, as the stage knows that; None for new memory in an order that is not known.
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
        return self._op("add", self, other)

    def __radd__(self, other: Value) -> Value:
        return self._op("add", other, self)

    def __sub__(self, other: Value) -> Value:
        return self._op("sub", self, other)

    def __rsub__(self, other: Value) -> Value:
        return self._op("sub", other, self)

    def __mul__(self, other: Value) -> Value:
        return self._op("mul", self, other)

    def __rmul__(self, other: Value) -> Value:
        return self._op("mul", other, self)

    def __truediv__(self, other: Value) -> Value:
        return self._op("div", self, other)

    def __rtruediv__(self, other: Value) -> Value:
        return self._op("div", other, self)

    def __neg__(self) -> Value:
        return self._op("neg", self)

    def __matmul__(self, other: Arr) -> Arr:
        found = self.s.call("numpy.matmul", self, other)
        assert isinstance(found, Arr)
        return found

    def _op(self, name: str, *args: Value) -> Value:
        from mooncake_rules.arrays.elementwise import elementwise  # it is made of these classes

        return elementwise(self.s, name, *args)

    def __iter__(self) -> Iterator[Arr]:
        raise TypeError("an array of the program has no items while it is compiled")


Value = Num | Arr | complex  # an array or number of the program, or a plain number
