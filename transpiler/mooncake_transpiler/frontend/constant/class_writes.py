"""Attributes of classes that the program changes: those are no constants.

This goes by names alone: an attribute that is bound anew through some class counts as changed for
every class, and so does what is in one that is changed in place through anything.

A write counts for the classes of all modules that imports connect with the writing one, in
whichever direction and over however many modules: an object gets from one module to another only
if one of them imports the other, or some third module imports both. Modules that no import
connects can't change each other's classes, and are read as if the other were not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import TypeGuard

import libcst as cst

from mooncake_transpiler.frontend.constant.hidden_writes import hidden_write
from mooncake_transpiler.frontend.constant.writes import (
    Path,
    aliases,
    changed,
    handed,
    run_on_import,
)
from mooncake_transpiler.frontend.entities import AttributeWrites, External, Module
from mooncake_transpiler.frontend.name import library_classes
from mooncake_transpiler.frontend.name.bindings import ClassBinding, FunctionBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.text.trees import Function, dotted, own_nodes, target_names, walk

_ANY = "*"
# What may import anything.
_DYNAMIC = re.compile(r"\b(importlib|pkgutil|runpy|__import__|sys\.modules)\b")


def attribute_writes(resolver: Resolver) -> Mapping[str, AttributeWrites]:
    """The attributes that functions and modules change which may be those of a module's classes.

    What is written out of Python's library is no part of the imports: it is near to all modules.
    """
    writes = {name: _writes(resolver, name) for name in resolver.modules}
    library = {library_classes.NAME} & writes.keys()
    found = {name: _joined(writes.values()) for name in library}
    for group in _connected(resolver, writes.keys() - library):
        joined = _joined([writes[name] for name in group | library])
        found.update(dict.fromkeys(group, joined))
    return found


def _writes(resolver: Resolver, module: str) -> AttributeWrites:
    top, *inner = _scopes(resolver.modules[module].tree)
    outer = _Scope(resolver, module, top)
    handed_on = outer.hands_classes()
    scopes = [outer, *(_Scope(resolver, module, one, outer, handed_on) for one in inner)]
    bound = frozenset(name for scope in scopes for name in scope.bound())
    if hidden_write(resolver.modules[module]) is not None:
        bound |= {_ANY}
    return AttributeWrites(bound, frozenset(name for scope in scopes for name in scope.filled()))


def _joined(writes: Iterable[AttributeWrites]) -> AttributeWrites:
    every = list(writes)
    bound = frozenset[str]().union(*(one.bound for one in every))
    return AttributeWrites(bound, frozenset[str]().union(*(one.filled for one in every)))


def _connected(resolver: Resolver, modules: Set[str]) -> list[set[str]]:
    """The groups of ``modules`` between which there are no imports.

    An import counts for all modules that have a word of it in their dotted name: who holds a
    package gets at what others import from it. A relative import names its own package.
    """
    groups: list[tuple[set[str], set[str]]] = []  # modules, and the imported words that join them
    parts = {name: set(f"{resolver.package}.{name}".strip(".").split(".")) for name in modules}
    named = {name: _named(resolver.modules[name], parts[name]) for name in modules}
    known = set[str]().union(*parts.values())
    dynamic = {name for name in modules if _DYNAMIC.search(resolver.modules[name].text)}
    imported = known if dynamic else set[str]().union(*named.values()) & known
    for name in modules:
        words = imported if name in dynamic else (named[name] | parts[name]) & imported
        near = [group for group in groups if not group[1].isdisjoint(words)]
        groups = [group for group in groups if group[1].isdisjoint(words)]
        joined = {name}.union(*(group[0] for group in near))
        groups.append((joined, words.union(*(group[1] for group in near))))
    return [group for group, _ in groups]


def _named(module: Module, own: Set[str]) -> set[str]:
    """The words of the imports in ``module``, in functions too."""
    found: set[str] = set()
    for scope in _scopes(module.tree):
        for node in _own(scope)[0]:
            if isinstance(node, cst.Import | cst.ImportFrom):
                found.update(re.findall(r"\w+", module.tree.code_for_node(node)))
                if isinstance(node, cst.ImportFrom) and node.relative:
                    found |= own
    return found


def _scopes(scope: cst.Module | Function) -> Iterator[cst.Module | Function]:
    yield scope
    for inner in _own(scope)[1]:
        yield from _scopes(inner)


def _own(scope: cst.Module | Function) -> tuple[list[cst.CSTNode], list[Function]]:
    """The nodes of ``scope`` itself, as far as they run when it is imported; its functions."""
    if not isinstance(scope, cst.Module):
        return own_nodes(scope)
    nodes: list[cst.CSTNode] = []
    functions: list[Function] = []
    for stmt in run_on_import(scope.body):
        if isinstance(stmt, Function):
            functions.append(stmt)
        else:
            found, inner = own_nodes(stmt)
            nodes += [stmt, *found]
            functions += inner
    return nodes, functions


def _is_bound(node: cst.CSTNode, target: cst.CSTNode) -> TypeGuard[cst.Attribute]:
    """True if ``node`` binds the attribute ``target``, which leaves alone what it was."""
    binds = isinstance(node, cst.AssignTarget | cst.For | cst.Del) and node.target is target
    return binds and isinstance(target, cst.Attribute)


def _is_part(node: cst.CSTNode) -> bool:
    """True if ``node`` changes what is in what it names."""
    targets = cst.AssignTarget | cst.AugAssign | cst.For | cst.Del
    return isinstance(node, targets) and isinstance(node.target, cst.Subscript)


class _Scope:
    """The text of a function, or that of a module outside of its functions."""

    def __init__(
        self,
        resolver: Resolver,
        module: str,
        scope: cst.Module | Function,
        outer: _Scope | None = None,
        takes_classes: bool = False,
    ) -> None:
        self._resolver, self._module = resolver, module
        self._is_module = isinstance(scope, cst.Module)
        self._nodes = _own(scope)[0]
        self._aliases = aliases(self._nodes)
        self._classes: set[str] = set() if outer is None else {*outer._classes}  # names of some
        if takes_classes and not isinstance(scope, cst.Module):
            found = (part for part in walk(scope.params) if isinstance(part, cst.Param))
            self._classes |= {one.name.value for one in found if one.name.value != "self"}
        for node in self._nodes:
            match node:
                case cst.Assign(targets=targets, value=value) if self._holds(value):
                    names = [name for one in targets for name in target_names(one.target)]
                    self._classes |= {name.value for name in names}
                case (
                    cst.For(target=target, iter=value) | cst.CompFor(target=target, iter=value)
                ) if self._holds(value):
                    self._classes |= {name.value for name in target_names(target)}
                case _:
                    pass

    def _holds(self, value: cst.BaseExpression) -> bool:
        """True if ``value`` may be a class, or hold one: it mentions some and does not call it."""
        calls = [part for part in walk(value) if isinstance(part, cst.Call)]
        made = {id(part) for call in calls for part in walk(call.func)}
        names = (part for part in walk(value) if isinstance(part, cst.Name))
        return any(id(one) not in made and self._is_class(one) for one in names)

    def hands_classes(self) -> bool:
        """True if a call, on import, hands a class to a function of the program.

        A function of a library may do so that takes both: ``map(f, [C])``.
        """
        calls = (node for node in self._nodes if isinstance(node, cst.Call))
        return any(
            self._holds(arg.value)
            for call in calls
            if not isinstance(self._resolver.lookup(self._module, call.func), External)
            or any(map(self._is_function, (arg.value for arg in call.args)))
            for arg in call.args
        )

    def _is_function(self, value: cst.BaseExpression) -> bool:
        if isinstance(value, cst.Lambda):
            return True
        found = self._resolver.lookup(self._module, value)
        return isinstance(found, BoundName) and isinstance(found.binding, FunctionBinding)

    def bound(self) -> Iterator[str]:
        """Attributes that are bound or deleted through a class."""
        called = {id(node.func) for node in self._nodes if isinstance(node, cst.Call)}
        for node in self._nodes:
            match node:
                case cst.Name(value="setattr" | "delattr") if id(node) not in called:
                    yield _ANY  # by whoever holds the function
                case cst.Attribute(
                    value=cst.Name(value="type"), attr=cst.Name(value="__setattr__" | "__delattr__")
                ):
                    yield _ANY
                case cst.Call(
                    func=cst.Name(value="setattr" | "delattr"),
                    args=[cst.Arg(value=base), cst.Arg(value=name), *_],
                ):
                    if self._is_class(base):
                        text = name.evaluated_value if isinstance(name, cst.SimpleString) else _ANY
                        yield str(text)
                case cst.Call():
                    pass
                case cst.AnnAssign(target=cst.Attribute(value=base, attr=attr)):
                    if self._is_class(base):
                        yield attr.value
                case _:
                    for target in changed(node):
                        if not isinstance(target, cst.Attribute) or _is_part(node):
                            continue
                        if self._is_class(target.value):
                            yield target.attr.value

    def filled(self) -> Iterator[str]:
        """Attributes whose content is changed, by some name."""
        for node in self._nodes:
            for target in (*changed(node), *(handed(node) if self._is_module else ())):
                yield from self._parts(target.value if _is_bound(node, target) else target)

    def _parts(self, node: cst.CSTNode) -> Iterator[str]:
        while isinstance(node, cst.Attribute | cst.Subscript):
            if isinstance(node, cst.Attribute):
                yield node.attr.value
            node = node.value
        if isinstance(node, cst.Name):
            for path in self._aliases.get(node.value, ()):
                yield from path[1:]

    def _is_class(self, node: cst.BaseExpression) -> bool:
        match node:
            case cst.Name(value="cls" | "__class__") | cst.Call(func=cst.Name(value="type")):
                return True
            case cst.Attribute(attr=cst.Name(value="__class__")):
                return True
            case cst.Name(value=name) if name in self._classes:
                return True
            case cst.Subscript(value=cst.Name(value=name)):
                return name in self._classes
            case cst.Name() | cst.Attribute():
                path = dotted(node)
                return path is not None and any(map(self._names_class, self._meant(path)))
            case _:
                return False

    def _meant(self, path: Path) -> Iterable[Path]:
        return (path, *self._aliases.get(path[0], ()))

    def _names_class(self, path: Path) -> bool:
        node: cst.BaseExpression = cst.Name(path[0])
        for part in path[1:]:
            node = cst.Attribute(node, cst.Name(part))
        found = self._resolver.lookup(self._module, node)
        return isinstance(found, BoundName) and isinstance(found.binding, ClassBinding)
