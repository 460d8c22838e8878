"""NumPy's arrays without axes, which are numbers here: ``np.array(2.0)``, ``np.where(c, a, b)``.

An operator in place changes such an array, and so whatever else holds it; here it makes a new
number. That is the same where one variable alone holds the array, which its text must show.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst
from mooncake_rules import scalar as rules

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.lower.scalar import conversion, kinds
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.frontend.text.trees import children, dotted, parameters
from mooncake_transpiler.types import Scalar

# Functions that return an array without axes where all that they are given are numbers.
_MADE = frozenset(
    f"numpy.{name}"
    for name in (
        "array", "block", "copy", "cov", "empty_like", "full_like", "i0", "isin", "ones_like",
        "piecewise", "polyval", "select", "tensordot", "where", "zeros_like",
    )
)  # fmt: skip
# Those that return what they are given, if it is such an array, or show it.
_SAME = frozenset({
    "asanyarray", "asarray", "asarray_chkfinite", "broadcast_to", "expand_dims",
    "real_if_close", "require", "reshape", "squeeze", "transpose",
})  # fmt: skip
# Functions and methods whose results NumPy may make as views of what they are given.
VIEWS = _SAME | {
    "array", "ascontiguousarray", "asfortranarray", "atleast_1d", "atleast_2d", "atleast_3d",
    "broadcast_arrays", "conj", "conjugate", "flip", "imag", "moveaxis", "permute_dims", "ravel",
    "real", "swapaxes", "view",
}  # fmt: skip
_ITEMS = ("builtins.max", "builtins.min")  # one of what they are given
_NUMBERS = frozenset({"abs", "bool", "complex", "float", "int", "round", "str"})


def noted(ctx: Context, qualname: str, found: Operand) -> Operand:
    """``found``, what the function ``qualname`` returned, as an array without axes if it is one."""
    if not isinstance(found, ir.Value | ir.Const) or not isinstance(found.type, Scalar):
        return found
    if qualname in _ITEMS and {Kind.ARRAY, Kind.ANY} & {*ctx.heap.plan.item_kinds.values()}:
        return kinds.as_kind(ctx, found, Kind.ANY)
    library, _, name = qualname.rpartition(".")
    if qualname not in _MADE and not (library == "numpy" and name in _SAME):
        return found
    one = kinds.as_kind(ctx, found, Kind.ARRAY)
    if found in ctx.memory.shown and isinstance(one, ir.Value):
        ctx.memory.shown[one] = ctx.memory.shown[found]
    return one


def is_one(ctx: Context, atom: ir.Atom) -> bool:
    """True if ``atom`` may be an array without axes."""
    return kinds.whose(ctx, atom) in (Kind.ARRAY, Kind.ANY)


def check_shared(ctx: Context, node: cst.AugAssign, old: Operand) -> None:
    """Refuse to change in place what may be an array without axes that others hold, too."""
    if not isinstance(old, ir.Value | ir.Const) or not is_one(ctx, old):
        return
    if isinstance(node.target, cst.Name) and _is_alone(ctx, node.target.value):
        return
    message = "an array without axes is changed in place here: whatever else holds it would change"
    raise ctx.refuse(node, "MK312", message, "make a new number: x = x + ...")


def changed(ctx: Context, node: cst.AugAssign, old: Operand, new: Operand) -> Operand:
    """``new``, which ``old`` becomes in place: what is in the array keeps its dtype."""
    if not isinstance(old, ir.Value | ir.Const) or not is_one(ctx, old):
        return new
    assert isinstance(new, ir.Value | ir.Const)
    assert isinstance(new.type, Scalar)
    assert isinstance(old.type, Scalar)
    if new.type != old.type:
        if kinds.whose(ctx, old) is Kind.ANY or not _fits(new.type, old.type):
            message = f"the result is {new.type.dtype.value} and does not fit into an array of "
            message += f"{old.type.dtype.value} in place"
            raise ctx.refuse(node, "MK213", message, "make a new number: x = x + ...")
        new = conversion.cast(ctx, new, old.type)
    of = kinds.whose(ctx, old)
    assert of is not None
    return kinds.as_kind(ctx, new, of)


def _fits(new: Scalar, old: Scalar) -> bool:
    """True if NumPy puts numbers of type ``new`` into arrays of type ``old``: ``same_kind``."""
    sorts = [(t.dtype.is_complex, not t.dtype.is_int, t.dtype.value != "bool") for t in (new, old)]
    return sorts[0] <= sorts[1]


def _is_alone(ctx: Context, name: str) -> bool:
    """True if only the local variable ``name`` can hold the arrays that it holds.

    They are made by what is assigned to it, and whatever reads it only computes with their numbers.
    """
    decl = ctx.frame.decl
    if decl is None or name in ctx.frame.flow.captured or name in _parameters(decl):
        return False
    return all(_is_apart(parents) for node, parents in _uses(decl.node.body, name, ()))


def _parameters(decl: FunctionDecl) -> set[str]:
    return {param.name.value for param in parameters(decl.node.params)}


def _uses(
    node: cst.CSTNode, name: str, parents: tuple[cst.CSTNode, ...]
) -> Iterator[tuple[cst.Name, tuple[cst.CSTNode, ...]]]:
    """The places of ``name`` below ``node``, with the nodes around each, innermost last."""
    for child in children(node):
        if isinstance(child, cst.Name) and child.value == name:
            yield child, (*parents, node)
        yield from _uses(child, name, (*parents, node))


def _is_apart(parents: tuple[cst.CSTNode, ...]) -> bool:
    """True if ``name`` is not given to anything else here, and gets nothing that others hold."""
    match parents:
        case (*_, cst.Assign(targets=[_], value=value), cst.AssignTarget()):
            return _is_new(value)
        case (*_, cst.AugAssign() | cst.BinaryOperation() | cst.UnaryOperation() | cst.Return()):
            return True
        case (*_, cst.Comparison() | cst.ComparisonTarget()):
            return True
        case (*_, cst.Call() as call, cst.Arg()):
            return _only_reads(call)
        case _:
            return False


def _is_new(value: cst.BaseExpression) -> bool:
    """True if ``value`` is a number, or an array that nothing else holds."""
    match value:
        case cst.Integer() | cst.Float() | cst.BinaryOperation() | cst.UnaryOperation():
            return True
        case cst.Call():
            return _numpy(value) in _MADE or _only_reads(value)
        case _:
            return False


def _only_reads(call: cst.Call) -> bool:
    """True if what is called computes with numbers, and keeps nothing of its arguments."""
    match call.func:
        case cst.Name(value=name):
            return name in _NUMBERS
        case _:
            name = _numpy(call)
            return name in _MADE or rules.resolve(name, len(call.args)) is not None


def _numpy(call: cst.Call) -> str:
    """The function of NumPy that ``call`` calls by way of a module; ``""`` if there is none."""
    path = dotted(call.func)
    return f"numpy.{path[1]}" if path is not None and len(path) == 2 else ""
