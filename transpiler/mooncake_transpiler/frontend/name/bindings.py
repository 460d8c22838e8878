"""Global names of a module and the statements that bind them, as far as the text alone tells.

Imports are not followed and nothing is evaluated here: see ``resolve`` and ``values`` for that.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst

from mooncake_transpiler.frontend.entities import Module
from mooncake_transpiler.frontend.text.named_tuples import class_of_call
from mooncake_transpiler.frontend.text.trees import (
    dotted,
    own_nodes,
    statements,
    target_names,
    walk,
)


@dataclass(frozen=True, slots=True)
class ImportBinding:
    """``import module`` (``name`` is None) or ``from module import name``; absolute."""

    module: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class FunctionBinding:
    node: cst.FunctionDef


@dataclass(frozen=True, slots=True)
class ClassBinding:
    node: cst.ClassDef


@dataclass(frozen=True, slots=True)
class ValueBinding:
    """``name: annotation = expr``, or with ``is_type`` a ``type`` statement."""

    expr: cst.BaseExpression
    annotation: cst.BaseExpression | None = None
    is_type: bool = False


@dataclass(frozen=True, slots=True)
class UnknownBinding:
    """A name whose value the text does not tell."""

    why: str


@dataclass(frozen=True, slots=True)
class Star:
    """``from module import *``; ``before`` are the names that it may replace."""

    module: str
    before: frozenset[str]


@dataclass(frozen=True, slots=True)
class ChoiceBinding:
    """A name that the branches of an ``if`` bind, or one that only one of them binds."""

    test: cst.BaseExpression
    then: Binding
    orelse: Binding


Binding = (
    ImportBinding | FunctionBinding | ClassBinding | ValueBinding | UnknownBinding | ChoiceBinding
)
Names = dict[str, Binding]
_INDENTED_IMPORT = re.compile(r"^[ \t]+.*\bimport\b|^[^#\n]*[:;].*\bimport\b", re.MULTILINE)


@dataclass(slots=True)
class Bindings:
    names: Names = field(default_factory=dict)
    stars: list[Star] = field(default_factory=list)
    rebound: list[cst.CSTNode] = field(default_factory=list)  # what replaces a function


def _classes(node: cst.ClassDef, path: str) -> Iterator[tuple[str, Binding]]:
    """A class, and those in its body, which are called ``Outer.Inner``."""
    yield path, ClassBinding(node)
    for stmt in statements(node.body):
        if isinstance(stmt, cst.ClassDef):
            yield from _classes(stmt, f"{path}.{stmt.name.value}")


def scan(module: Module, package: str = "") -> Bindings:
    """All bindings of ``module``; ``package`` is the package that SRC itself is."""
    scanner = _Scanner(module, package)
    scanner.found.names = scanner.sequence(statements(module.tree))
    for stmt in _inner_imports(module):
        bindings = (binding for _, binding in scanner.bound(stmt))
        keys = (key for _, key in imported_in(stmt))
        scanner.found.names |= zip(keys, bindings, strict=True)
    return scanner.found


def _inner_imports(module: Module) -> Iterator[cst.Import | cst.ImportFrom]:
    """The imports inside of functions."""
    if not _INDENTED_IMPORT.search(module.text):
        return
    for function in walk(module.tree):
        for stmt in walk(function.body) if isinstance(function, cst.FunctionDef) else ():
            if isinstance(stmt, cst.Import | cst.ImportFrom):
                yield stmt


def imported_in(stmt: cst.Import | cst.ImportFrom) -> Iterator[tuple[str, str]]:
    """The names that an import in a function binds; the global names that stand for the same."""
    if isinstance(stmt, cst.Import):
        for alias in stmt.names:
            name, binding = _import(alias)
            yield name, f"import {binding.module}"
    elif not isinstance(stmt.names, cst.ImportStar):
        base = "." * len(stmt.relative) + ".".join(dotted(stmt.module) or () if stmt.module else ())
        for alias in stmt.names:
            yield _bound_name(alias), f"from {base} import {'.'.join(dotted(alias.name) or ())}"


class _Scanner:
    def __init__(self, module: Module, package: str) -> None:
        self.found = Bindings()
        self.seen: set[str] = set()
        parts = [] if module.name == "__init__" else module.name.split(".")
        outer = package.split(".") if package else []
        self.package = [*outer, *(parts if module.is_package else parts[:-1])]

    def sequence(self, body: Iterable[cst.CSTNode]) -> Names:
        """One statement after the other."""
        names: Names = {}
        for stmt in body:
            for name, binding in self.bound(stmt):
                self._bind(names, name, binding, stmt)
            for name in _bound_inside(stmt):
                self._bind(names, name, UnknownBinding("it is bound by :="), stmt)
        return names

    def _bind(self, names: Names, name: str, binding: Binding, stmt: cst.CSTNode) -> None:
        self.seen.add(name)
        old = names.get(name)
        if isinstance(old, ValueBinding) and isinstance(stmt, cst.AugAssign) and name == "__all__":
            names[name] = ValueBinding(cst.BinaryOperation(old.expr, cst.Add(), stmt.value))
            return
        if old is None or old == binding:
            names[name] = binding
            return
        if isinstance(old, FunctionBinding):
            if _is_overload(old.node):
                names[name] = binding
                return
            self._replaced(old, stmt)
        names[name] = UnknownBinding("it is bound more than once")

    def _alternatives(self, bodies: Sequence[Names]) -> Names:
        """Branches of which one runs: an import is what its first branch says."""
        names: Names = {}
        for branch in bodies:
            for name, binding in branch.items():
                old = names.setdefault(name, binding)
                if old != binding and not isinstance(old, ImportBinding):
                    names[name] = UnknownBinding("it is bound in more than one branch")
                    if isinstance(old, FunctionBinding) and isinstance(binding, FunctionBinding):
                        self._replaced(old, binding.node)
        return names

    def _chosen(self, test: cst.BaseExpression, then: Names, orelse: Names) -> Names:
        """Branches of which a condition chooses; what the text tells without it stays so."""
        plain = self._alternatives([then, orelse])
        for name, binding in plain.items():
            if isinstance(binding, UnknownBinding) and name in then and name in orelse:
                plain[name] = ChoiceBinding(test, then[name], orelse[name])
        return plain

    def _replaced(self, old: FunctionBinding, stmt: cst.CSTNode) -> None:
        """Only where derivatives of ``old`` may be expected."""
        if old.node.returns is not None and not old.node.name.value.startswith("_"):
            self.found.rebound.append(stmt)

    def bound(self, stmt: cst.CSTNode) -> Iterator[tuple[str, Binding]]:
        match stmt:
            case cst.Import(names=aliases):
                yield from (_import(alias) for alias in aliases)
            case cst.ImportFrom():
                yield from self._import_from(stmt)
            case cst.FunctionDef(name=name):
                yield name.value, FunctionBinding(stmt)
            case cst.ClassDef(name=name):
                yield from _classes(stmt, name.value)
            case cst.If() | cst.Try() | cst.TryStar() | cst.With():
                yield from self._compound(stmt).items()
            case cst.For() | cst.While() | cst.Match():
                yield from _opaque(stmt)
            case _:
                yield from _assigned(stmt)

    def _compound(self, stmt: cst.If | cst.Try | cst.TryStar | cst.With) -> Names:
        match stmt:
            case cst.If(test=test, body=body, orelse=orelse):
                inner = self.sequence(_suite(orelse))
                kind = _kind_of_test(test)
                if kind == "main":
                    return inner
                then = self.sequence(statements(body))
                return inner | then if kind == "typing" else self._chosen(test, then, inner)
            case cst.With(body=body, items=items):
                names = self.sequence(statements(body))
                for item in items:
                    for name in target_names(item.asname.name) if item.asname else ():
                        names[name.value] = UnknownBinding("it is bound by a with statement")
                return names
            case cst.Try(handlers=handlers) | cst.TryStar(handlers=handlers):
                tried = [*statements(stmt.body), *_suite(stmt.orelse)]
                others = [self.sequence(statements(handler.body)) for handler in handlers]
                names = self.sequence(tried)
                if not _is_certain(stmt):
                    names = self._alternatives([names, *others])
                return names | self.sequence(_suite(stmt.finalbody))

    def _import_from(self, stmt: cst.ImportFrom) -> Iterator[tuple[str, Binding]]:
        base = ".".join(self._base(stmt))
        if isinstance(stmt.names, cst.ImportStar):
            self.found.stars.append(Star(base, frozenset(self.seen)))
            return
        for alias in stmt.names:
            name = ".".join(dotted(alias.name) or ())
            yield _bound_name(alias), ImportBinding(base, name)

    def _base(self, stmt: cst.ImportFrom) -> list[str]:
        module = list(dotted(stmt.module) or ()) if stmt.module else []
        if not stmt.relative:
            return module
        kept = len(self.package) - (len(stmt.relative) - 1)
        # More dots than packages: a name that nothing in SRC can have.
        return ["?", *module] if kept < 0 else [*self.package[:kept], *module]


def _bound_name(alias: cst.ImportAlias) -> str:
    return ".".join(dotted(alias.asname.name if alias.asname else alias.name) or ())


def _import(alias: cst.ImportAlias) -> tuple[str, ImportBinding]:
    path = dotted(alias.name) or ()
    if alias.asname:
        return _bound_name(alias), ImportBinding(".".join(path))
    return path[0], ImportBinding(path[0])


def _bound_inside(stmt: cst.CSTNode) -> Iterator[str]:
    """The names that ``:=`` binds in a statement, those in comprehensions included."""
    if isinstance(stmt, cst.BaseSmallStatement | cst.For | cst.While | cst.If | cst.With):
        for node in own_nodes(stmt)[0]:
            if isinstance(node, cst.NamedExpr) and isinstance(node.target, cst.Name):
                yield node.target.value


def _assigned(stmt: cst.CSTNode) -> Iterator[tuple[str, Binding]]:
    """The bindings of a simple statement other than an import."""
    match stmt:
        case cst.Assign(targets=targets, value=value):
            for target in targets:
                yield from _assign(target.target, value)
        case cst.AnnAssign(target=cst.Name(value=name), value=cst.BaseExpression() as value):
            yield name, ValueBinding(value, stmt.annotation.annotation)
        case cst.TypeAlias(name=cst.Name(value=name), value=value):
            yield name, ValueBinding(value, is_type=True)
        case cst.AugAssign(target=target) | cst.Del(target=target):
            for bound in target_names(target):
                yield bound.value, UnknownBinding("it is changed after it was bound")
        case cst.Expr(value=cst.Call(func=cst.Attribute(value=cst.Name(value="__all__")))):
            yield "__all__", UnknownBinding("it is changed after it was bound")
        case _:
            return


def _assign(target: cst.BaseExpression, value: cst.BaseExpression) -> Iterator[tuple[str, Binding]]:
    match target, value:
        case cst.Name(value=name), _:
            cls = class_of_call(name, value)
            yield name, ValueBinding(value) if cls is None else ClassBinding(cls)
        case cst.Tuple(elements=to), cst.Tuple(elements=of) if len(to) == len(of):
            for left, right in zip(to, of, strict=True):
                yield from _assign(left.value, right.value)
        case ((cst.Tuple(elements=to) | cst.List(elements=to)), _) if not any(
            isinstance(element, cst.StarredElement) for element in to
        ):
            items = cst.Call(cst.Name("list"), [cst.Arg(value)])
            for k, element in enumerate(to):
                index = cst.SubscriptElement(cst.Index(cst.Integer(str(k))))
                yield from _assign(element.value, cst.Subscript(items, [index]))
        case _:
            for bound in target_names(target):
                yield bound.value, UnknownBinding("its value is not known ahead of time")


def _opaque(stmt: cst.CSTNode) -> Iterator[tuple[str, Binding]]:
    """Every name that is bound anywhere inside a loop."""
    for node in walk(stmt):
        match node:
            case cst.AssignTarget(target=target) | cst.AugAssign(target=target):
                bound = list(target_names(target))
            case cst.For(target=target) | cst.NamedExpr(target=target):
                bound = list(target_names(target))
            case cst.FunctionDef(name=name) | cst.ClassDef(name=name):
                bound = [name]
            case _:
                continue
        yield from ((name.value, UnknownBinding("it is bound in a loop")) for name in bound)


def _suite(clause: cst.If | cst.Else | cst.Finally | None) -> Iterable[cst.CSTNode]:
    match clause:
        case None:
            return ()
        case cst.If():
            return (clause,)
        case _:
            return statements(clause.body)


def _kind_of_test(test: cst.BaseExpression) -> str:
    """``typing`` for ``if TYPE_CHECKING``, ``main`` for ``if __name__ == "__main__"``."""
    if (dotted(test) or ("",))[-1] == "TYPE_CHECKING":
        return "typing"
    is_main = isinstance(test, cst.Comparison) and dotted(test.left) == ("__name__",)
    return "main" if is_main else "other"


# What is there wherever a gradient module is.
_INSTALLED = sys.stdlib_module_names | {"mooncake_runtime", "numba", "numpy"}


def _is_certain(stmt: cst.Try | cst.TryStar) -> bool:
    """True for ``try: import numba``, which does not fail where gradient modules are used."""
    for part in statements(stmt.body):
        match part:
            case cst.Import(names=names):
                roots = {(dotted(alias.name) or ("",))[0] for alias in names}
            case cst.ImportFrom(module=cst.CSTNode() as module, relative=[]):
                roots = {(dotted(module) or ("",))[0]}
            case cst.Assign(value=cst.Name() | cst.BaseNumber() | cst.SimpleString()):
                roots = set()
            case _:
                return False
        if not roots <= _INSTALLED:
            return False
    caught = [dotted(handler.type) if handler.type else None for handler in stmt.handlers]
    return {(path or ("",))[-1] for path in caught} <= {"ImportError", "ModuleNotFoundError"}


def _is_overload(node: cst.FunctionDef) -> bool:
    names = (dotted(decorator.decorator) for decorator in node.decorators)
    return any(name is not None and name[-1] == "overload" for name in names)
