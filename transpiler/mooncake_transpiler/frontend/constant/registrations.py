"""Registries: lists, dicts and objects that the top of their module puts things into.

    STRATEGIES = {}                          def register(name):
                                                 def wrap(function):
    @register("flat")                                STRATEGIES[name] = function
    def flat(base, n): ...                           return function
                                                 return wrap

What is decorated stays as it is, since it is returned, and what the registry holds is known: the
module makes it, and then applies such decorators in the order of its text. So do statements which
do nothing but that, ``STRATEGIES["flat"] = flat`` or ``STEPS.append(f)``. That is so where nothing
else changes the registry, where nothing at the top of the module may look at it before it is full,
and where what the decorator is made of has no other use in the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain

import libcst as cst

from mooncake_transpiler.frontend.constant.remade import does_nothing_else
from mooncake_transpiler.frontend.constant.writes import (
    base,
    changed,
    filled_names,
    origin,
    written_names,
)
from mooncake_transpiler.frontend.entities import External, Filling
from mooncake_transpiler.frontend.name.bindings import ClassBinding, FunctionBinding, ValueBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Found, Resolver
from mooncake_transpiler.frontend.text.trees import (
    bound_names,
    dotted,
    is_name,
    maker,
    own_nodes,
    parameters,
    statements,
    walk,
)
from mooncake_transpiler.output.outline import MUTATING
from mooncake_transpiler.reaching import closure

Key = tuple[str, str]  # module and name
_DECORATED = (cst.FunctionDef, cst.ClassDef)


@dataclass(frozen=True, slots=True)
class Registries:
    """All that modules put ``into`` registries, and the functions that do so."""

    into: Mapping[Key, Sequence[Filling]] = field(default_factory=dict)
    fillers: frozenset[cst.CSTNode] = frozenset()

    @property
    def decorators(self) -> frozenset[cst.Decorator]:
        return frozenset(one for one in self._fillings if isinstance(one, cst.Decorator))

    @property
    def apart(self) -> frozenset[cst.CSTNode]:
        """The parts of the program that change nothing but registries."""
        stated = (one for one in self._fillings if not isinstance(one, cst.Decorator))
        return self.fillers | self.decorators | {node for one in stated for node in walk(one)}

    @property
    def _fillings(self) -> Iterator[cst.Decorator | cst.BaseSmallStatement]:
        return (one for one, _ in chain.from_iterable(self.into.values()))


@dataclass(frozen=True, slots=True)
class _Registration:
    """A decorator or statement that fills ``registry``, maybe by a function or method."""

    registry: Key
    filler: cst.FunctionDef | None
    filling: Filling


def registries(resolver: Resolver) -> Registries:
    """The registries of the program that nothing but decorators fills."""
    uses = [use for module in resolver.modules for use in _uses(resolver, module)]
    uses = [use for use in uses if _is_apart(resolver, use)]
    if not uses:
        return Registries()
    meant = {node for use in uses for node in walk(use.filling[0])}
    fillers = {use.filler for use in uses if use.filler is not None}
    open_ones = {*_with_other_uses(resolver, fillers, meant)}
    shared = {use.registry for use in uses if use.filler in open_ones}
    kept = [use for use in uses if use.registry not in shared]
    apart = _of(kept).apart
    changed_too = written_names(resolver, apart) | filled_names(resolver, apart)
    changed_too |= {key for key, last in _ends(kept) if _is_seen_early(resolver, key, last, meant)}
    return _of([use for use in kept if use.registry not in changed_too])


def _is_apart(resolver: Resolver, use: _Registration) -> bool:
    """True if nothing but the registry may hold what is changed when it is filled."""
    module, name = use.registry
    found = resolver.follow(module, name)
    if not isinstance(found, BoundName) or not isinstance(found.binding, ValueBinding):
        return False
    made = found.binding.expr
    if isinstance(made, cst.Call):
        maker_ = resolver.lookup(module, made.func)
        is_new = not isinstance(maker_, BoundName) or isinstance(maker_.binding, ClassBinding)
    else:
        is_new = isinstance(made, cst.Dict | cst.List | cst.Set)
    names = (
        node for part in (made, use.filling[0]) for node in walk(part) if isinstance(node, cst.Name)
    )
    others = (resolver.lookup(module, node) for node in names)
    return is_new and all(one == found or not _may_be_shared(one) for one in others)


def _may_be_shared(found: Found | None) -> bool:
    """True if a name may stand for what can be changed in place."""
    kept = (
        cst.BinaryOperation, cst.Float, cst.Integer, cst.Lambda, cst.SimpleString,
        cst.UnaryOperation,
    )  # fmt: skip
    binding = found.binding if isinstance(found, BoundName) else None
    return isinstance(binding, ValueBinding) and not isinstance(binding.expr, kept)


def _of(uses: Sequence[_Registration]) -> Registries:
    into: dict[Key, list[Filling]] = {}
    for use in uses:
        into.setdefault(use.registry, []).append(use.filling)
    return Registries(into, frozenset(use.filler for use in uses if use.filler is not None))


def _with_other_uses(
    resolver: Resolver, fillers: Set[cst.FunctionDef], meant: Set[cst.CSTNode]
) -> Iterator[cst.FunctionDef]:
    """The ``fillers`` that the program may name outside of what is ``meant``."""
    words = {filler.name.value for filler in fillers}
    for name, module in resolver.modules.items():
        if not any(word in module.text for word in words):
            continue
        nodes = [node for node in walk(module.tree) if node not in meant]
        passed = {node.name for node in nodes if isinstance(node, cst.FunctionDef)}
        passed |= {node.attr for node in nodes if isinstance(node, cst.Attribute)}
        for node in nodes:
            word = node.attr.value if isinstance(node, cst.Attribute) else ""
            if isinstance(node, cst.Name) and node not in passed:
                word = node.value
            if word in words and not _is_of_function(resolver, name, node):
                found = resolver.lookup(name, node)
                yield from (f for f in fillers if f.name.value == word and _may_be(found, f))


def _is_of_function(resolver: Resolver, module: str, node: cst.CSTNode) -> bool:
    """True for an attribute of a function, as ``f.register`` of a ``singledispatch`` one."""
    owner = resolver.lookup(module, node.value) if isinstance(node, cst.Attribute) else None
    return isinstance(owner, BoundName) and isinstance(owner.binding, FunctionBinding)


def _may_be(found: Found | None, function: cst.FunctionDef) -> bool:
    """True if what a name stands for may be ``function``."""
    if isinstance(found, BoundName) and isinstance(found.binding, FunctionBinding):
        return found.binding.node is function
    return not isinstance(found, External)


def _ends(uses: Sequence[_Registration]) -> Iterable[tuple[Key, cst.CSTNode]]:
    """The last decorator or statement that fills each registry."""
    return {use.registry: use.filling[0] for use in uses}.items()


def _is_seen_early(
    resolver: Resolver, registry: Key, last: cst.CSTNode, meant: Set[cst.CSTNode]
) -> bool:
    """True if what runs on import above ``last`` may look at ``registry``."""
    module, name = registry
    for stmt in statements(resolver.modules[module].tree):
        if stmt is last or (isinstance(stmt, _DECORATED) and last in stmt.decorators):
            return False
        is_its_own = name in bound_names([stmt])
        for node in _on_import(stmt):
            if node not in meant and (
                (is_name(node, name) and not is_its_own) or _may_look(resolver, registry, node)
            ):
                return True
    return True


def _may_look(resolver: Resolver, registry: Key, node: cst.CSTNode) -> bool:
    """True if ``node`` calls something of the program whose text may name ``registry``."""
    match node:
        case cst.Call(func=callee):
            pass
        case cst.Decorator():
            callee = maker(node)
        case _:
            return False
    module = registry[0]
    found = resolver.lookup(module, callee)
    if found is None:
        found = resolver.follow(module, (dotted(callee) or ("",))[0])
        return isinstance(found, BoundName)
    reached = closure([found], lambda one: _named_by(resolver, one))
    return any(isinstance(one, BoundName) and (one.module, one.name) == registry for one in reached)


def _named_by(resolver: Resolver, found: Found) -> Iterator[Found]:
    """The globals that the text of a function, a class or a value names."""
    match found:
        case BoundName(module=module, binding=FunctionBinding(node=text) | ClassBinding(node=text)):
            pass
        case BoundName(module=module, binding=ValueBinding(expr=text)):
            pass
        case _:
            return
    for node in walk(text):
        if isinstance(node, cst.Name | cst.Attribute):
            named = resolver.lookup(module, node)
            if isinstance(named, BoundName):
                yield named


def _on_import(stmt: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The parts of ``stmt`` that run where its module is imported, but for annotations."""
    match stmt:
        case cst.FunctionDef():
            parts = [p.default for p in parameters(stmt.params) if p.default is not None]
            inside = [node for part in (*stmt.decorators, *parts) for node in walk(part)]
        case cst.ClassDef():
            inside = own_nodes(stmt)[0]
        case _:
            inside = [stmt, *own_nodes(stmt)[0]]
    yield from inside


