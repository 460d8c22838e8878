"""Making instances of the program's classes, and what their attributes are."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from mooncake_transpiler.frontend.declaration.decorators import is_abstract
from mooncake_transpiler.frontend.entities import (
    ClassDecl,
    ClassKind,
    EnumMember,
    External,
    FieldDecl,
    FunctionDecl,
    MethodDecl,
    MethodKind,
)
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.instance import (
    heap,
    inheritance,
    members,
    record_rows,
    tables,
)
from mooncake_transpiler.frontend.lower.instance.binding import bind_arguments
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.scalar import enums
from mooncake_transpiler.frontend.lower.scalar.scalars import convert, is_scalar
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Signature
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Bound,
    Closure,
    Frame,
    Items,
    Operand,
    Static,
    Super,
)
from mooncake_transpiler.frontend.lower.state.syntax import walk
from mooncake_transpiler.frontend.name.scopes import resolve, resolve_attribute
from mooncake_transpiler.types import ClassRef, Scalar, StructKind


def make(ctx: Context, node: cst.Call, cls: ClassDecl, given: Arguments, hint: str = "") -> Operand:
    """``cls(*given)``."""
    if cls.problem is not None:
        raise ctx.refuse(node, "MK321", f"{cls.name} can't be used: {cls.problem}")
    if cls.kind is ClassKind.NAMED:
        return _struct(cls, _bound(ctx, node, cls, given))
    if cls.kind is ClassKind.RECORD:
        return _record(ctx, node, cls, given, hint)
    _check_instances(ctx, node, cls)
    ref = objects.new(ctx, cls, hint)
    _begin(ctx, node, ref, cls)
    initialise(ctx, node, ref, cls, given)
    if cls.kind is ClassKind.FROZEN:
        return heap.frozen(ctx, node, ref)
    ctx.heap.plan.made.add(cls)
    return tables.adopt(ctx, node, ref) if tables.is_tabled(ctx, cls) else ref


def _record(ctx: Context, node: cst.Call, cls: ClassDecl, given: Arguments, hint: str) -> Operand:
    """``cls(a=1.0)`` of a TypedDict: a dict."""
    if given.args:
        message = f"{cls.name} is made of keywords here"
        raise ctx.refuse(node, "MK218", message, f"write {cls.name}(key=value)")
    return record_rows.new(ctx, node, given.keywords, hint)


def _begin(ctx: Context, node: cst.Call, ref: Ref, cls: ClassDecl) -> None:
    """Give ``ref`` what numbers, and None, its class has where methods assign others to instances.

    So it has a value on each path, whether the path assigns one or not.
    """
    if cls.kind is not ClassKind.PLAIN or not cls.constants:
        return
    methods = (function.node.body for function in cls.functions)
    targets = {
        part.target.attr.value
        for body in methods
        for part in walk(body)
        if isinstance(part, cst.AssignTarget | cst.AugAssign)
        and isinstance(part.target, cst.Attribute)
    }
    for name, (module, value) in cls.constants.items():
        if name in targets and cls.slots is None and not _is_object(ctx, module, value):
            found = members.constant(ctx, node, cls, name)
            if is_scalar(found) or found == NOTHING:
                heap.write(ctx, node, ref, name, found)


def _is_object(ctx: Context, module: str, value: cst.BaseExpression) -> bool:
    """True if ``value`` makes a list, a dict, or an instance of a class of the program."""
    if isinstance(value, cst.Call):
        made = resolve(ctx.source, ctx.source.modules[module], value.func)
        return isinstance(made, ClassDecl) and made.kind is not ClassKind.ENUM
    return isinstance(value, cst.Dict | cst.DictComp | cst.List | cst.ListComp)


def _check_instances(ctx: Context, node: cst.Call, cls: ClassDecl) -> None:
    """Refuse classes whose instances don't behave as instances are taken to."""
    for name in sorted(_UNUSUAL & cls.methods.keys()):
        raise ctx.refuse(node, "MK321", f"{cls.name} can't be used: it has the method {name}")
    for function in cls.functions:
        if is_abstract(ctx.source, function):
            name = function.own_name
            message = f"Can't instantiate abstract class {cls.name} with abstract method {name}"
            raise ctx.refuse(node, "MK321", message)


# Methods that change what making an instance or using its attributes means.
_UNUSUAL = frozenset({
    "__new__", "__setattr__", "__getattribute__", "__getattr__", "__delattr__", "__del__",
    "__class_getitem__", "__init_subclass__",
})  # fmt: skip


