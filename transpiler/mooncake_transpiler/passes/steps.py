"""Steps: the amounts by which carried integers change in each iteration."""

from __future__ import annotations

from collections.abc import Mapping

from mooncake_transpiler import ir
from mooncake_transpiler.passes.rewrite import same
from mooncake_transpiler.types import BOOL, INT

_TRUE, _FALSE = ir.Const(True, BOOL), ir.Const(False, BOOL)


class Steps:
    """The steps of the carried values of one loop."""

    def __init__(self, loop: ir.For | ir.While) -> None:
        self._loop = loop
        self._inside = ir.bound_in(loop.body) | set(ir.binders(loop))
        self._binder = {out: s for s in ir.walk(loop.body) for out in ir.outs(s)}
        self._flag: ir.Atom | None = loop.body.yields[0] if loop.exit else None

    def is_invariant(self, atom: ir.Atom) -> bool:
        return atom not in self._inside

    def of(self, k: int) -> ir.Atom | None:
        """The invariant that each iteration but one that leaves adds to carried value ``k``."""
        param = self._loop.params[k]
        if param.type != INT or (k == 0 and self._loop.exit):
            return None
        return self._step(param, self._loop.body.yields[k], self._flag)

    def _step(self, param: ir.Value, last: ir.Atom, flag: ir.Atom | None) -> ir.Atom | None:
        made = self._binder.get(last) if isinstance(last, ir.Value) else None
        match made:
            case ir.Compute(op="add", args=(a, b)) if a is param or b is param:
                step = b if a is param else a
            case ir.Compute(op="sub", args=(a, ir.Const(value=int() as by))) if a is param:
                step = ir.int_const(-by)
            case ir.If():
                return self._branch(param, made, last, flag)
            case _:
                return None
        return step if step.type == INT and self.is_invariant(step) else None

    def _branch(
        self, param: ir.Value, stmt: ir.If, last: ir.Atom, flag: ir.Atom | None
    ) -> ir.Atom | None:
        """The step that both arms agree on; an arm that leaves the loop does not count."""
        places: Mapping[ir.Atom, int] = {out: k for k, out in enumerate(stmt.outs)}
        steps = []
        for arm, known in ((stmt.then, _TRUE), (stmt.orelse, _FALSE)):
            leaves: ir.Atom | None = None
            if flag is not None and flag in places:
                leaves = arm.yields[places[flag]]
            elif flag is stmt.cond:
                leaves = known
            if leaves is None or not same(leaves, _TRUE):
                steps.append(self._step(param, arm.yields[places[last]], leaves))
        first = steps[0] if steps else None
        agree = first is not None and all(s is not None and same(s, first) for s in steps)
        return first if agree else None
