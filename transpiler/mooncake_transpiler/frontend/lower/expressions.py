"""Expressions: each becomes an operand, and statements that compute it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import libcst as cst
from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import names
from mooncake_transpiler.frontend.lower.array import arrays, whole
from mooncake_transpiler.frontend.lower.call import calls, closures
from mooncake_transpiler.frontend.lower.container import comprehensions, displays, lists
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.control import optional
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.operands import (
    Items,
    Maybe,
    Operand,
    Static,
    describe,
    name_of,
    part,
)
from mooncake_transpiler.frontend.lower.scalar import enums, logic
from mooncake_transpiler.frontend.lower.scalar.scalars import compute, constant
from mooncake_transpiler.frontend.lower.syntax import Hint
from mooncake_transpiler.types import Array, Scalar

BINARY: dict[type[cst.CSTNode], str] = {
    cst.Add: "add", cst.Subtract: "sub", cst.Multiply: "mul", cst.Divide: "div",
    cst.FloorDivide: "floordiv", cst.Modulo: "mod", cst.Power: "pow",
    cst.BitAnd: "bitand", cst.BitOr: "bitor", cst.BitXor: "bitxor",
    cst.LeftShift: "lshift", cst.RightShift: "rshift",
}  # fmt: skip

UNARY: dict[type[cst.CSTNode], str] = {cst.Minus: "neg", cst.Plus: "pos", cst.BitInvert: "invert"}


def lower(ctx: Context, node: cst.BaseExpression, hint: Hint = "") -> Operand:
    """The operand that ``node`` evaluates to; ``hint`` names a value computed for it."""
    ctx.spend()
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
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            return replace(_display(ctx, elements, hint), is_list=isinstance(node, cst.List))
        case cst.Dict():
            return displays.dict_(ctx, node, name_of(hint))
        case cst.ListComp():
            return comprehensions.as_list(ctx, node)
        case cst.DictComp():
            return comprehensions.as_dict(ctx, node)
        case cst.GeneratorExp():
            return comprehensions.generator(ctx, node)
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
            bound = whole.settle(ctx, lower(ctx, value, name), name)
            ctx.frame.bind(name, bound)
            return bound
        case cst.Lambda():
            return closures.from_lambda(ctx, node)
        case cst.Call():
            return calls.lower(ctx, node, hint)
        case cst.Attribute(value=value):
            return names.attribute(ctx, node, lower(ctx, value), hint)
        case cst.Subscript():
            return arrays.subscript(ctx, node, name_of(hint))
        case _:
            kind = type(node).__name__
            raise ctx.refuse(node, "MK110", f"this kind of expression is not supported: {kind}")


def scalar(ctx: Context, node: cst.BaseExpression, hint: str = "") -> ir.Atom:
    """The value of an expression that must be a number."""
    return as_scalar(ctx, node, ctx.lower.expression(ctx, node, hint))


def as_scalar(ctx: Context, node: cst.CSTNode, operand: Operand) -> ir.Atom:
    operand = enums.plain(ctx, node, optional.present(ctx, node, operand))
    match operand:
        case ir.Value() | ir.Const() | ir.Undef() if isinstance(operand.type, Scalar):
            return operand
        case ir.Value(type=Array(ndim=0)):
            return ctx.builder.load(operand, ())
        case ir.Value() | ir.Undef() if isinstance(operand.type, Array):
            help_ = "take an element, or reduce it: x[0], np.sum(x)"
            raise ctx.refuse(node, "MK302", f"expected a number, got {operand.type}", help_)
        case Arr():
            help_ = "take an element, or reduce it: x[0], np.sum(x)"
            raise ctx.refuse(node, "MK302", "expected a number, got an array", help_)
        case _:
            raise ctx.refuse(node, "MK213", f"expected a number, got {describe(operand)}")


def as_index(ctx: Context, node: cst.CSTNode, operand: Operand, what: str) -> ir.Atom:
    """``operand`` as an integer."""
    atom = as_scalar(ctx, node, operand)
    assert isinstance(atom.type, Scalar)
    if not atom.type.dtype.is_int:
        raise ctx.refuse(node, "MK214", f"{what} must be an integer, got {atom.type}")
    if atom in ctx.blended:
        raise ctx.refuse(node, "MK250", f"{what} may be a bool, which is no index", "int(...)")
    return atom


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


def _display(ctx: Context, elements: Sequence[cst.BaseElement], hint: Hint) -> Items:
    """A tuple or list."""
    starred = any(isinstance(element, cst.StarredElement) for element in elements)
    values = whole.in_order(ctx, [
        partial(lower, ctx, element.value, "" if starred else part(hint, k))
        for k, element in enumerate(elements)
    ])  # fmt: skip
    found: list[Operand] = []
    for element, value in zip(elements, values, strict=True):
        if not isinstance(element, cst.StarredElement):
            found.append(value)
        else:
            found.extend(lists.must_be_known(ctx, element, value))
    return Items(tuple(found))


def _binary_chain(ctx: Context, node: cst.BinaryOperation, hint: str) -> Operand:
    """``a + b + c``: the left spine in a loop, since such chains can be very long."""
    spine: list[cst.BinaryOperation] = []
    left: cst.BaseExpression = node
    while isinstance(left, cst.BinaryOperation):
        spine.append(left)
        left = left.left
    value = lower(ctx, left)
    for step in reversed(spine):
        parts = [partial(_given, value), partial(lower, ctx, step.right)]
        value, right = whole.in_order(ctx, parts)
        value = binary(ctx, step, step.operator, value, right, hint if step is node else "")
    return value


def _given(value: Operand) -> Operand:
    return value


def binary(
    ctx: Context,
    node: cst.CSTNode,
    operator: cst.CSTNode,
    left: Operand,
    right: Operand,
    hint: str = "",
) -> Operand:
    if isinstance(left, Maybe) or isinstance(right, Maybe):
        text = _unsupported(operator, left, right)
        left, right = (optional.present(ctx, node, side, text) for side in (left, right))
    special = protocols.binary(ctx, node, operator, left, right)
    if special is not None:
        return special
    if isinstance(operator, cst.MatrixMultiply):
        return whole.library_call(ctx, node, "numpy.matmul", left, right)
    op = BINARY[type(operator)]
    found = lists.binary(ctx, node, op, left, right)
    if found is not None:
        return found
    if whole.is_array(left) or whole.is_array(right):
        return whole.apply(ctx, node, op, (left, right))
    sides = [as_scalar(ctx, node, side) for side in (left, right)]
    failing.before_operator(ctx, node, op, sides)
    result = compute(ctx, node, op, sides, hint)
    failing.after_operator(ctx, node, op, sides, result)
    return result


def _unary(
    ctx: Context,
    node: cst.UnaryOperation,
    operator: cst.BaseUnaryOp,
    inner: cst.BaseExpression,
    hint: str,
) -> Operand:
    if isinstance(operator, cst.Not):
        return logic.negation(ctx, node, hint)
    return unary(ctx, node, operator, lower(ctx, inner), hint)


def _unsupported(operator: cst.CSTNode, left: Operand, right: Operand) -> str:
    """What Python says about an operator with None."""
    sign = cst.Module([]).code_for_node(operator).strip()
    kinds = ["NoneType" if isinstance(x, Maybe) else optional.kind(x) for x in (left, right)]
    sign = "** or pow()" if sign == "**" else sign
    return f"unsupported operand type(s) for {sign}: '{kinds[0]}' and '{kinds[1]}'"


def unary(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, value: Operand, hint: str = ""
) -> Operand:
    special = protocols.unary(ctx, node, operator, value)
    if special is not None:
        return special
    if isinstance(operator, cst.Not):
        return compute(ctx, node, "not", (protocols.truth(ctx, node, value),), hint)
    op = UNARY[type(operator)]
    sign = cst.Module([]).code_for_node(operator)
    text = f"bad operand type for unary {sign}: 'NoneType'"
    value = optional.present(ctx, node, value, text)
    if whole.is_array(value):
        return whole.apply(ctx, node, op, (value,))
    return compute(ctx, node, op, (as_scalar(ctx, node, value),), hint)