def initialise(ctx: Context, node: cst.Call, ref: Ref, cls: ClassDecl, given: Arguments) -> None:
    """``cls.__init__(ref, *given)``."""
    members.check_kept(ctx, node, cls.module, "__init__")
    for one in (cls, *cls.line):
        if (own := one.own_methods.get("__init__")) is not None:
            _run(ctx, node, own, ref, given)
            return
        if one.decorated:
            fill(ctx, node, ref, one, given)
            return
    if given.args or given.keywords:
        raise ctx.refuse(node, "MK303", f"{cls.name}() takes no arguments")
    for field in cls.fields:  # what the class has under these names, if that is a value
        if field.name in cls.constants:
            value = members.constant(ctx, node, cls, field.name)
            heap.write(ctx, node, ref, field.name, converted(ctx, node, field, value))


def fill(ctx: Context, node: cst.Call, ref: Ref, cls: ClassDecl, given: Arguments) -> None:
    """The work of the ``__init__`` of a dataclass."""
    passed_on = {field.name for field in cls.parameters if field.passed_on}
    values = _bound(ctx, node, cls, given)
    for name, value in values.items():
        if name not in passed_on:
            heap.write(ctx, node, ref, name, value)
    after = ref.cls.methods.get("__post_init__")
    if "__post_init__" in cls.methods and after is not None:
        rest = [values[field.name] for field in cls.parameters if field.passed_on]
        _run(ctx, node, after, ref, Arguments(rest, {}))


def _run(ctx: Context, node: cst.Call, method: MethodDecl, ref: Ref, given: Arguments) -> None:
    ctx.lower.call(ctx, node, Bound(Static(method.function), (ref,)), given.args, given.keywords)


def _struct(cls: ClassDecl, values: Mapping[str, Operand]) -> Items:
    of = ClassRef(cls.module, cls.name, StructKind.NAMED)
    return Items(tuple(values.values()), tuple(values), cls.name, of)


def _bound(ctx: Context, node: cst.Call, cls: ClassDecl, given: Arguments) -> dict[str, Operand]:
    """The value of each field, in order; those without one are left out."""
    fields = cls.parameters or cls.fields
    taken = [field for field in fields if field.init]
    positional = [field.name for field in taken if not field.kwonly]
    needed = positional[given.sure :] + [f.name for f in taken if f.kwonly]
    left_out = {name for name in needed if name not in given.keywords}
    defaults = {
        field.name: _default(ctx, node, field)
        for field in fields
        if field.default is not None and (field.name in left_out or not field.init)
    }
    names = (*positional, *(f.name for f in taken if f.kwonly))
    maker = "__new__" if cls.kind is ClassKind.NAMED else "__init__"
    of = Signature(cls.name, names, len(positional), defaults, maker=maker)
    found = defaults | bind_arguments(ctx, node, of, given.args, given.keywords)
    return {
        field.name: converted(ctx, node, field, found[field.name])
        for field in fields
        if field.name in found
    }


def _default(ctx: Context, node: cst.Call, field: FieldDecl) -> Operand:
    assert field.default is not None
    default = field.default

    def make() -> Operand:
        with leaving.inside(ctx, Frame(ctx.source.modules[field.module], (), ())):
            value = ctx.lower.expression(ctx, default)
            return ctx.lower.call(ctx, node, value) if field.factory else delayed.own(ctx, value)

    if field.factory:
        return make()
    return members.made_once(ctx, node, f"the default of {field.name}", make)


def converted(ctx: Context, node: cst.CSTNode, field: FieldDecl, value: Operand) -> Operand:
    """Numbers have the type that the field is annotated with."""
    declared = None if field.annotation is None else field.annotation.type
    if isinstance(declared, Scalar) and is_scalar(value):
        return convert(ctx, node, value, declared, field.name)
    return value


def attribute(ctx: Context, node: cst.CSTNode, base: Operand, name: str) -> Operand | None:
    """``base.name`` of an instance; None if it has no such attribute."""
    match base:
        case Super():
            return inheritance.attribute(ctx, node, base, name)
        case _ if (method := containers.method(base, name)) is not None:
            return method
        case Static(value=EnumMember(cls=of) as member):
            found = enums.attribute(ctx, node, member, name)
            found = _of_member(ctx, node, member, name) if found is None else found
            return _inherited(ctx, node, of, base, name) if found is None else found
        case Ref() if containers.is_container(base):
            return None
        case Ref() if objects.variable(base, name) in ctx.frame.values:
            return heap.read(ctx, node, base, name)
        case Items() if tables.has(ctx, base, name):
            return tables.read(ctx, node, base, name)
        case Items(items=items, names=names) if names is not None and name in names:
            return items[names.index(name)]
        case Items(names=names) if names is not None and name in ("_replace", "_asdict"):
            return Bound(Static(External(f"collections.namedtuple.{name}")), (base,))
        case _:
            cls = objects.declared(ctx, base)
            return None if cls is None else _inherited(ctx, node, cls, base, name)


