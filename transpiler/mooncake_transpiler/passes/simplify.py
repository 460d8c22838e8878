"""The passes that clean up after every other, in a row, until nothing changes."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.cse import cse
from mooncake_transpiler.passes.dce import dce
from mooncake_transpiler.passes.fold import fold
from mooncake_transpiler.passes.invariants import invariants
from mooncake_transpiler.passes.loop_reversal import loop_reversal

_ROUNDS = 4  # nearly always two are enough; what is left after four is not worth more


def simplify(func: ir.Func) -> ir.Func:
    """Constants, invariants, common subexpressions and dead code, to a fixpoint."""
    passes = (loop_reversal, fold, invariants, cse, dce)
    idle = 0  # so many passes in a row have changed nothing
    for run in passes * _ROUNDS:
        before, func = func, run(func)
        idle = idle + 1 if func is before else 0
        if idle == len(passes):
            break
    return func
