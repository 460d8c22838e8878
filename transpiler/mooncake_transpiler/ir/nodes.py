"""The typed normal form, on one page.

Structured: ``If``, ``For`` and ``While`` are trees, because the output is Python. Typed SSA: every
``Value`` is bound exactly once and has a static type. Instead of assigning to names, ``If`` and
the loops yield values: a loop's ``params`` hold the carried values at the start of an iteration,
``inits`` those before the first, its body's ``yields`` those for the next, and ``outs`` the last.

Arrays are references to memory: ``Load``, ``Store``, ``Accum`` and the bulk statements read and
write it in statement order; ``View`` aliases its base.

Closed: whatever the derivative transforms emit is made of the same statements, so they apply to
their own output. What the frontend has removed before this form (``frontend/lower/README.md`` says
where): tuples, ``break`` / ``continue`` / early ``return`` (an ``exit`` flag and ``If``),
short-circuit operators and conditional expressions (``If``), chained comparisons, augmented
assignment, enumerate / zip / reversed (index arithmetic), keyword and default arguments, closures
and function arguments.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mooncake_transpiler.types import Scalar, Type


@dataclass(frozen=True, slots=True)
class Origin:
    """The user statement that a statement comes from, numbered within its function."""

    path: str
    line: int
    col: int
    text: str  # first line of the user's statement, for the comment above its adjoint
    index: int  # distinct per source statement within one top-level function
    adjoint: bool = False  # the statement belongs to the reverse sweep: emitted under a comment


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A name bound once. ``hint`` is the user's name, or empty for a temporary."""

    hint: str
    type: Type


@dataclass(frozen=True, slots=True)
class Const:
    value: bool | int | float | complex
    type: Scalar


@dataclass(frozen=True, slots=True)
class Undef:
    """A value that is never looked at (the other arm of a branch that leaves)."""

    type: Type


Atom = Value | Const | Undef


@dataclass(frozen=True, slots=True)
class Slice:
    """``lo:hi:step`` of a view; ``None`` as in Python."""

    lo: Atom | None = None
    hi: Atom | None = None
    step: Atom | None = None


@dataclass(frozen=True, slots=True)
class NewAxis:
    """An axis of length one in a view's result; it stands for no axis of the base."""


Index = Atom | Slice | NewAxis  # an integer atom drops its axis; missing trailing axes are whole


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    stmts: tuple[Stmt, ...]
    yields: tuple[Atom, ...] = ()


# ---- scalars ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Compute:
    """``out = op(*args)``, an op of the scalar table (``mooncake_rules.scalar``).

    Arguments may differ in dtype; ``out.type`` states the result. ``cast`` converts to it.
    """

    out: Value
    op: str
    args: tuple[Atom, ...]
    origin: Origin | None = None


