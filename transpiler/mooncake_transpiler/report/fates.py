"""The fates of the statements of a function: inactive, computed again, fused, on the GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.activity import Activity
from mooncake_transpiler.analysis.memory import memories_of
from mooncake_transpiler.emit.function import Emitted
from mooncake_transpiler.report.findings import Spot
from mooncake_transpiler.run.reading import Target
from mooncake_transpiler.types import Array, ArrayLibrary, Tuple, leaves

Normal = Callable[[Spot], Spot]  # a line, as the one where its statement begins


@dataclass(frozen=True, slots=True)
class Fates:
    """Words for lines of the source, and the same for the function as a whole."""

    tags: dict[Spot, tuple[str, ...]]
    remarks: tuple[tuple[str, str], ...]


def fates(
    forward: Emitted | None, pullback: Emitted | None, sweep: Emitted | None, target: Target,
    normal: Normal,
) -> Fates:  # fmt: skip
    """The fates of the statements of the function of ``target``."""
    if forward is None or pullback is None:
        return Fates({}, _place(target))
    one = [sweep] if sweep is not None else []
    active = _spots(_active(forward.func, target.wrt), normal)
    active |= _spots(_adjoint((forward, pullback, *one)), normal)
    seen = _spots(_all(forward), normal)
    own = target.func.origin
    path, head = (own.path, own.line) if own else ("", 0)
    idle = seen - active - {normal((path, head))}
    again = dict(_again(forward, pullback, normal))
    fused = _spots((s for e in (forward, *one) for s in _fused(e)), normal)
    words = {"inactive": idle, "recomputed": set(again), "fused": fused}
    tags = {
        spot: tuple(word for word, spots in words.items() if spot in spots)
        for spot in {*idle, *again, *fused}
    }
    fixed = [p.name for p in target.func.params if p.name not in target.wrt]
    remarks = (
        ("inactive", _listed([*fixed, *places(idle, path)])),
        ("recomputed", _listed(f"{name} ({_listed(places([spot], path))})"
                               for spot, name in sorted(again.items()))),
        ("fused", _listed(places(fused, path))),
    )  # fmt: skip
    return Fates(tags, (*((word, text) for word, text in remarks if text), *_place(target)))


def _place(target: Target) -> tuple[tuple[str, str], ...]:
    """The remark on where the function runs."""
    if target.library is ArrayLibrary.CUPY:
        return (("parallel", "on the GPU, in kernels of one thread for each element"),)
    return (("parallel", "no: on one core; any number of threads may call it at once"),)


def _listed(items: Iterable[str]) -> str:
    return ", ".join(items)


def places(spots: Iterable[Spot], own: str) -> list[str]:
    """Lines in words, those in a row together; with their path where that is not ``own``."""
    runs: list[tuple[str, int, int]] = []
    for path, line in sorted(spots):
        if runs and runs[-1][0] == path and line == runs[-1][2] + 1:
            runs[-1] = path, runs[-1][1], line
        else:
            runs.append((path, line, line))
    found = []
    for path, first, last in sorted(runs, key=lambda run: (run[0] != own, *run)):
        lines = f"line {first}" if first == last else f"lines {first}-{last}"
        found.append(lines if path == own else f"{lines} of {path}")
    return found


def _active(func: ir.Func, wrt: Sequence[str]) -> Iterator[ir.Stmt]:
    """The statements that derivatives flow through from ``wrt`` to the results."""
    first = func.result.items[0] if isinstance(func.result, Tuple) else func.result
    results = func.body.yields[: len(list(leaves(first)))]
    shown = replace(func, body=replace(func.body, yields=results))
    inputs = [leaf for p in func.params if p.name in wrt for leaf in p.leaves]
    memories = memories_of(shown)
    written = [leaf for leaf in func.inputs if isinstance(leaf.type, Array)]
    activity = Activity(shown, memories, inputs, written)
    for stmt in ir.walk(shown.body):
        touched = (*ir.outs(stmt), *ir.written(stmt))
        if any(isinstance(atom, ir.Value) and activity.active(atom) for atom in touched):
            yield stmt


def _all(emitted: Emitted) -> Iterator[ir.Stmt]:
    return (stmt for stmt in ir.walk(emitted.func.body) if stmt.origin is not None)


def _adjoint(functions: Iterable[Emitted]) -> Iterator[ir.Stmt]:
    return (s for f in functions for s in _all(f) if s.origin is not None and s.origin.adjoint)


def _spots(stmts: Iterable[ir.Stmt], normal: Normal) -> set[Spot]:
    return {normal((s.origin.path, s.origin.line)) for s in stmts if s.origin is not None}


def _again(forward: Emitted, pullback: Emitted, normal: Normal) -> Iterator[tuple[Spot, str]]:
    """The variables of the user that the pullback computes again, by where they are computed."""
    first = {
        (stmt.out.hint, stmt.op): stmt
        for stmt in ir.walk(forward.func.body)
        if isinstance(stmt, ir.Compute) and stmt.out.hint and stmt.origin is not None
    }
    for stmt in ir.walk(pullback.func.body):
        if isinstance(stmt, ir.Compute) and (found := first.get((stmt.out.hint, stmt.op))):
            assert found.origin is not None
            yield normal((found.origin.path, found.origin.line)), stmt.out.hint


def _fused(emitted: Emitted) -> Iterator[ir.Stmt]:
    """The statements that run forwards in a loop that also holds adjoints."""
    for stmt in ir.walk(emitted.func.body):
        if isinstance(stmt, ir.For | ir.While) and not _has_loops(stmt):
            inner = [s for s in ir.walk(stmt.body) if s.origin is not None]
            forwards = [s for s in inner if s.origin and not s.origin.adjoint]
            if forwards and len(forwards) < len(inner):
                yield from forwards


def _has_loops(stmt: ir.For | ir.While) -> bool:
    return any(isinstance(inner, ir.For | ir.While) for inner in ir.walk(stmt.body))
