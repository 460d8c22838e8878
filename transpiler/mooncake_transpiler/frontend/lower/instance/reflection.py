"""Functions that ask what something is: ``isinstance``, ``type``, ``getattr``, ``super`` …"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, External
from mooncake_transpiler.frontend.lower.array import whole
from mooncake_transpiler.frontend.lower.call import calls
from mooncake_transpiler.frontend.lower.call.arguments import Arguments
from mooncake_transpiler.frontend.lower.container import containers, lists
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.inner import is_function
from mooncake_transpiler.frontend.lower.instance import inheritance, instances, objects
from mooncake_transpiler.frontend.lower.operands import (
    NOTHING,
    Items,
    Operand,
    Ref,
    Static,
    describe,
)
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.types import DType

Handler = Callable[[Context, cst.Call, Arguments, str], Operand]

# What instances of the types of numbers are certainly, and what they may be: whether a number is
# Python's or NumPy's can't be told.
_NUMBERS = frozenset({"numbers.Number", "numbers.Complex", "builtins.object"})
_KINDS: Mapping[DType, tuple[frozenset[str], frozenset[str]]] = {
    DType.FLOAT64: (
        frozenset({"builtins.float", "numbers.Real"}) | _NUMBERS,
        frozenset({"numpy.float64", "numpy.floating", "numpy.number", "numpy.generic"}),
    ),
    DType.INT64: (
        frozenset({"numbers.Real", "numbers.Rational", "numbers.Integral"}) | _NUMBERS,
        frozenset({"builtins.int", "numpy.int64", "numpy.integer", "numpy.number",
                   "numpy.generic"}),
    ),
    DType.COMPLEX128: (
        frozenset({"builtins.complex"}) | _NUMBERS,
        frozenset({"numpy.complex128", "numpy.complexfloating", "numpy.number", "numpy.generic"}),
    ),
    DType.BOOL: (
        frozenset({"builtins.object"}),
        frozenset({"builtins.bool", "builtins.int", "numpy.bool", "numpy.bool_", "numpy.generic",
                   "numbers.Number", "numbers.Integral", "numbers.Real"}),
    ),
}  # fmt: skip


def _isinstance(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    value, of = given.take(ctx, node, "isinstance", "obj", "class_or_tuple")
    assert value is not None
    assert of is not None
    answers = [_is_a(ctx, node, value, cls) for cls in _classes(of)]
    if True in answers:
        return scalars.constant(True)
    if None in answers:
        message = f"whether {describe(value)} is an instance of this is not known ahead of time"
        raise ctx.refuse(node, "MK343", message, "test for a class of yours, or for float")
    return scalars.constant(False)


def _classes(of: Operand) -> list[Operand]:
    if isinstance(of, Items):
        return [cls for item in of.items for cls in _classes(item)]
    return [of]


def _is_a(ctx: Context, node: cst.Call, value: Operand, cls: Operand) -> bool | None:
    """Whether ``value`` is an instance of ``cls``; None if that can't be told."""
    own = objects.declared(ctx, value)
    match cls:
        case Static(value=ClassDecl() as known):
            return own is not None and own.is_a(known)
        case Static(value=External(qualname=name)):
            return name == "builtins.object" or _is_built_in(value, own, name)
        case Static(value=None):
            return value == NOTHING
        case _:
            raise ctx.refuse(node, "MK213", f"{describe(cls)} is no class")


def _is_built_in(value: Operand, own: ClassDecl | None, name: str) -> bool | None:
    short = name.rpartition(".")[2]
    if short == "Callable":
        return is_function(value) or (own is not None and "__call__" in own.methods)
    if scalars.is_scalar(value):
        certain, possible = _KINDS.get(scalars.dtype(value), (frozenset(), frozenset({name})))
        if isinstance(value, ir.Const) and isinstance(value.value, bool | int | float):
            return name in _bases_of(value.value) or (None if name in possible - certain else False)
        return True if name in certain else None if name in possible else False
    if whole.is_array(value):
        return name in ("numpy.ndarray",)
    if containers.is_container(value):
        assert isinstance(value, Ref)
        return short in (value.cls.name, {"list": "Sequence", "dict": "Mapping"}[value.cls.name])
    match value:
        case Items(is_list=True):
            return short in ("list", "Sequence")
        case Items(names=names) if names is None or (own is not None and own.kind.name == "NAMED"):
            return short in ("tuple", "Sequence")
        case Static(value=str()):
            return short in ("str", "Sequence")
        case Static(value=None):
            return short == "NoneType"
        case _:
            return False


def _bases_of(value: bool | int | float) -> set[str]:
    """Classes that a constant of the program is an instance of."""
    return {f"builtins.{cls.__name__}" for cls in type(value).__mro__}


