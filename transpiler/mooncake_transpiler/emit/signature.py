"""Types as annotations, and as the specification that entry points check their arguments by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.emit.given.given_objects import Use
from mooncake_transpiler.emit.layout import INDENT, LINE_LENGTH, Group, Item, layout, quoted
from mooncake_transpiler.types import (
    ANY_DICT,
    NONE,
    Array,
    ArrayLibrary,
    DType,
    List,
    ListKind,
    NoneType,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    Stack,
    Tuple,
    Type,
)

_PLAIN = {
    DType.BOOL: "bool",
    DType.INT64: "int",
    DType.FLOAT64: "float",
    DType.COMPLEX128: "complex",
}

_KINDS = {
    DType.FLOAT64: "", DType.INT64: "Int", DType.COMPLEX128: "Complex", DType.BOOL: "Bool",
}  # fmt: skip


def annotation(type_: Type, use: Use, *, checked: bool = False) -> Item:
    """The annotation for ``type_``; what it refers to is asked of ``use``.

    ``checked``: arguments are checked by it, so it says what annotations of classes do not.
    """
    match type_:
        case Array(home=ArrayLibrary.NUMPY, ndim=ndim):
            return f"{use('numpy')}.ndarray" if ndim else use("float")
        case Scalar(is_text=True):
            return use("str")
        case Scalar(dtype=dtype):
            return use(_PLAIN[dtype]) if dtype in _PLAIN else _numpy(dtype, use)
        case Array():
            return use(array_name(type_))
        case Tuple(of=of) if of == ANY_DICT:
            return _record(type_, use)
        case Tuple(cls=str(name), items=items, is_told=False) if checked and not type_.is_object:
            inner = tuple(annotation(item, use, checked=True) for item in items)
            parts = Group(f"{use('tuple')}[", inner, "]", compact=True)
            return Group(f"{use('Annotated')}[", (name, parts), "]", compact=True)
        case Tuple(cls=str(name)) | Tuple(alias=str(name)):
            return name
        case Tuple(given=(_, *_) as given):
            return " | ".join(given)
        case Tuple(items=()):
            return f"{use('tuple')}[()]"
        case Tuple(items=items):
            inner = tuple(annotation(item, use, checked=checked) for item in items)
            return Group(f"{use('tuple')}[", inner, "]", compact=True)
        case NoneType():
            return "None"
        case Opaque(spelled=spelled):
            return use(spelled if spelled in ("str", "bytes") else "object")
        case Selector() | OneOf():
            return _one_of(type_, use)
        case List():
            return _collection(type_, use)
        case Stack():
            raise AssertionError("stacks are arrays by now")


def _record(type_: Tuple, use: Use) -> Item:
    """``dict[str, float]`` for a dict with keys that are known."""
    options = [
        option for item in type_.items
        for option in (item.options if isinstance(item, OneOf) else (item,))
        if option != NONE or type_.direction is not None
    ]  # fmt: skip
    held = " | ".join(dict.fromkeys(str(annotation(option, use)) for option in options))
    return Group(f"{use('dict')}[", (use("str"), held), "]", compact=True)


def _collection(type_: List, use: Use) -> Item:
    """``list[float]``, ``tuple[float, ...]``, ``dict[int, float]``; a class for linked objects."""
    if type_.links:
        return f"{annotation(type_.item, use)}{' | None' if type_.may_be_none else ''}"
    if type_.kind is ListKind.DICT and isinstance(type_.item, Tuple):
        pair = tuple(annotation(one, use) for one in type_.item.items)
        return Group(f"{use('dict')}[", pair, "]", compact=True)
    more = ("...",) if type_.kind is ListKind.TUPLE else ()
    return Group(f"{use(type_.kind.value)}[", (annotation(type_.item, use), *more), "]")


def _one_of(type_: Selector | OneOf, use: Use) -> str:
    """``Literal["a", "b"] | float | None``."""
    options = type_.options if isinstance(type_, OneOf) else (type_,)
    if any(isinstance(option, Opaque) for option in options):  # any text at all
        options = tuple(o for o in options if not isinstance(o, Selector) or o.of is not None)
    texts = [quoted(o.value) for o in options if isinstance(o, Selector) and o.of is None]
    found = [f"{use('Literal')}[{', '.join(texts)}]"] if texts else []
    for option in options:
        if isinstance(option, Selector):
            found += [option.cls] if option.cls is not None else []
        elif option != NONE:
            found.append(str(annotation(option, use)))
    found += ["None"] if NONE in options else []
    return " | ".join(dict.fromkeys(found))


def _numpy(dtype: DType, use: Use) -> str:
    return f"{use('np')}.{'bool_' if dtype is DType.BOOL else dtype.value}"


def definition(func: ir.Func, name: str, use: Use) -> list[str]:
    """The lines of ``def name(...) -> ...:``."""
    params = Group(f"{name}(", tuple(_params(func, use)), ")")
    result = annotation(func.result, use)
    flat = f"def {params} -> {result}:"
    if len(flat) <= LINE_LENGTH:
        return [flat]
    lines = [f"def {params.head}"] if params.items else [f"def {params.head})"]
    one = f"{INDENT}{', '.join(map(str, params.items))}"
    if len(params.items) > 1 and len(one) <= LINE_LENGTH:
        lines.append(one)
    for item in params.items if len(lines) == 1 else ():
        comma = "" if item == "*" and item is params.items[-1] else ","
        lines += layout("", item, comma, 1)
    last = ")" if params.items else lines.pop()
    return lines + layout(f"{last} -> ", result, ":", 0)


def _params(func: ir.Func, use: Use) -> list[Item]:
    items: list[Item] = []
    starred = False
    for param in func.params:
        if param.kwonly and not starred:
            items.append("*")
            starred = True
        default = "" if param.default is None else f" = {_default(param.default, param.type, use)}"
        type_ = annotation(param.type, use, checked=True)
        if param.is_cotangent and isinstance(type_, Group):
            type_ = Group(f"{use('Cotangent')}[{type_.head}", type_.items, f"{type_.tail}]")
        if isinstance(type_, Group):
            head, tail = f"{param.name}: {type_.head}", f"{type_.tail}{default}"
            items.append(Group(head, type_.items, tail))
        else:
            items.append(f"{param.name}: {type_}{default}")
    return items


def default_name(default: ir.ObjectDefault) -> str:
    """The name of the constant for a default that is an object."""
    return f"{default.function}_{default.param}_DEFAULT".upper()


def _default(text: str | ir.ObjectDefault, type_: Type, use: Use) -> str:
    """The default; ``1`` for a float is ``1.0``."""
    if isinstance(text, ir.ObjectDefault):
        return use(str(text))
    if text.startswith("float("):  # nan or inf
        return use("float") + text.removeprefix("float")
    is_float = isinstance(type_, Scalar) and type_.dtype.is_float
    return f"{text}.0" if is_float and text.lstrip("+-").isdecimal() else text


def decorator(
    jit: str, use: Use, *, cached: bool, labels: Sequence[str], told: Mapping[str, Sequence[str]]
) -> list[str]:
    """The lines of the decorator that compiles a function.

    ``labels``: what messages call the parameters, if not by their names. ``told``: keywords.
    """
    if jit == "python":
        return []
    if jit == "inner":
        return [f"@{use('inner' if cached else 'uncached')}"]
    items: list[Item] = [*map(quoted, labels), *([] if cached else ["cache=False"])]
    for keyword, texts in told.items():
        items.append(Group(f"{keyword}=[", tuple(map(quoted, texts)), "]"))
    if not items:
        return [f"@{use(jit)}"]
    return layout("@", Group(f"{use(jit)}(", tuple(items), ")", compact=True), "", 0)


# ---- arrays -------------------------------------------------------------------------------------


def array_name(type_: Array) -> str:
    """The name of the annotation of such arrays: ``Vector``, ``Float32Matrix``."""
    kind = {1: "Vector", 2: "Matrix"}.get(type_.ndim, f"Array{type_.ndim}")
    return _KINDS.get(type_.dtype, type_.dtype.value.capitalize()) + kind


def array_alias(type_: Array, use: Use) -> str:
    """The definition of that annotation, which says dtype and rank."""
    dims = " ".join("_" * type_.ndim)
    array = f"{use('NDArray')}[{_numpy(type_.dtype, use)}]"
    return f'{use(array_name(type_))} = {use("Annotated")}[{array}, "{dims}"]'
