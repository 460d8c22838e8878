"""Names looked up in the scopes of a program that has been read."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Sequence

import libcst as cst

from mooncake_transpiler.frontend.entities import (
    ClassDecl,
    Entity,
    External,
    Module,
    ModuleRef,
    Source,
)
from mooncake_transpiler.frontend.name.library_classes import CLASSES, NAME
from mooncake_transpiler.frontend.name.resolve import external
from mooncake_transpiler.frontend.text.trees import dotted


def resolve_name(module: Module, name: str) -> Entity | None:
    """The entity of the global ``name`` of ``module``; built-ins are not looked up."""
    return module.scope.get(name)


def resolve_attribute(source: Source, entity: Entity, attr: str) -> Entity | None:
    """The entity ``entity.attr`` of a module, a name outside, or a class with classes in it."""
    match entity:
        case External(qualname=qualname):
            path = f"{qualname}.{attr}"
            if path in CLASSES and NAME in source.modules:
                return source.modules[NAME].scope[CLASSES[path]]
            is_src = path == source.package and "__init__" in source.modules
            return ModuleRef("__init__") if is_src else external(path)
        case ModuleRef(module=name):
            module = source.modules.get(name)
            if module is not None and attr in module.scope:
                return module.scope[attr]
            path = attr if name == "__init__" else f"{name}.{attr}"
            inside = any(other == path or other.startswith(f"{path}.") for other in source.modules)
            return ModuleRef(path) if inside else None
        case ClassDecl(line=line):
            owners = [(one.module, f"{one.name}.{attr}") for one in (entity, *line)]
            scopes = ((source.modules[home].scope, path) for home, path in owners)
            return next((scope[path] for scope, path in scopes if path in scope), None)
        case _:
            return None


def resolve(
    source: Source, module: Module, node: cst.CSTNode, local: Collection[str] = ()
) -> Entity | None:
    """The entity of a name or dotted name among the globals of ``module``; None if unknown.

    Names that are ``local`` are no globals.
    """
    path = dotted(node)
    if path is None or path[0] in local:
        return None
    entity = resolve_name(module, path[0])
    if entity is None and hasattr(builtins, path[0]):
        entity = External(f"builtins.{path[0]}")
    return _below(source, entity, path[1:])


def resolve_path(source: Source, module: Module, path: Sequence[str]) -> Entity | None:
    """The entity of a dotted name among the globals of ``module``; built-ins are not looked up."""
    return _below(source, resolve_name(module, path[0]), path[1:])


def _below(source: Source, entity: Entity | None, attrs: Sequence[str]) -> Entity | None:
    for attr in attrs:
        entity = None if entity is None else resolve_attribute(source, entity, attr)
    return entity
