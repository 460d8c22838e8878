"""Signs of integers: sizes and indices of loops are not negative."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import IntRange
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import INT, UNSIGNED, Scalar

_GROWING = frozenset({"add", "mul", "floordiv", "np.maximum", "bitand", "pow", "cast"})


def is_natural(ctx: Context, atom: ir.Atom) -> bool:
    """True if an integer is certainly not negative."""
    match atom:
        case ir.Const(value=int() as value):
            return value >= 0
        case ir.Value(type=Scalar(dtype=dtype)) if dtype in UNSIGNED:
            return True
        case ir.Value():
            return atom in ctx.numbers.naturals or atom in ctx.numbers.positives
        case _:
            return False


def is_positive(ctx: Context, atom: ir.Atom) -> bool:
    match atom:
        case ir.Const(value=int() as value):
            return value > 0
        case ir.Value():
            return atom in ctx.numbers.positives
        case _:
            return False


def learn(ctx: Context, out: ir.Atom, op: str, args: Sequence[ir.Atom]) -> None:
    """Note what ``out``, an ``op`` of ``args``, says about signs."""
    if not isinstance(out, ir.Value) or out.type != INT or any(a.type != INT for a in args):
        return
    natural = [is_natural(ctx, a) for a in args]
    positive = [is_positive(ctx, a) for a in args]
    if op == "abs" or (op in _GROWING and all(natural)) or (op == "mod" and positive[1]):
        ctx.numbers.naturals.add(out)
    if op == "add" and all(natural) and any(positive):
        ctx.numbers.positives.add(out)
    if (op == "mul" and all(positive)) or (op == "np.maximum" and any(positive)):
        ctx.numbers.positives.add(out)
    if op == "sub" and natural[1] and isinstance(args[0], ir.Value):
        ctx.numbers.above[out] = args[0]


@contextmanager
def inside_loop(ctx: Context, index: ir.Value, counted: IntRange) -> Iterator[None]:
    """Facts that hold in the body of a loop over ``counted``."""
    lo, hi, step = counted.lo, counted.hi, counted.step
    kinds.marked(ctx, index, Kind.PYTHON)
    upwards = is_positive(ctx, step)
    downwards = isinstance(step, ir.Const) and not upwards
    to_zero = isinstance(hi, ir.Const) and isinstance(hi.value, int) and hi.value >= -1
    if (upwards and is_natural(ctx, lo)) or (downwards and to_zero):
        ctx.numbers.naturals.add(index)
    before = set(ctx.numbers.positives)
    largest: ir.Atom | None = hi if upwards and is_natural(ctx, lo) else None
    while isinstance(largest, ir.Value) and largest not in ctx.numbers.positives:
        ctx.numbers.positives.add(largest)
        largest = ctx.numbers.above.get(largest)
    try:
        yield
    finally:
        ctx.numbers.positives.clear()
        ctx.numbers.positives.update(before)
