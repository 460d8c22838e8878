"""Ranks that calls tell: functions of a module hand arrays to one another.

    def rms(signal: np.ndarray) -> float:              a vector, or a matrix
        return float(np.sqrt(np.mean(signal**2)))

    def loudness(x: Matrix) -> float:                  hands on a matrix
        return np.log(rms(x))

Only calls of public functions in the same module count, so that its derivatives are the same
whichever other modules are transpiled with it. So do names there: where nothing tells the rank of
``contacts``, it is that of parameters which are called so elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from mooncake_transpiler.frontend.declaration.collisions import collisions
from mooncake_transpiler.frontend.declaration.fence import named_functions
from mooncake_transpiler.frontend.entities import FunctionDecl, Source
from mooncake_transpiler.frontend.lower.fitting_ranks import inferred_ranks, with_ranks
from mooncake_transpiler.frontend.lower.lowered_functions import Key, Lowering
from mooncake_transpiler.types import Array


def split(
    source: Source, wanted: Callable[[str], bool]
) -> tuple[list[FunctionDecl], list[FunctionDecl]]:
    """The public functions; then those whose ranks calls may tell, callers before what they call.

    Helpers that may be public with ranks that fit are among the latter.
    """
    functions = [decl for decl in source.functions() if wanted(decl.module)]
    public = [d for d in functions if d.is_public or (d.proposal and d.proposal.is_public)]
    called = {
        other.qualname
        for decl in functions
        for other in named_functions(source, decl)
        if other is not decl and other.module == decl.module
    }
    told = [d for d in public if d.proposal or (inferred_ranks(d) and d.qualname in called)]
    own = [decl for decl in public if decl not in told]
    return sorted(own, key=lambda d: bool(_unsure(d))), _callers_first(source, told)


MIN_NAME = 3  # letters of a name that stands for one thing in a module


def _unsure(decl: FunctionDecl) -> dict[str, int]:
    """The parameters whose ranks nothing but their names may tell, with those that are guessed."""
    return {
        p.name: p.annotation.type.ndim
        for p in decl.params
        if p.annotation is not None and isinstance(p.annotation.type, Array)
        if (p.is_guessed or p.alternatives) and len(p.name) >= MIN_NAME
    }


def called_alike(lowering: Lowering, decl: FunctionDecl) -> FunctionDecl | None:
    """``decl`` with the ranks that its module has for arrays of these names, if it has others."""
    unsure = _unsure(decl)
    ranks: dict[str, set[int]] = {name: set() for name in unsure}
    for other in lowering.source.functions():
        if other.module != decl.module or other.qualname not in lowering.funcs:
            continue
        for param in other.params if other.is_public else ():
            type_ = None if param.annotation is None else param.annotation.type
            is_told = not param.is_guessed or (isinstance(type_, Array) and type_.ndim > 1)
            if param.name in ranks and isinstance(type_, Array) and is_told:
                ranks[param.name].add(type_.ndim)
    found = {name: max(own) for name, own in ranks.items() if len(own) == 1}
    if all(unsure[name] == rank for name, rank in found.items()):
        return None
    other = with_ranks(decl, found)
    params = (replace(p, alternatives=()) if p.name in found else p for p in other.params)
    return replace(other, params=tuple(params))


def _callers_first(source: Source, functions: Sequence[FunctionDecl]) -> list[FunctionDecl]:
    seen: set[str] = set()
    found: list[FunctionDecl] = []

    def visit(decl: FunctionDecl) -> None:
        if decl.qualname not in seen:
            seen.add(decl.qualname)
            for other in named_functions(source, decl):
                visit(other)
            found.append(decl)

    for decl in reversed(functions):
        visit(decl)
    return [decl for decl in reversed(found) if decl in functions]


def told(lowering: Lowering, decl: FunctionDecl) -> FunctionDecl | None:
    """``decl`` with the ranks of what its module calls it with; None if these tell nothing."""
    own = inferred_ranks(decl)
    given: dict[str, set[int]] = {name: set() for name in own}
    for _, types, _ in _called(lowering, decl):
        for param, type_ in zip(decl.params, types, strict=True):
            if param.name in given and isinstance(type_, Array):
                given[param.name].add(type_.ndim)
    ranks = {name: max(found) for name, found in given.items() if len(found) == 1}
    return with_ranks(decl, ranks) if ranks and all(ranks.values()) else None


def _called(lowering: Lowering, decl: FunctionDecl) -> Iterator[Key]:
    """The calls of ``decl`` for public functions of its module, in whatever is between them."""
    public = {
        (one.qualname, tuple(p.annotation.type for p in one.params if p.annotation))
        for one in lowering.source.functions()
        if one.module == decl.module and one.is_public and one is not decl
    }
    pending = [key for key in lowering.calls if key[:2] in public]
    seen = set(pending)
    while pending:
        for key in lowering.calls.get(pending.pop(), ()):
            if key[0] == decl.qualname and key not in seen:
                yield key
            if key not in seen:
                seen.add(key)
                pending.append(key)


def proposed(
    lowering: Lowering,
    decl: FunctionDecl,
    proposal: FunctionDecl,
    requested: Callable[[Lowering, FunctionDecl], Lowering],
) -> Lowering:
    """``lowering`` with ``decl`` as its ``proposal``, if that can be lowered; as it is if not."""
    source, clashes = lowering.source, len(list(collisions(lowering.source)))
    source.redeclare(decl, proposal)
    made = requested(lowering.copied([]), proposal)
    is_made = proposal.qualname in made.funcs and not made.failures
    errors = len(made.diagnostics) - len(lowering.diagnostics)
    if is_made and not errors and len(list(collisions(source))) == clashes:
        return made.copied(lowering.failures)
    for other in source.functions():
        if other.qualname == decl.qualname:
            source.redeclare(other, decl)
    return lowering
