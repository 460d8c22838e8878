"""Ranks that fit: where a function is refused with those that its text seems to tell, more axes.

Text shows what a function does with its parameters, but not what becomes of them in fields of
objects, in methods, or under a name that is bound again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.frontend.entities import Annotation, FunctionDecl, ParamDecl
from mooncake_transpiler.frontend.rank.rank_conventions import alike
from mooncake_transpiler.types import Array, parts

# Refused for arrays of other ranks, too.
OF_RANKS = frozenset(
    {"MK212", "MK213", "MK214", "MK216", "MK218", "MK302", "MK305", "MK312", "MK370"}
)
MAX_RANK = 3
LAYERS = 3  # so many arrays with numbered names have one rank; the last of two may be a vector
MAX_TRIALS = 40  # of one function
MAX_WAYS = 32  # to take its parameters as vectors and matrices


def inferred_ranks(decl: FunctionDecl) -> dict[str, int]:
    """The parameters of ``decl`` that are arrays whose annotations leave their ranks open."""
    return {
        p.name: p.annotation.type.ndim
        for p in decl.params
        if p.is_inferred and p.annotation is not None and isinstance(p.annotation.type, Array)
    }


def with_fewest(decl: FunctionDecl) -> FunctionDecl | None:
    """``decl`` with no more axes than the code asks for; None if it has none that text tells."""
    taken = inferred_ranks(decl)
    fewer = {p.name: p.fewest for p in decl.params if 0 < p.fewest < taken.get(p.name, 0)}
    return with_ranks(decl, fewer) if fewer else None


def uneven(decl: FunctionDecl) -> int:
    """The ranks too many of arrays that are numbered, ``w1``, ``w2``, ``w3``, or go together."""
    ranks, layers = inferred_ranks(decl), dict[str, list[int]]()
    for name, rank in ranks.items():
        layers.setdefault(re.sub(r"\d+", "#", name), []).append(rank)
    groups = [own for name, own in layers.items() if "#" in name and len(own) >= LAYERS]
    groups += [[ranks[name] for name in together] for together in alike(ranks)]
    return sum(len(set(own)) - 1 for own in groups)


def has_rank_errors(found: Sequence[Diagnostic]) -> bool:
    return any(one.code in OF_RANKS for one in found)


def with_more_axes(decl: FunctionDecl) -> Iterator[list[FunctionDecl]]:
    """``decl`` with more axes for these arrays; those of one list have as many of them.

    Matrices come before arrays of more axes, and few before many.
    """
    ranks, trials = inferred_ranks(decl), 0
    for most in range(2, max(MAX_RANK, *ranks.values(), 0) + 1):
        room = [max(most - rank, 0) for rank in ranks.values()]
        for total in range(1, sum(room) + 1):
            made = []
            for more in _shared(total, room):
                own = {name: rank + k for (name, rank), k in zip(ranks.items(), more, strict=True)}
                if most == 2 or most in own.values():
                    made.append(with_ranks(decl, own))
            trials += len(made)
            if trials > MAX_TRIALS:
                return
            yield made


def alternatives(decl: FunctionDecl) -> Iterator[FunctionDecl]:
    """``decl`` with each way to take what may be vectors or matrices, all as vectors first.

    There is none where they are too many to be tried.
    """
    ways = [p.alternatives or (p.annotation,) for p in decl.params]
    for notes in product(*ways) if prod(map(len, ways)) <= MAX_WAYS else ():
        pairs = zip(decl.params, notes, strict=True)
        params = tuple(replace(param, annotation=note) for param, note in pairs)
        yield replace(decl, params=params, ambiguous=())


def axes(decl: FunctionDecl) -> int:
    """The number of axes of all arrays that ``decl`` takes."""
    notes = [p.annotation.type for p in decl.params if p.annotation is not None]
    return sum(part.ndim for note in notes for part in parts(note) if isinstance(part, Array))


def _shared(total: int, room: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to share ``total`` among places that each have so much room."""
    if not room:
        if total == 0:
            yield ()
        return
    first, *rest = room
    for own in range(min(first, total), -1, -1):
        for others in _shared(total - own, rest):
            yield (own, *others)


def with_ranks(decl: FunctionDecl, ranks: Mapping[str, int]) -> FunctionDecl:
    """``decl`` with arrays of these ranks for some of its parameters."""
    params = tuple(_with_rank(p, ranks.get(p.name)) for p in decl.params)
    return replace(decl, params=params)


def _with_rank(param: ParamDecl, rank: int | None) -> ParamDecl:
    type_ = param.annotation.type if param.annotation is not None else None
    if not isinstance(type_, Array) or rank in (None, type_.ndim):
        return param
    return replace(param, annotation=Annotation(replace(type_, ndim=rank), (None,)))
