"""Arrays inside tuples, lists, dicts and objects whose ranks annotations leave open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import libcst as cst

from mooncake_transpiler.frontend.entities import Annotation
from mooncake_transpiler.frontend.rank_evidence import Evidence, Path, Step
from mooncake_transpiler.frontend.unions import union
from mooncake_transpiler.frontend.unresolved import AnyRank, rankless
from mooncake_transpiler.types import Array, DType

NOTHING_TOLD = Evidence()


def _unknown(path: Path) -> Evidence | None:
    return None


@dataclass(frozen=True, slots=True)
class NestedRanks:
    """Facts about ranks inside what is read; ``path`` is the way from the whole to it.

    ``guesses``: arrays of which nothing is told are vectors. ``is_outline``: those in objects are
    told by ``told``, too, not by what is known of their classes.
    """

    told: Callable[[Path], Evidence | None] = _unknown
    guesses: bool = False
    is_outline: bool = False
    path: Path = ()

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
        if rank is None or dtype is None:
            raise rankless(node, found)
        return with_rank(node, found, dtype, rank)


UNTOLD = NestedRanks()
OUTLINE = NestedRanks(lambda path: NOTHING_TOLD, guesses=True, is_outline=True)


def with_rank(node: cst.BaseExpression, found: AnyRank, dtype: DType, rank: int) -> Annotation:
    """The type of the array ``found`` of that rank, or of what may be there instead."""
    array = Annotation(Array(dtype, rank), (None,))
    return union(node, [array, *found.others]) if found.others else array
