"""The types of the arguments that a function of the program is called with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import has_mutable, is_open
from mooncake_transpiler.frontend.entities import Annotation, FunctionDecl
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.scalar.conversion import widens
from mooncake_transpiler.frontend.lower.scalar.scalars import dtype, is_scalar
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atoms, type_of
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Choice,
    Either,
    Elements,
    Generator,
    IntRange,
    Items,
    Maybe,
    Operand,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.tabled import holds_rows
from mooncake_transpiler.types import Array, List, Scalar, Type


def as_called(decl: FunctionDecl, bound: Mapping[str, Operand]) -> FunctionDecl:
    """``decl``; without its annotations if they say array and number for the other, as Python."""
    if decl.is_generated or not any(
        _is_other(p.annotation.type, bound[p.name]) for p in decl.params if p.annotation is not None
    ):
        return decl
    params = tuple(replace(p, annotation=None) for p in decl.params)
    return replace(decl, params=params, result=None)


def sides(decl: FunctionDecl, bound: Mapping[str, Operand]) -> tuple[int, int]:
    """The ranks of an array that has fewer axes than ``decl`` is seen to take, and of that one."""
    for param in decl.params if any(p.is_inferred for p in decl.params) else ():
        match param.annotation:
            case Annotation(type=Array(ndim=ndim)) if param.is_inferred:
                given = delayed.rank(bound[param.name]) or 0
                if 0 < given < ndim:
                    return given, ndim
            case _:
                pass
    return 0, 0


def _is_other(declared: Type, value: Operand) -> bool:
    """True if ``value`` is not what is declared, as a number or an array, but may well be meant."""
    match declared:
        case Scalar() | Array() if value in (NOTHING, Static(None)):
            return True  # ``weights: np.ndarray = None``
        case Scalar(dtype=wanted) if is_scalar(value):
            return not widens(dtype(value), wanted)
        case Scalar():
            return isinstance(type_of(value), Array)
        case Array():
            is_list = containers.is_list(value) or isinstance(value, Items)
            return is_list or (
                isinstance(type_of(value), Array | Scalar) and type_of(value) != declared
            )
        case List():
            is_tuple = isinstance(value, Items) and not value.is_list and value.cls is None
            is_once = isinstance(value, Generator | Elements | IntRange)  # ``xs: Iterable[float]``
            is_object = isinstance(value, Ref) and not containers.is_container(value)  # a deque
            is_array = isinstance(type_of(value), Array)  # ``xs: Sequence[float]``
            return is_tuple or is_once or is_object or is_array
        case _:
            return False


def gives_cases(decl: FunctionDecl, bound: Mapping[str, Operand]) -> bool:
    """True if a generated function is told which alternatives there are, and so tells others."""
    return decl.is_generated and any(
        name.endswith("_case") and isinstance(value, ir.Const) for name, value in bound.items()
    )


def argument_types(
    ctx: Context, decl: FunctionDecl, bound: Mapping[str, Operand]
) -> tuple[Type, ...] | None:
    """The types that ``decl`` is called with; None where an argument is a function or the like.

    Objects that can be changed exist in the caller only: it takes the body of the function.
    """
    types: list[Type] = []
    if decl.result is not None and (has_mutable(decl.result.type) or is_open(decl.result.type)):
        return None
    if decl.is_plain or decl.gives_dict or len(bound) > len(decl.params):  # *args or **kwargs
        return None
    leaves = (atom for value in bound.values() for atom in atoms(value))
    if not ctx.memory.permanent.isdisjoint(ctx.memory.roots(*leaves)):
        return None  # whether it writes to them must be seen
    if any(
        isinstance(value, Maybe | Either | Told | Choice) or holds_rows(value)
        for value in bound.values()
    ):
        return None
    for param in decl.params:
        if param.annotation is not None:
            if has_mutable(param.annotation.type) or is_open(param.annotation.type):
                return None
            types.append(param.annotation.type)
            continue
        found = type_of(bound[param.name])
        if found is None or has_mutable(found) or bound[param.name] == Static(None):
            return None
        types.append(found)
    return tuple(types)
