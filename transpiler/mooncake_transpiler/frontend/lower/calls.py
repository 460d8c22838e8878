"""Calls: of functions of the program, of nested ones, of NumPy, math and built-in ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.annotation import links
from mooncake_transpiler.frontend.declaration import decorators
from mooncake_transpiler.frontend.entities import (
    ClassDecl,
    ClassKind,
    EnumMember,
    External,
    FunctionDecl,
    FunctionRole,
)
from mooncake_transpiler.frontend.lower import names
from mooncake_transpiler.frontend.lower.array import aliasing, delayed
from mooncake_transpiler.frontend.lower.builtin import (
    builtin,
    lazily,
    methods,
    reflection,
    tellings,
)
from mooncake_transpiler.frontend.lower.call import (
    choices,
    closures,
    decorating,
    dimension_names,
    generalized,
    knowing,
    memoised,
    over_lists,
    over_tables,
    raising,
    recursion,
    spreading,
)
from mooncake_transpiler.frontend.lower.call.argument_types import (
    argument_types,
    as_called,
    gives_cases,
    sides,
)
from mooncake_transpiler.frontend.lower.call.closures import signature
from mooncake_transpiler.frontend.lower.call.results import convert_to
from mooncake_transpiler.frontend.lower.container import dicts, suspended
from mooncake_transpiler.frontend.lower.control import exceptions
from mooncake_transpiler.frontend.lower.failure import optional
from mooncake_transpiler.frontend.lower.instance import instances, raised, record_rows
from mooncake_transpiler.frontend.lower.instance.binding import bind_arguments
from mooncake_transpiler.frontend.lower.merge import eithers
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.operation import enum_members
from mooncake_transpiler.frontend.lower.rule import marked
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context, InLine, Unending
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.known import Callee
from mooncake_transpiler.frontend.lower.state.leaves import atoms, describe, name_of, type_of
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Bound,
    Choice,
    Closure,
    Generator,
    Items,
    Native,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.frontend.lower.state.unset import NeverSet
from mooncake_transpiler.frontend.lower.written import library_source
from mooncake_transpiler.frontend.text.generator_functions import is_generator
from mooncake_transpiler.types import NONE, Array, Scalar, Type, result_dtype

NUMERIC = ("numpy.", "math.", "cmath.", "scipy.")  # how functions of numbers and arrays begin
OF_NUMBERS = frozenset(
    f"builtins.{name}"
    for name in ("abs", "complex", "divmod", "float", "int", "len", "list", "max", "min", "pow",
                 "range", "reversed", "round", "sorted", "sum", "tuple", "zip", "enumerate")
)  # fmt: skip


def lower(ctx: Context, node: cst.Call, hint: Hint = "") -> Operand:
    if isinstance(node.func, cst.Attribute):
        owner = ctx.lower.expression(ctx, node.func.value)
        if delayed.is_array(owner):
            method = node.func.attr.value
            return methods.call(ctx, node, owner, method, _arguments(ctx, node), name_of(hint))
        if is_scalar(owner):
            method = node.func.attr.value
            return methods.of_number(ctx, node, owner, method, _arguments(ctx, node), name_of(hint))
        callee = names.attribute(ctx, node.func, delayed.own(ctx, owner))
    elif (number := reflection.number_of_type(ctx, node.func)) is not None:
        return reflection.converted(ctx, node, number, _arguments(ctx, node))
    else:
        callee = ctx.lower.expression(ctx, node.func)
    if (error := exceptions.as_value(ctx, node, callee)) is not None:
        return error
    if (telling := tellings.find(callee)) is not None:
        return telling(ctx, node)
    match node.args:
        case [cst.Arg(star="*", value=value), *rest] if _is_strict(rest) and callee == Static(
            External("builtins.zip")
        ):
            before = ctx.mark()
            made = spreading.transposed(ctx, node, ctx.lower.expression(ctx, value))
            if made is not None:
                return made
            ctx.reset(before)
        case [cst.Arg(), cst.Arg(value=value)] if callee == Static(External("typing.cast")):
            return ctx.lower.expression(ctx, value)  # the type is for type checkers alone
        case _:
            pass
    return apply(ctx, node, callee, _arguments(ctx, node, callee), hint)


def apply(
    ctx: Context, node: cst.Call, callee: Operand, given: Arguments, hint: Hint = ""
) -> Operand:
    """``callee(*given)``."""
    if eithers.are_in(given):
        return eithers.split_arguments(ctx, given, partial(apply, ctx, node, callee, hint=hint))
    if isinstance(callee, Closure) or _is_of_program(callee):
        given = given.map(lambda arg: arg.kept() if isinstance(arg, Generator) else arg)
    match callee:
        case Closure():
            return _call_nested(ctx, node, callee, given)
        case Static(value=FunctionDecl() as decl) if is_decorated(ctx, decl):
            return apply(ctx, node, decorating.of_program(ctx, node, decl), given, hint)
        case Static(value=FunctionDecl() as decl):
            found = _call_function(ctx, node, decl, given, hint)
            decorating.check_cache(ctx, node, decl, given, found)
            return found
        case Static(value=ClassDecl(kind=ClassKind.ENUM) as cls):
            args = spreading.closed(ctx, node, given).positional(ctx, node, cls.name)
            return enum_members.by_value(ctx, node, cls, *args)
        case Static(value=ClassDecl() as cls):
            return instances.make(ctx, node, cls, given, name_of(hint))
        case Bound(func=func, args=args, keywords=keywords):
            given = Arguments((*args, *given.args), {**keywords, **given.keywords})
            return apply(ctx, node, func, given, hint)
        case Choice():
            return choices.call(ctx, node, callee, delayed.settled(ctx, given), hint)
        case Ref() | Items() | Static(value=EnumMember()) if made := instances.attribute(
            ctx, node, callee, "__call__"
        ):
            return apply(ctx, node, made, given, hint)
        case Static(value=External(qualname=qualname)):
            return _call_outside(ctx, node, qualname, given, hint)
        case Native(run=run):
            return run(tuple(spreading.closed(ctx, node, given).args))
        case _:
            raise ctx.refuse(node, "MK301", f"{describe(callee)} can't be called")


def _call_nested(ctx: Context, node: cst.Call, callee: Closure, given: Arguments) -> Operand:
    bound = bind_arguments(ctx, node, signature(callee), given.args, given.keywords)
    if is_generator(callee.node):
        return suspended.made(ctx, callee, bound)
    found = memoised.nested(ctx, node, callee, bound)
    found = found or closures.call_closure(ctx, node, callee, bound)
    decorating.check_cache(ctx, node, callee, given, found)
    return found


def _is_strict(args: Sequence[cst.Arg]) -> bool:
    """True if there are no other arguments than ``strict=`` of ``zip``."""
    return all(arg.keyword is not None and arg.keyword.value == "strict" for arg in args)


def _is_of_program(callee: Operand) -> bool:
    return isinstance(callee, Static) and isinstance(callee.value, FunctionDecl | ClassDecl)


def is_decorated(ctx: Context, decl: FunctionDecl) -> bool:
    return not decl.is_plain and bool(decorators.applied(ctx.source, decl))


def _arguments(ctx: Context, node: cst.Call, callee: Operand = NOTHING) -> Arguments:
    """The arguments, evaluated in Python's order: those given by name after the others."""
    args: list[Operand] = []
    keywords: dict[str, Operand] = {}
    given = sorted(node.args, key=lambda arg: arg.keyword is not None or arg.star == "**")
    lower = exceptions.kept if raised.is_initialiser(ctx, callee) else ctx.lower.expression
    parts = [partial(lower, ctx, arg.value) for arg in given]
    for arg, value in zip(given, delayed.in_order(ctx, parts), strict=True):
        if arg.star == "*":
            args.extend(spreading.items(ctx, arg, value))
            continue
        named = {arg.keyword.value: value} if arg.keyword is not None else {}
        if arg.star == "**":
            named = _named(ctx, arg, value)
        for name in sorted(keywords.keys() & named.keys()):
            message = f"got multiple values for keyword argument {name!r}"
            raise ctx.refuse(arg, "MK303", message)
        keywords |= named
        if not arg.star and arg.keyword is None:
            args.append(value)
    return Arguments(args, keywords)


