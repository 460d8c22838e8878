"""The dialect of the tape: saved values, and arrays that get room as they are filled.

Statements beside the normal form of `nodes.py`, each for a part of the way only (``FORMS``): what
is differentiated reserves room in growable arrays, the sweeps push and pop what they save, and
what is emitted knows arrays that grow. In between stand `ad/tape/stacks.py` and
`ad/tape/growable_tapes.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from mooncake_transpiler.ir.atoms import Origin
from mooncake_transpiler.ir.roles import (
    AllRead,
    Grown,
    Operand,
    Operands,
    Result,
    Results,
    ShownOrRead,
    StackRead,
    StackWritten,
)


@dataclass(frozen=True, slots=True, eq=False)
class Reserve:
    """From here on the growable ``array`` has room for ``size`` items of ``shape``, or more.

    What it holds stays. All items have one shape. No effect in the reverse sweep, which finds the
    array as large as it has become; `ad/tape/stacks.py` makes ``Grow`` of it.
    """

    array: Grown
    size: Operand
    shape: Operands = ()
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class NewStack:
    out: Result
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Push:
    """Push ``values``, as many as the stack is wide, or the elements of a single array."""

    stack: StackWritten
    values: AllRead
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Pop:
    """``outs`` = what was pushed last, in the same order; an array may only be read."""

    outs: Results
    stack: StackRead
    origin: Origin | None = None
    shape: Operands = ()  # of the array


@dataclass(frozen=True, slots=True, eq=False)
class Grow:
    """``out`` = ``array``, or a larger copy of it if it has fewer than ``size`` items.

    ``shape`` is that of an item.
    """

    out: Result
    array: ShownOrRead
    size: Operand
    origin: Origin | None = None
    shape: Operands = ()


Taped = Reserve | NewStack | Push | Pop | Grow


class Form(Enum):
    """A form of functions on their way, by what it has of the tape."""

    DIFFERENTIABLE = "what a transform is applied to: functions of the user, derivatives in between"
    SWEEPS = "the sweeps, before their stacks become arrays"
    EMITTED = "what is emitted: from `ad/tape/plain.py` on"


FORMS: Mapping[Form, frozenset[type[Taped]]] = {
    Form.DIFFERENTIABLE: frozenset({Reserve}),
    Form.SWEEPS: frozenset({Reserve, NewStack, Push, Pop}),
    Form.EMITTED: frozenset({Grow}),
}
