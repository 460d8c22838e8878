"""Reads all modules under SRC into one program: what every global name stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from types import MappingProxyType

import libcst as cst
import numpy as np

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Place, Refused, by_place
from mooncake_transpiler.frontend.annotation.annotations import Reader
from mooncake_transpiler.frontend.annotation.unresolved import Unresolved
from mooncake_transpiler.frontend.constant.class_writes import attribute_writes
from mooncake_transpiler.frontend.constant.deciding import decide
from mooncake_transpiler.frontend.constant.hidden_writes import hidden_write
from mooncake_transpiler.frontend.constant.method_writes import changed_by_methods
from mooncake_transpiler.frontend.constant.pure import is_constant, is_constant_inside
from mooncake_transpiler.frontend.constant.registrations import Registries, registries
from mooncake_transpiler.frontend.constant.remade import may_be_made_again
from mooncake_transpiler.frontend.constant.values import Evaluator, Unknowable
from mooncake_transpiler.frontend.constant.writes import filled_names, rebound_names, written_names
from mooncake_transpiler.frontend.declaration.collisions import collisions
from mooncake_transpiler.frontend.declaration.declared_functions import declare, declare_called
from mooncake_transpiler.frontend.declaration.fence import fence, reachable
from mooncake_transpiler.frontend.declaration.generated import default_of
from mooncake_transpiler.frontend.declaration.marks import collect
from mooncake_transpiler.frontend.declaration.structs import Classes
from mooncake_transpiler.frontend.entities import (
    Annotation,
    ArrayConstantDecl,
    ConstantDecl,
    Entity,
    External,
    FunctionDecl,
    Module,
    ModuleRef,
    Mutable,
    ParamDecl,
    SharedDecl,
    Source,
    TypeAlias,
)
from mooncake_transpiler.frontend.name import library_classes
from mooncake_transpiler.frontend.name.bindings import (
    Bindings,
    ClassBinding,
    FunctionBinding,
    UnknownBinding,
    ValueBinding,
    scan,
)
from mooncake_transpiler.frontend.name.resolve import BoundName, Found, Resolver
from mooncake_transpiler.frontend.name.scopes import resolve_attribute, resolve_name
from mooncake_transpiler.frontend.rank.field_ranks import find_field_ranks
from mooncake_transpiler.frontend.text.directives import stray_directives
from mooncake_transpiler.frontend.text.source import Wanted, find, parsed, place, read
from mooncake_transpiler.frontend.text.trees import is_name, walk
from mooncake_transpiler.packages import package_name
from mooncake_transpiler.types import Array

__all__ = ["load", "resolve_attribute", "resolve_name"]


def load(
    src: Path,
    wanted: Wanted = lambda path: True,
    generated: Mapping[str, str] = MappingProxyType({}),
    circles: Set[tuple[str, str]] = frozenset(),
    done: Set[str] = frozenset(),
) -> tuple[Source, list[Diagnostic]]:
    """The program under SRC, and all that is wrong with it before types come into play.

    ``wanted`` tells by path relative to SRC which files of a folder belong to the program,
    ``generated`` holds the texts of gradient modules that belong to it, too. ``circles`` are pairs
    of modules of which the first can't import from the second, which is made from it. The functions
    of the modules ``done`` are known to be right.
    """
    modules, diagnostics = _read_all(src, wanted)
    made = (parsed(path, text, is_generated=True) for path, text in generated.items())
    modules |= {one.name: one for one in made}
    if (written_out := library_classes.needed(list(modules.values()))) is not None:
        modules[written_out.name] = written_out
    package = package_name(src)
    bindings = {name: scan(module, package) for name, module in modules.items()}
    resolver = Resolver(modules, bindings, package, circles)
    find_field_ranks(resolver)
    known = registries(resolver)
    evaluator = _evaluator(resolver, known)
    classes = Classes(resolver, modules)
    linker = _Linker(resolver, evaluator, classes, rebound_names(resolver), known)
    linked = {name: linker.link(module) for name, module in modules.items()}
    mentioned = frozenset(word for module in linked.values() for word in _mentioned(module))
    source = Source(
        linked, classes=classes.known, package=package, mentioned=mentioned,
        attribute_writes=attribute_writes(resolver), registering=known.decorators,
    )  # fmt: skip
    diagnostics += linker.diagnostics
    diagnostics += (d for n, one in linked.items() for d in _about_module(one, bindings[n]))
    diagnostics += collect(source)
    diagnostics += collisions(source)
    diagnostics += (one for decl in reachable(source, done) for one in fence(source, decl))
    return source, by_place(diagnostics)


def _evaluator(resolver: Resolver, known: Registries) -> Evaluator:
    """An evaluator of constants, once it has been decided what names are bound to."""
    resolver.registering.update(known.decorators)
    filled = filled_names(resolver, known.apart) | known.into.keys()
    written = written_names(resolver, known.apart) | changed_by_methods(resolver)
    evaluator = Evaluator(resolver, written, filled)
    decide(evaluator)
    return evaluator


def _mentioned(module: Module) -> list[str]:
    """The words of ``module`` but for those behind a ``def`` and before a quote."""
    if module.is_generated or module.name == library_classes.NAME:
        return []
    return re.findall(r"(?<!def )\b\w+\b(?![\"'])", module.text)


def _read_all(src: Path, wanted: Wanted) -> tuple[dict[str, Module], list[Diagnostic]]:
    modules: dict[str, Module] = {}
    diagnostics: list[Diagnostic] = []
    for path, file in find(src, wanted):
        try:
            module = read(path, file)
        except Refused as refused:
            diagnostics.append(refused.diagnostic)
            continue
        other = modules.setdefault(module.name, module)
        if other is not module:
            message = f"module {module.name} is also {other.path}"
            diagnostics.append(Diagnostic("MK005", message, Place(path, 1, 1, 1)))
    return modules, diagnostics


def _about_module(module: Module, bindings: Bindings) -> list[Diagnostic]:
    functions = [stmt for stmt in module.tree.body if isinstance(stmt, cst.FunctionDef)]
    found = list(stray_directives(module, functions))
    for node in bindings.rebound:
        at = node.name if isinstance(node, cst.FunctionDef | cst.ClassDef) else node
        message = "this replaces a function of the same name"
        found.append(Diagnostic("MK221", message, place(module, at), "give it another name"))
    return found


@dataclass(slots=True)
class _Linker:
    """Turns what names are bound to into entities."""

    resolver: Resolver
    evaluator: Evaluator
    classes: Classes
    rebound: frozenset[tuple[str, str]]
    registries: Registries
    diagnostics: list[Diagnostic] = field(default_factory=list)
    functions: dict[tuple[str, str], FunctionDecl] = field(default_factory=dict)
    aliases: list[BoundName] = field(default_factory=list)  # being followed

    def link(self, module: Module) -> Module:
        """``module`` with its scope and its imports."""
        for name in self.resolver.names(module.name):
            if name not in module.scope:
                found = self.resolver.follow(module.name, name)
                if found is not None:
                    module.scope[name] = self._entity(found)
        return replace(module, imports=self.resolver.imports(module.name))

    def _entity(self, found: Found) -> Entity:
        match found:
            case External() | ModuleRef():
                return found
            case BoundName(binding=binding):
                return self._bound(found, binding)

    def _bound(
        self,
        found: BoundName,
        binding: FunctionBinding | ClassBinding | ValueBinding | UnknownBinding,
    ) -> Entity:
        module = self.resolver.modules[found.module]
        if (linked := module.scope.get(found.name)) is not None:
            return linked
        is_rebound = (found.module, found.name) in self.rebound
        if not module.is_generated and (is_rebound or hidden_write(module) is not None):
            if isinstance(binding, FunctionBinding):
                self._report_changed(module, binding.node)
            return Mutable(found.module, found.name)
        match binding:
            case FunctionBinding(node=node):
                return self._function(found, node)
            case ValueBinding():
                return self._value(found, binding)
            case ClassBinding(node=node):
                return self.classes.declare(found, node)
            case UnknownBinding(why=why):
                return Mutable(found.module, found.name, why)

    def _report_changed(self, module: Module, node: cst.FunctionDef) -> None:
        """Report that a function may be changed, if derivatives of it are expected."""
        decl, _ = declare(self.resolver, module, node)
        write = hidden_write(module)
        message = f"{decl.name} is bound to something else somewhere"
        help_ = "give what is bound a name of its own, and say it"
        if write is not None:
            message = f"this may change {decl.name}, and what it uses, in a way that can't be told"
            by_text = any(is_name(part, "eval", "exec") for part in walk(write))
            own_names = "give it names of its own, eval(text, {}), or move it to another module"
            help_ = own_names if by_text else help_
        where = place(module, node.name if write is None else write)
        if decl.is_public and all(one.place != where for one in self.diagnostics):
            self.diagnostics.append(Diagnostic("MK341", message, where, help_))

    def _function(self, found: BoundName, node: cst.FunctionDef) -> FunctionDecl:
        key = (found.module, found.name)
        if key not in self.functions:
            module = self.resolver.modules[found.module]
            if module.is_generated:
                made = declare_called(self.resolver, module, node, node.name.value)
                self.functions[key] = replace(made, is_generated=True)
                return self.functions[key]
            decl, diagnostics = declare(self.resolver, module, node)
            self.functions[key] = self._with_defaults(module.name, decl)
            self.diagnostics += diagnostics
        return self.functions[key]

    def _with_defaults(self, module: str, decl: FunctionDecl) -> FunctionDecl:
        params = tuple(replace(p, default=self._default(module, p)) for p in decl.params)
        proposal = decl.proposal and self._with_defaults(module, decl.proposal)
        return replace(decl, params=params, proposal=proposal)

    def _default(self, module: str, param: ParamDecl) -> cst.BaseExpression | None:
        """The default of ``param``; the number that arithmetic of constants gives."""
        if not isinstance(param.default, cst.BinaryOperation):
            return param.default
        try:
            value = self.evaluator.constant(module, param.default)
        except Unknowable:
            return param.default
        is_number = type(value) is int or (type(value) is float and isfinite(value))
        return cst.parse_expression(repr(value)) if is_number else param.default

    def _value(self, found: BoundName, value: ValueBinding) -> Entity:
        module, name = found.module, found.name
        if (module, name) in self.evaluator.written:
            return Mutable(module, name)
        if value.is_type:
            alias = self._type(found, value.expr)
            return alias or Mutable(module, name, "it is a type")
        try:
            known = self.evaluator.constant(module, value.expr)
        except Unknowable:
            if (default := default_of(self.resolver, module, value.expr)) is not None:
                return default
            unknown = Mutable(module, name, "its value is not known ahead of time")
            made = self._alias(found, value) or self._array(found, value)
            return made or self._shared(found, value.expr) or unknown
        if is_constant(known):
            return ConstantDecl(known)
        if isinstance(known, np.ndarray):
            unknown = Mutable(module, name, f"its elements are of type {known.dtype}")
            return self._array(found, value) or unknown
        if (module, name) in self.evaluator.filled:
            changed = Mutable(module, name, "it is changed after it was bound")
            is_registry = (module, name) in self.registries.into
            return (is_registry and self._shared(found, value.expr)) or changed
        if is_constant_inside(known):
            return SharedDecl(module, name, value.expr, known)
        return self._shared(found, value.expr) or Mutable(module, name, "a value of this kind")

    def _shared(self, found: BoundName, expr: cst.BaseExpression) -> SharedDecl | None:
        """The declaration of what functions make that change nothing, if it is not changed."""
        key = (found.module, found.name)
        expr = self._chosen(found.module, expr)
        fillings = tuple(self.registries.into.get(key, ()))
        is_changed = key in self.evaluator.filled and not fillings
        if is_changed or not may_be_made_again(self.resolver, key[0], expr):
            return None
        return SharedDecl(*key, expr, fillings=fillings)

    def _alias(self, found: BoundName, value: ValueBinding) -> Entity | None:
        """The entity that an alias ``name = other`` stands for."""
        expr = self._chosen(found.module, value.expr)
        if expr is not value.expr and _leaves_as_is(expr):
            return _COMPILERS[0]  # which leaves functions as they are
        expr = _unwrapped(self.resolver, found.module, expr)
        same = self.resolver.lookup(found.module, expr)
        if same is None or found in self.aliases:
            return None
        self.aliases.append(found)
        try:
            entity = self._entity(same)
        finally:
            self.aliases.pop()
        return None if isinstance(entity, Mutable | TypeAlias) else entity

    def _chosen(self, module: str, expr: cst.BaseExpression) -> cst.BaseExpression:
        """``f`` or ``g`` of ``f if TEST else g``, by constants."""
        while isinstance(expr, cst.IfExp):
            try:
                expr = expr.body if self.evaluator.constant(module, expr.test) else expr.orelse
            except Unknowable:
                break
        return expr

    def _array(self, found: BoundName, value: ValueBinding) -> Entity | None:
        """A constant array, by its annotation or by the call that makes it; or a type."""
        declared = None if value.annotation is None else self._read(found, value.annotation)
        if declared is not None and isinstance(declared.type, Array):
            return ArrayConstantDecl(found.module, found.name, declared.type)
        try:
            type_ = self.evaluator.array(found.module, value.expr)
        except Unknowable:
            return self._type(found, value.expr)
        return ArrayConstantDecl(found.module, found.name, type_)

    def _type(self, found: BoundName, expr: cst.BaseExpression) -> TypeAlias | None:
        annotation = self._read(found, expr)
        return None if annotation is None else TypeAlias(annotation)

    def _read(self, found: BoundName, expr: cst.BaseExpression) -> Annotation | None:
        try:
            return Reader(self.resolver, found.module).read(expr)
        except Unresolved:
            return None


_COMPILERS = (External("numba.njit"), External("numba.jit"))


def _unwrapped(resolver: Resolver, module: str, expr: cst.BaseExpression) -> cst.BaseExpression:
    """``f`` of ``njit(f)`` and ``njit(cache=True)(f)``; ``njit`` of ``njit(cache=True)``."""
    if not isinstance(expr, cst.Call):
        return expr
    keywords = [arg.keyword for arg in expr.args]
    maker = expr.func.func if isinstance(expr.func, cst.Call) else expr.func
    if resolver.lookup(module, maker) not in _COMPILERS:
        return expr
    if keywords == [None]:
        return expr.args[0].value
    return maker if maker is expr.func and None not in keywords else expr


def _leaves_as_is(expr: cst.BaseExpression) -> bool:
    """True for ``lambda f: f``."""
    match expr:
        case cst.Lambda(params=cst.Parameters(params=[param]), body=cst.Name(value=name)):
            return param.name.value == name
        case _:
            return False