def _named(ctx: Context, arg: cst.Arg, value: Operand) -> dict[str, Operand]:
    """The arguments that ``**value`` gives."""
    value = record_rows.as_dict(ctx, arg, value)
    if containers.is_dict(value):
        return dict(dicts.mapping(ctx, arg, value))
    help_ = "give the arguments one by one"
    raise ctx.refuse(arg, "MK218", f"{describe(value)} can't be unpacked with **", help_)


def _call_outside(
    ctx: Context, node: cst.Call, qualname: str, given: Arguments, hint: Hint
) -> Operand:
    """The call of a function that is no part of the program."""
    if not library_source.takes_any(qualname):
        given = spreading.closed(ctx, node, given, qualname)
    if qualname.startswith(NUMERIC) or qualname in OF_NUMBERS:
        given = given.map(lambda arg: optional.present(ctx, node, arg))
    if (lazy := lazily.in_turn(ctx, node, qualname, given)) is not None:
        return lazy
    if (best := lazily.best_of_set(ctx, node, qualname, given)) is not None:
        return best
    given = lazily.iterated(ctx, node, qualname, given)
    lazy = lazily.call(ctx, node, qualname, given)
    return lazy or builtin.call(ctx, node, qualname, given, name_of(hint))


def _call_function(
    ctx: Context, node: cst.Call, decl: FunctionDecl, given: Arguments, hint: Hint
) -> Operand:
    if (stand_in := marked.find(ctx, decl.qualname)) is not None:
        return marked.call(ctx, node, decl.qualname, stand_in, given)
    layout = decorators.layout_of(ctx.source, decl)
    if layout is not None:
        once = partial(_call_once, ctx, node, decl, hint=hint)
        return generalized.call(ctx, node, decl, layout, given, once)
    return _call_once(ctx, node, decl, given, hint)


