"""``f(*xs)`` where ``xs`` is as long as the run makes it: as long as ``f`` has parameters.

def f(a, b, c): ...

f(*xs)                      if len(xs) > 3: raise TypeError("f() takes 3 positional ...")
                            if len(xs) < 3: raise TypeError("f() missing ...")
                            f(xs[0], xs[1], xs[2])
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.declaration import decorators
from mooncake_transpiler.frontend.entities import ClassDecl, External, FunctionDecl
from mooncake_transpiler.frontend.lower.array import arrays, delayed
from mooncake_transpiler.frontend.lower.container import algorithms, iterables, lists, stepping
from mooncake_transpiler.frontend.lower.failure import failing, numbers
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import (
    Bound,
    Closure,
    Elements,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.frontend.text.trees import is_name, positional
from mooncake_transpiler.types import Array


@dataclass(frozen=True, slots=True)
class Arity:
    """The number of arguments that a function takes, all of them by position and needed."""

    name: str
    count: int
    own: int = 0  # of these, those that a method has already


def arity(ctx: Context, callee: Operand) -> Arity | None:
    """The arity of ``callee``; None if it has parameters that may be left out, or more of them."""
    match callee:
        case Static(value=FunctionDecl(name=name, node=node) as decl):
            plain = decl.is_plain or not decorators.applied(ctx.source, decl)
            return _of_parameters(name, node.params) if plain else None
        case Closure(node=node):
            return _of_parameters(_qualified(callee), node.params)
        case Bound(func=func, args=args, keywords={}):
            found = arity(ctx, func)
            return None if found is None else replace(found, own=found.own + len(args))
        case Static(value=ClassDecl() as cls):
            return _of_class(ctx, cls)
        case _:
            return None


def _qualified(closure: Closure) -> str:
    """The name that Python's messages call ``closure`` by: f.<locals>.g."""
    names = [closure.name]
    for frame in closure.frame.outwards:
        match frame.home:
            case _ if frame.decl is not None:
                names.append(frame.decl.name)
            case cst.FunctionDef(name=name):
                names.append(name.value)
            case cst.Lambda():
                names.append("<lambda>")
            case _:
                pass
    return ".<locals>.".join(reversed(names))


def _of_parameters(name: str, params: cst.Parameters) -> Arity | None:
    every = positional(params)
    others = (params.star_kwarg, *params.kwonly_params)
    open_ = isinstance(params.star_arg, cst.Param) or any(others)
    if open_ or any(param.default is not None for param in every):
        return None
    return Arity(name, len(every))


def _of_class(ctx: Context, cls: ClassDecl) -> Arity | None:
    for one in (cls, *cls.line):
        own = one.own_methods.get("__init__")
        if own is not None:
            found = arity(ctx, Static(own.function))
            return None if found is None else replace(found, own=1)
        if one.decorated:
            break
    taken = [field for field in cls.parameters or cls.fields if field.init]
    if any(field.default is not None or field.kwonly for field in taken):
        return None
    return Arity(f"{cls.name}.__init__", len(taken) + 1, 1)


def items(
    ctx: Context, node: cst.CSTNode, callee: Operand, value: Operand, others: int | None = 0
) -> tuple[Operand, ...]:
    """The arguments that ``*value`` gives to ``callee``, which has ``others`` beside these.

    Of how many ``others`` there are nothing is known if it is None.
    """
    found = lists.one_by_one(ctx, node, value)
    found = arrays.elements(ctx, value) if found is None else found
    of = arity(ctx, callee) if found is None and others is not None else None
    if of is not None and others is not None:
        found = spread(ctx, node, value, of, others)
    if found is None:
        message = f"{describe(value)} can't be unpacked: how long it is is not known ahead of time"
        help_ = "pass it as one argument, or say how long it is in its annotation"
        raise ctx.refuse(node, "MK218", message, help_)
    return found


