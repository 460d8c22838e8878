"""Objects that a function makes of its parameters: what their methods do is about these.

def loss(w: np.ndarray, x: np.ndarray):
    model = Model(w)             # __init__: self.w = w
    return model.predict(x)      # predict: x @ self.w[:, 0], so w has two axes
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import libcst as cst

from mooncake_transpiler.frontend.annotation.annotations import Reader
from mooncake_transpiler.frontend.annotation.nested_ranks import OUTLINE
from mooncake_transpiler.frontend.annotation.unresolved import Unresolved
from mooncake_transpiler.frontend.class_text.classes import ClassOutline, outline
from mooncake_transpiler.frontend.entities import ClassKind
from mooncake_transpiler.frontend.name.bindings import ClassBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Found, Resolver
from mooncake_transpiler.frontend.rank.rank_parts import ParameterParts
from mooncake_transpiler.frontend.rank_evidence import Part, Path
from mooncake_transpiler.frontend.text.trees import positional, statements, walk
from mooncake_transpiler.types import Array, ClassRef, DType, StructKind, Tuple

_MADE = (ClassKind.PLAIN, ClassKind.MUTABLE, ClassKind.FROZEN)
_ARRAY = Array(DType.FLOAT64, 1)


@dataclass(frozen=True, slots=True)
class MadeObject:
    """An instance of a class of the program that ``call`` makes, called ``name`` among parts.

    ``fields``: the parts of parameters of ``__init__`` that it holds; ``params`` are their names,
    in the order of arguments.
    """

    call: cst.Call
    name: str
    type: Tuple
    params: tuple[str, ...]
    fields: Mapping[str, Part]

    def given(self, parts: ParameterParts) -> dict[str, Part]:
        """The parts that the arguments are, by the names of parameters of ``__init__``."""
        return parts.given(self.params, self.call.args)

    def source(self, path: Path, given: Mapping[str, Part]) -> Part | None:
        """The part that is at ``path`` in the object, where the arguments are ``given``."""
        inner = self.fields.get(str(path[0])) if path else None
        outer = None if inner is None else given.get(inner.param)
        if inner is None or outer is None or inner.path:
            return None
        rest = path[1:]
        dropped = 0 if rest else outer.dropped + inner.dropped
        return Part(outer.param, (*outer.path, *rest), dropped)


def made_objects(
    resolver: Resolver, module: str, nodes: Sequence[cst.CSTNode]
) -> Iterator[MadeObject]:
    """The objects that ``nodes`` make, each call another one."""
    for k, node in enumerate(nodes):
        if not isinstance(node, cst.Call):
            continue
        match resolver.lookup(module, node.func):
            case BoundName(binding=ClassBinding(node=cls)) as found:
                of = outline(resolver, found, cls)
                params, fields = _fields(resolver, of)
                type_ = _instance(replace(Reader(resolver, module), ranks=OUTLINE), of, fields)
                if type_ is not None:
                    yield MadeObject(node, f"{found.name}()#{k}", type_, params, fields)
            case _:
                pass


def _instance(reader: Reader, of: ClassOutline, fields: Mapping[str, Part]) -> Tuple | None:
    """The type of instances of ``of``; fields that nothing tells the types of count as arrays."""
    try:
        type_ = reader.of_class(of.node.name, of.found, of.node).type
    except Unresolved:
        if of.kind not in _MADE:
            return None
        ref = ClassRef(of.found.module, of.found.name, StructKind.MUTABLE)
        return Tuple((_ARRAY,) * len(fields), tuple(fields), of=ref)
    return type_ if isinstance(type_, Tuple) and type_.of is not None else None


def _fields(resolver: Resolver, of: ClassOutline) -> tuple[tuple[str, ...], dict[str, Part]]:
    """The parameters of ``__init__``, and the parts of these that fields hold."""
    for one in of.line:
        for stmt in statements(one.node.body):
            if isinstance(stmt, cst.FunctionDef) and stmt.name.value == "__init__":
                owner, *params = (p.name.value for p in positional(stmt.params))
                nodes = list(walk(stmt.body))
                parts = ParameterParts.of(resolver, one.found.module, stmt.params, {}, nodes)
                return tuple(params), dict(_assigned(owner, parts, nodes))
    names = tuple(spec.name for spec in of.fields)
    return names, {name: Part(name) for name in names}


def _assigned(
    owner: str, parts: ParameterParts, nodes: Sequence[cst.CSTNode]
) -> Iterator[tuple[str, Part]]:
    """The attributes of ``owner`` that are parts of parameters."""
    for node in nodes:
        match node:
            case cst.Assign(
                targets=[
                    cst.AssignTarget(
                        target=cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=name))
                    )
                ],
                value=value,
            ) if base == owner:
                if (part := parts.part(value)) is not None:
                    yield name, part
            case _:
                pass


@dataclass(frozen=True, slots=True)
class Method:
    """A function of a class, and the module that it is in."""

    module: str
    node: cst.FunctionDef

    def takes_owner(self, of_instance: bool) -> bool:
        """True if what it is looked up in is its first argument: an instance, or the class."""
        names = {
            one.decorator.value
            for one in self.node.decorators
            if isinstance(one.decorator, cst.Name)
        }
        return "classmethod" in names or (of_instance and "staticmethod" not in names)


def method(resolver: Resolver, found: Found | None, name: str) -> Method | None:
    """The function ``name`` of what is ``found``, if that is a class: its own or inherited."""
    if not isinstance(found, BoundName) or not isinstance(found.binding, ClassBinding):
        return None
    for one in outline(resolver, found, found.binding.node).line:
        for stmt in statements(one.node.body):
            if isinstance(stmt, cst.FunctionDef) and stmt.name.value == name:
                return Method(one.found.module, stmt)
    return None
