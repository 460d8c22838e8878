"""The meaning of a name or dotted name at one point of the program."""

from __future__ import annotations

import builtins
from functools import partial

import libcst as cst
import numpy as np
from mooncake_rules.arrays import Arr
from mooncake_rules.scalar import CONSTANTS

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.diagnostic.suggestions import did_you_mean
from mooncake_transpiler.frontend.constant import pure
from mooncake_transpiler.frontend.declaration import decorators
from mooncake_transpiler.frontend.entities import (
    Annotation,
    ArrayConstantDecl,
    ClassDecl,
    ClassKind,
    ConstantDecl,
    Default,
    Entity,
    EnumMember,
    External,
    FunctionDecl,
    Logger,
    ModuleRef,
    Mutable,
    SharedDecl,
    TypeAlias,
)
from mooncake_transpiler.frontend.lower.array import arrays, delayed
from mooncake_transpiler.frontend.lower.builtin import complexes, methods, sequences, tellings
from mooncake_transpiler.frontend.lower.call import module_values
from mooncake_transpiler.frontend.lower.container import asked_texts
from mooncake_transpiler.frontend.lower.failure import optional, unset_names
from mooncake_transpiler.frontend.lower.instance import instances, standins
from mooncake_transpiler.frontend.lower.merge import branches, eithers
from mooncake_transpiler.frontend.lower.object import absent_lists, objects
from mooncake_transpiler.frontend.lower.scalar import enums, made_texts, told_values
from mooncake_transpiler.frontend.lower.scalar.dtypes import dtype_named
from mooncake_transpiler.frontend.lower.scalar.scalars import constant
from mooncake_transpiler.frontend.lower.state import leaving, passed_text
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import is_cell_of, is_hidden
from mooncake_transpiler.frontend.lower.state.identities import Once, Ref, RunText, StepsNeeded
from mooncake_transpiler.frontend.lower.state.leaves import describe, name_of, way_out
from mooncake_transpiler.frontend.lower.state.operands import (
    Bound,
    Choice,
    Conflict,
    Either,
    Elements,
    Frame,
    IntRange,
    Items,
    Operand,
    Passed,
    Static,
    Super,
    Told,
)
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.frontend.lower.state.tabled import Again, learn
from mooncake_transpiler.frontend.lower.state.unset import NeverSet, NotReached
from mooncake_transpiler.frontend.name.scopes import resolve, resolve_attribute, resolve_name
from mooncake_transpiler.types import DType, Scalar


def read(ctx: Context, node: cst.Name) -> Operand:
    """The value of a name: of this function, of those around it, of the module, built in."""
    name = node.value
    for frame in ctx.frame.outwards:
        if name in frame.cells:
            owner = _owner(frame, frame.cells[name])
            return _read_local(ctx, node, ctx.frame, owner, frame.cells[name])
        if name in frame.locals:
            return _read_local(ctx, node, frame, frame, name)
    if (entity := resolve_name(ctx.frame.module, name)) is not None:
        return from_entity(ctx, node, entity)
    if name == "__name__":
        return Static(ctx.source.imported_name(ctx.frame.module.name))
    if hasattr(builtins, name):
        return built_in(ctx, name)
    hint = did_you_mean(name, [*ctx.frame.locals, *ctx.frame.module.scope])
    raise ctx.refuse(node, "MK210", f"name {name!r} is not defined{hint}")


def built_in(ctx: Context, name: str) -> Static:
    """The built-in ``name``; a class that is written out is one of the program."""
    found = resolve_attribute(ctx.source, External("builtins"), name)
    return Static(found if isinstance(found, ClassDecl) else External(f"builtins.{name}"))


def _owner(frame: Frame, variable: str) -> Frame:
    """The frame in or around ``frame`` that shares ``variable`` with the functions in it."""
    owners = (f for f in frame.outwards if f.key and is_cell_of(variable, f.key))
    return next(owners, frame)


def _read_local(ctx: Context, node: cst.Name, frame: Frame, owner: Frame, variable: str) -> Operand:
    """``frame`` has the value of ``variable``, whose scope is that of ``owner``."""
    name = node.value
    value = frame.values.get(variable)
    if not frame.is_bound(variable) or value is None:
        unset_names.check(ctx, node, owner, name, variable)
        value = frame.values[variable]
    if isinstance(value, Conflict) and value.filled is not None:
        return made_texts.made(ctx, value.filled)
    if isinstance(value, Conflict):
        if value.is_mixed:
            learn(ctx.heap.plan.among_rows, (owner.node, name), Again)
        what = "what is made here" if is_hidden(name) else repr(name)
        raise ctx.refuse(node, "MK212", f"{what} has no single type here: {value.reason}")
    if absent_lists.is_one(value):
        return absent_lists.seen(ctx, value)
    is_own = is_hidden(name)  # of the compiler, which looks as often as it must
    if isinstance(value, Items | IntRange | Elements) and value.once is not None and not is_own:
        _check_once(ctx, node, value.once, owner)
    return value


