"""Module-level names that functions write: rebound by ``global``, or changed in place."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache

import libcst as cst

from mooncake_transpiler.frontend.entities import ModuleRef
from mooncake_transpiler.frontend.name.bindings import FunctionBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.text.trees import (
    Function,
    bound_names,
    dotted,
    maker,
    own_nodes,
    target_names,
    walk,
)
from mooncake_transpiler.output.outline import MUTATING
from mooncake_transpiler.reaching import closure

Path = tuple[str, ...]


def written_names(
    resolver: Resolver, apart: Set[cst.CSTNode] = frozenset()
) -> frozenset[tuple[str, str]]:
    """(module, name) of every global that some function of the program writes, those ``apart``."""
    return frozenset(_written(resolver, apart, with_aliases=False))


def rebound_names(resolver: Resolver) -> frozenset[tuple[str, str]]:
    """(module, name) of every global that code binds anew: by ``global``, or in another module."""
    found: set[tuple[str, str]] = set()
    for name, module in resolver.modules.items():
        for path, is_global in _writes(module.tree, frozenset(), True, False, frozenset()):
            if is_global:
                found.add((name, path[0]))
            elif len(path) > 1 and (owner := _module_at(resolver, name, path[:-1])) is not None:
                found.add((owner, path[-1]))
    return frozenset(found)


def _module_at(resolver: Resolver, module: str, path: Path) -> str | None:
    """The module of the program that ``path`` names in ``module``, if it is one."""
    found = resolver.follow(module, path[0])
    for attr in path[1:]:
        found = resolver.member(found, attr) if isinstance(found, ModuleRef) else None
    return found.module if isinstance(found, ModuleRef) else None


def _written(
    resolver: Resolver, apart: Set[cst.CSTNode], with_aliases: bool
) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for name, module in resolver.modules.items():
        for path, is_global in _writes(module.tree, frozenset(), True, with_aliases, apart):
            place = (name, path[0]) if is_global else origin(resolver, name, path)
            if place is not None:
                found.add(place)
    return found


def filled_names(
    resolver: Resolver, apart: Set[cst.CSTNode] = frozenset()
) -> frozenset[tuple[str, str]]:
    """(module, name) of every global whose contents a module may change after binding it.

    These are changes in place, by another name in functions, and calls for what they do that a name
    is handed to; but for functions and decorators that are set ``apart``.
    """
    found = _written(resolver, apart, with_aliases=True)
    for name, module in resolver.modules.items():
        nodes = [node for node in _nodes_on_import(module.tree) if node not in apart]
        holders, changes = _holders(resolver, name, nodes), cache(_changes_argument)
        for node in nodes:
            given = _handed_to_own(resolver, name, node, changes)
            for target in (*changed(node), *handed(node), *given):
                path = dotted(base(target))
                for one in () if path is None else (path, *_held(path[0], holders)):
                    if (place := origin(resolver, name, one)) is not None:
                        found.add(place)
    return frozenset(found)


def _nodes_on_import(tree: cst.Module) -> Iterator[cst.CSTNode]:
    """The nodes that run where a module is imported; of functions, their decorators."""
    for stmt in run_on_import(tree.body):
        if isinstance(stmt, cst.FunctionDef):
            for decorator in stmt.decorators:
                yield from walk(decorator)
        elif not isinstance(stmt, Function):
            yield from (stmt, *own_nodes(stmt)[0])


def run_on_import(body: Sequence[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    return (stmt for stmt in body if not (isinstance(stmt, cst.If) and _is_main(stmt.test)))


def _is_main(test: cst.BaseExpression) -> bool:
    return isinstance(test, cst.Comparison) and dotted(test.left) == ("__name__",)


def handed(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The arguments of a statement that is a call, and the object of a method.

    A decorator may be such a method, or made by one.
    """
    match node:
        case cst.Expr(value=cst.Call(func=func, args=args)):
            yield from (_indexed(arg.value) for arg in args)
        case cst.Decorator():
            func = maker(node)
        case _:
            return
    if isinstance(func, cst.Attribute):
        yield _indexed(func.value)


def origin(resolver: Resolver, module: str, path: Path) -> tuple[str, str] | None:
    """The module and name where the longest part of ``path`` that is a global is bound."""
    found = resolver.follow(module, path[0])
    for attr in path[1:]:
        if not isinstance(found, ModuleRef):
            break
        owner, found = found.module, resolver.member(found, attr)
        if found is None:
            return owner, attr
    return (found.module, found.name) if isinstance(found, BoundName) else None


def _writes(
    scope: cst.CSTNode,
    shadowed: frozenset[str],
    at_top: bool,
    with_aliases: bool,
    apart: Set[cst.CSTNode],
) -> Iterator[tuple[Path, bool]]:
    """Paths that code in ``scope`` writes, and whether each is declared ``global``.

    What a module's own top level does to its arrays happens before anything is called.
    """
    nodes, inner = own_nodes(scope)
    declared = {
        item.name.value for node in nodes if isinstance(node, cst.Global) for item in node.names
    }
    if not at_top:
        shadowed = (shadowed | bound_names(nodes)) - declared
        yield from (((name,), True) for name in sorted(declared))
    meant = aliases(nodes) if with_aliases and not at_top else {}
    for node in nodes:
        for target in changed(node):
            path = dotted(base(target))
            if path is None:
                continue
            found = meant.get(path[0], [path])
            for one in found:
                if one[0] not in shadowed and (not at_top or len(one) > 1):
                    yield one, False
    for function in inner:
        if function not in apart:
            yield from _writes(function, shadowed, False, with_aliases, apart)