def spread(
    ctx: Context, node: cst.CSTNode, value: Operand, of: Arity, others: int
) -> tuple[Operand, ...] | None:
    """The items of ``value`` for parameters but ``others``; None if it has no length to test."""
    value = delayed.settle(ctx, value)
    if isinstance(value, ir.Value) and isinstance(value.type, Array) and value.type.ndim:
        size = storage.dim(ctx, value, 0)
        _check(ctx, node, size, of, others)
        array = value
        wanted = range(of.count - of.own - others)
        return tuple(arrays.element(ctx, array, (ir.int_const(k),)) for k in wanted)
    if not containers.is_list(value):
        return None
    size = numbers.as_scalar(ctx, node, algorithms.run(ctx, "length", value))
    _check(ctx, node, size, of, others)
    wanted = range(of.count - of.own - others)
    return tuple(algorithms.run(ctx, "item", value, ir.int_const(k)) for k in wanted)


def _check(ctx: Context, node: cst.CSTNode, size: ir.Atom, of: Arity, others: int) -> None:
    """Python's errors where there are ``size`` arguments and ``others``."""
    wanted = ir.int_const(of.count - of.own - others)
    fits = scalars.compute(ctx, node, "le", (size, wanted))
    given = scalars.compute(ctx, node, "add", (size, ir.int_const(of.own + others)))
    takes = f"{of.name}() takes {of.count} positional argument{'s' * (of.count != 1)}"
    failing.require(ctx, node, fits, f"{takes} but {{}} were given", "TypeError", (given,))
    enough = scalars.compute(ctx, node, "ge", (size, wanted))
    lacks = scalars.compute(ctx, node, "sub", (wanted, size))
    message = f"{of.name}() is missing {{}} required positional arguments"
    failing.require(ctx, node, enough, message, "TypeError", (lacks,))


def transposed(ctx: Context, node: cst.Call, value: Operand) -> Operand | None:
    """``zip(*value)`` of a list of tuples or lists, as long as the run makes it, or of a matrix.

    None for anything else.
    """
    value = delayed.settle(ctx, value)
    if isinstance(value, ir.Value) and isinstance(value.type, Array):
        return _columns(ctx, node, value, value.type)
    if not lists.is_run_time(ctx, value):
        return None
    if _holds_lists(ctx, node, value):
        if any(not is_name(arg.value, "False") for arg in node.args[1:]):
            algorithms.run(ctx, "check_widths", value)
        made = algorithms.run(ctx, "transposed", value)
        return stepping.iterator(ctx, node, iterables.as_sequence(ctx, node, made))
    size = numbers.as_scalar(ctx, node, algorithms.run(ctx, "length", value))
    some = scalars.compute(ctx, node, "ge", (size, ir.ONE))
    failing.require(ctx, node, some, "zip(*xs) of an empty list has no items", "ValueError")
    first = algorithms.run(ctx, "item", value, ir.ZERO)
    if not isinstance(first, Items) or first.is_list:
        return None
    columns = [
        algorithms.run(ctx, "column", value, ir.int_const(k)) for k in range(len(first.items))
    ]
    return stepping.iterator(ctx, node, Items(tuple(columns)))


def _holds_lists(ctx: Context, node: cst.CSTNode, value: Operand) -> bool:
    """True if the items of a list are lists."""
    before = ctx.mark()
    first = iterables.as_sequence(ctx, node, value).at(ir.ZERO, "")
    ctx.reset(before)
    return containers.is_list(first) or (isinstance(first, Items) and first.is_list)


def _columns(ctx: Context, node: cst.Call, matrix: ir.Value, type_: Array) -> Operand | None:
    """A list for each column of a matrix whose number of rows the run tells; none without rows."""
    rows, width = storage.shape(ctx, matrix)[:2] if type_.ndim == 2 else (None, None)
    if rows is None or width is None or isinstance(rows, ir.Const):
        return None
    some = scalars.compute(ctx, node, "gt", (rows, ir.ZERO))
    count = scalars.select(ctx, some, width, ir.ZERO)
    make = Static(External("builtins.list"))

    def column(k: ir.Atom, hint: Hint) -> Operand:
        part = storage.view(ctx, matrix, (ir.Slice(None, None, None), k))
        return ctx.lower.call(ctx, node, make, (part,), hint=hint)

    return stepping.iterator(ctx, node, Elements(count, column))