def _call_once(
    ctx: Context, node: cst.Call, decl: FunctionDecl, given: Arguments, hint: Hint
) -> Operand:
    bound = closures.bound_arguments(ctx, node, decl, given)
    if decl.mark is not None and decl.mark.role is FunctionRole.NONDIFF:
        return marked.call_nondiff(ctx, node, decl, bound)
    if (over := over_lists.found(ctx, decl)) is not None:
        over_lists.check(ctx, node, decl)
        return closures.call_function(ctx, node, over, bound)
    if (kept := memoised.function(ctx, node, decl, bound)) is not None:
        return kept
    decl, bound = _over_arrays(ctx, node, decl, bound)
    bound = {name: delayed.settle(ctx, value, name) for name, value in bound.items()}
    if decorators.is_elementwise(ctx.source, decl) and any(map(delayed.is_array, bound.values())):
        return _apply_to_each(ctx, node, decl, bound, hint)
    ctx.functions.note_sides(node, *sides(decl, bound))
    decl = as_called(links.unlinked(decl), bound)
    if is_generator(decl.node):
        return suspended.made(ctx, Static(decl), _declared(ctx, node, decl, bound))
    types = argument_types(ctx, decl, bound)
    raises = raising.concerns(ctx, decl) or raising.tells(ctx, decl)
    in_line = types is None or raises or gives_cases(decl, bound)
    shown = aliasing.is_shown(ctx, over_tables.seen(bound))
    if in_line or (shown and not recursion.is_recursive(ctx.source, decl)):
        raising.check_recursion(ctx, node, decl)
        _note_types(ctx, decl, bound)
        dimension_names.check_call(ctx, node, decl, bound)
        return closures.call_function(ctx, node, decl, _declared(ctx, node, decl, bound))
    assert types is not None
    converted = {
        p.name: convert_to(ctx, node, bound[p.name], t, f"argument {p.name!r}")
        for p, t in zip(decl.params, types, strict=True)
    }
    return _call_lowered(ctx, node, decl, types, converted, shown, hint)


def _note_types(ctx: Context, decl: FunctionDecl, bound: Mapping[str, Operand]) -> None:
    found = (type_of(bound[p.name]) if p.name in bound else None for p in decl.params)
    ctx.functions.note_call(decl, tuple(type_ or NONE for type_ in found))