def aliases(nodes: Iterable[cst.CSTNode]) -> dict[str, list[Path]]:
    """For each variable the globals that it may be, or be a part of."""
    found: dict[str, list[Path]] = {}
    for node in nodes:
        match node:
            case cst.Assign(targets=targets, value=value):
                pairs = [(target.target, value) for target in targets]
            case cst.For(target=target, iter=value):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            if (path := dotted(base(value))) is not None:
                for name in target_names(target):
                    found.setdefault(name.value, []).append(path)
    return found


def _may_change(callee: cst.BaseExpression) -> bool:
    """True if ``callee`` is named, and no built-in function that only reads."""
    if not isinstance(callee, cst.Name):
        return False
    return not hasattr(builtins, callee.value) or callee.value in ("setattr", "delattr", "next")


def _holders(resolver: Resolver, module: str, nodes: Sequence[cst.CSTNode]) -> dict[str, set[Path]]:
    """For each name that a module binds what it may be, hold, or hold a part of, itself."""
    found = {name: {*paths} for name, paths in aliases(nodes).items()}
    for node in nodes:
        if isinstance(node, cst.Assign) and not _is_outside(resolver, module, node.value):
            targets = [one.target for one in node.targets]
            names = {(name.value,) for target in targets for name in target_names(target)}
            paths = (dotted(base(part)) for target in targets for part in _in_place(target))
            names |= {(path[0],) for path in paths if path is not None}
            held = {(part.value,) for part in walk(node.value) if isinstance(part, cst.Name)}
            for name in names:
                found.setdefault(name[0], set()).update(held, names if node.targets[1:] else ())
    return found


def _held(name: str, holders: Mapping[str, set[Path]]) -> Iterable[Path]:
    """The globals that ``name`` may be, hold, or hold a part of, through others, too."""
    return closure(holders.get(name, ()), lambda path: holders.get(path[0], ()))


def _is_outside(resolver: Resolver, module: str, node: cst.CSTNode) -> bool:
    """True for a call of something that is not of the program: what it returns is new.

    Methods but for ``copy`` may return what their objects hold.
    """
    if not isinstance(node, cst.Call):
        return False
    found = resolver.lookup(module, node.func)
    if found is None and isinstance(node.func, cst.Attribute):
        return node.func.attr.value == "copy"
    return not isinstance(found, BoundName)


def _handed_to_own(
    resolver: Resolver, module: str, node: cst.CSTNode, changes: Callable[[Function], bool]
) -> Iterator[cst.CSTNode]:
    """The arguments of a call of a function of the program that ``changes`` one of them."""
    if isinstance(node, cst.Call):
        found = resolver.lookup(module, node.func)
        binding = found.binding if isinstance(found, BoundName) else None
        function = binding.node if isinstance(binding, FunctionBinding) else node.func
        if isinstance(function, Function) and changes(function):
            yield from (base(arg.value) for arg in node.args)


def _changes_argument(function: Function) -> bool:
    """True if a parameter is changed in place, or handed on, in the text of ``function``."""
    params = {one.name.value for one in walk(function.params) if isinstance(one, cst.Param)}
    for node in walk(function.body):
        parts = [*changed(node), *handed(node)]
        if isinstance(node, cst.Call) and _may_change(node.func):
            parts += (base(arg.value) for arg in node.args)
        if any((dotted(base(part)) or ("",))[0] in params for part in parts):
            return True
    return False


def changed(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The expressions that ``node`` changes in place: ``x`` of ``x[i] = v`` and of ``x.sort()``."""
    match node:
        case (
            cst.AssignTarget(target=target)
            | cst.AugAssign(target=target)
            | cst.Del(target=target)
            | cst.For(target=target)
        ):
            yield from _in_place(target)
        case cst.Call(func=cst.Attribute(value=value, attr=attr)) if attr.value in MUTATING:
            yield _indexed(value)
        case cst.Call(args=args):
            yield from (_indexed(a.value) for a in args if a.keyword and a.keyword.value == "out")
        case _:
            pass


def _in_place(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    match target:
        case cst.Subscript() | cst.Attribute():
            yield _indexed(target)
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for element in elements:
                yield from _in_place(element.value)
        case _:
            return


def _indexed(node: cst.CSTNode) -> cst.CSTNode:
    """``x`` of ``x[i][j]``."""
    while isinstance(node, cst.Subscript):
        node = node.value
    return node


def base(node: cst.CSTNode) -> cst.CSTNode:
    """``x`` of ``x[i][j]`` and ``x[i].a``, and ``x.a`` of ``x.a[i]``."""
    while isinstance(node, cst.Subscript | cst.Attribute) and dotted(node) is None:
        node = node.value
    return node
