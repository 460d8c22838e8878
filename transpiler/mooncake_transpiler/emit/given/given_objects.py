"""The parts of arguments that a function in plain Python hands to the compiled one behind it.

Of what may be one of several, compiled code gets a number that says which one is there, and the
parts of all; those that are not there are zeros.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from mooncake_transpiler.border.border_types import is_optional
from mooncake_transpiler.border.paths import fields
from mooncake_transpiler.emit.layout import Group, Item, quoted
from mooncake_transpiler.types import (
    NONE,
    Array,
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
    columns,
    without_none,
)

Use = Callable[[str], str]  # what a name of the runtime is called; it will be imported

_ZEROS = {"b": "False", "i": "0", "u": "0", "f": "0.0", "c": "0j"}


def given(type_: Type, path: str, use: Use) -> Iterator[Item]:
    """Expressions for the leaves of the argument of ``type_`` at ``path``."""
    match type_:
        case Tuple():
            for inner, item in fields(type_, path):
                yield from given(item, inner, use)
        case OneOf(options=options):
            yield _number(options, path, use)
            for k, option in enumerate(options):
                for value, zero in zip(given(option, path, use), _zeros(option, use), strict=True):
                    yield _if_there(options, k, path, str(value), zero, use)
        case List():
            yield from _columns(type_, path, use)
        case Scalar(is_text=True):
            yield f"{use('text_number')}({quoted(path)}, {path})"
        case Scalar() | Array() | Stack():
            yield path
        case NoneType() | Opaque() | Selector():
            return


def _columns(type_: List, path: str, use: Use) -> Iterator[Item]:
    """The arrays of a list: its items' numbers and arrays, each with all of its kind."""
    held = type_.held or path
    place = f"{path} (object {{}})" if type_.held else f"{path}[{{}}]"
    for access, leaf in _items_in(type_.item, ""):
        label, values = quoted(f"{place}{access}"), each(held, access)
        if type_.kind is ListKind.DICT:
            what = "key" if access.startswith("[0]") else "value"
            label = quoted(f"{path}, {what} {{}}{access[3:]}")
        if (name := access.removeprefix(".")) in type_.links:
            maker = "links_of" if isinstance(leaf, Scalar) else "link_lists_of"
            values = f"{use(maker)}({held}, {quoted(name)})"
            if isinstance(leaf, Scalar):
                yield values
                continue
        yield from _column(leaf, label, values, use)


def _column(leaf: Type, label: str, values: Item, use: Use) -> Iterator[Item]:
    """The arrays of the numbers, arrays or lists ``values``, one of each item of a list."""
    match leaf:
        case Array(dtype=dtype, ndim=ndim):
            shapes, found = (label, values, str(ndim)), (label, values, quoted(_name(dtype)))
            yield Group(f"{use('spans_of')}(", shapes, ")", compact=True)
            yield Group(f"{use('elements_of')}(", found, ")", compact=True)
        case List():
            yield from _rows(leaf, label, values, use)
        case OneOf(options=options) if is_optional(leaf):
            none, present = str(options.index(NONE)), without_none(leaf)
            yield Group(f"{use('which_are_there')}(", (values, none), ")", compact=True)
            is_text = isinstance(present, Scalar) and present.is_text
            other = quoted("") if is_text else next(_zeros(present, use))
            known = Group(f"{use('known')}(", (values, other), ")", compact=True)
            yield from _column(present, label, known, use)
        case OneOf(options=options):
            shown = [_shown(option, use) for option in options]
            yield Group(f"{use('alternatives')}(", (label, values, *shown), ")", compact=True)
        case Scalar(is_text=True):
            yield Group(f"{use('text_numbers')}(", (label, values), ")", compact=True)
        case Scalar(dtype=dtype):
            yield Group(
                f"{use('numbers_of')}(", (label, values, quoted(_name(dtype))), ")", compact=True
            )
        case _:
            raise AssertionError(f"lists do not hold {leaf}")


def _rows(of: List, label: str, values: Item, use: Use) -> Iterator[Item]:
    """The arrays of the lists, or dicts, ``values`` in a list."""
    for access, leaf in _items_in(of.item, ""):
        way = re.findall(r"\d+", access)
        rows: Item = values
        if way:
            rows = Group(f"{use('items_at')}(", (values, *way), ")", compact=True)
        assert isinstance(leaf, Scalar)
        yield Group(f"{use('row_spans_of')}(", (label, rows), ")", compact=True)
        if leaf.is_text:
            yield Group(f"{use('row_text_numbers')}(", (label, rows), ")", compact=True)
        else:
            found = (label, rows, quoted(_name(leaf.dtype)))
            yield Group(f"{use('row_elements_of')}(", found, ")", compact=True)


def _items_in(item: Type, path: str) -> Iterator[tuple[str, Type]]:
    """The numbers, arrays and lists in an item of a list, each with its path."""
    match item:
        case Tuple():
            for inner, part in fields(item, path):
                yield from _items_in(part, inner)
        case Scalar() | Array() | List() | OneOf():
            yield path, item
        case _:
            return


