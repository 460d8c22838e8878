"""The functions of the ``operator`` module, as the operators that they stand for."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.builtin import methods
from mooncake_transpiler.frontend.lower.call.quoting import quoted
from mooncake_transpiler.frontend.lower.instance import instances, protocols
from mooncake_transpiler.frontend.lower.operation import binary, logic, updates
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Bound, Items, Operand, Static

_BINARY: Mapping[str, cst.BaseBinaryOp] = {
    "add": cst.Add(), "sub": cst.Subtract(), "mul": cst.Multiply(), "truediv": cst.Divide(),
    "floordiv": cst.FloorDivide(), "mod": cst.Modulo(), "pow": cst.Power(), "and_": cst.BitAnd(),
    "or_": cst.BitOr(), "xor": cst.BitXor(), "lshift": cst.LeftShift(),
    "rshift": cst.RightShift(), "matmul": cst.MatrixMultiply(),
}  # fmt: skip

_COMPARED: Mapping[str, cst.BaseCompOp] = {
    "lt": cst.LessThan(), "le": cst.LessThanEqual(), "gt": cst.GreaterThan(),
    "ge": cst.GreaterThanEqual(), "eq": cst.Equal(), "ne": cst.NotEqual(), "is_": cst.Is(),
    "is_not": cst.IsNot(),
}  # fmt: skip

_UNARY: Mapping[str, cst.BaseUnaryOp] = {
    "neg": cst.Minus(), "pos": cst.Plus(), "invert": cst.BitInvert(), "not_": cst.Not(),
}  # fmt: skip


def _binary(name: str, operator: cst.BaseBinaryOp) -> Handler:
    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        left, right = given.all(ctx, node, name, "a", "b")
        return binary.binary(ctx, node, operator, left, right, hint)

    return handler


def _compared(name: str, operator: cst.BaseCompOp) -> Handler:
    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        left, right = given.all(ctx, node, name, "a", "b")
        return logic.compare(ctx, node, operator, left, right, hint)

    return handler


def _unary(name: str, operator: cst.BaseUnaryOp) -> Handler:
    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        (value,) = given.all(ctx, node, name, "a")
        return binary.unary(ctx, node, operator, value, hint)

    return handler


def _truth(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.all(ctx, node, "truth", "a")
    return protocols.truth(ctx, node, value)


def _abs(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    return ctx.lower.call(
        ctx, node, Static(External("builtins.abs")), given.args, given.keywords, hint
    )


def _item(ctx: Context, value: Operand, key: Operand) -> Operand:
    """``value[key]``."""
    with quoted(ctx, delayed.settle(ctx, value), delayed.settle(ctx, key)) as (base, index):
        element = cst.SubscriptElement(cst.Index(index))
        return ctx.lower.expression(ctx, cst.Subscript(base, [element]))


def _setitem(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    value, key, new = given.all(ctx, node, "setitem", "a", "b", "c")
    with quoted(ctx, delayed.settle(ctx, value), delayed.settle(ctx, key)) as (base, index):
        element = cst.SubscriptElement(cst.Index(index))
        updates.store(ctx, cst.Subscript(base, [element]), new)
    return NOTHING


def _getitem(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    value, key = given.all(ctx, node, "getitem", "a", "b")
    return _item(ctx, value, key)


def _maker(name: str) -> Handler:
    """``itemgetter(...)`` and the like: a function of what is looked into."""

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        kept = delayed.settled(ctx, given)
        if not kept.args:
            raise ctx.refuse(node, "MK303", f"{name}() needs an argument")
        what = Items((Items(tuple(kept.args)), Items(tuple(kept.keywords.values()))))
        names = Items(tuple(map(Static, kept.keywords)))
        return Bound(Static(External(f"operator.{name}()")), (what, names))

    return handler


def _made(ctx: Context, node: cst.Call, name: str, given: Arguments) -> tuple[
    tuple[Operand, ...], dict[str, Operand], Operand
]:  # fmt: skip
    what, names, value = given.all(ctx, node, name, "what", "names", "obj")
    assert isinstance(what, Items)
    assert isinstance(names, Items)
    args, values = what.items
    assert isinstance(args, Items)
    assert isinstance(values, Items)
    keys = [item.value for item in names.items if isinstance(item, Static)]
    return args.items, dict(zip(map(str, keys), values.items, strict=True)), value


def _itemgetter(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    keys, _, value = _made(ctx, node, "itemgetter", given)
    found = tuple(_item(ctx, value, key) for key in keys)
    return found[0] if len(found) == 1 else Items(found)


def _attrgetter(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    paths, _, value = _made(ctx, node, "attrgetter", given)
    found = []
    for path in paths:
        one = value
        for name in _name(ctx, node, path).split("."):
            one = instances.get(ctx, one, name)
        found.append(one)
    return found[0] if len(found) == 1 else Items(tuple(found))


def _methodcaller(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (name, *args), keywords, value = _made(ctx, node, "methodcaller", given)
    return methods.call_method(
        ctx, node, value, _name(ctx, node, name), Arguments(args, keywords), hint
    )


def _name(ctx: Context, node: cst.Call, operand: Operand) -> str:
    if isinstance(operand, Static) and isinstance(operand.value, str):
        return operand.value
    raise ctx.refuse(node, "MK213", "the name must be a string that is known here")


HANDLERS: Mapping[str, Handler] = {
    **{f"operator.{name}": _binary(name, op) for name, op in _BINARY.items()},
    **{f"operator.{name}": _compared(name, op) for name, op in _COMPARED.items()},
    **{f"operator.{name}": _unary(name, op) for name, op in _UNARY.items()},
    "operator.truth": _truth, "operator.abs": _abs, "operator.getitem": _getitem,
    "operator.setitem": _setitem,
    **{f"operator.{n}": _maker(n) for n in ("itemgetter", "attrgetter", "methodcaller")},
    "operator.itemgetter()": _itemgetter, "operator.attrgetter()": _attrgetter,
    "operator.methodcaller()": _methodcaller,
}  # fmt: skip
