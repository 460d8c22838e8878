"""Programs: all public functions, each with the types that it is annotated with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

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
    uneven,
    with_fewest,
    with_more_axes,
    with_ranks,
)
from mooncake_transpiler.frontend.lower.lowered_functions import Lowering
from mooncake_transpiler.frontend.lower.odd_ranks import dots, odd_steps, short_calls
from mooncake_transpiler.frontend.lower.state.context import CalleeRefused, InLine
from mooncake_transpiler.frontend.lower.told_ranks import called_alike, proposed, split, told
from mooncake_transpiler.frontend.text.source import deep_recursion, place_in
from mooncake_transpiler.types import NONE, Type

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
            lowering = _shown(lowering, decl)
        for decl in open_:
            lowering = _with_told_ranks(lowering, decl)
    names = [d.qualname for d in source.functions() if d.is_public and wanted(d.module)]
    return lowering.program(names), lowering.diagnostics


def _shown(lowering: Lowering, decl: FunctionDecl) -> Lowering:
    """``lowering`` with ``decl``, if it does not return integers and writes what is refused."""
    asked = decl.directive.wrt or decl.directive.modes
    if asked or not decl.written or decl.result is None or decl.result.type == NONE:
        return _named(lowering, decl)
    made = _named(lowering.copied(lowering.failures), decl)
    refused = made.diagnostics[len(lowering.diagnostics) :]
    if not refused:
        return made
    why = f"its result, {decl.result.type}, carries no floats; what it writes: {refused[0].message}"
    for one in list(lowering.source.functions()):
        if one.qualname == decl.qualname:
            lowering.source.redeclare(one, replace(decl, written=(), unshown=why))
    return lowering


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
    lowering.sides.clear()
    request_public(lowering, decl)
    if not has_rank_errors(lowering.diagnostics[known:]):
        best = _less_odd(before, (decl, lowering))
        return lowering if best[0] is decl else _settled(lowering, decl, *best)
    fewer = with_fewest(decl)
    for way in [] if fewer is None else _tried(before, [fewer]):
        if _fits(before, *way):
            return _settled(lowering, decl, *_less_odd(before, way))
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

    Ways with steps that nobody writes are the last.
    """
    known = len(before.diagnostics)
    found: Way | None = None
    other: Way | None = None  # refused for something else
    tied: Sequence[Way] = ()
    for ways in with_more_axes(decl):
        trials = _tried(before, ways)
        fitting = _best(before, decl, trials)
        others = (one for one in trials if not has_rank_errors(one[1].diagnostics[known:]))
        other = other or next(others, None)
        if not (found or tied) and len(fitting) > 1 and (both := _jointly(before, decl, fitting)):
            fitting = [both]
        best = [found] if found else tied
        if fitting and (not best or _odd(before, *fitting[0]) < _odd(before, *best[0])):
            found, tied = (fitting[0], ()) if len(fitting) == 1 else (None, fitting)
        best = [found] if found else tied
        if best and not _odd(before, *best[0]):
            break
    if found is not None:
        return _settled(lowering, decl, *found)
    if tied:
        lowering.diagnostics[known:] = _unsaid(lowering, decl, [way for way, _ in tied])
        return lowering
    return None if other is None else _settled(lowering, decl, *other)


def _odd(before: Lowering, way: FunctionDecl, made: Lowering) -> int:
    """The number of steps that nobody writes: sums of numbers, names of several ranks, others."""
    return len(made.of_numbers - before.of_numbers) + len(odd_steps(way, made.sides.values()))


def _less_odd(before: Lowering, found: Way) -> Way:
    """``found``, or the way that has fewer steps that nobody writes, and more axes."""
    (decl, _), least = found, _odd(before, *found)
    for ways in with_more_axes(decl) if least else ():
        fitting = _best(before, decl, _tried(before, ways))
        if len(fitting) == 1 and (odd := _odd(before, *fitting[0])) < least:
            found, least = fitting[0], odd
        if not least:
            break
    return found