def _issubclass(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    cls, of = given.take(ctx, node, "issubclass", "cls", "class_or_tuple")
    match cls, of:
        case Static(value=ClassDecl() as one), Static() | Items():
            others = [c.value for c in _classes(of) if isinstance(c, Static)]
            found = any(isinstance(o, ClassDecl) and one.is_a(o) for o in others)
            return scalars.constant(found or External("builtins.object") in others)
        case _:
            raise ctx.refuse(node, "MK343", "issubclass is for classes of the program")


def _type(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.take(ctx, node, "type", "object")
    assert value is not None
    cls = objects.declared(ctx, value)
    if cls is not None and not containers.is_container(value):
        return Static(cls)
    if whole.is_array(value):
        return Static(External("numpy.ndarray"))
    if containers.is_container(value):
        assert isinstance(value, Ref)
        return Static(External(f"builtins.{value.cls.name}"))
    if isinstance(value, Items):
        return Static(External("builtins.list" if value.is_list else "builtins.tuple"))
    message = f"the class of {describe(value)} is not known ahead of time"
    raise ctx.refuse(node, "MK343", message, "use isinstance")


def _name(ctx: Context, node: cst.Call, operand: Operand | None) -> str:
    if isinstance(operand, Static) and isinstance(operand.value, str):
        return operand.value
    message = "which attribute is meant is not known ahead of time"
    raise ctx.refuse(node, "MK343", message, "write the name as a string, or use a dict")


def _getattr(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    args = given.take(ctx, node, "getattr", "object", "name", "default", required=2)
    value, name, default = args
    assert value is not None
    text = _name(ctx, node, name)
    if default is not None and not _has(ctx, value, text):
        return default
    return instances.get(ctx, node, value, text)


def _has(ctx: Context, value: Operand, name: str) -> bool:
    """Whether the instance ``value`` has an attribute; nothing is evaluated."""
    if isinstance(value, Ref) and objects.variable(value, name) in ctx.frame.values:
        return True
    if isinstance(value, Items) and value.names is not None and name in value.names:
        return True
    is_class = isinstance(value, Static) and isinstance(value.value, ClassDecl)
    cls = value.value if is_class else objects.declared(ctx, value)  # type: ignore[union-attr]
    if not isinstance(cls, ClassDecl):
        return False
    fields = {field.name for field in cls.fields if field.default is not None}
    return name in cls.methods or name in cls.constants or name in fields


def _hasattr(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    value, name = given.take(ctx, node, "hasattr", "object", "name")
    assert value is not None
    text = _name(ctx, node, name)
    is_class = isinstance(value, Static) and isinstance(value.value, ClassDecl)
    if objects.declared(ctx, value) is None and not is_class:
        message = f"hasattr of {describe(value)} is not supported"
        raise ctx.refuse(node, "MK343", message, "use isinstance")
    variable = objects.variable(value, text) if isinstance(value, Ref) else ""
    if variable in ctx.frame.values and not ctx.frame.is_bound(variable):
        message = f"whether {text!r} is set here is known at run time only"
        raise ctx.refuse(node, "MK343", message, "set it to None before")
    return scalars.constant(_has(ctx, value, text))


def _setattr(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    value, name, new = given.take(ctx, node, "setattr", "object", "name", "value")
    assert value is not None
    assert new is not None
    instances.put(ctx, node, value, _name(ctx, node, name), new)
    return NOTHING


def _set_of_object(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``object.__setattr__(self, name, value)``, for frozen dataclasses that are being made."""
    value, name, new = given.take(ctx, node, "object.__setattr__", "self", "name", "value")
    assert new is not None
    if not isinstance(value, Ref):
        message = "this instance is made already, and others may hold it"
        raise ctx.refuse(node, "MK322", message, "make a new one: dataclasses.replace(p, x=...)")
    instances.set_field(ctx, node, value, _name(ctx, node, name), new)
    return NOTHING


def _super(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    return inheritance.super_of(ctx, node, tuple(given.positional(ctx, node, "super")))


def _init(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """The __init__ that a dataclass has without writing it."""
    ref, cls, *rest = given.args
    assert isinstance(cls, Static)
    assert isinstance(cls.value, ClassDecl)
    if not isinstance(ref, Ref):
        raise ctx.refuse(node, "MK322", f"{describe(ref)} is made already")
    instances.fill(ctx, node, ref, cls.value, Arguments(rest, given.keywords))
    return NOTHING


def _nothing(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``object.__init__``."""
    if len(given.args) > 1 or given.keywords:
        raise ctx.refuse(node, "MK303", "object.__init__() takes exactly one argument")
    return NOTHING


def _make(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``Point._make(iterable)``."""
    cls, over = given.take(ctx, node, "_make", "cls", "iterable")
    assert cls is not None
    assert over is not None
    items = lists.must_be_known(ctx, node, over)
    return calls.apply(ctx, node, cls, Arguments(items, {}), hint)


def _callable(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.take(ctx, node, "callable", "object")
    assert value is not None
    return scalars.constant(is_function(value) or calls.is_callable(ctx, value))


HANDLERS: Mapping[str, Handler] = {
    "builtins.isinstance": _isinstance, "builtins.issubclass": _issubclass,
    "builtins.type": _type, "builtins.getattr": _getattr, "builtins.hasattr": _hasattr,
    "builtins.setattr": _setattr, "builtins.object.__setattr__": _set_of_object,
    "builtins.super": _super, "builtins.callable": _callable,
    "builtins.object.__init__": _nothing, "builtins.object.__init_subclass__": _nothing,
    "dataclasses.__init__": _init, "collections.namedtuple._make": _make,
}  # fmt: skip
