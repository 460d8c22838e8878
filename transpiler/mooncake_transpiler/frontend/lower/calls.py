"""Calls: of functions of the program, of nested ones, of NumPy, math and built-in ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External, FunctionDecl, Role
from mooncake_transpiler.frontend.lower import (
    builtin,
    closures,
    complexes,
    expressions,
    marked,
    messages,
    methods,
    shapes,
    stores,
    whole,
)
from mooncake_transpiler.frontend.lower.arguments import Arguments
from mooncake_transpiler.frontend.lower.closures import Signature, bind_arguments, signature
from mooncake_transpiler.frontend.lower.context import Callee, Context
from mooncake_transpiler.frontend.lower.frame import Frame
from mooncake_transpiler.frontend.lower.operands import (
    Closure,
    Items,
    Operand,
    Static,
    atoms,
    describe,
    fresh,
    name_of,
    type_of,
)
from mooncake_transpiler.frontend.lower.results import convert_to
from mooncake_transpiler.frontend.lower.scalars import is_scalar
from mooncake_transpiler.frontend.lower.syntax import Hint
from mooncake_transpiler.types import Array, Scalar, Type

PRINT = Static(External("builtins.print"))


def lower(ctx: Context, node: cst.Call, hint: Hint = "") -> Operand:
    if isinstance(node.func, cst.Attribute):
        owner = expressions.lower(ctx, node.func.value)
        if whole.is_array(owner):
            method = node.func.attr.value
            return methods.call(ctx, node, owner, method, _arguments(ctx, node), name_of(hint))
        if is_scalar(owner):
            method = node.func.attr.value
            return complexes.method(ctx, node, owner, method, _arguments(ctx, node), name_of(hint))
    callee = expressions.lower(ctx, node.func)
    if callee == PRINT:
        return messages.lower_print(ctx, node)
    return apply(ctx, node, callee, _arguments(ctx, node), hint)


def apply(
    ctx: Context, node: cst.Call, callee: Operand, given: Arguments, hint: Hint = ""
) -> Operand:
    """``callee(*given)``."""
    match callee:
        case Closure():
            bound = bind_arguments(ctx, node, signature(ctx, callee), given.args, given.keywords)
            return closures.call_closure(ctx, node, callee, bound)
        case Static(value=FunctionDecl() as decl):
            return _call_function(ctx, node, decl, given, hint)
        case Static(value=External(qualname=qualname)):
            return builtin.call(ctx, node, qualname, given, name_of(hint))
        case _:
            raise ctx.refuse(node, "MK301", f"{describe(callee)} can't be called")


def _arguments(ctx: Context, node: cst.Call) -> Arguments:
    args: list[Operand] = []
    keywords: dict[str, Operand] = {}
    parts = [partial(expressions.lower, ctx, arg.value) for arg in node.args]
    for arg, value in zip(node.args, whole.in_order(ctx, parts), strict=True):
        if arg.star == "**":
            raise ctx.refuse(arg, "MK110", "`**` in calls is not supported")
        if arg.star == "*":
            if not isinstance(value, Items):
                message = f"only tuples can be unpacked, not {describe(value)}"
                raise ctx.refuse(arg, "MK218", message)
            args.extend(value.items)
        elif arg.keyword is not None:
            keywords[arg.keyword.value] = value
        else:
            args.append(value)
    return Arguments(args, keywords)


def _call_function(
    ctx: Context, node: cst.Call, decl: FunctionDecl, given: Arguments, hint: Hint
) -> Operand:
    stand_in = marked.find(ctx, decl.qualname)
    if stand_in is not None:
        return marked.call(ctx, node, decl.qualname, stand_in, given)
    bound = bound_arguments(ctx, node, decl, given)
    if decl.mark is not None and decl.mark.role is Role.NONDIFF:
        return marked.call_nondiff(ctx, node, decl, bound)
    bound = {name: whole.settle(ctx, value, name) for name, value in bound.items()}
    types = _argument_types(ctx, node, decl, bound)
    if types is None:
        return closures.call_function(ctx, node, decl, _declared(ctx, node, decl, bound))
    callee = ctx.functions.request(
        decl, types, lambda why, way_out: ctx.refuse(node, "MK304", why, way_out)
    )
    converted = [
        convert_to(ctx, node, bound[p.name], t, f"argument {p.name!r}")
        for p, t in zip(decl.params, callee.params, strict=True)
    ]
    shapes.check_call(ctx, node, decl, converted)
    return _emit(ctx, node, callee, converted, hint)


def bound_arguments(
    ctx: Context, node: cst.Call, decl: FunctionDecl, given: Arguments
) -> dict[str, Operand]:
    """Python's binding of ``given`` to the parameters of ``decl``."""
    positional = [p.name for p in decl.params if not p.kwonly]
    names = (*positional, *(p.name for p in decl.params if p.kwonly))
    of = Signature(decl.name, names, len(positional), _defaults(ctx, decl, given))
    return bind_arguments(ctx, node, of, given.args, given.keywords)


