"""Declarations of classes: fields with their types, methods as functions, constants."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.frontend.annotation.annotations import Reader
from mooncake_transpiler.frontend.annotation.nested_ranks import OUTLINE, UNTOLD, NestedRanks
from mooncake_transpiler.frontend.annotation.unresolved import Unresolved
from mooncake_transpiler.frontend.class_text import total_ordering
from mooncake_transpiler.frontend.class_text.classbodies import (
    accessor,
    constants,
    default,
    property_of,
    slots,
)
from mooncake_transpiler.frontend.class_text.classes import ClassOutline, Spec, is_property, outline
from mooncake_transpiler.frontend.declaration.declared_functions import declare_called
from mooncake_transpiler.frontend.entities import (
    Annotation,
    ClassDecl,
    ClassKind,
    External,
    FieldDecl,
    FunctionDecl,
    MethodDecl,
    MethodKind,
    Module,
)
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.text.trees import statements
from mooncake_transpiler.types import ClassRef, Tuple

Value = tuple[str, cst.BaseExpression]  # a module, and what is evaluated there
Options = Mapping[str, bool] | None  # of @dataclass

_KINDS = {
    External("builtins.property"): MethodKind.PROPERTY,
    External("functools.cached_property"): MethodKind.PROPERTY,
    External("builtins.classmethod"): MethodKind.CLASS,
    External("builtins.staticmethod"): MethodKind.STATIC,
}


@dataclass(frozen=True, slots=True)
class Level:
    """The names that a class binds itself, or all that are looked up in it."""

    methods: Mapping[str, MethodDecl]
    setters: Mapping[str, FunctionDecl]
    values: Mapping[str, Value]
    options: Options = None


class Classes:
    """Declares the classes of one program, each once."""

    def __init__(self, resolver: Resolver, modules: dict[str, Module]) -> None:
        self._resolver = resolver
        self._modules = modules
        self.known: dict[tuple[str, str], ClassDecl] = {}
        self.diagnostics: list[Diagnostic] = []

    def declare(self, found: BoundName, node: cst.ClassDef) -> ClassDecl:
        return self._declare(outline(self._resolver, found, node))

    def _declare(self, of: ClassOutline) -> ClassDecl:
        key = (of.found.module, of.found.name)
        if key not in self.known:
            bases = tuple(map(self._declare, of.bases))
            self.known[key] = self._made(of, bases)
        return self.known[key]

    def _made(self, of: ClassOutline, bases: tuple[ClassDecl, ...]) -> ClassDecl:
        module, name = of.found.module, of.found.name
        own_methods, own_setters = self._methods(of)
        own_constants = {n: (module, v) for n, v in constants(of.node, self._resolver, module)}
        for alias, (_, value) in list(own_constants.items()):
            if bound := self._bound_method(module, value, own_methods):
                own_methods[alias], setter = bound
                own_setters |= {} if setter is None else {alias: setter}
                del own_constants[alias]
        if of.kind is not ClassKind.NAMED or not of.made:
            kept = (spec for spec in of.own if spec.default is not None and not spec.factory)
            own_constants |= {spec.name: (module, spec.default) for spec in kept if spec.default}
        inherited = [self._declare(base) for base in reversed(of.line[1:])]
        own = Level(own_methods, own_setters, own_constants, of.options)
        found = _looked_up([*map(_level, inherited), own])
        fields = tuple(map(self._field, of.fields))
        annotation = self._type(of)
        return ClassDecl(
            module, name, of.node, of.kind, bases, fields, found.methods, found.values, annotation,
            of.problem, own_methods, own_constants,
            tuple(self._declare(base) for base in of.line[1:]),
            tuple(map(self._field, of.parameters)), of.decorated, of.options, self._slots(of),
            _ref(annotation or self._type(of, OUTLINE)), found.setters, own_setters,
        )  # fmt: skip

    def _bound_method(
        self, module: str, value: cst.BaseExpression, methods: Mapping[str, MethodDecl]
    ) -> tuple[MethodDecl, FunctionDecl | None] | None:
        """The method that a name bound to ``value`` is, as ``__mul__``; ``property(f, g)`` sets."""
        if isinstance(value, cst.Name) and value.value in methods:
            return methods[value.value], None
        found = property_of(value, partial(is_property, self._resolver, module))
        if found is None or not all(_is_plain(methods.get(one)) for one in found if one):
            return None
        setter = None if found.setter is None else methods[found.setter].function
        return replace(methods[found.getter], kind=MethodKind.PROPERTY), setter

    def _field(self, spec: Spec) -> FieldDecl:
        annotation = None if spec.assigned else self._read(spec.module, spec.annotation)
        return FieldDecl(
            spec.name, annotation, spec.module, spec.default, spec.factory, spec.init, spec.kwonly,
            spec.passed_on, spec.compare,
        )  # fmt: skip

    def _type(self, of: ClassOutline, ranks: NestedRanks = UNTOLD) -> Annotation | None:
        if of.problem:
            return None
        name = cst.Name(of.node.name.value)
        reader = Reader(self._resolver, of.found.module, ranks=ranks)
        return self._known(lambda: reader.of_class(name, of.found, of.node))

    def _read(self, module: str, node: cst.BaseExpression) -> Annotation | None:
        return self._known(lambda: Reader(self._resolver, module).read(node))

    def _known(self, read: Callable[[], Annotation]) -> Annotation | None:
        try:
            return read()
        except Unresolved:
            return None

    def _slots(self, of: ClassOutline) -> frozenset[str] | None:
        """The attributes that instances can have; None if they can have any."""
        found: frozenset[str] = frozenset()
        for one in of.line:
            own = slots(one.node)
            if one.options is not None and one.options.get("slots"):
                own = frozenset(spec.name for spec in one.own)
            if own is None or "__dict__" in own:
                return None
            found |= own
        return found

    def _methods(self, of: ClassOutline) -> tuple[dict[str, MethodDecl], dict[str, FunctionDecl]]:
        """The methods that the text of a class defines, and the setters of its properties."""
        methods: dict[str, MethodDecl] = {}
        setters: dict[str, FunctionDecl] = {}
        module = self._modules[of.found.module]
        added = total_ordering.made(of.node) if of.is_ordered else ()
        for stmt in (*statements(of.node.body), *added):
            if not isinstance(stmt, cst.FunctionDef):
                continue
            name = f"{of.found.name}.{stmt.name.value}"
            kinds = [
                _KINDS[entity]
                for d in stmt.decorators
                if isinstance(entity := self._resolver.lookup(module.name, d.decorator), External)
                and entity in _KINDS
            ]
            kind = kinds[0] if kinds else MethodKind.METHOD
            key = stmt.name.value
            accessors = {accessor(key, one) for one in stmt.decorators}
            if "deleter" in accessors:
                continue
            if "getter" in accessors:
                kind = MethodKind.PROPERTY
            made = declare_called(self._resolver, module, stmt, name)
            params = (replace(p, default=default(of.node, stmt, p.default)) for p in made.params)
            function = replace(made, params=tuple(params))
            if "setter" in accessors:
                setters[key] = function
            else:
                methods[key] = MethodDecl(kind, function)
        return methods, setters


def _is_plain(method: MethodDecl | None) -> bool:
    return method is not None and method.kind is MethodKind.METHOD


def _ref(found: Annotation | None) -> ClassRef | None:
    return found.type.of if found is not None and isinstance(found.type, Tuple) else None


def _level(cls: ClassDecl) -> Level:
    return Level(cls.own_methods, cls.own_setters, cls.own_constants, cls.options)


def _looked_up(levels: Sequence[Level]) -> Level:
    """The names of all levels, of which later ones replace what earlier ones call so."""
    methods: dict[str, MethodDecl] = {}
    setters: dict[str, FunctionDecl] = {}
    values: dict[str, Value] = {}
    for own in levels:
        compares = own.options is not None and own.options.get("eq", True)
        for name in (*own.methods, *own.values, *(("__eq__",) if compares else ())):
            for names in (methods, setters, values):
                names.pop(name, None)
        methods |= own.methods
        setters |= own.setters
        values |= own.values
    return Level(methods, setters, values)
