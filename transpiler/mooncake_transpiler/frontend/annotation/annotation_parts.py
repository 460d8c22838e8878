"""Parts of annotations: the arguments of subscripts, dimensions, types of arrays and tuples."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler.border.border_types import is_optional, is_told_or_none
from mooncake_transpiler.frontend.annotation.dims import parse_dims
from mooncake_transpiler.frontend.annotation.unresolved import (
    AnyKeys,
    AnyRank,
    Carries,
    Read,
    Unresolved,
    foreign,
    gpu,
    passed_function,
)
from mooncake_transpiler.frontend.class_text.classes import ClassOutline
from mooncake_transpiler.frontend.entities import Annotation, ClassKind, Dim, External
from mooncake_transpiler.frontend.name import typenames
from mooncake_transpiler.types import (
    BOOL,
    INT,
    NONE,
    Array,
    ClassRef,
    DType,
    List,
    ListKind,
    NoneType,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    StructKind,
    Tuple,
    Type,
    columns,
    is_differentiable,
    leaves,
    record,
)
from mooncake_transpiler.types import TEXT as TEXT_PART

TEXT = External("builtins.str")
STRUCT_KINDS = {
    ClassKind.NAMED: StructKind.NAMED,
    ClassKind.FROZEN: StructKind.FROZEN,
    ClassKind.MUTABLE: StructKind.MUTABLE,
    ClassKind.PLAIN: StructKind.MUTABLE,
    ClassKind.RECORD: StructKind.RECORD,
}


def arguments_of(node: cst.Subscript) -> list[cst.BaseExpression]:
    """The arguments of a subscript; a slice (numba's ``[:, ::1]``) counts as an ellipsis."""
    found: list[cst.BaseExpression] = []
    for element in node.slice:
        index = element.slice
        found.append(index.value if isinstance(index, cst.Index) else cst.Ellipsis())
    return found


def is_nothing(arguments: Sequence[cst.BaseExpression]) -> bool:
    """True for the arguments of ``tuple[()]``."""
    return len(arguments) == 1 and isinstance(arguments[0], cst.Tuple) and not arguments[0].elements


def text_of(node: cst.BaseExpression) -> str:
    value = node.evaluated_value if isinstance(node, _STRINGS) else None
    if not isinstance(value, str):
        raise Unresolved(node, "MK201", "this is not a type")
    return value


_STRINGS = (cst.SimpleString, cst.ConcatenatedString)


def dims_of(node: cst.CSTNode, text: str) -> tuple[Dim, ...]:
    try:
        return parse_dims(text)
    except ValueError as problem:
        raise Unresolved(node, "MK205", str(problem)) from None


def size_of(node: cst.BaseExpression) -> Dim:
    """A dimension of an np.ndarray's shape: ``int``, ``Literal[3]`` or a named type."""
    if isinstance(node, cst.Subscript):
        arguments = arguments_of(node)
        if len(arguments) == 1 and isinstance(arguments[0], cst.Integer):
            return arguments[0].evaluated_value
    if isinstance(node, cst.Name) and node.value not in ("int", "Any"):
        return node.value
    return None


def array_type(dtype: DType, dims: tuple[Dim, ...]) -> Annotation:
    named = any(dim is not None for dim in dims)
    return Annotation(Array(dtype, len(dims)), (dims if named else None,))


def tuple_type(
    parts: Sequence[Annotation],
    names: tuple[str, ...] | None = None,
    cls: str | None = None,
    of: ClassRef | None = None,
) -> Annotation:
    dims = tuple(dim for part in parts for dim in part.dims)
    return Annotation(Tuple(tuple(part.type for part in parts), names, cls, of), dims)


def struct_type(of: ClassOutline, parts: Mapping[str, Annotation], readable: bool) -> Annotation:
    """The type of instances of a class whose fields are ``parts``.

    ``readable``: as the annotations of the class say at run time, too.
    """
    ref = ClassRef(of.found.module, of.found.name, STRUCT_KINDS[of.kind])
    if of.kind is ClassKind.RECORD:
        return record_type(ref, parts, [spec.name for spec in of.fields if spec.optional])
    made = tuple_type(list(parts.values()), tuple(parts), of.found.name, ref)
    assert isinstance(made.type, Tuple)
    return replace(made, type=replace(made.type, is_told=readable))


def record_type(
    of: ClassRef, parts: Mapping[str, Annotation], optional: Sequence[str]
) -> Annotation:
    """The type of a dict with the keys of ``parts``, of which it may lack the ``optional`` ones."""
    dims = tuple(dim for part in parts.values() for dim in part.dims)
    types = [part.type for part in parts.values()]
    return Annotation(record(types, tuple(parts), optional, of), dims)


_WITH_ITEMS = {
    "builtins.list": "write list[float], or a dataclass",
    "builtins.tuple": "write tuple[float, float], or a NamedTuple",
    "builtins.dict": "write dict[str, float], or a TypedDict",
}


def external_type(node: cst.BaseExpression, name: str) -> Annotation | AnyRank | AnyKeys:
    if name in typenames.SCALARS:
        return Annotation(Scalar(typenames.SCALARS[name]))
    if name in typenames.ARRAYS:
        return AnyRank(None)
    if name in typenames.GPU_ARRAYS:
        raise gpu(node)
    short = name.rpartition(".")[2]
    if name in _WITH_ITEMS:
        message = f"the items of this {short} have no type"
        problem = Unresolved(node, "MK204", message, _WITH_ITEMS[name], Carries.MAYBE)
        if name == "builtins.dict":
            return AnyKeys(None, problem)
        raise problem
    if name in typenames.CONTAINERS:
        message = f"{short} types are not supported yet"
        raise Unresolved(node, "MK204", message, carries=Carries.MAYBE)
    if name in ("typing.Any", "builtins.object"):
        message = "one type is needed that is known ahead of time"
        raise Unresolved(node, "MK204", message, carries=Carries.UNSAID)
    if name == "builtins.callable":
        raise passed_function(node, Carries.NOTHING)
    raise foreign(node, name)


def literal_kind(node: cst.BaseExpression) -> Scalar | None:
    match node:
        case cst.Integer() | cst.UnaryOperation(expression=cst.Integer()):
            return INT
        case cst.Name(value="True" | "False"):
            return BOOL
        case _:
            return None


def literal_value(
    read: Callable[[cst.BaseExpression], Read], node: cst.BaseExpression
) -> Annotation:
    """``"sin"``, ``Color.RED`` or ``None`` in a Literal."""
    match node:
        case cst.SimpleString() | cst.ConcatenatedString():
            return Annotation(Selector(text_of(node)))
        case cst.Name(value="None"):
            return Annotation(NONE)
        case cst.Attribute(value=owner, attr=cst.Name(value=name)):
            members = read(owner)
            if isinstance(members, Annotation) and isinstance(members.type, OneOf):
                for option in members.type.options:
                    if isinstance(option, Selector) and option.value == name:
                        return Annotation(option)
        case _:
            pass
    raise Unresolved(node, "MK204", "such a Literal is not supported", carries=Carries.NOTHING)


def quoted_type(text: str) -> cst.BaseExpression | None:
    """The expression that a quoted annotation is; None if it is none."""
    try:
        ast.parse(text.strip(), mode="eval")  # libcst's parser does not survive what is too deep
        return cst.parse_expression(text.strip())
    except (cst.ParserSyntaxError, SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def jaxtyping_dtype(node: cst.Subscript, name: str, args: int) -> DType:
    """The dtype of ``Float64[...]``, which is given so many ``args``."""
    short, dtype = name.rpartition(".")[2], typenames.JAXTYPING.get(name)
    if short in typenames.JAXTYPING_FAMILIES:
        message = f"{short} is no single dtype"
        raise Unresolved(node, "MK201", message, "name one: Float64, Float32, Int64 …")
    if dtype is None or args != 2:
        raise Unresolved(node, "MK201", f"{short}[…] takes an array type and its dimensions")
    return dtype


KEYS_HELP = "pass the keys and the values as two lists, or let the keys be integers"


def is_key(key: Type) -> bool:
    """True if keys of dicts may be so: integers, and tuples of these."""
    return key == INT or (isinstance(key, Tuple) and bool(key.items) and {*key.items} == {INT})


def listed(item: Type, kind: ListKind) -> Annotation:
    """A list, tuple or dict of ``item``, of any length."""
    return Annotation(List(item, kind=kind), (None,) * len(list(columns(item))))


def dict_of_texts(found: Read) -> Annotation | None:
    """The dict ``found`` with any text as keys; None if it is no such dict of known items."""
    if not isinstance(found, AnyKeys) or found.item is None or not is_listable(found.item.type):
        return None
    return listed(Tuple((TEXT_PART, found.item.type)), ListKind.DICT)


def is_text(type_: Type) -> bool:
    """True for a text, by its number, or one of several."""
    if isinstance(type_, OneOf):
        return all(isinstance(one, Selector) and one.of is None for one in type_.options)
    return isinstance(type_, Scalar) and type_.is_text


def _is_flat(item: Type) -> bool:
    """True for numbers, texts and tuples of these."""
    if isinstance(item, Tuple):
        return item.of is None and all(map(_is_flat, item.items))
    return isinstance(item, Scalar)


def is_listable(item: Type) -> bool:
    """True if lists of such items are supported: numbers, arrays, and lists or dicts of numbers."""
    match item:
        case Scalar(is_text=is_text_):
            return not is_text_
        case OneOf(options=options):
            known = (isinstance(option, Selector) and not option.methods for option in options)
            return all(known) or is_optional(item) or is_told_or_none(item)
        case Array(ndim=ndim):
            return ndim > 0
        case List(item=item):
            return isinstance(item, Scalar | Tuple) and is_listable(item) and _is_flat(item)
        case Tuple(optional=(_, *_)):
            return False
        case Tuple(items=items):
            fitting = (
                is_listable(i) or is_text(i) or isinstance(i, NoneType | Opaque) for i in items
            )
            return all(fitting) and any(True for _ in leaves(item))
        case _:
            return False


Inner = Callable[[cst.BaseExpression], Read]


def carried(nodes: Iterable[cst.BaseExpression], read: Inner) -> Carries:
    """The most that values of any of these types may hold."""
    found = {_carries(node, read) for node in nodes}
    if found <= {Carries.NOTHING}:
        return Carries.NOTHING
    return Carries.FLOATS if Carries.FLOATS in found else Carries.MAYBE


def _carries(node: cst.BaseExpression, read: Inner) -> Carries:
    if isinstance(node, cst.List):  # the parameters of a Callable
        return carried((element.value for element in node.elements), read)
    if isinstance(node, cst.Ellipsis):
        return Carries.NOTHING
    try:
        found = read(node)
        found = found.known() if isinstance(found, AnyKeys) else found
    except Unresolved as problem:
        return problem.carries
    floats = isinstance(found, AnyRank) or is_differentiable(found.type)
    return Carries.FLOATS if floats else Carries.NOTHING