def _check_once(ctx: Context, node: cst.Name, once: Once, owner: Frame) -> None:
    """A second look at an iterator, which finds what the first one left, needs its place."""
    again = any(reader is not node for reader in once.readers)
    loops = once.loops if ctx.frame is once.frame else 0
    if again or owner is not ctx.frame or len(ctx.frame.loops) > loops:
        raise StepsNeeded(once.node)
    once.readers.append(node)


def declared_scalar(ctx: Context, node: cst.BaseExpression) -> Scalar | None:
    """The scalar type that the annotation of a local variable stands for, if it is one."""
    entity = resolve(ctx.source, ctx.frame.module, node)
    match entity:
        case External(qualname=qualname):
            dtype = dtype_named(qualname)
            return None if dtype is None else Scalar(dtype)
        case TypeAlias(annotation=Annotation(type=Scalar() as type_)):
            return type_
        case _:
            return None


def from_entity(ctx: Context, node: cst.CSTNode, entity: Entity) -> Operand:
    match entity:
        case ConstantDecl(value=value):
            return module_values.from_python(ctx, node, value)
        case SharedDecl():
            return module_values.value(ctx, node, entity)
        case Default(module=module, expr=expr):
            inside = leaving.inside(ctx, Frame(ctx.source.modules[module], (), ()))
            with objects.shared(ctx), inside:
                return ctx.lower.expression(ctx, expr)
        case ArrayConstantDecl():
            return ctx.constant_array(entity)
        case External(qualname=qualname) if qualname in CONSTANTS:
            return constant(CONSTANTS[qualname])
        case External(qualname="numpy.newaxis"):
            return Static(None)
        case FunctionDecl() | ClassDecl() | ModuleRef() | External():
            return Static(entity)
        case Mutable(name=name, why=why):
            message = f"the module-level name {name!r} is not a constant: {why}"
            raise ctx.refuse(node, "MK217", message, "pass it as a parameter")
        case TypeAlias():
            raise ctx.refuse(node, "MK213", "a type is not a value")


def _without(ctx: Context, node: cst.Attribute, base: Operand, attr: str) -> Refused:
    """The refusal of an attribute that is not there."""
    match base:
        case Items(cls="Generator" | "RandomState" as name, of=None):
            message = f"there is no derivative rule for np.random.{name}.{attr}"
            return ctx.refuse(node, "MK301", message, "pass the random numbers as an argument")
        case _:
            message = f"{describe(base)} has no attribute {attr!r} here"
            cls = objects.declared(ctx, base)
            help_ = None
            if cls is not None and cls.kind is ClassKind.PLAIN:
                help_ = f"where its __init__ assigns it, annotate it: `self.{attr}: float = ...`"
            elif cls is not None and "__post_init__" in cls.methods:
                help_ = f"let it be a field: `{attr}: float = field(init=False)`"
            return ctx.refuse(node, "MK305", message, help_)


def attribute(ctx: Context, node: cst.Attribute, base: Operand, hint: Hint = "") -> Operand:
    """``base.attr``: of a module, an array or a NamedTuple."""
    if isinstance(base, Either):
        return eithers.split(ctx, base, lambda one: attribute(ctx, node, one, hint))
    attr = node.attr.value
    text = f"'NoneType' object has no attribute {attr!r}"
    base = optional.present(ctx, node, base, text, "AttributeError")
    match base:
        case Ref() | Items() | Super() | Static(value=EnumMember()):
            held = instances.attribute(ctx, node, base, attr)
            plain = enums.plain(ctx, node, base)
            if held is None and plain is not base:
                return attribute(ctx, node, plain, hint)
            if held is None:
                raise _without(ctx, node, base, attr)
            return held
        case Static():
            return _of_static(ctx, node, base, attr)
        case Passed(spelled="str") if attr in passed_text.TURNING:
            return Bound(Static(External(f"builtins.str.{attr}")), (base,))
        case RunText() if attr in asked_texts.KNOWN:
            return Bound(Static(External(f"builtins.str.{attr}")), (base,))
        case Told():
            return attribute(ctx, node, told_values.as_choice(ctx, base), hint)
        case Choice():
            return _of_sides(ctx, node, base, hint)
        case Arr() | ir.Value() | ir.Undef() if delayed.is_array(base):
            bound = methods.bound(ctx, base, attr)
            return bound or arrays.attribute(ctx, node, base, attr, hint)
        case ir.Value() | ir.Const() | ir.Undef() if isinstance(base.type, Scalar):
            return complexes.attribute(ctx, node, base, attr, name_of(hint))
        case _:
            raise _has_none(ctx, node, base, attr)


