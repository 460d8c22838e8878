"""Loops that compiled code runs on vectors: those without an order of their iterations.

Compilers run a loop on vectors if no float goes from one iteration to the next and no library
function is called. They must keep the order of a sum, but for sums whose order is left open: those
of library functions (``radd``) and those of derivatives. What such a loop computes costs a
fraction, so it is better off on its own than in a loop that is not one of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.types import Scalar

# Measured with polynomials beside a sum of 1000 items: 6 operations fit into the time between two
# additions of a sum (fused 1.2 times as fast), 20 do not (0.4 times).
_FREE_OPS = 6

_INSTRUCTIONS = frozenset(("np.sqrt", "math.sqrt"))  # dear, but not calls


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one iteration of a loop."""

    ops: int  # arithmetic on floats
    calls: int  # of library functions
    ordered: bool  # a float goes from one iteration to the next, or there are loops inside

    def __add__(self, other: Work) -> Work:
        """The work of both loops in one."""
        ordered = self.ordered or other.ordered
        return Work(self.ops + other.ops, self.calls + other.calls, ordered)


def belong_together(first: Work, second: Work) -> bool:
    """True if one loop that does both is about as fast as two, loads and stores apart."""
    if _is_vectorised(first) == _is_vectorised(second):
        return True
    fast, slow = (first, second) if _is_vectorised(first) else (second, first)
    return fast.ops <= _FREE_OPS * (1 + slow.calls)


def runs_on_vectors(loop: ir.For) -> bool:
    """True if compiled code runs the loop on vectors, with its open sums written by ``radd``."""
    return _is_vectorised(work(loop))


def _is_vectorised(done: Work) -> bool:
    return not (done.calls or done.ordered)


def work(loop: ir.For) -> Work:
    """The work of one iteration of ``loop``."""
    ops, calls = 0, 0
    summed = {stmt.out for stmt in open_sums(loop)}
    carried = zip(loop.params, loop.body.yields, strict=True)
    ordered = loop.exit or any(_is_float(p) and last not in summed for p, last in carried)
    for stmt in ir.walk(loop.body):
        match stmt:
            case ir.Compute(args=args) if any(map(_is_float, args)):
                calls += _is_call(stmt)
                ops += 1
            case ir.Accum(index=index):
                ordered |= loop.index not in index
            case ir.For() | ir.While():
                ordered = True
            case _:
                pass
    return Work(ops, calls, ordered)


def open_sums(loop: ir.For) -> Iterator[ir.Compute]:
    """The additions to carried sums of real floats whose order is left open.

    A carried value is such a sum if an iteration does nothing but add to it.
    """
    made = {s.out: s for s in loop.body.stmts if isinstance(s, ir.Compute) and _is_open(s)}
    uses = Counter(ir.used_in(loop.body))
    for param, last in zip(loop.params, loop.body.yields, strict=True):
        chain: list[ir.Compute] = []
        total: ir.Atom = last
        while isinstance(total, ir.Value) and total in made and uses[total] == 1:
            chain.append(made[total])
            total = made[total].args[0]
        if total is param and uses[param] == 1:
            yield from chain


def _is_open(stmt: ir.Compute) -> bool:
    """True if ``stmt`` is an addition of two real floats that may be reordered."""
    type_ = stmt.out.type
    return (
        (stmt.op == "radd" or (stmt.op == "add" and stmt.free))
        and isinstance(type_, Scalar)
        and type_.dtype.is_float
        and all(arg.type == type_ for arg in stmt.args)
    )


def _is_call(stmt: ir.Compute) -> bool:
    literals = {
        k: arg.value
        for k, arg in enumerate(stmt.args)
        if isinstance(arg, ir.Const) and not isinstance(arg.value, complex)
    }
    return stmt.op not in _INSTRUCTIONS and OPS[stmt.op].is_expensive(literals)


def _is_float(atom: ir.Atom) -> bool:
    type_ = atom.type
    return isinstance(type_, Scalar) and (type_.dtype.is_float or type_.dtype.is_complex)