def _best(before: Lowering, decl: FunctionDecl, trials: Sequence[Way]) -> Sequence[Way]:
    """The ways among ``trials`` that fit, and in which others write such arrays."""
    return _usual(decl, _least_odd(before, [one for one in trials if _fits(before, *one)]))


def _least_odd(before: Lowering, fitting: Sequence[Way]) -> list[Way]:
    """The ways with the fewest such steps; of these, those that fit helpers and numbered names."""
    counts = [
        (_odd(before, *one), uneven(one[0]) + len(short_calls(one[1].sides.values())))
        for one in fitting
    ]
    return [one for one, odd in zip(fitting, counts, strict=True) if odd == min(counts)]


def _usual(decl: FunctionDecl, fitting: Sequence[Way]) -> Sequence[Way]:
    """The way of several that fit in which others write such arrays; all of them if none is.

    In it only arrays whose names are in capitals, or that stand before what they are multiplied
    with, have more axes than they need; or only those that nothing tells of.
    """
    ranks = [inferred_ranks(way) for way, _ in fitting]
    before = {name: min(own[name] for own in ranks) for name in (ranks[0] if ranks else ())}
    grow = {p.name for p in decl.params if p.name[0].isupper() or p.leads}
    unsure = {p.name for p in decl.params if p.is_guessed}
    for names in (grow, unsure):
        usual = [
            one
            for one, own in zip(fitting, ranks, strict=True)
            if all(name in names for name, rank in own.items() if rank > before[name])
        ]
        if len(usual) == 1:
            return usual
    return fitting


def _jointly(before: Lowering, decl: FunctionDecl, fitting: Sequence[Way]) -> Way | None:
    """All of ``fitting`` at once: ``np.sum(p * q, axis=1)`` is about two arrays of one rank.

    None where that does not fit, and for factors of ``@``.
    """
    ranks = [inferred_ranks(way) for way, _ in fitting]
    most = {name: max(own[name] for own in ranks) for name in ranks[0]}
    if any(p.alternatives and len({own.get(p.name) for own in ranks}) > 1 for p in decl.params):
        return None
    (both,) = _tried(before, [with_ranks(decl, most)])
    return both if _fits(before, *both) and not _odd(before, *both) else None


def _unsaid(
    lowering: Lowering, decl: FunctionDecl, ways: Sequence[FunctionDecl]
) -> Iterator[Diagnostic]:
    """Refusals of the parameters whose ranks differ among ``ways``, which all fit."""
    taken = [inferred_ranks(way) for way in ways]
    for param in decl.params:
        if len({ranks.get(param.name) for ranks in taken}) > 1:
            where = place_in(lowering.source.modules[decl.module], param.node)
            message = f"parameter {param.name} of {decl.name}: the rank of this array is not known"
            text = f"or the shape into the docstring: {param.name} : array of shape (n, m)"
            help_ = f"{RANK_HELP.format('float64')}, {text}; {SKIP_HELP}"
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

    Matrices come before products that are numbers. One array, or several of which some must be
    matrices, have as few axes as possible. Where several may all be vectors, but need not, nothing
    tells.
    """
    ways = list(alternatives(decl))
    fitting: Sequence[Way] = [one for one in _tried(lowering, ways) if _fits(lowering, *one)]
    if fitting := _least_odd(lowering, fitting):
        if len(ways) > len(EITHER):  # ``x @ x`` of one array is a number
            fewest = min(len(dots(trial.sides.values())) for _, trial in fitting)
            fitting = [one for one in fitting if len(dots(one[1].sides.values())) == fewest]
        least = min(axes(other) for other, _ in fitting)
        if least > axes(ways[0]) or len(ways) <= len(EITHER):
            fitting = [(other, trial) for other, trial in fitting if axes(other) == least]
        chosen = _usual(ways[0], fitting)
        if len(chosen) == 1 and not chosen[0][1].failures:
            return _settled(lowering, decl, *_less_odd(lowering, chosen[0]))
    elif ways:
        lowering.source.redeclare(decl, ways[0])
        if (found := _with_more_axes(lowering, lowering.copied([]), ways[0])) is not None:
            return found.copied(lowering.failures)
        lowering.source.redeclare(ways[0], decl)
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
