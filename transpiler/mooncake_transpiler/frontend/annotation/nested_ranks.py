"""Arrays inside tuples, lists, dicts and objects whose ranks annotations leave open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

import libcst as cst

from mooncake_transpiler.frontend.annotation.unions import union
from mooncake_transpiler.frontend.annotation.unresolved import AnyRank, rankless
from mooncake_transpiler.frontend.entities import Annotation, Dim
from mooncake_transpiler.frontend.rank_evidence import Evidence, Path, Step
from mooncake_transpiler.types import Array, DType

NOTHING_TOLD = Evidence()


def _unknown(path: Path) -> Evidence | None:
    return None


class InObjects(Enum):
    """The source of what is known of ranks in instances of classes."""

    NOTHING = "nothing"
    CLASSES = "what is known of their classes"
    TOLD = "what tells the others"


@dataclass(frozen=True, slots=True)
class NestedRanks:
    """Facts about ranks inside what is read; ``path`` is the way from the whole to it.

    ``guesses``: arrays of which nothing is told are vectors.
    """

    told: Callable[[Path], Evidence | None] = _unknown
    guesses: bool = False
    in_objects: InObjects = InObjects.NOTHING
    path: Path = ()

    def of_class(self, facts: Mapping[Path, Evidence]) -> NestedRanks:
        """The facts about an instance of a class, of which ``facts`` are known."""
        match self.in_objects:
            case InObjects.NOTHING:
                return UNTOLD
            case InObjects.CLASSES:
                return NestedRanks(facts.get, guesses=True, in_objects=self.in_objects)
            case InObjects.TOLD:
                return self

    def at(self, step: Step) -> NestedRanks:
        """The facts one step further inside."""
        return replace(self, path=(*self.path, step))

    def closed(self, node: cst.BaseExpression, found: AnyRank) -> Annotation:
        """The type of the array ``found`` here; ``Unresolved`` if nothing tells its rank."""
        evidence = self.told(self.path) if self.path else None
        if evidence is None:
            raise rankless(node, found)
        rank = evidence.guessed if self.guesses else evidence.rank
        dtype = evidence.dtype(found.dtype)
        if rank is None:
            raise rankless(node, found)
        return with_rank(node, found, dtype, rank, evidence.dims(rank))


UNTOLD = NestedRanks()
OUTLINE = NestedRanks(lambda path: NOTHING_TOLD, guesses=True, in_objects=InObjects.TOLD)


def with_rank(
    node: cst.BaseExpression,
    found: AnyRank,
    dtype: DType,
    rank: int,
    dims: tuple[Dim, ...] | None = None,
) -> Annotation:
    """The type of the array ``found`` of that rank, or of what may be there instead."""
    array = Annotation(Array(dtype, rank), (dims,))
    return union(node, [array, *found.others]) if found.others else array
