"""Names of the user's classes in a generated module: two of the same name are told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import with_parts
from mooncake_transpiler.frontend.entities import ClassDecl, Source
from mooncake_transpiler.types import ANY_DICT, ClassRef, Selector, Tuple, Type, parts

Key = tuple[str, str]  # the module that defines a class, and its name there


def class_names(module: str, source: Source, funcs: Iterable[ir.Func]) -> dict[Key, str]:
    """A name for each class of ``funcs``: that which ``module`` itself has for it, or its own."""
    scope = source.modules[module].scope
    bound = {
        (entity.module, entity.name): name
        for name, entity in reversed(scope.items())
        if isinstance(entity, ClassDecl)
    }
    names: dict[Key, str] = {}
    found = {(ref.module, ref.name): ref for func in funcs for ref in _classes(func)}
    for key in sorted(found, key=lambda key: (key not in bound, key)):
        home, own = key
        name = bound.get(key, own)
        if name in names.values():
            name = f"{home.rpartition('.')[2].capitalize()}{own}"
        while name in names.values():
            name += "_"
        names[key] = name
    return names


def renamed(func: ir.Func, names: Mapping[Key, str]) -> ir.Func:
    """``func`` with its classes called as ``names`` says."""
    return func.with_types(partial(_renamed, names=names))


def _renamed(type_: Type, names: Mapping[Key, str]) -> Type:
    match type_:
        case Tuple(of=ClassRef() as of) if of != ANY_DICT:
            type_ = replace(type_, cls=names[of.module, of.name])
        case Selector(of=ClassRef() as of):
            return replace(type_, cls=names[of.module, of.name])
        case _:
            pass
    return with_parts(type_, partial(_renamed, names=names))


def _classes(func: ir.Func) -> Iterator[ClassRef]:
    for part in (part for type_ in func.types for part in parts(type_)):
        if isinstance(part, Tuple | Selector) and part.of not in (None, ANY_DICT):
            yield part.of
