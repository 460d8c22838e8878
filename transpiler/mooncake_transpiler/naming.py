"""Names of a gradient module that keep clear of one another, and of those that must stay.

Parameters must stay, as they are given by keyword, and the functions that users call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import with_parts
from mooncake_transpiler.ir.function_names import short
from mooncake_transpiler.types import Selector, Tuple, Type, parts


def params(funcs: Iterable[ir.Func]) -> Iterator[str]:
    """The names of the parameters of ``funcs``."""
    return (param.name for func in funcs for param in func.params)


def free(name: str, taken: set[str]) -> str:
    """``name``, with as many underscores behind it as it takes; it is ``taken`` then."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def private_names(names: Sequence[str], taken: set[str]) -> dict[str, str]:
    """Python names for functions that are only called; with their module where two are alike."""
    found: dict[str, str] = {}
    for name in names:
        private = f"_{short(name).lstrip('_').replace('.', '_')}"
        if private in taken:
            private = f"_{name.replace('.', '_').replace(':', '_')}"
        found[name] = free(private, taken)
    return found


def class_names(funcs: Iterable[ir.Func], taken: set[str]) -> dict[str, str]:
    """Names for the classes and the aliases of tuples that signatures mention."""
    mentioned = dict.fromkeys(name for func in funcs for name in _mentioned(func))
    return {name: free(name, taken) for name in mentioned}


def classes(funcs: Iterable[ir.Func]) -> Iterator[str]:
    """The classes that signatures mention."""
    for part in (part for func in funcs for type_ in func.types for part in parts(type_)):
        if isinstance(part, Tuple | Selector) and isinstance(part.cls, str):
            yield part.cls


def renamed(func: ir.Func, names: Mapping[str, str]) -> ir.Func:
    """``func`` with its classes called as ``names`` says; others keep their names."""
    return func.with_types(partial(with_names, names=names)) if names else func


def with_names(type_: Type, names: Mapping[str, str]) -> Type:
    """``type_`` with its classes called as ``names`` says."""
    match type_:
        case Tuple(cls=cls, alias=alias, given=given):
            cls = names.get(cls, cls) if isinstance(cls, str) else cls
            alias = alias and names.get(alias, alias)
            given = tuple(names.get(name, name) for name in given)
            type_ = replace(type_, cls=cls, alias=alias, given=given)
        case Selector(cls=str(cls)):
            return replace(type_, cls=names.get(cls, cls))
        case _:
            pass
    return with_parts(type_, partial(with_names, names=names))


def _mentioned(func: ir.Func) -> Iterator[str]:
    """The classes and aliases in the types of ``func``."""
    for part in (part for type_ in func.types for part in parts(type_)):
        match part:
            case Tuple(cls=str(name)) | Selector(cls=str(name)):
                yield name
            case Tuple(alias=str(name)):
                yield name
            case Tuple(given=given):
                yield from given
            case _:
                pass
