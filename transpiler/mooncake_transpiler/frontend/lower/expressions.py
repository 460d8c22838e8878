"""Expressions: each becomes an operand, and statements that compute it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.lower import calls, names
from mooncake_transpiler.frontend.lower.array import arrays, delayed
from mooncake_transpiler.frontend.lower.builtin import filled_texts
from mooncake_transpiler.frontend.lower.call import closures
from mooncake_transpiler.frontend.lower.container import (
    algorithms,
    comprehensions,
    displays,
    lists,
    suspended,
)
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.operation import binary, logic, places
from mooncake_transpiler.frontend.lower.row import pooled
from mooncake_transpiler.frontend.lower.scalar.scalars import constant
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import name_of, part
from mooncake_transpiler.frontend.lower.state.operands import (
    Elements,
    Items,
    Operand,
    Static,
    keep_place,
)
from mooncake_transpiler.frontend.lower.state.syntax import Hint


def lower(ctx: Context, node: cst.BaseExpression, hint: Hint = "") -> Operand:
    """The operand that ``node`` evaluates to; ``hint`` names a value computed for it."""
    ctx.spend()
    return (_made_text if filled_texts.is_made(node) else _lowered)(ctx, node, hint)


def _made_text(ctx: Context, node: cst.BaseExpression, hint: Hint) -> Operand:
    """The text that ``node`` makes: known ahead of time, or made of numbers of the run."""
    before = ctx.mark()
    try:
        return _lowered(ctx, node, hint)
    except Refused as refused:
        if refused.diagnostic.code not in ("MK112", "MK213"):
            raise
        ctx.reset(before)
        return filled_texts.value(ctx, node, refused)


def _lowered(ctx: Context, node: cst.BaseExpression, hint: Hint) -> Operand:
    match node:
        case cst.Name(value="True" | "False" | "None"):
            return _keyword(node.value)
        case cst.Name():
            return names.read(ctx, node)
        case cst.Integer() | cst.Float() | cst.Imaginary():
            return _number(ctx, node)
        case cst.SimpleString() | cst.ConcatenatedString():
            return _text(ctx, node)
        case cst.FormattedString():
            return displays.formatted(ctx, node)
        case cst.Tuple() | cst.List() | cst.Dict() | cst.Set() | cst.BaseComp():
            return _container(ctx, node, hint)
        case cst.BinaryOperation():
            return _binary_chain(ctx, node, name_of(hint))
        case cst.UnaryOperation(operator=operator, expression=inner):
            return _unary(ctx, node, operator, inner, name_of(hint))
        case cst.BooleanOperation():
            return logic.boolean(ctx, node, name_of(hint))
        case cst.Comparison():
            return logic.comparison(ctx, node, name_of(hint))
        case cst.IfExp():
            return logic.conditional(ctx, node, name_of(hint))
        case cst.NamedExpr(target=cst.Name(value=name), value=value):
            bound = delayed.settle(ctx, lower(ctx, value, name), name)
            ctx.frame.bind(name, bound)
            return bound
        case cst.Lambda():
            return closures.from_lambda(ctx, node)
        case cst.Call():
            return calls.lower(ctx, node, hint)
        case cst.Attribute(value=value):
            return names.attribute(ctx, node, lower(ctx, value), hint)
        case cst.Subscript():
            return places.subscript(ctx, node, name_of(hint))
        case _:
            raise _unsupported(ctx, node)


def _container(
    ctx: Context, node: cst.Tuple | cst.List | cst.Dict | cst.Set | cst.BaseComp, hint: Hint
) -> Operand:
    """A display of items, or a comprehension."""
    match node:
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            return _display(ctx, elements, hint, is_list=isinstance(node, cst.List))
        case cst.Dict():
            return displays.dict_(ctx, node, name_of(hint))
        case cst.Set(elements=elements):
            return _set(ctx, _display(ctx, elements, "", is_list=True))
        case cst.SetComp():
            return _set(ctx, comprehensions.as_list(ctx, node))
        case cst.ListComp():
            return comprehensions.as_list(ctx, node)
        case cst.DictComp():
            return comprehensions.as_dict(ctx, node)
        case cst.GeneratorExp():
            return comprehensions.generator(ctx, node, suspended.expression)
        case _:
            raise _unsupported(ctx, node)


def _set(ctx: Context, items: Operand) -> Operand:
    return ctx.lower.call(ctx, cst.Call(cst.Name("_")), names.built_in(ctx, "set"), (items,))


def _unsupported(ctx: Context, node: cst.BaseExpression) -> Refused:
    kind = type(node).__name__
    return ctx.refuse(node, "MK110", f"this kind of expression is not supported: {kind}")


def _keyword(name: str) -> Operand:
    return Static(None) if name == "None" else constant(name == "True")


def _number(ctx: Context, node: cst.Integer | cst.Float | cst.Imaginary) -> ir.Const:
    value = node.evaluated_value
    if isinstance(value, int) and abs(value) >= 2**63:
        raise ctx.refuse(node, "MK213", "this integer does not fit in 64 bits")
    return constant(value)


def _text(ctx: Context, node: cst.SimpleString | cst.ConcatenatedString) -> Static:
    value = node.evaluated_value
    if not isinstance(value, str):
        raise ctx.refuse(node, "MK110", "bytes and f-strings are not supported here")
    return Static(value)


def _display(
    ctx: Context, elements: Sequence[cst.BaseElement], hint: Hint, *, is_list: bool
) -> Operand:
    """A tuple or list."""
    starred = any(isinstance(element, cst.StarredElement) for element in elements)
    values = delayed.in_order(ctx, [
        partial(lower, ctx, element.value, "" if starred else part(hint, k))
        for k, element in enumerate(elements)
    ])  # fmt: skip
    found: list[Operand] = []
    for k, (element, value) in enumerate(zip(elements, values, strict=True)):
        if not isinstance(element, cst.StarredElement):
            keep_place(value)
            found.append(pooled.item(ctx, element, value) if is_list else value)
            continue
        items = arrays.elements(ctx, value) or lists.one_by_one(ctx, element, value)
        if items is None:
            before = Items(tuple(found), is_list=True)
            made = _long_list(ctx, elements[k:], before, values[k:])
            return made if is_list else containers.as_tuple(delayed.settle(ctx, made))
        found.extend(items)
    return Items(tuple(found), is_list=is_list)


def _long_list(
    ctx: Context, elements: Sequence[cst.BaseElement], found: Operand, values: Sequence[Operand]
) -> Operand:
    """The list ``found`` and ``values``, of those with a star the items, however many they are."""
    for element, value in zip(elements, values, strict=True):
        starred = isinstance(element, cst.StarredElement)
        more = value if starred else Items((value,), is_list=True)
        found = algorithms.run(ctx, "joined", found, more)
    return found


def _binary_chain(ctx: Context, node: cst.BinaryOperation, hint: str) -> Operand:
    """``a + b + c``: the left spine in a loop, since such chains can be very long."""
    spine: list[cst.BinaryOperation] = []
    left: cst.BaseExpression = node
    while isinstance(left, cst.BinaryOperation):
        spine.append(left)
        left = left.left
    value = _side(ctx, left, spine[-1].operator)
    for step in reversed(spine):
        parts = [partial(_given, value), partial(_side, ctx, step.right, step.operator)]
        value, right = delayed.in_order(ctx, parts)
        value = binary.binary(ctx, step, step.operator, value, right, hint if step is node else "")
    return value


def _side(ctx: Context, node: cst.BaseExpression, operator: cst.BaseBinaryOp) -> Operand:
    """A side of ``operator``; the keys or items of a dict are sets there."""
    value = lower(ctx, node)
    match node, operator:
        case (
            cst.Call(cst.Attribute(attr=cst.Name("keys" | "items")), args=[]),
            cst.BitAnd() | cst.BitOr() | cst.Subtract(),
        ) if isinstance(value, Elements | Items):
            return _set(ctx, value)
        case _:
            return value


def _given(value: Operand) -> Operand:
    return value


def _unary(
    ctx: Context,
    node: cst.UnaryOperation,
    operator: cst.BaseUnaryOp,
    inner: cst.BaseExpression,
    hint: str,
) -> Operand:
    if isinstance(operator, cst.Not):
        return logic.negation(ctx, node, hint)
    return binary.unary(ctx, node, operator, lower(ctx, inner), hint)