def _uses(resolver: Resolver, module: str) -> Iterator[_Registration]:
    """The decorators and statements at the top of ``module`` that fill a registry of it.

    Only other such decorators stand above one: it is given what the name stands for later.
    """
    for stmt in statements(resolver.modules[module].tree):
        if isinstance(stmt, cst.BaseSmallStatement):
            stated = _filled_in(resolver, module, stmt)
            if stated is not None and does_nothing_else(resolver, module, stmt):
                yield _Registration(*stated, (stmt, ""))
        if not isinstance(stmt, _DECORATED) or not _stays(resolver, module, stmt):
            continue
        made = []
        for decorator in stmt.decorators:
            found = _filled_by(resolver, module, decorator)
            if found is None:
                break
            made.append(_Registration(*found, (decorator, stmt.name.value)))
        yield from reversed(made)


def _stays(resolver: Resolver, module: str, stmt: cst.FunctionDef | cst.ClassDef) -> bool:
    """True if the name of ``stmt`` stands for it when the module has been imported."""
    found = resolver.follow(module, stmt.name.value)
    binding = found.binding if isinstance(found, BoundName) else None
    return isinstance(binding, FunctionBinding | ClassBinding) and binding.node is stmt


def _filled_by(
    resolver: Resolver, module: str, decorator: cst.Decorator
) -> tuple[Key, cst.FunctionDef] | None:
    """The registry that ``decorator`` fills, and by which function; it returns what it is given."""
    head, is_made = maker(decorator), isinstance(decorator.decorator, cst.Call)
    found = resolver.lookup(module, head)
    match found:
        case BoundName(module=home, binding=FunctionBinding(node=node)) if home == module:
            places = {origin(resolver, home, path) for path in _written_in(node)}
            filled = {place for place in places if place is not None}
        case None if isinstance(head, cst.Attribute):
            place, node_or_none = _method(resolver, module, head)
            if place is None or node_or_none is None:
                return None
            filled, node = {place}, node_or_none
        case _:
            return None
    if len(filled) != 1 or not _gives_back(node, is_made, found is None):
        return None
    return filled.pop(), node


