"""Statements of generated functions in plain Python that handle objects, before compiled ones.

    @border
    def energy_grad(state: State) -> StateBar:
        state_pos_bar, state_t_bar = _energy_grad(state.pos, state.t)
        return StateBar(state_pos_bar, state_t_bar)

Which of several alternatives an argument is is known where it is lowered, as classes are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import libcst as cst
from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind, EnumMember, External
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.instance import assigned_attributes, heap
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Items, Operand, Static


def _alternative(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """The number of the option that an argument is."""
    _, value, *options = given.positional(ctx, node, "alternative")
    names = [_class_name(option) for option in options]
    own = objects.declared(ctx, value)
    for cls in () if own is None else (own, *own.line):  # the nearest class counts
        if cls.name in names:
            return ir.int_const(names.index(cls.name))
    for number, option in enumerate(options):
        if _is(ctx, value, option):
            return ir.int_const(number)
    raise ctx.refuse(node, "MK213", f"{describe(value)} is none of the alternatives here")


def _is_a(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    value, option = given.all(ctx, node, "is_a", "value", "option")
    return scalars.constant(_is(ctx, value, option))


def _class_name(option: Operand) -> str | None:
    match option:
        case Static(value=ClassDecl(name=name)):
            return name
        case _:
            return None


def _is(ctx: Context, value: Operand, option: Operand) -> bool:
    """As ``mooncake_runtime.instances`` tells: classes and enums by their names."""
    match option:
        case Static(value=None):
            return value == NOTHING
        case Static(value=EnumMember(cls=cls, name=name)):
            match value:
                case Static(value=EnumMember() as member):
                    return (member.cls.name, member.name) == (cls.name, name)
                case _:
                    return False
        case Static(value=ClassDecl(name=name)):
            own = objects.declared(ctx, value)
            return own is not None and name in {cls.name for cls in (own, *own.line)}
        case Static(value=External(qualname="numpy.number")):
            return scalars.is_scalar(value)
        case Static(value=External(qualname="numpy.ndarray")):
            return isinstance(value, Arr) or delayed.is_array(value)
        case Static(value=External(qualname="builtins.tuple")):
            return isinstance(value, Items) and not containers.is_container(value)
        case _:
            return value == option


def _exactly(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """Refuse what is of a class derived from the wanted one that does things in another way."""
    _, value, wanted, *others = given.positional(ctx, node, "exactly")
    own = objects.declared(ctx, value)
    line = () if own is None else (own, *own.line)
    names = {other.value for other in others if isinstance(other, Static)}
    if own is not None and own.name != _class_name(wanted):
        for cls in line:
            if cls.name in names:
                message = f"a {_class_name(wanted)} is needed here, and no {own.name}"
                raise ctx.refuse(node, "MK213", message)
    return NOTHING


def _instance(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """An instance with these fields, whose ``__init__`` does not run."""
    (cls,) = given.args
    assert isinstance(cls, Static)
    assert isinstance(cls.value, ClassDecl)
    ref = objects.new(ctx, cls.value, hint)
    for name, value in given.keywords.items():
        heap.write(ctx, node, ref, name, value)
    is_frozen = cls.value.kind is ClassKind.FROZEN
    return heap.frozen(ctx, node, ref) if is_frozen else ref


def _assign(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """Assign a field of a tangent, if that is an object whose fields can be assigned."""
    tangent, name, value = given.all(ctx, node, "assign", "tangent", "name", "value")
    if isinstance(tangent, Ref):
        assert isinstance(name, Static)
        assigned_attributes.put(ctx, node, tangent, str(name.value), value)
    return NOTHING


# ---- exceptions ---------------------------------------------------------------------------------


def leave(ctx: Context, node: cst.CSTNode, held: Sequence[cst.Arg]) -> None:
    """Assign what an exception of compiled code tells of the fields of parameters.

    ``held``: paths and values. The parameters are those of the function in plain Python in front
    of it, if it is lowered in line there; else nobody can see these objects.
    """
    for at, value in zip(held[::2], held[1::2], strict=True):
        path = ctx.lower.expression(ctx, at.value)
        assert isinstance(path, Static)
        name, *parts = re.findall(r"\w+", str(path.value))
        named = (frame.values.get(name) for frame in reversed(ctx.callers))
        holder = next(filter(_has_fields, named), None)
        for part in parts[:-1]:
            match holder:
                case Items(items=items, names=names):
                    holder = items[names.index(part) if names else int(part)]
                case Ref():
                    holder = heap.read(ctx, node, holder, part)
                case _:
                    return
        if isinstance(holder, Ref):
            assigned_attributes.put(
                ctx, node, holder, parts[-1], ctx.lower.expression(ctx, value.value)
            )


def _has_fields(operand: Operand | None) -> bool:
    return isinstance(operand, Ref | Items)


HANDLERS: Mapping[str, Handler] = {
    "mooncake_runtime.instances.alternative": _alternative,
    "mooncake_runtime.instances.assign": _assign,
    "mooncake_runtime.instances.exactly": _exactly,
    "mooncake_runtime.instances.instance": _instance,
    "mooncake_runtime.instances.is_a": _is_a,
}
