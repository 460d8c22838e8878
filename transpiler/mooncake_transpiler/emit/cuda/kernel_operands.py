"""Kernels, and what they are given."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mooncake_transpiler import ir
from mooncake_transpiler.types import Array, DType, Scalar

# Types of which CUDA adds numbers atomically.
ATOMIC = (DType.FLOAT64, DType.FLOAT32, DType.INT64, DType.INT32, DType.UINT64, DType.UINT32)
BLOCK = 256  # threads of a block, where blocks sum
SUMS = "sums"


class Mode(Enum):
    """The form in which a kernel has an operand."""

    NUMBER = "number"
    ELEMENT = "element"  # of an array, of all axes or broadcast over some
    RAW = "raw"  # a whole array, by flat indices
    SHAPE = "shape"  # an array without content that says what the iterations are


@dataclass(frozen=True, slots=True, eq=False)
class Operand:
    """An argument of a launch: the kernel is ``given`` it for ``value``.

    ``sizes`` are those of a raw array, but the first; ``axes`` those that an element is told by.
    To elements that are ``atomic`` several iterations add. What is ``mixed`` shows memory that
    another operand shows, too, and that is written.
    """

    value: ir.Value
    given: ir.Value
    mode: Mode
    is_written: bool = False
    sizes: tuple[ir.Atom, ...] = ()
    axes: tuple[ir.Atom, ...] = ()
    is_atomic: bool = False
    is_mixed: bool = False

    @property
    def dtype(self) -> DType:
        assert isinstance(self.value.type, Scalar | Array)
        return self.value.type.dtype


Terms = tuple[tuple[tuple[bool, ir.Atom], ...], ...]  # of each sum: True for what is taken off


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """One launch over ``axes``: ``stmts`` in each iteration, and sums of ``terms`` over all.

    ``trips`` are the sizes of the axes, needed where more than one index is asked for. Blocks have
    ``threads``, or ``BLOCK`` where it is None.
    """

    name: str
    axes: tuple[ir.Value, ...]
    trips: tuple[ir.Atom, ...]
    operands: tuple[Operand, ...]
    stmts: tuple[ir.Stmt, ...]
    terms: Terms = ()
    dtype: DType = DType.FLOAT64  # of the sums
    threads: ir.Atom | None = None
    is_sized: bool = False  # told the number of iterations, which no array has
