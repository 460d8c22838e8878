"""Objects at module level that functions change by methods of the program's classes.

    MODEL = Model(2.0)

    def prepare():
        MODEL.tune(3.0)         # where `tune` assigns to self.a, or calls what does

Nobody can tell whether such a function has been called.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mooncake_transpiler.frontend.constant.writes import aliases, base, changed, origin
from mooncake_transpiler.frontend.name.bindings import ValueBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.text.trees import bound_names, dotted, positional, walk
from mooncake_transpiler.reaching import closure, grouped

Key = tuple[str, str]  # module and name


def changed_by_methods(resolver: Resolver) -> frozenset[Key]:
    """(module, name) of every global that a method which changes its object is called of."""
    names = _changing(resolver)
    found = set[Key]()
    for name, module in resolver.modules.items():
        for stmt in walk(module.tree) if names else ():
            if isinstance(stmt, cst.FunctionDef):
                for path in _called_of(stmt, names):
                    place = origin(resolver, name, path)
                    if place is not None and _is_object(resolver, place, path):
                        found.add(place)
    return frozenset(found)


def _called_of(function: cst.FunctionDef, names: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """The paths of what ``function`` calls methods of these ``names`` of."""
    nodes = list(walk(function.body))
    local, meant = bound_names([*walk(function.params), *nodes]), aliases(nodes)
    for node in nodes:
        match node:
            case cst.Call(func=cst.Attribute(value=value, attr=attr)) if attr.value in names:
                path = dotted(base(value))
                paths = [] if path is None else meant.get(path[0], [path])
                yield from (one for one in paths if one[0] not in local)
            case _:
                pass


def _is_object(resolver: Resolver, place: Key, path: tuple[str, ...]) -> bool:
    """True if a global may be, or hold, an object of a class of the program."""
    found = resolver.follow(*place)
    if not isinstance(found, BoundName) or not isinstance(found.binding, ValueBinding):
        return False
    made = found.binding.expr
    if path[-1] != place[1] or not isinstance(made, cst.Call):
        return path[-1] != place[1]
    return isinstance(resolver.lookup(place[0], made.func), BoundName)


def _changing(resolver: Resolver) -> frozenset[str]:
    """The names of methods that change their object, themselves or by another one."""
    direct, calls = set[str](), list[tuple[str, str]]()
    for module in resolver.modules.values():
        for cls in walk(module.tree):
            for method in cls.body.body if isinstance(cls, cst.ClassDef) else ():
                if isinstance(method, cst.FunctionDef) and method.name.value != "__init__":
                    is_direct, called = _of_method(method)
                    direct |= {method.name.value} if is_direct else set()
                    calls += ((other, method.name.value) for other in called)
    callers = grouped(calls)
    return frozenset(closure(direct, lambda name: callers.get(name, ())))


def _of_method(method: cst.FunctionDef) -> tuple[bool, set[str]]:
    """True if ``method`` changes its object in its own text; the methods that it calls of that."""
    params = positional(method.params)
    own = params[0].name.value if params else ""
    is_direct, called = False, set[str]()
    for node in walk(method.body):
        paths = (dotted(base(target)) for target in changed(node))
        is_direct |= any(path is not None and path[0] == own for path in paths)
        match node:
            case cst.Call(func=cst.Attribute(value=cst.Name(value=name), attr=attr)):
                called |= {attr.value} if name == own else set()
            case _:
                pass
    return is_direct, called
