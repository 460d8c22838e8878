"""Ranks of arrays in instances of classes whose annotations leave them open.

    @dataclass                            w: 2 axes, as a method unpacks its shape
    class Layer:                          b: 1 axis, as nothing tells otherwise
        w: np.ndarray
        b: np.ndarray

        def size(self) -> int:
            n, m = self.w.shape
            return n * m

They are told by methods, and by functions with parameters that are annotated as such instances.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from mooncake_transpiler.frontend.annotation import links
from mooncake_transpiler.frontend.annotation.annotations import Reader
from mooncake_transpiler.frontend.annotation.nested_ranks import InObjects, NestedRanks
from mooncake_transpiler.frontend.annotation.unresolved import AnyKeys, AnyRank, Unresolved
from mooncake_transpiler.frontend.class_text.attributes import attributes_of
from mooncake_transpiler.frontend.class_text.classes import ClassOutline, outline
from mooncake_transpiler.frontend.entities import ClassKind
from mooncake_transpiler.frontend.name.bindings import ClassBinding, FunctionBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.rank.documented_ranks import documented_fields
from mooncake_transpiler.frontend.rank.outlines import instances, outlines
from mooncake_transpiler.frontend.rank.rank_conventions import is_matrix
from mooncake_transpiler.frontend.rank.ranks import evidence
from mooncake_transpiler.frontend.rank_evidence import Evidence, Part, Path
from mooncake_transpiler.frontend.text.trees import parameters, statements, walk
from mooncake_transpiler.types import Array, ClassRef, List, Tuple, Type

Function = tuple[str, cst.FunctionDef]  # and the module that it is in


def find_field_ranks(resolver: Resolver) -> None:
    """Note in ``resolver`` what tells the ranks that classes of the program leave open."""
    classes = [
        (BoundName(module, name, binding), binding.node)
        for module, bindings in resolver.bindings.items()
        for name, binding in bindings.names.items()
        if isinstance(binding, ClassBinding)
    ]
    itself = {found for found, node in classes if _is_open(_reader(resolver, found.module), node)}
    for found, node in classes if itself else ():
        if found in itself or node.bases:
            of = outline(resolver, found, node)
            if of.kind is not ClassKind.ENUM and (facts := _facts(resolver, of)):
                resolver.field_ranks[found.module, found.name] = facts


def _reader(resolver: Resolver, module: str) -> Reader:
    """A reader for what may be in parameters."""
    return Reader(resolver, module, linking=True)


def _is_open(reader: Reader, node: cst.ClassDef) -> bool:
    """True if a class itself, or its ``__init__``, annotates arrays without their ranks."""
    return any(_lacks_rank(reader, one) for one in _annotations(reader, node))


def _annotations(reader: Reader, node: cst.ClassDef) -> Iterator[cst.BaseExpression]:
    yield from attributes_of(node, reader.resolver.library_names(reader.module)).told.values()
    for stmt in statements(node.body):
        if isinstance(stmt, cst.AnnAssign):
            yield stmt.annotation.annotation
        elif isinstance(stmt, cst.FunctionDef) and stmt.name.value == "__init__":
            inner = (*parameters(stmt.params), *walk(stmt.body))
            for one in inner:
                if isinstance(one, cst.Param | cst.AnnAssign) and one.annotation is not None:
                    yield one.annotation.annotation


def _lacks_rank(reader: Reader, annotation: cst.BaseExpression) -> bool:
    try:
        found = reader.read_any(annotation)
    except Unresolved as problem:
        return problem.code == "MK203"
    return isinstance(found, AnyRank) or (isinstance(found, AnyKeys) and found.open is not None)


def inferred_fields(resolver: Resolver, name: str, type_: Type) -> Iterator[tuple[str, int]]:
    """The arrays in the objects that ``name`` holds whose ranks are inferred, and these."""
    match type_:
        case Tuple(items=items, names=names, of=of):
            facts = {} if of is None else resolver.field_ranks.get((of.module, of.name), {})
            for k, item in enumerate(items):
                inside = f"{name}.{names[k]}" if names else f"{name}[{k}]"
                if names and isinstance(item, Array) and (names[k],) in facts:
                    yield inside, item.ndim
                yield from inferred_fields(resolver, inside, item)
        case List(item=item):
            inside = name if type_.links else f"{name}[...]"
            yield from inferred_fields(resolver, inside, item)
        case _:
            return


def _facts(resolver: Resolver, of: ClassOutline) -> dict[Path, Evidence]:
    """The facts about each array of open rank in instances of a class."""
    facts: dict[Path, Evidence] = {}

    def note(path: Path) -> Evidence:
        return facts.setdefault(path, Evidence())

    ranks = NestedRanks(note, guesses=True, in_objects=InObjects.TOLD)
    reader = replace(_reader(resolver, of.found.module), ranks=ranks)
    try:
        type_ = links.each_alone(reader.of_class(of.node.name, of.found, of.node).type)
    except Unresolved:
        return {}
    if not (facts and isinstance(type_, Tuple) and type_.of):
        return {}
    for one in of.line:
        for name, shape in documented_fields(one.node).items():
            if (name,) in facts:
                facts[name,].documented = shape
    for path, found in _told(resolver, of, type_, type_.of):
        if path in facts:
            facts[path].join(found, Part(""))
    for path, found in facts.items():
        if is_matrix(str(path[-1])) and not (found.usual or found.exact):
            found.usual.add(2)
    return facts


def _told(
    resolver: Resolver, of: ClassOutline, type_: Type, ref: ClassRef
) -> Iterator[tuple[Path, Evidence]]:
    """Facts about what is in instances, by methods and by the functions that take some."""
    for module, node in _methods(of):
        first, *_ = (p.name.value for p in parameters(node.params))
        types = {**outlines(_reader(resolver, module), node), first: type_}
        for (name, path), found in evidence(resolver, module, node, types).items():
            if name == first:
                yield path, found
    for module, node in _mentioning(resolver, of.found.name):
        types = dict(outlines(_reader(resolver, module), node))
        ways = {name: list(instances(one, ref)) for name, one in types.items()}
        if any(ways.values()):
            for (name, path), found in evidence(resolver, module, node, types).items():
                for way in ways.get(name, ()):
                    if path[: len(way)] == way:
                        yield path[len(way) :], found


def _methods(of: ClassOutline) -> Iterator[Function]:
    """The methods of a class, inherited ones included, that have a parameter."""
    for one in of.line:
        for stmt in statements(one.node.body):
            if isinstance(stmt, cst.FunctionDef) and parameters(stmt.params):
                yield one.found.module, stmt


def _mentioning(resolver: Resolver, name: str) -> Iterator[Function]:
    """The functions of the program with a parameter whose annotation mentions ``name``."""
    for module, bindings in resolver.bindings.items():
        for binding in bindings.names.values():
            if isinstance(binding, FunctionBinding) and any(
                _mentions(param, name) for param in parameters(binding.node.params)
            ):
                yield module, binding.node


def _mentions(param: cst.Param, name: str) -> bool:
    if param.annotation is None:
        return False
    for node in walk(param.annotation):
        match node:
            case cst.Name(value=value) | cst.SimpleString(value=value) if name in value:
                return True
            case _:
                pass
    return False
