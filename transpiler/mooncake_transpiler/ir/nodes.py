"""The typed normal form, on one page.

Structured: ``If``, ``For`` and ``While`` are trees, because the output is Python. Typed SSA: every
``Value`` is bound exactly once and has a static type. Instead of assigning to names, ``If`` and
the loops yield values: a loop's ``params`` hold the carried values at the start of an iteration,
``inits`` those before the first, its body's ``yields`` those for the next, and ``outs`` the last.

Arrays are references to memory: ``Load``, ``Store``, ``Accum`` and the bulk statements read and
write it in statement order; ``View`` aliases its base.

A statement that is ``free`` is part of a derivative: zeros may lose their sign there, sums may be
taken in another order, and what nobody reads need not be stored. What the user has written is
exact, wherever it is computed again.

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

from mooncake_transpiler.ir.atoms import Atom, Const, Origin
from mooncake_transpiler.ir.roles import (
    Added,
    AllMade,
    At,
    Binder,
    Binders,
    Found,
    Given,
    Indices,
    Made,
    Operand,
    Operands,
    Read,
    Result,
    Results,
    Shown,
    ShownOrRead,
    Texts,
    TextsRead,
    Written,
)
from mooncake_transpiler.ir.tape import Grow, NewStack, Pop, Push, Reserve


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

    out: Result
    op: str
    args: Operands
    origin: Origin | None = None
    free: bool = False


# ---- arrays -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Alloc:
    """New memory of ``shape``; ``fill`` None leaves it unset (``np.empty``).

    One that is ``growable`` is empty until a ``Reserve`` makes room. Nothing is known about its
    extents, and branches and loops don't choose it: it is what it was made as.
    """

    out: Made
    shape: Operands
    fill: Const | None = None
    origin: Origin | None = None
    growable: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Dim:
    """``out = array.shape[axis]``."""

    out: Result
    array: Operand
    axis: int
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Global:
    """A constant array that module ``module`` of the program binds to ``name``."""

    out: Found
    module: str
    name: str
    origin: Origin | None = None


DETACHED = "detached"  # what is shown under a name without derivative


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Basic indexing that aliases ``base``; with ``axes``, ``base[index].transpose(axes)``."""

    out: Result
    base: Shown
    index: Indices
    origin: Origin | None = None
    axes: tuple[int, ...] = ()  # which axis of base[index] each axis shows; empty: as they are
    part: str = ""  # "real", "imag" of complex numbers, which are floats; or DETACHED; no index


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

    out: Result
    base: ShownOrRead
    shape: Operands
    origin: Origin | None = None
    sharing: Sharing = Sharing.ANY


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """``out = base[index]``, one integer per axis."""

    out: Result
    base: Read
    index: At
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """``base[index] = value``."""

    base: Written
    index: At
    value: Operand
    origin: Origin | None = None
    free: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Accum:
    """``base[index] += value``."""

    base: Added
    index: At
    value: Operand
    origin: Origin | None = None
    free: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """``out = src.copy()``: new memory with the same content.

    Only until `passes/sharing.py` there are those of which NumPy makes none perhaps (``UNKNOWN``),
    or that are none where nobody can tell (``ANY``). ``free``: nobody asked for it, so it may be
    ``src`` itself where neither is written to.
    """

    out: Made
    src: Read
    origin: Origin | None = None
    sharing: Sharing = Sharing.COPY
    free: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """``dst[...] = src``; ``src`` is a scalar, or an array of the shape of ``dst``."""

    dst: Written
    src: Read
    origin: Origin | None = None
    free: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class AddTo:
    """``dst += src``, elementwise in place; ``src`` as for ``Assign``."""

    dst: Added
    src: Read
    origin: Origin | None = None
    free: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """``out`` = the sum over all elements of ``array``."""

    out: Result
    array: Read
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shadows:
    """``outs`` = zeros, one for each of ``arrays``, that overlap where these do."""

    outs: AllMade
    arrays: Operands
    origin: Origin | None = None


# ---- control ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """Call of another function of the program; leaves of arguments and results are spread out.

    ``rt:name`` is a primitive of ``mooncake_rules.primitives`` instead: its results are new memory
    and scalars, it writes only what the table says, and has no derivative of its own. A call that
    is ``quiet`` writes nothing, prints nothing and raises nothing, unless it goes too deep.
    """

    outs: Results
    func: str  # Func.name
    args: Given
    origin: Origin | None = None
    free: bool = False
    quiet: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class If:
    outs: Results
    cond: Operand
    then: Block
    orelse: Block
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """``for index in range(lo, hi, step)``.

    With ``exit``, ``params[0]`` is a bool that starts as False; the loop stops after the iteration
    that yields True for it.
    """

    outs: Results
    index: Binder
    lo: Operand
    hi: Operand
    step: Operand
    params: Binders
    inits: Operands
    body: Block
    exit: bool = False
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """``while cond``: a block over ``params`` that yields one bool. ``exit`` as above."""

    outs: Results
    params: Binders
    inits: Operands
    cond: Block
    body: Block
    exit: bool = False
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class ProgramClass:
    """A class that module ``module`` of the program defines."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}:{self.name}"


@dataclass(frozen=True, slots=True, eq=False)
class Raise:
    """``raise exc(message)``; what follows in its block is unreachable (yields are ``Undef``).
    ``exc`` is built in, ``numpy.linalg.LinAlgError``, or a class of the program.
    ``fields``: numbers and texts that fields of parameters hold by then, each behind its path.
    ``numbers`` stand for the braces of ``message``; without one they, and texts, are the arguments.
    """

    exc: str | ProgramClass
    message: str | None
    origin: Origin | None = None
    fields: Texts = ()
    numbers: TextsRead = ()


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """``print(*args)``; a string argument is printed as it is.

    With ``through``, a function of the runtime and what is constant for it, as ``("warned",
    "UserWarning")``, they are a text with braces and the numbers for these.
    """

    args: TextsRead
    origin: Origin | None = None
    through: tuple[str, ...] = ()


Simple = (  # statements without blocks
    Compute | Alloc | Reserve | Shadows | Dim | Global | View | Reshape | Load | Store | Accum
    | Copy | Assign | AddTo | Sum | Call | Raise | Print | NewStack | Push | Pop | Grow
)  # fmt: skip
Stmt = Simple | If | For | While
Freeable = Compute | Store | Accum | Assign | AddTo | Call
