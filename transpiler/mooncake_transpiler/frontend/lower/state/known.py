"""Functions that can be called, and what is known of values on both sides of a call."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.lower.state.sizes import SizeFacts
from mooncake_transpiler.frontend.lower.state.whose import Kind, Whose
from mooncake_transpiler.types import ClassRef, Type


@dataclass(frozen=True, slots=True)
class Given:
    """A size that a callee takes from a leaf of its arguments: of an axis, or the number itself."""

    leaf: int
    axis: int | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """Facts about a leaf beyond its type, and so on the other side of a call."""

    value: bool | int | None = None
    decimal: str | None = None  # a float that is a constant: 0.0 and -0.0 are two, nan is one
    kind: Whose | None = None  # of a constant, or a number that is a result
    is_maybe_int: bool = False  # this float is an int in Python on some path
    extents: tuple[SizeFacts, ...] = ()  # of the axes of an array
    shape: tuple[Given | int, ...] | None = None  # of an array that is a result
    in_order: bool = False  # this array is certainly in C order, without gaps
    shows: frozenset[int] | None = None  # the arguments whose memory a result may be, if known


def has_shared_numbers(known: Facts) -> bool:
    """True if one of the leaves may be an array without axes."""
    return any(one.kind in (Kind.ARRAY, Kind.ANY) for one in known)


Facts = tuple[Known, ...]  # of the leaves of arguments, or of a result


@dataclass(frozen=True, slots=True)
class Callee:
    """A function of the program, ready to be called; what is known of its result's leaves.

    ``writes``: the leaves of its arguments that it may write to; None where that is not known yet.
    ``copies``: the arrays that it returns are new memory, as it is recursive; true if they may be
    copies of what Python returns itself, an argument or a part of one.
    """

    name: str
    params: tuple[Type, ...]
    result: Type
    known: Facts = ()
    writes: frozenset[int] | None = None
    copies: bool | None = None


@dataclass(frozen=True, slots=True)
class Ruled:
    """The two functions of a rule for certain argument types; ``results``: types without kept.

    ``shown`` are the numbers of the parameters that results are, or are parts of, in Python;
    ``shows_module`` is true if they may be arrays of the module.
    """

    func: ir.Func
    pullback: ir.Func
    results: tuple[Type, ...]
    shown: tuple[int, ...]
    shows_module: bool


@dataclass(frozen=True, slots=True)
class Lifted:
    """A nested function as one of the module, with parameters before its own for what it sees."""

    decl: FunctionDecl
    seen: tuple[str, ...]


# By nested functions, and by functions with what they are given for some of their parameters.
Lifts = dict[cst.CSTNode | tuple[cst.CSTNode | str, ...], Lifted | None]


@dataclass(slots=True)
class OverTables:
    """Recursive functions that are given tables: what each is, and whose objects they give.

    ``makers``: those that make objects, as they are and as they are given tables.
    """

    made: dict[tuple[cst.CSTNode, tuple[str, ...]], FunctionDecl] = field(default_factory=dict)
    gives: dict[cst.CSTNode, ClassRef] = field(default_factory=dict)
    makers: set[cst.CSTNode] = field(default_factory=set)
