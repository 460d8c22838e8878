"""Products and quotients that are 0 where their first operand is, as calls of the runtime.

    c = eq a, 0.0                 y = strong a, p                 rt.times(a, p)
    t = mul a, p
    y = select c, 0.0, t

Passes see through choices; this is a last step before emission.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.types import FLOAT

_MASKED = {"mul": "strong", "div": "over"}

Computed = dict[ir.Atom, ir.Compute]


def mask_choices(func: ir.Func) -> ir.Func:
    """``func`` with masked products and quotients of float64 in place of such choices."""
    computed: Computed = {s.out: s for s in ir.walk(func.body) if isinstance(s, ir.Compute)}
    if not any(stmt.op == "select" for stmt in computed.values()):
        return func
    uses = Counter(_used(func.body))
    masked: dict[ir.Stmt, tuple[ir.Compute, ...]] = {}
    for stmt in computed.values():
        found = _masked(stmt, computed, uses)
        if found:
            masked[stmt], dropped = found
            masked |= dict.fromkeys(dropped, ())
            uses[stmt.args[0]] -= 1
            if not uses[stmt.args[0]]:
                masked[computed[stmt.args[0]]] = ()
    return ir.with_body(func, ir.rewritten(func.body, masked.get))


def _used(block: ir.Block) -> Iterator[ir.Atom]:
    yield from block.yields
    for stmt in block.stmts:
        yield from ir.operands(stmt)
        for inner in ir.blocks(stmt):
            yield from _used(inner)


def _masked(
    stmt: ir.Compute, computed: Computed, uses: Counter[ir.Atom]
) -> tuple[tuple[ir.Compute, ...], list[ir.Stmt]] | None:
    """The statements in place of the choice ``stmt``, and those that only it needs."""
    if stmt.op != "select" or stmt.out.type != FLOAT or not _is_zero(stmt.args[1]):
        return None
    test, found = computed.get(stmt.args[0]), computed.get(stmt.args[2])
    if test is None or test.op != "eq" or not _is_zero(test.args[1]) or found is None:
        return None
    dropped: list[ir.Stmt] = [found]
    negative = found.op == "neg"
    if negative:
        inner = computed.get(found.args[0])
        if inner is None or uses[found.out] > 1:
            return None
        found = inner
        dropped.append(inner)
    first = test.args[0]
    fits = found.op in _MASKED and found.args[0] == first and uses[found.out] == 1
    if not fits or any(arg.type != FLOAT for arg in found.args):
        return None
    second = found.args[1]
    before: tuple[ir.Compute, ...] = ()
    if negative:
        before = (ir.Compute(ir.Value("", FLOAT), "neg", (second,), found.origin),)
        second = before[0].out
    return (*before, ir.Compute(stmt.out, _MASKED[found.op], (first, second), stmt.origin)), dropped


def _is_zero(atom: ir.Atom) -> bool:
    """True for 0.0, which is not -0.0."""
    return isinstance(atom, ir.Const) and atom.type == FLOAT and repr(atom.value) == "0.0"