def _declared(
    ctx: Context, node: cst.Call, decl: FunctionDecl, bound: Mapping[str, Operand]
) -> dict[str, Operand]:
    """The arguments, converted to the types of the parameters that have one."""
    return {
        p.name: bound[p.name]
        if p.annotation is None
        else convert_to(ctx, node, bound[p.name], p.annotation.type, f"argument {p.name!r}")
        for p in decl.params
    }


def _emit(ctx: Context, node: cst.Call, callee: Callee, args: list[Operand], hint: Hint) -> Operand:
    for arg in args:  # the callee may write to them
        for atom in atoms(arg):
            stores.check_viewed(ctx, node, ctx.base(atom))
    result = fresh(callee.result, hint)
    outs = tuple(atom for atom in atoms(result) if isinstance(atom, ir.Value))
    leaves = tuple(atom for arg in args for atom in atoms(arg))
    _refuse_parts_of_one(ctx, node, leaves)
    ctx.builder.add(ir.Call(outs, callee.name, leaves, ctx.builder.origin))
    return result


def _refuse_parts_of_one(ctx: Context, node: cst.Call, leaves: Sequence[ir.Atom]) -> None:
    """Complex numbers and their parts: a callee takes arrays of different dtypes to be apart."""
    seen: dict[ir.Atom, Type] = {}
    for leaf in leaves:
        if isinstance(leaf, ir.Value) and isinstance(leaf.type, Array):
            dtype = Scalar(leaf.type.dtype)
            if seen.setdefault(ctx.base(leaf), dtype) != dtype:
                message = "an array and its real or imaginary part can't both be arguments"
                raise ctx.refuse(node, "MK303", message, "pass a copy of the part")


def _defaults(ctx: Context, decl: FunctionDecl, given: Arguments) -> Mapping[str, Operand]:
    """The defaults that are needed, evaluated in the callee's module."""
    found: dict[str, Operand] = {}
    outer = ctx.frame
    ctx.frame = Frame(ctx.source.modules[decl.module], (), ())
    try:
        for k, param in enumerate(decl.params):
            needed = k >= len(given.args) and param.name not in given.keywords
            if param.default is not None and (needed or param.kwonly):
                found[param.name] = expressions.lower(ctx, param.default)
    finally:
        ctx.frame = outer
    return found


def _argument_types(
    ctx: Context, node: cst.Call, decl: FunctionDecl, bound: Mapping[str, Operand]
) -> tuple[Type, ...] | None:
    """The types that ``decl`` is called with; None where an argument is a function or the like."""
    types: list[Type] = []
    for param in decl.params:
        if param.annotation is not None:
            types.append(param.annotation.type)
            continue
        found = type_of(bound[param.name])
        if found is None or bound[param.name] == Static(None):
            return None
        types.append(found)
    return tuple(types)
