"""Sizes of carried arrays that keep their shape are those of the arrays that loops begin with.

before                                 after
s = for t in 0..n (u = a):             s = for t in 0..n (u = a):
  v = view u[1:-1]                       v = view u[1:-1]
  m: int64 = dim v, 0                    w = view a[1:-1]
  ...                                    m: int64 = dim w, 0

So ``hoist`` can move them, and the iterations of inner loops are counted before the outer one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions, definitions_of
from mooncake_transpiler.analysis.shapes import CallExtent, CallExtents, carried_shapes, unknown

_Made = tuple[tuple[ir.Stmt, ...], ir.Atom]  # an array, and what must be bound before it


def carried_sizes(func: ir.Func, calls: CallExtent = unknown) -> ir.Func:
    """``func`` with sizes of what loops carry taken from what they begin with."""
    if not any(isinstance(stmt, ir.Dim) for stmt in ir.walk(func.body)):
        return func
    defs = definitions_of(func)
    inits = carried_shapes(func, defs, calls)

    def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
        if not isinstance(stmt, ir.Dim) or (found := _like(stmt.array, defs, inits)) is None:
            return None
        return [*found[0], replace(stmt, array=found[1])]

    return ir.with_body(func, ir.rewritten(func.body, change)) if inits else func


def carried_sizes_known(ruled: Mapping[str, ir.Func], func: ir.Func) -> ir.Func:
    """As ``carried_sizes``; ``ruled`` are functions with a pullback."""
    return carried_sizes(func, CallExtents(ruled.values()))


def _like(array: ir.Atom, defs: Definitions, inits: Mapping[ir.Value, ir.Atom]) -> _Made | None:
    """An array of the shape of ``array`` that no loop carries, if there is another one."""
    if not isinstance(array, ir.Value):
        return None
    made = defs.stmt.get(array)
    match made:
        case None if array in inits:
            return _like(inits[array], defs, inits) or ((), inits[array])
        case ir.For() | ir.While():
            return _like(made.params[made.outs.index(array)], defs, inits)
        case ir.View(base=base) if (found := _like(base, defs, inits)) is not None:
            view = ir.fresh(array)
            return (*found[0], replace(made, out=view, base=found[1])), view
        case _:
            return None
