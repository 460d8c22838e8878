"""Methods of arrays, and calls of methods by their name."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst
from mooncake_rules.library import METHODS

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import aliasing, arrays, checking, delayed, stores
from mooncake_transpiler.frontend.lower.builtin import complexes
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.instance import instances
from mooncake_transpiler.frontend.lower.rule import library
from mooncake_transpiler.frontend.lower.rule.meant import meant
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import name_of
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Bound, Operand, Static
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.frontend.lower.state.whose import Kind

_OF_CLASS = "numpy.ndarray."
_KNOWN = (METHODS.keys() | {"fill", "tolist"}) - arrays.COMPUTED
# Methods of NumPy's numbers that are those of an array with one item.
_OF_ONE_ITEM = frozenset({"argmax", "argmin", "flatten", "ravel", "reshape", "std", "var"})


def call(
    ctx: Context, node: cst.Call, array: Operand, method: str, given: Arguments, hint: str
) -> Operand:
    """``array.method(*given)``."""
    if method == "fill":
        (value,) = given.all(ctx, node, method, "value")
        kept = delayed.settle(ctx, array)
        assert isinstance(kept, ir.Value | ir.Undef)
        if isinstance(kept, ir.Value):
            aliasing.writable(ctx, node, kept)
        stores.overwrite(ctx, node, kept, numbers.as_scalar(ctx, node, value))
        return NOTHING
    if method == "tolist":
        written_out = Static(External("numpy.ndarray.tolist"))
        return ctx.lower.call(ctx, node, written_out, (array, *given.args), given.keywords)
    function = library.method(method)
    if function is None:
        hint = meant(f"ndarray.{method}")
        raise ctx.refuse(node, "MK305", f"method {method!r} of arrays is not supported yet{hint}")
    with_array = Arguments((array, *given.args), given.keywords)
    with_array = checking.before_library(ctx, node, f"numpy.{method}", with_array)
    return library.call(ctx, node, function, f"ndarray.{method}", method, with_array, hint)


def bound(ctx: Context, array: Operand, method: str) -> Operand | None:
    """``array.method`` that is not called yet; None for what is no method that is known."""
    if method == "__getitem__":
        return Bound(Static(External("operator.getitem")), (delayed.settle(ctx, array),))
    if method not in _KNOWN:
        return None
    return Bound(Static(External(_OF_CLASS + method)), (delayed.settle(ctx, array),))


def _of_class(method: str) -> Handler:
    """``np.ndarray.method(array, ...)``."""

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        if not given.args or not delayed.is_array(given.args[0]):
            raise ctx.refuse(node, "MK303", f"np.ndarray.{method}() needs an array")
        array, *args = given.args
        return call(ctx, node, array, method, Arguments(args, given.keywords), hint)

    return handler


def of_number(
    ctx: Context, node: cst.Call, number: ir.Atom, name: str, given: Arguments, hint: str
) -> Operand:
    """``number.name(*given)``."""
    if name in _OF_ONE_ITEM and kinds.kind(ctx, number) is Kind.NUMPY:
        array = ctx.lower.call(ctx, node, Static(External("numpy.atleast_1d")), (number,))
        return call(ctx, node, array, name, given, hint)
    return complexes.method(ctx, node, number, name, given, hint)


def call_method(
    ctx: Context, node: cst.Call, owner: Operand, name: str, given: Arguments, hint: Hint = ""
) -> Operand:
    """``owner.name(*given)``."""
    if delayed.is_array(owner):
        return call(ctx, node, owner, name, given, name_of(hint))
    if is_scalar(owner):
        return of_number(ctx, node, owner, name, given, name_of(hint))
    method = instances.get(ctx, owner, name)
    return ctx.lower.call(ctx, node, method, given.args, given.keywords, hint)


HANDLERS: Mapping[str, Handler] = {
    _OF_CLASS + name: _of_class(name)
    for name in _KNOWN - {"tolist"}  # that one is written out
}
