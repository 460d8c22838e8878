"""Programs: all public functions, each with the types that it is annotated with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostics import Diagnostic, Place, Refused
from mooncake_transpiler.frontend.declared_slots import EITHER
from mooncake_transpiler.frontend.entities import FunctionDecl, Source
from mooncake_transpiler.frontend.lower.fitting_ranks import (
    alternatives,
    axes,
    has_rank_errors,
    inferred_ranks,
    with_more_axes,
)
from mooncake_transpiler.frontend.lower.lowered_functions import Lowering
from mooncake_transpiler.frontend.lower.state.context import CalleeRefused, InLine
from mooncake_transpiler.frontend.lower.state.source_places import place_in
from mooncake_transpiler.types import Type

RECURSION_LIMIT = 12_000  # frames of the interpreter; a level of nesting takes about ten


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Room for the nesting of long programs."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


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
        return lowering
    best: tuple[FunctionDecl, Lowering] | None = None
    for other in with_more_axes(decl):
        trial = before.copied([])
        request_public(trial, other)
        is_right = decl.qualname in trial.funcs and len(trial.diagnostics) == known
        if is_right or (best is None and not has_rank_errors(trial.diagnostics[known:])):
            best = other, trial
        if is_right:
            break
    if best is None or best[1].failures:
        return lowering
    lowering.source.redeclare(decl, best[0])
    return best[1].copied(lowering.failures)


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
    found, made = fitting[0]
    lowering.source.redeclare(decl, found)
    return made.copied(lowering.failures)


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