def _call_lowered(
    ctx: Context,
    node: cst.Call,
    decl: FunctionDecl,
    types: tuple[Type, ...],
    converted: Mapping[str, Operand],
    shown: bool,
    hint: Hint,
) -> Operand:
    """The call of ``decl`` as a function of its own, or in line where that is not possible.

    ``shown``: what it writes to arguments would have to show elsewhere.
    """
    dimension_names.check_call(ctx, node, decl, converted)
    leaves = tuple(atom for arg in converted.values() for atom in atoms(arg))
    try:
        callee = ctx.functions.request(
            decl.in_place, types, knowing.of_arguments(ctx, leaves),
            lambda why, way_out: ctx.refuse(node, "MK304", why, way_out),
        )  # fmt: skip
    except InLine:
        return closures.call_function(ctx, node, decl, converted)
    except Unending:
        raise NeverSet(node, "RecursionError", "maximum recursion depth exceeded") from None
    if shown and callee.writes != frozenset():
        return closures.call_function(ctx, node, decl, converted)
    return _emit(ctx, node, callee, leaves, hint)


def _over_arrays(
    ctx: Context, node: cst.Call, decl: FunctionDecl, bound: dict[str, Operand]
) -> tuple[FunctionDecl, dict[str, Operand]]:
    """A recursive function that only reads its lists, with arrays in their place."""
    over = recursion.over_arrays(ctx.source, decl)
    if over is decl:
        return decl, bound
    given = dict(bound)
    for was, now in zip(decl.params, over.params, strict=True):
        if was.annotation != now.annotation and not delayed.is_array(given[now.name]):
            assert now.annotation is not None
            assert isinstance(now.annotation.type, Array)
            of = {"dtype": Static(External(f"numpy.{now.annotation.type.dtype.value}"))}
            make = Static(External("numpy.array"))
            given[now.name] = ctx.lower.call(ctx, node, make, (given[now.name],), of)
    return over, given


def _apply_to_each(
    ctx: Context, node: cst.Call, decl: FunctionDecl, bound: Mapping[str, Operand], hint: Hint
) -> Operand:
    """A function under ``@vectorize``, called with arrays of the types that it is compiled for."""
    args = tuple(bound[p.name] for p in decl.params)
    for p in decl.params:
        wanted = None if p.annotation is None else p.annotation.type
        found = type_of(bound[p.name])
        dtype = found.dtype if isinstance(found, Array | Scalar) else None
        if not isinstance(wanted, Scalar) or dtype is None:
            continue
        if result_dtype(dtype, wanted.dtype) != wanted.dtype:
            message = f"{decl.name} is compiled for {wanted} in {p.name!r}, got {found}"
            raise ctx.refuse(node, "MK345", message, "convert the argument before the call")
    name = f"_{decl.name}_of_numbers"
    one = replace(decl, name=name, is_plain=True)
    each = Static(External("numpy.vectorize.call"))
    return ctx.lower.call(ctx, node, each, (Static(one), *args), hint=hint)


def _declared(
    ctx: Context, node: cst.Call, decl: FunctionDecl, bound: Mapping[str, Operand]
) -> dict[str, Operand]:
    """The arguments, converted to the types of the parameters that have one."""
    return dict(bound) | {
        p.name: convert_to(ctx, node, bound[p.name], p.annotation.type, f"argument {p.name!r}")
        for p in decl.params
        if p.annotation is not None
    }


def _emit(
    ctx: Context, node: cst.Call, callee: Callee, leaves: tuple[ir.Atom, ...], hint: Hint
) -> Operand:
    ctx.memory.writers[callee.name] = callee.writes
    for k, atom in enumerate(leaves):
        if callee.writes is None or k in callee.writes:
            aliasing.check_viewed(ctx, node, atom)
            over_tables.note_written(ctx, node, callee, atom)
    result, outs = knowing.result(ctx, callee, leaves, hint)
    aliasing.refuse_parts_of_one(ctx, node, leaves)
    ctx.builder.add(ir.Call(outs, callee.name, leaves, ctx.builder.origin))
    return result