def _of_sides(ctx: Context, node: cst.Attribute, base: Choice, hint: Hint) -> Operand:
    """``base.attr`` of what is one of several; an AttributeError where only others have it."""
    attr, had = node.attr.value, list[Operand]()

    def of(side: Operand) -> Operand:
        if isinstance(side, Choice):
            arms = partial(of, side.then), partial(of, side.orelse)
            return branches.choose(ctx, node, side.cond, *arms, name_of(hint))
        cls = objects.declared(ctx, side)
        before = ctx.mark()
        lacks = isinstance(side, Items) and instances.attribute(ctx, node, side, attr) is None
        ctx.reset(before)
        if cls is not None and lacks:
            text = f"{cls.name!r} object has no attribute {attr!r}"
            unset_names.fail(ctx, NeverSet(node, "AttributeError", text))
            raise NotReached
        had.append(side)
        return attribute(ctx, node, side, hint)

    try:
        return of(base)
    except NotReached:
        if had:
            raise
        raise _without(ctx, node, base, attr) from None


def _has_none(ctx: Context, node: cst.Attribute, base: Operand, attr: str) -> Refused:
    message = f"{describe(base)} has no attribute {attr!r} here"
    return ctx.refuse(node, "MK305", message, way_out(base))


def _of_static(ctx: Context, node: cst.Attribute, base: Static, attr: str) -> Operand:
    """``base.attr``, where ``base`` is known ahead of time."""
    match base.value:
        case ModuleRef() | External() as module:
            return _member(ctx, node, module, attr)
        case np.finfo() | np.iinfo() as limits:
            return _numpys(ctx, node, limits, attr)
        case DType(value=name) if attr == "type":
            return Static(External(f"numpy.{name}"))
        case DType(value=name):
            return _numpys(ctx, node, np.dtype(name), attr)
        case FunctionDecl() as function if attr == "__name__" and _keeps_name(ctx, function):
            return Static(function.own_name)
        case ClassDecl() as cls:
            found = instances.of_class(ctx, node, cls, attr)
            if found is None:
                raise ctx.refuse(node, "MK305", f"{cls.name} has no attribute {attr!r}")
            return found
        case Logger() if attr in tellings.LOGGER_METHODS:
            return Bound(Static(External(f"logging.Logger.{attr}")), (base,))
        case str() if attr in sequences.TEXT_METHODS:
            return Bound(Static(External(f"builtins.str.{attr}")), (base,))
        case _:
            raise _has_none(ctx, node, base, attr)


def _keeps_name(ctx: Context, function: FunctionDecl) -> bool:
    """True if a function is known to have the name that its ``def`` gives it."""
    is_known = not decorators.is_elementwise(ctx.source, function)
    return is_known and not decorators.applied(ctx.source, function)


def _member(ctx: Context, node: cst.Attribute, module: ModuleRef | External, attr: str) -> Operand:
    """``module.attr``, where ``module`` may also be a class or function outside the program."""
    if isinstance(module, External) and attr in ("__name__", "__qualname__"):
        there = standins.outside(module.qualname)
        if not isinstance(there, type):
            raise ctx.refuse(node, "MK305", f"the name of {module.qualname} is not known here")
        return Static(getattr(there, attr))
    entity = resolve_attribute(ctx.source, module, attr)
    if entity is None:
        raise ctx.refuse(node, "MK210", f"{describe(Static(module))} has no attribute {attr!r}")
    return from_entity(ctx, node, entity)


def _numpys(ctx: Context, node: cst.Attribute, value: object, attr: str) -> Operand:
    """``np.finfo(...).eps``, ``x.dtype.kind`` and the like."""
    try:
        return module_values.from_python(ctx, node, pure.attribute(value, attr))
    except (pure.Unknowable, AttributeError):
        raise ctx.refuse(node, "MK305", f"{attr!r} of {value!r} is not known") from None
