"""Views and shapes that are the same in all iterations, made before the loop.

for i in 0..n step 1:                t = reshape x_bar (k, m)
  t = reshape x_bar (k, m)           for i in 0..n step 1:
  t[i, 0] += 1.0                       t[i, 0] += 1.0

Nests are to have nothing but numbers and elements in them, and no number that nothing uses.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.emit.cuda.whereabouts import is_of_spans
from mooncake_transpiler.types import INT


def lifted(loop: ir.For, defs: Definitions) -> tuple[list[ir.Stmt], ir.For]:
    """The statements to run before ``loop``, and the rest of it."""
    bound = set(ir.bound_by(loop))
    before: list[ir.Stmt] = []

    def visit(block: ir.Block) -> ir.Block:
        kept = []
        for stmt in block.stmts:
            if bound.isdisjoint(ir.operands(stmt)) and _is_invariant(stmt, defs, reshapes):
                before.append(stmt)
                bound.difference_update(ir.outs(stmt))
            elif isinstance(stmt, ir.For):
                kept.append(ir.mapped(stmt, visit))
            else:
                kept.append(stmt)
        return ir.with_stmts(block, kept)

    reshapes = any(isinstance(s, ir.Reshape) or _is_span(s) for s in ir.walk(loop.body))
    changed = ir.mapped(loop, visit)
    assert isinstance(changed, ir.For)
    return before, changed


def _is_span(stmt: ir.Stmt) -> bool:
    return isinstance(stmt, ir.Load) and is_of_spans(stmt.base)


def is_listed(stmt: ir.Stmt | None, defs: Definitions) -> bool:
    """True if ``stmt`` shows the elements of an array in a list."""
    match stmt:
        case ir.View(index=(ir.Slice(lo=ir.Value() as start, step=None),)):
            made = defs.stmt.get(start)
            return made is not None and _is_span(made)
        case _:
            return False


def _is_contiguous(stmt: ir.Stmt | None, defs: Definitions) -> bool:
    """True if ``stmt`` shows a part of memory that is contiguous: of our own, or of a list."""
    match stmt:
        case ir.View(base=ir.Value() as base, index=(ir.Slice(step=None),)):
            return isinstance(defs.stmt.get(base), ir.Alloc) or is_listed(stmt, defs)
        case _:
            return False


def _is_invariant(stmt: ir.Stmt, defs: Definitions, reshapes: bool) -> bool:
    """True if ``stmt`` is the same wherever it runs, given its operands.

    Views and what may fail are moved where the loop ``reshapes``, or has arrays of a list, alone.
    """
    match stmt:
        case ir.Reshape(base=ir.Value() as base, sharing=sharing):
            is_view = sharing is ir.Sharing.VIEW or _is_contiguous(defs.stmt.get(base), defs)
            return is_view or isinstance(defs.stmt.get(base), ir.Alloc)
        case ir.View() | ir.Dim():
            return reshapes
        case ir.Load():
            return _is_span(stmt)
        case ir.Compute(out=out, op=op, args=args):
            is_safe = reshapes or op not in ("floordiv", "mod") or _is_positive(args[1], defs)
            return is_safe and out.type == INT and all(arg.type == INT for arg in args)
        case _:
            return False


def _is_positive(atom: ir.Atom, defs: Definitions) -> bool:
    match defs.stmt.get(atom) if isinstance(atom, ir.Value) else None, atom:
        case _, ir.Const(value=int() as value):
            return value > 0
        case ir.Compute(op="np.maximum", args=(_, ir.Const(value=int() as least))), _:
            return least > 0
        case _:
            return False


def needed(block: ir.Block) -> ir.Block:
    """``block`` without statements whose results nothing uses."""
    used: set[ir.Atom] = set(block.yields)
    kept: list[ir.Stmt] = []
    for stmt in reversed(block.stmts):
        inner = [s for part in ir.blocks(stmt) for s in ir.walk(part)]
        writes = any(ir.written(s) for s in (stmt, *inner))
        if writes or not used.isdisjoint(ir.outs(stmt)):
            kept.append(stmt)
            used.update(ir.used_by(stmt))
    return ir.with_stmts(block, kept[::-1])