def get(ctx: Context, base: Operand, name: str) -> Operand:
    """``base.name`` of anything, wherever the program says it."""
    made = cst.Attribute(cst.Name("_"), cst.Name(name))
    return ctx.lower.attribute(ctx, made, base)


def _of_member(ctx: Context, node: cst.CSTNode, of: EnumMember, name: str) -> Operand | None:
    """The attribute that ``__init__`` of an enum gives a member; None if it gives it none."""
    init = of.cls.methods.get("__init__")
    if init is None or name in of.cls.methods:
        return None
    value = enums.attribute(ctx, node, of, "value")
    assert value is not None
    given = value.items if isinstance(value, Items) and not value.is_list else (value,)
    ref = objects.new(ctx, of.cls)
    ctx.lower.call(ctx, cst.Call(cst.Name("_")), Bound(Static(init.function), (ref,)), given)
    if objects.variable(ref, "_value_") in ctx.frame.values:
        raise ctx.refuse(node, "MK321", f"{of.cls.name} can't be used: it sets _value_")
    if objects.variable(ref, name) not in ctx.frame.values:
        return None
    found = heap.read(ctx, node, ref, name)
    if any(True for _ in objects.refs(found)):
        message = f"{name!r} of {of.cls.name}.{of.name} is an object, which could be changed"
        raise ctx.refuse(node, "MK341", message, "let it be a number, text or tuple")
    return found


def _inherited(
    ctx: Context, node: cst.CSTNode, cls: ClassDecl, base: Operand, name: str
) -> Operand | None:
    if (method := cls.methods.get(name)) is not None:
        return members.bound_method(ctx, node, method, base, Static(cls))
    if name == "__class__" and isinstance(base, Ref | Items):
        return Static(cls)
    if name == "_fields" and cls.kind is ClassKind.NAMED:
        return Items(tuple(Static(field.name) for field in cls.fields))
    if isinstance(inner := resolve_attribute(ctx.source, cls, name), ClassDecl):
        return Static(inner)
    if name not in cls.constants:
        return None
    found = members.constant(ctx, node, cls, name)
    is_function = isinstance(found, Closure) or (
        isinstance(found, Static) and isinstance(found.value, FunctionDecl)
    )
    return Bound(found, (base,)) if is_function and isinstance(base, Ref | Items) else found


def of_class(ctx: Context, node: cst.CSTNode, cls: ClassDecl, name: str) -> Operand | None:
    """``cls.name`` of the class itself."""
    if cls.problem is not None and name not in ("__name__", "__qualname__"):
        raise ctx.refuse(node, "MK321", f"{cls.name} can't be used: {cls.problem}")
    if cls.kind is ClassKind.ENUM and (found := enums.member(ctx, node, cls, name)) is not None:
        return found
    method = cls.methods.get(name)
    if method is not None:
        members.check_kept(ctx, node, cls.module, name)
    if method is not None and method.kind is MethodKind.CLASS:
        return Bound(Static(method.function), (Static(cls),))
    if method is not None:
        return Static(method.function)
    if name in ("__name__", "__qualname__"):
        return Static(cls.name)
    if name == "_make" and cls.kind is ClassKind.NAMED:
        return Bound(Static(External("collections.namedtuple._make")), (Static(cls),))
    return _inherited(ctx, node, cls, Static(cls), name)


def special(
    ctx: Context, node: cst.CSTNode, name: str, base: Operand, *args: Operand
) -> Operand | None:
    """``base.__add__(*args)`` and the like; None if the class of ``base`` does not define it."""
    cls = objects.declared(ctx, base)
    if cls is None:
        return None
    members.check_kept(ctx, node, cls.module, name)
    method = cls.methods.get(name)
    if method is None:
        return None
    return members.call(ctx, node, Static(method.function), (base, *args))


def is_callable(ctx: Context, value: Operand) -> bool:
    cls = objects.declared(ctx, value)
    return cls is not None and "__call__" in cls.methods