def _filled_in(
    resolver: Resolver, module: str, stmt: cst.BaseSmallStatement
) -> tuple[Key, cst.FunctionDef | None] | None:
    """The registry that ``stmt`` puts something into, and the method of the program that does."""
    filler: cst.FunctionDef | None = None
    match stmt:
        case cst.Assign(targets=[cst.AssignTarget(cst.Subscript(value=cst.Name() as base))]):
            is_filled = True
        case cst.Expr(cst.Call(func=cst.Attribute(value=cst.Name() as base) as head)):
            filler = _method(resolver, module, head)[1]
            is_filled = filler is not None or head.attr.value in MUTATING
        case _:
            return None
    found = resolver.follow(module, base.value)
    if not is_filled or not isinstance(found, BoundName) or found.module != module:
        return None
    return ((module, found.name), filler) if isinstance(found.binding, ValueBinding) else None


def _written_in(function: cst.FunctionDef) -> Iterator[tuple[str, ...]]:
    """The globals that ``function`` changes, by what it says."""
    nodes = list(walk(function))
    local = bound_names(nodes)
    for node in nodes:
        for target in changed(node):
            path = dotted(base(target))
            if path is not None and path[0] not in local:
                yield path


def _method(
    resolver: Resolver, module: str, head: cst.Attribute
) -> tuple[Key | None, cst.FunctionDef | None]:
    """The object of ``module`` whose method ``head`` names, and the method."""
    found = resolver.lookup(module, head.value)
    match found:
        case BoundName(module=home, name=name, binding=ValueBinding(expr=cst.Call(func=func))):
            cls = resolver.lookup(module, func)
            if home == module and isinstance(cls, BoundName):
                return (home, name), _own_method(cls, head.attr.value)
        case _:
            pass
    return None, None


def _own_method(cls: BoundName, name: str) -> cst.FunctionDef | None:
    if not isinstance(cls.binding, ClassBinding):
        return None
    stmts = statements(cls.binding.node.body)
    own = (one for one in stmts if isinstance(one, cst.FunctionDef) and one.name.value == name)
    return next((one for one in own if not one.decorators), None)


def _gives_back(function: cst.FunctionDef, is_made: bool, is_method: bool) -> bool:
    """True if ``function``, or what it returns if ``is_made``, returns what it is given."""
    nodes, inner = own_nodes(function.body)
    returned = [node.value for node in nodes if isinstance(node, cst.Return)]
    if not returned or function.asynchronous is not None:
        return False
    if is_made:
        named = [one for one in inner if isinstance(one, cst.FunctionDef) and not one.decorators]
        names = {one.name.value: one for one in named}
        made = [names.get(one.value) if isinstance(one, cst.Name) else None for one in returned]
        return all(one is not None and _gives_back(one, False, False) for one in made)
    params = parameters(function.params)[is_method:]
    is_last = isinstance(list(statements(function.body))[-1], cst.Return)
    name = params[0].name.value if params else ""
    is_bound = name in bound_names(nodes)
    return is_last and not is_bound and all(is_name(one, name) for one in returned)
