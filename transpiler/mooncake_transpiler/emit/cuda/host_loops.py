"""Loops that are kernels, and those of the host: around work with arrays, and few others."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.shapes import Extent
from mooncake_transpiler.emit.cuda.addition.whole_sums import with_sums_apart
from mooncake_transpiler.emit.cuda.host import Host
from mooncake_transpiler.emit.cuda.launch import Launch
from mooncake_transpiler.emit.cuda.loop.conditional_sums import with_terms
from mooncake_transpiler.emit.cuda.loop.counts import with_counts
from mooncake_transpiler.emit.cuda.loop.extremum_loops import extremum, unread_starts
from mooncake_transpiler.emit.cuda.loop.lifting import lifted
from mooncake_transpiler.emit.cuda.loop.nests import Nest, independent, interchanged
from mooncake_transpiler.emit.cuda.loop.saved_integers import with_saved_integers
from mooncake_transpiler.emit.cuda.loop.stack_blocks import with_blocks
from mooncake_transpiler.emit.cuda.loop.starts import with_starts
from mooncake_transpiler.emit.cuda.loop.truths import with_counted_truths
from mooncake_transpiler.emit.cuda.loop.whereabouts import host_numbers, is_of_spans
from mooncake_transpiler.emit.cuda.selections import Groups, selected_in, with_places
from mooncake_transpiler.interface.saved_names import taken
from mooncake_transpiler.types import Array, Scalar

# What a loop of the host is worth for, beside single elements.
_ARRAY_WORK = (ir.For, ir.While, ir.Call, ir.Copy, ir.Assign, ir.AddTo, ir.Sum)


def nests_of(loop: ir.For, host: Host) -> tuple[list[ir.Stmt], ir.For, list[Nest]]:
    """Statements to run before ``loop``, the rest of it, and that as nests, if it is such."""
    before, rest = lifted(loop, host.defs)
    if any(isinstance(s, ir.Load) and is_of_spans(s.base) for s in ir.walk(rest.body)):
        return before, rest, []
    found = independent(rest, host.integers)
    if not found and (views := lifted(rest, host.defs, views=True))[0]:
        before, rest = [*before, *views[0]], views[1]
        found = independent(rest, host.integers)
    found = found or independent(rest, host.integers, apart=True)
    if not found and (other := interchanged(rest, host.defs)):
        found = independent(other, host.integers)
        rest = other if found else rest
    return before, rest, [part for nest in found for part in with_sums_apart(nest, host.defs)]


def works_with_arrays(loop: ir.For | ir.While) -> bool:
    """True if ``loop`` does more than to visit elements one by one."""
    return any(isinstance(s, _ARRAY_WORK) for s in ir.nested(loop))


def is_of_numbers(loop: ir.For, host: Host) -> bool:
    """True if ``loop`` computes numbers of one another, and touches memory to save them alone.

    It is one kernel of one thread: elements of arrays that a kernel has made or that the user
    gives would take that one long.
    """
    inner = list(ir.walk(loop.body))
    loaded = {host.defs.root(s.base) for s in inner if isinstance(s, ir.Load)}
    stored = {host.defs.root(s.base) for s in inner if isinstance(s, ir.Store)}
    plain = all(isinstance(s, ir.Compute | ir.If | ir.Load | ir.Store) for s in inner)
    return plain and not loop.exit and loaded.isdisjoint(stored) and (
        loaded | stored <= host.savings
    )  # fmt: skip


def number_memory(like: ir.Value, host: Host) -> ir.Value:
    """Memory for one number."""
    assert isinstance(like.type, Scalar)
    out = ir.Value(like.hint, Array(like.type.dtype, 0))
    host.emit(ir.Alloc(out, ()))
    return out


def compute_numbers(loop: ir.For, host: Host) -> None:
    """Launch a kernel of one thread for ``loop``."""
    outs = {out: number_memory(out, host) for out in loop.outs}
    stores = (ir.Store(made, (), out, loop.origin) for out, made in outs.items())
    Launch(host, Nest((), (loop, *stores), (), frozenset()), None).run()
    host.env.update(outs)


def is_exchange(loop: ir.For) -> bool:
    """True if all that ``loop`` does is to put elements to other places, as pivots say."""
    return not loop.outs and all(
        isinstance(stmt, ir.Load | ir.Store | ir.For)
        or (isinstance(stmt, ir.Compute) and isinstance(stmt.out.type, Scalar)
            and not stmt.out.type.dtype.is_differentiable)
        for stmt in ir.walk(loop.body)
    )  # fmt: skip


def host_of(
    func: ir.Func,
    name: str,
    on_host: Collection[str],
    equal: Sequence[tuple[Extent, Extent]],
    kept: Mapping[str, tuple[bool, ...]],
    chosen: Mapping[str, Groups],
    shown: frozenset[ir.Value],
) -> Host:
    """Facts about ``func`` from which its host code is put together."""
    func = with_counted_truths(with_starts(func))
    func = with_terms(with_places(with_blocks(with_counts(func))))
    given = {v for p in func.params for v in p.leaves if _is_on_host(p, v, on_host)}
    selected = selected_in(func, chosen)
    host = Host(func, name, equal, selected=selected, kept=shown)
    for stmt in ir.walk(func.body):
        if isinstance(stmt, ir.Alloc) and is_of_spans(stmt.out):
            raise host.refuse(stmt, "MK604", "a list of arrays of several shapes")
    func = with_saved_integers(func, given, lambda loop: bool(nests_of(loop, host)[2]), kept)
    made = Host(func, name, equal, selected=selected, kept=shown)
    made.savings = _savings(made)
    loops = [stmt for stmt in ir.walk(func.body) if isinstance(stmt, ir.For)]
    made.unread = unread_starts([loop for loop in loops if _is_search(loop, made)], func, made.defs)
    made.numbers = host_numbers(func, given, lambda loop: bool(nests_of(loop, made)[2]))
    return made


def _is_search(loop: ir.For, host: Host) -> bool:
    """True if CuPy looks for an extremum in place of ``loop``, whatever it starts with."""
    _, alone, nests = nests_of(loop, host)
    found = None if nests else extremum(alone, host.defs)
    return found is not None and found.first is None


def _is_on_host(param: ir.Param, leaf: ir.Value, on_host: Collection[str]) -> bool:
    if not isinstance(leaf.type, Scalar):
        return False
    return not leaf.type.dtype.is_differentiable or (leaf.hint or param.name) in on_host


def _savings(host: Host) -> frozenset[ir.Atom]:
    """Arrays that are filled in loops of the host one element after the other, and residuals."""
    found: set[ir.Atom] = set()
    others: set[ir.Atom] = set()

    def visit(block: ir.Block, loop: ir.For | None) -> None:
        for stmt in block.stmts:
            if isinstance(stmt, ir.For) and not nests_of(stmt, host)[2]:
                visit(stmt.body, stmt)
            elif isinstance(stmt, ir.Store) and loop is not None and stmt.index == (loop.index,):
                found.add(host.defs.root(stmt.base))
            else:
                others.update(host.defs.written([stmt]))

    visit(host.func.body, None)
    made = {
        a for a in found if isinstance(a, ir.Value) and isinstance(host.defs.stmt.get(a), ir.Alloc)
    }
    return frozenset(made - others).union(*(leaves for _, leaves in taken(host.func)))
