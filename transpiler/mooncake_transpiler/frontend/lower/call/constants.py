"""Values at module level: arrays are constants, and what would write to one is refused.

What may be one is seen when all functions are there: names, choices, and what calls give and take.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst
import numpy as np

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Mutated, mutated
from mooncake_transpiler.analysis.points_to import PointsTo
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.failures import place_of
from mooncake_transpiler.frontend.constant import pure
from mooncake_transpiler.frontend.entities import SharedDecl
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.container import dicts, keyed
from mooncake_transpiler.frontend.lower.instance import members
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.scalar.scalars import constant
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Frame, Items, Operand, Static
from mooncake_transpiler.types import DType, Scalar
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
                for name_ in sorted(origins.constants(name, array)):
                    message = f"{writer} {name_}, an array at module level"
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


# ---- Lists, dicts, objects and functions at module level: made where they are used, and only read


def module_value(ctx: Context, node: cst.CSTNode, decl: SharedDecl) -> Operand:
    """The operand of the module-level name ``decl``."""

    def make() -> Operand:
        if decl.value is not None:
            return delayed.own(ctx, from_python(ctx, node, decl.value, decl.expr))
        with leaving.inside(ctx, Frame(ctx.source.modules[decl.module], (), ())):
            found = ctx.lower.expression(ctx, decl.expr)
            return delayed.own(ctx, delayed.settle(ctx, found))

    return members.made_once(ctx, node, decl.name, make)


def from_python(
    ctx: Context, node: cst.CSTNode, value: object, made_by: cst.CSTNode | None = None
) -> Operand:
    """A constant of the program as an operand; ``made_by`` the expression that makes a dict."""
    match value:
        case np.generic():
            return kinds.NumpyConst(value.item(), Scalar(DType(value.dtype.name)))
        case bool() | int() | float() | complex():
            return constant(value)
        case str() | None | np.finfo() | np.iinfo():
            return Static(value)
        case np.dtype() if pure.is_known_dtype(value):
            return Static(DType(value.name))
        case tuple() | list():
            items = tuple(from_python(ctx, node, item) for item in value)
            return Items(items, is_list=isinstance(value, list))
        case dict():
            held = {
                dicts.name_of(ctx, node, from_python(ctx, node, key)): from_python(ctx, node, item)
                for key, item in value.items()
            }
            return keyed.new(ctx, made_by or node, held)
        case _:
            raise ctx.refuse(node, "MK213", f"a constant of this kind can't be used: {value!r}")
