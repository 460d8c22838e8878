"""Loop-invariant code motion for kernels: views and shapes, made before the loop.

for i in 0..n step 1:                t = reshape x_bar (k, m)
  t = reshape x_bar (k, m)           for i in 0..n step 1:
  t[i, 0] += 1.0                       t[i, 0] += 1.0

Nests are to have nothing but numbers and elements in them, and no number that nothing uses.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.emit.cuda.loop.whereabouts import is_of_spans
from mooncake_transpiler.types import BOOL, INT, Array


def lifted(loop: ir.For, defs: Definitions, *, views: bool = False) -> tuple[list[ir.Stmt], ir.For]:
    """The statements to run before ``loop``, among them all ``views``, and the rest of it."""
    bound = set(ir.bound_by(loop))
    before: list[ir.Stmt] = []

    def visit(block: ir.Block) -> ir.Block:
        kept = []
        for stmt in block.stmts:
            needs = {*ir.used_by(stmt)} - ir.bound_by(stmt)
            if bound.isdisjoint(needs) and (
                _is_invariant(stmt, defs, shows) or (views and isinstance(stmt, ir.View))
            ):
                before.append(stmt)
                bound.difference_update(ir.outs(stmt))
            elif isinstance(stmt, ir.For):
                kept.append(ir.mapped(stmt, visit))
            else:
                kept.append(stmt)
        return ir.with_stmts(block, kept)

    shows = any(
        isinstance(s, ir.Reshape) or _is_span(s) or _is_choice(s) for s in ir.walk(loop.body)
    )
    changed = ir.mapped(loop, visit)
    assert isinstance(changed, ir.For)
    return _once(before, changed)


def _once(before: list[ir.Stmt], loop: ir.For) -> tuple[list[ir.Stmt], ir.For]:
    """The same with one of several arrays that show one array in one shape."""
    shown: dict[object, ir.Value] = {}
    same: dict[ir.Atom, ir.Atom] = {}
    for stmt in before:
        if isinstance(stmt, ir.Reshape):
            key = (stmt.base, stmt.shape, stmt.sharing)
            if (first := shown.setdefault(key, stmt.out)) is not stmt.out:
                same[stmt.out] = first
    if not same:
        return before, loop
    kept = [stmt for stmt in before if same.keys().isdisjoint(ir.outs(stmt))]
    block = ir.Block((*kept, loop))
    (*kept, changed) = ir.rewritten(block, lambda stmt: None, lambda a: same.get(a, a)).stmts
    assert isinstance(changed, ir.For)
    return kept, changed


def _is_choice(stmt: ir.Stmt) -> bool:
    """True if ``stmt`` chooses arrays, and does nothing else."""
    inner = ir.nested(stmt)
    return (
        isinstance(stmt, ir.If)
        and any(isinstance(out.type, Array) for out in stmt.outs)
        and all(isinstance(s, ir.If | ir.View | ir.Dim) or _is_whole(s) for s in inner)
    )


def _is_whole(stmt: ir.Stmt) -> bool:
    """True if ``stmt`` computes an integer or a bool of such."""
    return isinstance(stmt, ir.Compute) and all(
        atom.type in (INT, BOOL) for atom in (stmt.out, *stmt.args)
    )


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


def _is_contiguous(array: ir.Atom, defs: Definitions) -> bool:
    """True if the memory of ``array`` is one block: our own, of another shape, or a part of it."""
    match defs.stmt.get(array):
        case ir.Alloc():
            return True
        case ir.Reshape(base=base):
            return _is_contiguous(base, defs)
        case ir.View(base=base, index=(ir.Slice(step=None),)) as part:
            made = defs.stmt.get(base)
            return isinstance(made, ir.Alloc | ir.Grow) or is_listed(part, defs)
        case _:
            return False


def _is_invariant(stmt: ir.Stmt, defs: Definitions, shows: bool) -> bool:
    """True if ``stmt`` is the same wherever it runs, given its operands.

    Views and what may fail are moved only where the loop ``shows`` arrays in another shape, or
    such as are chosen, or are in a list.
    """
    match stmt:
        case ir.Reshape(base=ir.Value() as base, sharing=sharing):
            return sharing is ir.Sharing.VIEW or _is_contiguous(base, defs)
        case ir.View() | ir.Dim():
            return shows
        case ir.Load():
            return _is_span(stmt)
        case ir.If():
            return _is_choice(stmt)
        case ir.Compute(out=out, op=op, args=args):
            is_safe = op not in ("floordiv", "mod") or _is_positive(args[1], defs)
            plain = is_safe and all(atom.type == INT for atom in (out, *args))
            return _is_whole(stmt) if shows else plain
        case _:
            return False


def _is_positive(atom: ir.Atom, defs: Definitions) -> bool:
    match defs.stmt.get(atom), atom:
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
