"""Arrays at module level are constants: what would write to one is refused.

What may be one is seen when all functions are there: names, choices, and what calls give and take.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Mutated, mutated
from mooncake_transpiler.analysis.points_to import PointsTo
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.failures import place_of
from mooncake_transpiler.versions import called

HELP = "write to a copy"


def writes_to_constants(funcs: Mapping[str, ir.Func]) -> Iterator[tuple[str, Diagnostic]]:
    """The functions of ``funcs`` that write to an array at module level, and where."""
    if not any(isinstance(s, ir.Global) for f in funcs.values() for s in ir.walk(f.body)):
        return
    changes, origins = mutated(list(funcs.values())), _Origins(funcs)
    for name, func in funcs.items():
        for stmt in ir.walk(func.body):
            for array, writer in _written(stmt, changes):
                for constant in sorted(origins.constants(name, array)):
                    message = f"{writer} {constant}, an array at module level"
                    place = stmt.origin.place if stmt.origin is not None else place_of(func)
                    yield name, Diagnostic("MK217", message, place, HELP)


def _written(stmt: ir.Stmt, changes: Mutated) -> Iterator[tuple[ir.Atom, str]]:
    """The arrays that ``stmt`` writes, and who does it."""
    if not isinstance(stmt, ir.Call) or ir.is_primitive(stmt):
        yield from ((array, "this may write to") for array in ir.written(stmt))
        return
    writer = f"{called(stmt.func)} writes to"
    yield from ((stmt.args[k], writer) for k in sorted(changes[stmt.func]))


class _Origins:
    """The arguments and arrays at module level that an array may be, or be a part of."""

    def __init__(self, funcs: Mapping[str, ir.Func]) -> None:
        self._funcs = funcs
        self._points: dict[str, PointsTo] = {}
        self._results: dict[str, list[frozenset[int | str]]] = {}

    def constants(self, name: str, array: ir.Atom) -> set[str]:
        """The names of arrays at module level that ``array``, in the function ``name``, may be."""
        return {origin for origin in self._of(name, array) if isinstance(origin, str)}

    def _of(self, name: str, array: ir.Atom) -> frozenset[int | str]:
        """Positions of inputs, and names of arrays at module level."""
        func = self._funcs[name]
        if name not in self._points:
            self._points[name] = PointsTo(func)
        points, found = self._points[name], set[int | str]()
        pending, seen = [*points.sites(array)], set[ir.Atom]()
        while pending:
            site = pending.pop()
            if site in seen:
                continue
            seen.add(site)
            match points.defs.stmt.get(site):
                case ir.Global() as constant:
                    found.add(constant.name)
                case ir.Call(outs=outs, args=args) as call if not ir.is_primitive(call):
                    for origin in self._of_results(call.func)[outs.index(site)]:
                        if isinstance(origin, str):
                            found.add(origin)
                        else:
                            pending += points.sites(args[origin])
                case _:
                    found.update(k for k, value in enumerate(func.inputs) if value is site)
        return frozenset(found)

    def _of_results(self, name: str) -> list[frozenset[int | str]]:
        """The origins of each result of a function; a recursive one returns no arrays."""
        if name not in self._results:
            yields = self._funcs[name].body.yields
            self._results[name] = [frozenset()] * len(yields)
            self._results[name] = [self._of(name, atom) for atom in yields]
        return self._results[name]