def each(path: str, access: str, *, optional: bool = False) -> str:
    """A list of the parts at ``access`` of the items at ``path``, which may be ``optional``."""
    items = f"{path} or ()" if optional else path
    if not access:
        return items
    name = "each" if path.startswith("one") else "one"
    return f"[{name}{access} for {name} in {items}]"


def _number(options: Sequence[Type], path: str, use: Use) -> str:
    """The number of the alternative that is at ``path``; of a tangent it does not matter."""
    if any(map(_is_tangent, options)):
        return "0"
    if len(options) == 2 and NONE in options and not any(isinstance(o, Selector) for o in options):
        none = options.index(NONE)
        return f"{none} if {path} is None else {1 - none}"
    shown = ", ".join(_shown(option, use) for option in options)
    return f"{use('alternative')}({quoted(path)}, {path}, {shown})"


def _shown(option: Type, use: Use) -> str:
    """An alternative, as ``mooncake_runtime.instances.alternative`` takes it."""
    match option:
        case Selector(of=None, value=text, methods=()):
            return quoted(text)
        case Selector(of=None, value=text, methods=methods):
            return f"({', '.join(map(quoted, (text, *methods)))})"
        case Tuple(names=names) if names is None:
            return use("tuple")
        case Tuple() if option.is_record:
            return use("dict")
        case Tuple() | Selector():
            return str(option.cls if isinstance(option, Tuple) else option)
        case Array():
            return f"{use('np')}.ndarray"
        case NoneType():
            return "None"
        case List(kind=kind):
            return use(kind.value)
        case Scalar():  # plain Python has another `float` in generated modules
            return f"{use('np')}.number"
        case Opaque():
            return "..."
        case OneOf() | Stack():
            raise AssertionError(f"{option} is no alternative")


def _if_there(options: Sequence[Type], k: int, path: str, value: str, zero: str, use: Use) -> str:
    """``value`` if alternative ``k`` is there; written so that type checkers follow."""
    others = [option for j, option in enumerate(options) if j != k]
    if others == [NONE]:
        return f"{zero} if {path} is None else {value}"
    match options[k]:
        case Array():
            return f"{value} if {_is_array(path, use)} else {zero}"
        case Scalar() if all(isinstance(other, Array | NoneType) for other in others):
            tests = [
                f"{path} is None" if other == NONE else _is_array(path, use) for other in others
            ]
            return f"{zero} if {' or '.join(tests)} else {value}"
        case Tuple(given=(_, *_)) as option if _is_tangent(option):
            tests = [f"{use('is_a')}({path}, {name})" for name in shown(option, use)]
            return f"{value} if {' or '.join(tests)} else {zero}"
        case option:
            return f"{value} if {use('is_a')}({path}, {_shown(option, use)}) else {zero}"


def _is_array(path: str, use: Use) -> str:
    return f"{use('isinstance')}({path}, {use('np')}.ndarray)"


def shown(option: Type, use: Use) -> list[str]:
    """The classes of values of an alternative: of tangents both, the program's and ours."""
    if isinstance(option, Tuple) and _is_tangent(option):
        return list(option.given)
    return [_shown(option, use)]


def _is_tangent(option: Type) -> bool:
    """True if it is the type of tangents of objects: given as such objects, or as ours."""
    return isinstance(option, Tuple) and option.cls is None and option.names is not None


def _zeros(type_: Type, use: Use) -> Iterator[str]:
    """Expressions of the types of the leaves of ``type_``."""
    match type_:
        case Scalar(dtype=dtype):
            yield _ZEROS[_kind(dtype)]
        case Array(dtype=dtype, ndim=ndim):
            shape = "0" if ndim == 1 else f"({', '.join(['0'] * ndim)})"
            np = use("np")
            dtyped = "" if dtype is DType.FLOAT64 else f", dtype={np}.{_name(dtype)}"
            yield f"{np}.empty({shape}{dtyped})"
        case Tuple(items=items):
            for item in items:
                yield from _zeros(item, use)
        case OneOf(options=options):
            yield "0"
            for option in options:
                yield from _zeros(option, use)
        case List(item=item):
            for column in columns(item):
                yield from _zeros(column, use)
        case NoneType() | Opaque() | Selector() | Stack():
            return


def zero_of(type_: Type) -> str:
    """The placeholder for a missing value of ``type_``: zero, or None if it is no number."""
    return _ZEROS[_kind(type_.dtype)] if isinstance(type_, Scalar) else "None"


def _kind(dtype: DType) -> str:
    return "b" if dtype is DType.BOOL else dtype.value[0]


def _name(dtype: DType) -> str:
    return "bool_" if dtype is DType.BOOL else dtype.value


def selected(values: Sequence[str], number: str) -> str:
    """One of ``values``, made of compiled results: that of the alternative with this number."""
    *first, last = values
    tests = [f"{value} if {number} == {k} else " for k, value in enumerate(first)]
    return "".join(tests) + last
