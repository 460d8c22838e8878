"""Powers of Python's integers, whose exponents may be negative: they are floats, then.

As an integer such a number is an op that raises ValueError where the exponent is negative; beside
floats it is a power of floats. Sums and products of it with integers are either, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar.conversion import cast
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.types import FLOAT

_LINEAR = frozenset({"add", "sub", "mul", "neg"})


def learn(ctx: Context, out: ir.Atom, op: str, args: Sequence[ir.Atom]) -> None:
    """Compute ``out`` as a float as well, if its exponent, or one that it is made of, is open."""
    if not isinstance(out, ir.Value):
        return
    if op == "rt.integer_power":
        base, exponent = args
        ctx.numbers.powers[out] = ctx.builder.compute(
            "pow", (cast(ctx, base, FLOAT), exponent), FLOAT
        )
    elif op in _LINEAR and any(arg in ctx.numbers.powers for arg in args):
        floats = [cast(ctx, arg, FLOAT) for arg in args]
        ctx.numbers.powers[out] = ctx.builder.compute(op, floats, FLOAT)
