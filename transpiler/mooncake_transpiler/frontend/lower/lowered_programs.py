"""Programs: all public functions, each with the types that it is annotated with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Place, Refused
from mooncake_transpiler.frontend.annotation.unresolved import RANK_HELP
from mooncake_transpiler.frontend.declaration.declared_slots import EITHER
from mooncake_transpiler.frontend.declaration.differentiated_functions import SKIP_HELP
from mooncake_transpiler.frontend.entities import FunctionDecl, Source
from mooncake_transpiler.frontend.lower.fitting_ranks import (
    alternatives,
    axes,
    has_rank_errors,
    inferred_ranks,
    with_more_axes,
    with_ranks,
)
from mooncake_transpiler.frontend.lower.lowered_functions import Lowering
from mooncake_transpiler.frontend.lower.state.context import CalleeRefused, InLine
from mooncake_transpiler.frontend.lower.told_ranks import (
    called_alike,
    proposed,
    split,
    told,
)
from mooncake_transpiler.frontend.text.source import deep_recursion, place_in
from mooncake_transpiler.types import Type

Way = tuple[FunctionDecl, Lowering]  # a function with these ranks, and what comes of it


def lower(
    source: Source,
    minimal: bool = False,
    check_bounds: bool = False,
    wanted: Callable[[str], bool] = lambda module: True,
    failures: list[tuple[FunctionDecl, Exception]] | None = None,
) -> tuple[ir.Program, list[Diagnostic]]:
    """All public functions of the program and what they call; what is wrong with the others.

    ``minimal``: rules are used only for what can't be differentiated without. ``check_bounds``:
    indices from the end are tested. ``wanted`` tells the modules whose functions are public. Errors
    of ours are added to ``failures``, if that is given.
    """
    lowering = Lowering(source, minimal=minimal, check_bounds=check_bounds, failures=failures)
    with deep_recursion():
        public, open_ = split(source, wanted)
        for decl in public:
            lowering = _named(lowering, decl)
        for decl in open_:
            lowering = _with_told_ranks(lowering, decl)
    names = [d.qualname for d in source.functions() if d.is_public and wanted(d.module)]
    return lowering.program(names), lowering.diagnostics


def _named(lowering: Lowering, decl: FunctionDecl) -> Lowering:
    """``lowering`` with ``decl``: with the ranks that names tell, if these fit."""
    if (found := called_alike(lowering, decl)) is not None:
        made = proposed(lowering, decl, found, _requested)
        if made is not lowering:
            return made
    return _requested(lowering, decl)


def _with_told_ranks(lowering: Lowering, decl: FunctionDecl) -> Lowering:
    """``lowering`` with ``decl``: with the ranks that calls of it tell, if these fit."""
    way = decl.proposal or decl
    found, trial = told(lowering, way), lowering.copied([])
    if found is not None:
        request_public(trial, found)
    if found is not None and _fits(lowering, found, trial):
        if decl.proposal is None:
            return _settled(lowering, decl, found, trial)
        return proposed(lowering, decl, found, _as_it_is)
    if decl.proposal is None:
        return _requested(lowering, decl)
    return proposed(lowering, decl, way, _requested)


def _as_it_is(lowering: Lowering, decl: FunctionDecl) -> Lowering:
    request_public(lowering, decl)
    return lowering


def _requested(lowering: Lowering, decl: FunctionDecl) -> Lowering:
    """``lowering`` with ``decl``, and if it is refused for its inferred ranks, with more axes."""
    if decl.ambiguous:
        return _unambiguous(lowering, decl)
    if not inferred_ranks(decl):
        request_public(lowering, decl)
        return lowering
    before, known = lowering.copied(lowering.failures), len(lowering.diagnostics)
    request_public(lowering, decl)
    if not has_rank_errors(lowering.diagnostics[known:]):
        way, made = _reducing_arrays(before, lowering, decl)
        return _as_residuals(before, made, way)
    return _with_more_axes(before, lowering, decl) or lowering


def _tried(before: Lowering, ways: Iterable[FunctionDecl]) -> list[Way]:
    """Each of ``ways``, lowered after ``before``."""
    trials = [(way, before.copied([])) for way in ways]
    for way, trial in trials:
        request_public(trial, way)
    return trials


def _fits(before: Lowering, way: FunctionDecl, trial: Lowering) -> bool:
    is_made = way.qualname in trial.funcs
    return is_made and len(trial.diagnostics) == len(before.diagnostics)


def _with_more_axes(before: Lowering, lowering: Lowering, decl: FunctionDecl) -> Lowering | None:
    """``before`` with ``decl``, which ``lowering`` refuses, with more axes; None if none fit.

    Ways in which numbers are summed, or names hold arrays of several ranks, are the last.
    """
    known = len(before.diagnostics)
    found: Way | None = None
    other: Way | None = None  # refused for something else
    for ways in with_more_axes(decl):
        trials = _tried(before, ways)
        fits = [one for one in trials if _fits(before, *one)]
        fitting = _usual(decl, _without_numbers(before, fits))
        others = (one for one in trials if not has_rank_errors(one[1].diagnostics[known:]))
        other = other or next(others, None)
        if found is not None:
            fitting = [one for one in fitting if not _is_odd(before, one)]
        if len(fitting) > 1 and found is None:
            lowering.diagnostics[known:] = _unsaid(lowering, decl, [way for way, _ in fitting])
            return lowering
        if len(fitting) == 1:
            found = fitting[0]
        if found is not None and not _is_odd(before, found):
            break
    if found is not None:
        way, made = found
        return _as_residuals(before, _settled(lowering, decl, way, made), way)
    return None if other is None else _settled(lowering, decl, *other)


def _is_odd(before: Lowering, one: Way) -> bool:
    """True if numbers are summed in this way, or names hold arrays of one rank or another."""
    return not one[1].of_numbers <= before.of_numbers


def _reducing_arrays(before: Lowering, lowering: Lowering, decl: FunctionDecl) -> Way:
    """The way to take ``decl`` in which it sums arrays, not numbers: nobody writes ``np.sum(1)``.

    It is the one that ``lowering`` holds if there is no other.
    """
    for ways in with_more_axes(decl) if lowering.of_numbers - before.of_numbers else ():
        fit = [one for one in _tried(before, ways) if _fits(before, *one)]
        fitting = _usual(decl, _without_numbers(before, fit))
        if len(fitting) == 1 and not _is_odd(before, fitting[0]):
            way, made = fitting[0]
            return way, _settled(lowering, decl, way, made)
    return decl, lowering


def _without_numbers(before: Lowering, fitting: Sequence[Way]) -> Sequence[Way]:
    """The ways in which no number is summed; all of ``fitting`` if there is none."""
    return [one for one in fitting if not _is_odd(before, one)] or fitting


def _usual(decl: FunctionDecl, fitting: Sequence[Way]) -> Sequence[Way]:
    """The way of several that fit in which others write such arrays; all of them if none is.

    In it only arrays whose names are in capitals, or that stand before what they are multiplied
    with, have more axes than in ``decl``.
    """
    before = inferred_ranks(decl)
    grow = {p.name for p in decl.params if p.name[0].isupper() or p.leads}
    usual = [
        (way, made)
        for way, made in fitting
        if all(name in grow for name, rank in inferred_ranks(way).items() if rank > before[name])
    ]
    return usual if len(usual) == 1 else fitting


def _as_residuals(before: Lowering, lowering: Lowering, decl: FunctionDecl) -> Lowering:
    """``lowering``, or with the ranks of what arrays that nothing tells of are subtracted from.

    A bias is added to a matrix as a vector, unless its name is in capitals.
    """
    beside, taken = lowering.beside.get(decl.qualname, {}), inferred_ranks(decl)
    wanted: dict[str, int] = {}
    for param in decl.params:
        name, is_capital = param.name, param.name[0].isupper()
        ranks = {rank for op, rank in beside.get(name, ()) if op == "sub" or is_capital}
        if param.is_guessed and len(ranks) == 1 and max(ranks) > taken.get(name, max(ranks)):
            wanted[name] = max(ranks)
    if not wanted:
        return lowering
    other, trial = with_ranks(decl, wanted), before.copied([])
    request_public(trial, other)
    return _settled(lowering, decl, other, trial) if _fits(before, other, trial) else lowering


def _unsaid(
    lowering: Lowering, decl: FunctionDecl, ways: Sequence[FunctionDecl]
) -> Iterator[Diagnostic]:
    """Refusals of the parameters whose ranks differ among ``ways``, which all fit."""
    taken = [inferred_ranks(way) for way in ways]
    for param in decl.params:
        if len({ranks.get(param.name) for ranks in taken}) > 1:
            where = place_in(lowering.source.modules[decl.module], param.node)
            message = f"parameter {param.name} of {decl.name}: the rank of this array is not known"
            help_ = f"{RANK_HELP.format('float64')}; {SKIP_HELP}"
            yield Diagnostic("MK203", message, where or Place(decl.module, 1, 1, 1), help_)


def _settled(
    lowering: Lowering, decl: FunctionDecl, found: FunctionDecl, made: Lowering
) -> Lowering:
    """``made``, which has ``found`` for ``decl``; ``lowering`` if an error of ours was met."""
    if made.failures:
        return lowering
    lowering.source.redeclare(decl, found)
    return made.copied(lowering.failures)


def _unambiguous(lowering: Lowering, decl: FunctionDecl) -> Lowering:
    """``lowering`` with ``decl``, if one way to take its parameters fits, or is what is needed.

    One array, or several of which some must be matrices, have as few axes as possible. Where
    several may all be vectors, but need not, nothing tells.
    """
    ways = list(alternatives(decl))
    fitting: Sequence[Way] = [one for one in _tried(lowering, ways) if _fits(lowering, *one)]
    if fitting := _without_numbers(lowering, fitting):
        least = min(axes(other) for other, _ in fitting)
        if least > axes(ways[0]) or len(ways) <= len(EITHER):
            fitting = [(other, trial) for other, trial in fitting if axes(other) == least]
        chosen = _usual(ways[0], fitting)
        if len(chosen) == 1 and not chosen[0][1].failures:
            return _settled(lowering, decl, *chosen[0])
    elif ways and (found := _with_more_axes(lowering, lowering.copied([]), ways[0])) is not None:
        return found.copied(lowering.failures)
    lowering.diagnostics += decl.ambiguous
    return lowering


def lower_stretching(source: Source, decl: FunctionDecl) -> ir.Program | None:
    """``decl`` and what it calls, where axes that turn out to be 1 are stretched; None if refused.

    There are no derivatives of such functions: they tell which arguments may be stretched.
    """
    lowering = Lowering(source, stretching=True, failures=[])
    with deep_recursion():
        request_public(lowering, decl)
    if lowering.diagnostics or lowering.failures:
        return None
    return lowering.program([decl.qualname])


def request_public(lowering: Lowering, decl: FunctionDecl) -> None:
    """Lower ``decl`` with the types that it is annotated with."""
    place = place_in(lowering.source.modules[decl.module], decl.node.name)
    at = place or Place(decl.module, 1, 1, 1)

    def refuse(message: str, help: str | None) -> Refused:
        return Refused(Diagnostic("MK304", message, at, help))

    types: list[Type] = []
    for param in decl.params:
        if param.annotation is None:
            message = f"parameter {param.name!r} has no annotation"
            lowering.diagnostics.append(Diagnostic("MK220", message, at))
            return
        types.append(param.annotation.type)
    called = lowering.callees.get((decl.qualname, tuple(types), ()))
    if called is not None and called.name != decl.qualname:  # as a helper
        del lowering.callees[decl.qualname, tuple(types), ()]
    with suppress(CalleeRefused):
        try:
            lowering.request(decl, tuple(types), (), refuse)
        except InLine:
            lowering.for_others(decl, tuple(types))