# ---- arrays -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Alloc:
    """New memory of ``shape``; ``fill`` None leaves it unset (``np.empty``).

    One that is ``growable`` is empty until a ``Reserve`` makes room. Nothing is known about its
    extents, and branches and loops don't choose it: it is what it was made as.
    """

    out: Value
    shape: tuple[Atom, ...]
    fill: Const | None = None
    origin: Origin | None = None
    growable: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Reserve:
    """From here on the growable ``array`` has room for ``size`` items of ``shape``, or more.

    What it holds stays. All items have one shape. No effect in the reverse sweep, which finds the
    array as large as it has become; `ad/stacks.py` makes ``Grow`` of it.
    """

    array: Atom
    size: Atom
    shape: tuple[Atom, ...] = ()
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Dim:
    """``out = array.shape[axis]``."""

    out: Value
    array: Atom
    axis: int
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Global:
    """A constant array that module ``module`` of the program binds to ``name``."""

    out: Value
    module: str
    name: str
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Basic indexing that aliases ``base``; with ``axes``, ``base[index].transpose(axes)``."""

    out: Value
    base: Atom
    index: tuple[Index, ...]
    origin: Origin | None = None
    axes: tuple[int, ...] = ()  # which axis of base[index] each axis shows; empty: as they are
    part: str = ""  # "real", "imag" of complex numbers, which are floats; or "detached"; no index


class Sharing(Enum):
    """The relation of an array to the one that it is made of: the same memory, or a copy."""

    VIEW = "view"
    COPY = "copy"
    UNKNOWN = "unknown"  # that depends on sizes, or on how the caller lays out an argument
    ANY = "any"  # nobody can tell


@dataclass(frozen=True, slots=True, eq=False)
class Reshape:
    """``out = base.reshape(shape)``, one non-negative size per axis.
    It aliases ``base`` where that is contiguous, and is a copy otherwise. From `passes/sharing.py`
    on either will do, unless it is certain that ``base`` is contiguous.
    """

    out: Value
    base: Atom
    shape: tuple[Atom, ...]
    origin: Origin | None = None
    sharing: Sharing = Sharing.ANY


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """``out = base[index]``, one integer per axis."""

    out: Value
    base: Atom
    index: tuple[Atom, ...]
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """``base[index] = value``."""

    base: Atom
    index: tuple[Atom, ...]
    value: Atom
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Accum:
    """``base[index] += value``."""

    base: Atom
    index: tuple[Atom, ...]
    value: Atom
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """``out = src.copy()``: new memory with the same content.

    Only until `passes/sharing.py` there are those of which NumPy makes none perhaps (``UNKNOWN``),
    or that are none where nobody can tell (``ANY``).
    """

    out: Value
    src: Atom
    origin: Origin | None = None
    sharing: Sharing = Sharing.COPY


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """``dst[...] = src``; ``src`` is a scalar, or an array of the shape of ``dst``."""

    dst: Atom
    src: Atom
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AddTo:
    """``dst += src``, elementwise in place; ``src`` as for ``Assign``."""

    dst: Atom
    src: Atom
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """``out`` = the sum over all elements of ``array``."""

    out: Value
    array: Atom
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shadows:
    """``outs`` = zeros, one for each of ``arrays``, that overlap where these do."""

    outs: tuple[Value, ...]
    arrays: tuple[Atom, ...]
    origin: Origin | None = None


# ---- control ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """Call of another function of the program; leaves of arguments and results are spread out.

    ``rt:name`` is a primitive of ``mooncake_rules.primitives`` instead: its results are new memory
    and scalars, it writes only what the table says, and has no derivative of its own.
    """

    outs: tuple[Value, ...]
    func: str  # Func.name
    args: tuple[Atom, ...]
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class If:
    outs: tuple[Value, ...]
    cond: Atom
    then: Block
    orelse: Block
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """``for index in range(lo, hi, step)``.

    With ``exit``, ``params[0]`` is a bool that starts as False; the loop stops after the iteration
    that yields True for it.
    """

    outs: tuple[Value, ...]
    index: Value
    lo: Atom
    hi: Atom
    step: Atom
    params: tuple[Value, ...]
    inits: tuple[Atom, ...]
    body: Block
    exit: bool = False
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """``while cond``: a block over ``params`` that yields one bool. ``exit`` as above."""

    outs: tuple[Value, ...]
    params: tuple[Value, ...]
    inits: tuple[Atom, ...]
    cond: Block
    body: Block
    exit: bool = False
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Raise:
    """``raise exc(message)``; what follows in its block is unreachable (yields are ``Undef``).
    ``exc`` is built in, ``numpy.linalg.LinAlgError``, or ``module:Name`` of the program.
    ``fields``: numbers and texts that fields of parameters hold by then, each behind its path.
    With ``numbers`` the class is ``OutOfBounds`` of the runtime, whose message tells them.
    """

    exc: str
    message: str | None
    origin: Origin | None = None
    fields: tuple[Atom | str, ...] = ()
    numbers: tuple[Atom, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """``print(*args)``; a string argument is printed as it is."""

    args: tuple[Atom | str, ...]
    origin: Origin | None = None


# ---- stacks: saved values where the number of iterations is not known ----------------------------
# The sweeps push and pop; `ad/stacks.py` turns that into arrays that grow and integers that count.


@dataclass(frozen=True, slots=True, eq=False)
class NewStack:
    out: Value
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Push:
    """Push ``values``, as many as the stack is wide, or the elements of a single array."""

    stack: Value
    values: tuple[Atom, ...]
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Pop:
    """``outs`` = what was pushed last, in the same order; an array may only be read."""

    outs: tuple[Value, ...]
    stack: Value
    origin: Origin | None = None
    shape: tuple[Atom, ...] = ()  # of the array


@dataclass(frozen=True, slots=True, eq=False)
class Grow:
    """``out`` = ``array``, or a larger copy of it if it has fewer than ``size`` items.

    ``shape`` is that of an item.
    """

    out: Value
    array: Atom
    size: Atom
    origin: Origin | None = None
    shape: tuple[Atom, ...] = ()


Stmt = (
    Compute | Alloc | Reserve | Shadows | Dim | Global | View | Reshape | Load | Store | Accum
    | Copy | Assign | AddTo | Sum | Call | If | For | While | Raise | Print | NewStack | Push | Pop
    | Grow
)  # fmt: skip
