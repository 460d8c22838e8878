"""Parameters and results of functions: what their annotations say, or leave open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import libcst as cst

from mooncake_transpiler.frontend.annotation_parts import record_type
from mooncake_transpiler.frontend.annotations import Reader
from mooncake_transpiler.frontend.entities import Annotation
from mooncake_transpiler.frontend.keys import keys
from mooncake_transpiler.frontend.ranks import Evidence, evidence
from mooncake_transpiler.frontend.resolve import Resolver
from mooncake_transpiler.frontend.unions import union
from mooncake_transpiler.frontend.unresolved import AnyKeys, AnyRank, Carries, Unresolved, rankless
from mooncake_transpiler.types import ANY_DICT, Array, DType, Scalar, is_differentiable


@dataclass(frozen=True, slots=True)
class DeclaredSlot:
    """A parameter or the result: what its annotation says, if it has one."""

    what: str
    node: cst.CSTNode
    annotation: Annotation | None
    problem: Unresolved | None
    open: AnyRank | AnyKeys | None = None  # an array without its rank, a dict without its keys
    vector: Annotation | None = None  # an array whose rank nothing tells: a vector
    is_inferred: bool = False  # the rank of an array

    def guessed(self) -> DeclaredSlot:
        """The slot with a vector for an array whose rank nothing tells."""
        return self if self.vector is None else self.inferred(self.vector)

    def inferred(self, annotation: Annotation) -> DeclaredSlot:
        is_array = isinstance(self.open, AnyRank)
        return DeclaredSlot(self.what, self.node, annotation, None, is_inferred=is_array)

    @property
    def is_missing(self) -> bool:
        return self.carries is Carries.UNSAID

    @property
    def lacks_rank(self) -> bool:
        return self.problem is not None and self.problem.code == "MK203"

    @property
    def carries(self) -> Carries:
        if self.problem is not None:
            return self.problem.carries
        if self.annotation is None:
            return Carries.UNSAID
        return Carries.FLOATS if is_differentiable(self.annotation.type) else Carries.NOTHING


@dataclass(slots=True)
class ParameterUses:
    """Ranks and keys that annotations of a function leave open, by what its body does with them."""

    resolver: Resolver
    module: str
    node: cst.FunctionDef
    found: Mapping[str, Evidence] | None = None

    def closed(self, name: str, slot: DeclaredSlot) -> DeclaredSlot:
        """The parameter with its rank, or its keys, if these can be told."""
        match slot.open:
            case None:
                return slot
            case AnyRank():
                annotation, vector = self._ranked(name, slot, slot.open)
                slot = replace(slot, vector=vector)
            case AnyKeys():
                annotation = self._keyed(name, slot.open)
        return slot if annotation is None else slot.inferred(annotation)

    def _keyed(self, name: str, open_: AnyKeys) -> Annotation | None:
        found = keys(self.resolver, self.module, self.node, name)
        optional = [key for key, may_lack in found.items() if may_lack]
        if not found or open_.item is None or not isinstance(open_.item.type, Scalar | Array):
            return None
        return record_type(ANY_DICT, dict.fromkeys(found, open_.item), optional)

    def _ranked(
        self, name: str, slot: DeclaredSlot, open_: AnyRank
    ) -> tuple[Annotation | None, Annotation | None]:
        """The type of an array by what tells its rank, and if nothing does."""
        if self.found is None:
            self.found = evidence(self.resolver, self.module, self.node)
        of = self.found[name]
        dtype = open_.dtype or (None if of.is_integral else DType.FLOAT64)
        node = slot.node
        assert isinstance(node, cst.BaseExpression)

        def of_rank(rank: int | None) -> Annotation | None:
            if rank is None or dtype is None:
                return None
            array = Annotation(Array(dtype, rank), (None,))
            return union(node, [array, *open_.others]) if open_.others else array

        return of_rank(of.rank), of_rank(1 if of.tells_nothing else None)


def read_slot(
    reader: Reader, what: str, node: cst.CSTNode, annotation: cst.Annotation | None
) -> DeclaredSlot:
    """The slot ``what`` of a signature, with what its annotation at ``node`` says."""
    if annotation is None:
        return DeclaredSlot(what, node, None, None)
    try:
        found = reader.read_any(annotation.annotation)
    except Unresolved as problem:
        return DeclaredSlot(what, annotation.annotation, None, problem)
    if isinstance(found, AnyRank):
        unknown = rankless(annotation.annotation, found)
        return DeclaredSlot(what, annotation.annotation, None, unknown, found)
    if isinstance(found, AnyKeys):
        unknown = found.unresolved(annotation.annotation)
        return DeclaredSlot(what, annotation.annotation, None, unknown, found)
    return DeclaredSlot(what, annotation.annotation, found, None)
