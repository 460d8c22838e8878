"""Programs: all public functions, each with the types that it is annotated with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostics import Diagnostic, Place, Refused
from mooncake_transpiler.frontend.declared_functions import SKIP_HELP
from mooncake_transpiler.frontend.declared_slots import EITHER
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
from mooncake_transpiler.frontend.source import deep_recursion, place_in
from mooncake_transpiler.frontend.unresolved import RANK_HELP
from mooncake_transpiler.types import Type


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
    public = [decl for decl in source.functions() if decl.is_public and wanted(decl.module)]
    with deep_recursion():
        for decl in public:
            lowering = _requested(lowering, decl)
    return lowering.program([decl.qualname for decl in public]), lowering.diagnostics


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
        return _as_residuals(before, lowering, decl)
    other: tuple[FunctionDecl, Lowering] | None = None  # refused for something else
    for ways in with_more_axes(decl):
        fitting = []
        for way in ways:
            trial = before.copied([])
            request_public(trial, way)
            if decl.qualname in trial.funcs and len(trial.diagnostics) == known:
                fitting.append((way, trial))
            elif other is None and not has_rank_errors(trial.diagnostics[known:]):
                other = way, trial
        if len(fitting) > 1:
            usual = [(way, made) for way, made in fitting if _is_usual(decl, way)]
            fitting = usual if len(usual) == 1 else fitting
        if len(fitting) > 1:
            lowering.diagnostics[known:] = _unsaid(lowering, decl, [way for way, _ in fitting])
            return lowering
        if fitting:
            way, made = fitting[0]
            return _as_residuals(before, _settled(lowering, decl, way, made), way)
    return lowering if other is None else _settled(lowering, decl, *other)


def _is_usual(decl: FunctionDecl, way: FunctionDecl) -> bool:
    """True if only arrays whose names are in capitals have more axes than in ``decl``."""
    before = inferred_ranks(decl)
    more = [name for name, rank in inferred_ranks(way).items() if rank > before[name]]
    return all(name[0].isupper() for name in more)


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
    is_right = decl.qualname in trial.funcs and len(trial.diagnostics) == len(before.diagnostics)
    return _settled(lowering, decl, other, trial) if is_right else lowering


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
    fitting: list[tuple[FunctionDecl, Lowering]] = []
    ways = list(alternatives(decl))
    for other in ways:
        trial = lowering.copied([])
        request_public(trial, other)
        if decl.qualname in trial.funcs and len(trial.diagnostics) == len(lowering.diagnostics):
            fitting.append((other, trial))
    if fitting:
        least = min(axes(other) for other, _ in fitting)
        if least > axes(ways[0]) or len(ways) <= len(EITHER):
            fitting = [(other, trial) for other, trial in fitting if axes(other) == least]
    if len(fitting) != 1 or fitting[0][1].failures:
        lowering.diagnostics += decl.ambiguous
        return lowering
    return _settled(lowering, decl, *fitting[0])


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
    with suppress(CalleeRefused):
        try:
            lowering.request(decl, tuple(types), (), refuse)
        except InLine:
            lowering.for_others(decl, tuple(types))
