"""Refuses syntax that has no place in the normal form, before lowering looks at a function.

All of a function's problems are reported at once. What is accepted here by its syntax may still
be refused by lowering for its types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.frontend.declaration import decorators
from mooncake_transpiler.frontend.declaration.differentiated_functions import SKIP_HELP
from mooncake_transpiler.frontend.entities import (
    ClassDecl,
    External,
    FunctionDecl,
    Module,
    SharedDecl,
    Source,
)
from mooncake_transpiler.frontend.name.bindings import imported_in
from mooncake_transpiler.frontend.name.scopes import resolve_path
from mooncake_transpiler.frontend.text.generator_functions import misplaced
from mooncake_transpiler.frontend.text.source import place
from mooncake_transpiler.frontend.text.trees import (
    bound_names,
    children,
    dotted,
    is_name,
    maker,
    walk,
)

# Node: code, message, help.
_REFUSED: Mapping[type[cst.CSTNode], tuple[str, str, str | None]] = {
    cst.Asynchronous: ("MK101", "async code can't be differentiated", None),
    cst.Await: ("MK101", "async code can't be differentiated", None),
    cst.Global: ("MK103", "functions that rebind globals can't be differentiated", "return it"),
    cst.TryStar: ("MK105", "`except*` is not supported", "catch the exceptions one by one"),
    cst.ClassDef: ("MK107", "a class inside a function is not supported", "move it out"),
    cst.TypeAlias: ("MK115", "a type inside a function is not supported", "move it out"),
}


def refused() -> Iterator[tuple[str, str]]:
    """Code and message for each kind of syntax that is refused wherever it stands."""
    yield from ((code, message) for code, message, _ in _REFUSED.values())


def fence(source: Source, decl: FunctionDecl) -> list[Diagnostic]:
    """Everything in ``decl`` that is refused for its syntax, in order."""
    module = source.modules[decl.module]
    return [*_of_signature(module, decl), *_visit(source, module, decl.node)]


def _of_signature(module: Module, decl: FunctionDecl) -> Iterator[Diagnostic]:
    params = decl.node.params if decl.is_public else cst.Parameters()
    for mark, param in (("*", params.star_arg), ("**", params.star_kwarg)):
        if not isinstance(param, cst.Param):
            continue
        is_inner = mark == "*" and params.kwonly_params
        if is_inner or any(is_name(one, param.name.value) for one in walk(decl.node.body)):
            message = f"the parameter {mark}{param.name.value} is not supported here"
            name, one = param.name.value, "tuple[float, ...]" if mark == "*" else "dict[str, float]"
            help_ = f"take them as one, {name}: {one}, or name each of them; {SKIP_HELP}"
            yield Diagnostic("MK111", message, place(module, param.name), help_)


def reachable(source: Source, done: Set[str] = frozenset()) -> list[FunctionDecl]:
    """The functions outside of ``done`` that get derivatives, and all that they may call."""
    functions = [decl for decl in source.functions() if decl.module not in done]
    roots = [decl for decl in functions if decl.is_public or decl.mark is not None]
    found = {decl.qualname: decl for decl in roots}
    pending = list(found.values())
    while pending:
        for callee in named_functions(source, pending.pop()):
            if callee.qualname not in found:
                found[callee.qualname] = callee
                pending.append(callee)
    return list(found.values())


def named_functions(source: Source, decl: FunctionDecl) -> Iterator[FunctionDecl]:
    """The program's functions that ``decl`` names."""
    nodes = list(walk(decl.node.body))
    nodes += [node for decorator in decl.node.decorators for node in walk(decorator)]
    local = bound_names([*nodes, *walk(decl.node.params)])
    module = source.modules[decl.module]
    yield from _named(source, module, nodes, local, set())
    imported = {
        name: key
        for node in nodes
        if isinstance(node, cst.Import | cst.ImportFrom)
        for name, key in imported_in(node)
    }
    for node in nodes:
        path = dotted(node) if isinstance(node, cst.Name | cst.Attribute) else None
        if path is not None and path[0] in imported:
            found = resolve_path(source, module, (imported[path[0]], *path[1:]))
            if isinstance(found, FunctionDecl):
                yield found


def _named(
    source: Source,
    module: Module,
    nodes: Iterable[cst.CSTNode],
    local: Set[str],
    seen: set[tuple[str, str]],
) -> Iterator[FunctionDecl]:
    """The functions that ``nodes`` name, or what they name at module level is made of."""
    for node in nodes:
        path = dotted(node) if isinstance(node, cst.Name | cst.Attribute) else None
        if path is None or path[0] in local:
            continue
        match resolve_path(source, module, path):
            case FunctionDecl() as found:
                yield found
            case SharedDecl(module=home, name=name) as made if (home, name) not in seen:
                seen.add((home, name))
                inside = [*walk(made.expr), *(cst.Name(name) for _, name in made.fillings if name)]
                inside += (part for one, _ in made.fillings for part in walk(one))
                yield from _named(source, source.modules[home], inside, frozenset(), seen)
            case _:
                pass


def _visit(source: Source, module: Module, function: cst.FunctionDef) -> Iterator[Diagnostic]:
    stack: list[cst.CSTNode] = [function]
    while stack:
        node = stack.pop()
        yield from _check(source, module, node, node is function)
        inner = [child for child in children(node) if not isinstance(child, _ELSEWHERE)]
        stack += reversed(inner)


# Annotations and decorators have rules of their own.
_ELSEWHERE = (cst.Annotation, cst.Decorator)


def _check(source: Source, module: Module, node: cst.CSTNode, is_top: bool) -> Iterator[Diagnostic]:
    match node:
        case cst.FunctionDef():
            for decorator in node.decorators:
                yield from _check_decorator(source, module, decorator, node, is_top)
            yield from _check_yields(module, node)
        case cst.Lambda():
            yield from _check_yields(module, node)
        case cst.Del(target=target) if isinstance(target, cst.Attribute):
            message, help_ = "`del` of an attribute is not supported", "set it to None"
            yield Diagnostic("MK104", message, place(module, node), help_)
        case _ if type(node) in _REFUSED:
            code, message, help_or_none = _REFUSED[type(node)]
            yield Diagnostic(code, message, place(module, node), help_or_none)
        case _:
            pass


def _check_yields(module: Module, node: cst.FunctionDef | cst.Lambda) -> Iterator[Diagnostic]:
    for where, why, way_out in misplaced(node):
        yield Diagnostic("MK102", why, place(module, where), way_out)


def _check_decorator(
    source: Source, module: Module, decorator: cst.Decorator, of: cst.FunctionDef, is_top: bool
) -> Iterator[Diagnostic]:
    if decorator in source.registering:
        return
    made_by = maker(decorator)
    path = dotted(made_by)
    entity = None if path is None else resolve_path(source, module, path)
    if isinstance(entity, FunctionDecl | ClassDecl) or path is None:
        return
    if isinstance(entity, External) and entity.qualname in decorators.UNDERSTOOD:
        return
    if isinstance(entity, External) and entity.qualname in decorators.CACHES:
        if decorators.may_have_cache(of):
            return
        why = decorators.WHY_NO_CACHE
        yield Diagnostic("MK340", why, place(module, made_by), "leave the cache out")
        return
    if entity is None and not is_top:
        return  # a variable of the function around it
    name = ".".join(path)
    message = f"decorator {name} is not known: what it makes of the function can't be told"
    yield Diagnostic("MK113", message, place(module, made_by))
