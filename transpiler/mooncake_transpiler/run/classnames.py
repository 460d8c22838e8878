"""Names of the user's classes in a generated module: two of the same name are told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, Source
from mooncake_transpiler.types import ANY_DICT, ClassRef, List, OneOf, Selector, Tuple, Type, parts

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
    border = func.border
    return replace(
        func,
        params=tuple(replace(p, type=_renamed(p.type, names)) for p in func.params),
        result=_renamed(func.result, names),
        border=replace(
            border,
            rebound=tuple(replace(r, type=_renamed(r.type, names)) for r in border.rebound),
            holders=tuple((path, _renamed(type_, names)) for path, type_ in border.holders),
        ),
    )


def _renamed(type_: Type, names: Mapping[Key, str]) -> Type:
    match type_:
        case Tuple(items=items, cls=cls, of=of):
            inner = tuple(_renamed(item, names) for item in items)
            name = cls if of in (None, ANY_DICT) else names[of.module, of.name]
            return replace(type_, items=inner, cls=name)
        case List(item=item):
            return replace(type_, item=_renamed(item, names))
        case OneOf(options=options):
            return OneOf(tuple(_renamed(option, names) for option in options))
        case Selector(of=of) if of is not None:
            return replace(type_, cls=names[of.module, of.name])
        case _:
            return type_


def _classes(func: ir.Func) -> Iterator[ClassRef]:
    border = func.border
    types = [func.result, *(param.type for param in func.params)]
    types += [*(r.type for r in border.rebound), *(type_ for _, type_ in border.holders)]
    for type_ in types:
        for part in parts(type_):
            if isinstance(part, Tuple | Selector) and part.of not in (None, ANY_DICT):
                yield part.of
