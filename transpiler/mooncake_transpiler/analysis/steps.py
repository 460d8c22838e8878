"""Steps: the amounts by which integers of a loop change in each iteration, exactly or at most."""

from __future__ import annotations

from collections.abc import Mapping

from mooncake_transpiler import ir
from mooncake_transpiler.types import BOOL, INT

_TRUE, _FALSE = ir.Const(True, BOOL), ir.Const(False, BOOL)


def constant_trips(loop: ir.For) -> int | None:
    """The iterations of ``loop``, unless it leaves earlier, where its bounds are constants."""
    match loop.lo, loop.hi, loop.step:
        case ir.Const(value=int(lo)), ir.Const(value=int(hi)), ir.Const(value=int(step)):
            return len(range(lo, hi, step)) if step != 0 else None
        case _:
            return None


def constant_step(loop: ir.For) -> int:
    """The step of ``loop``, or 0 if it is not known."""
    match loop.step:
        case ir.Const(value=int(step)):
            return step
        case _:
            return 0


class Steps:
    """The steps of the carried values of one loop."""

    def __init__(self, loop: ir.For | ir.While) -> None:
        self._loop = loop
        self._inside = ir.bound_by(loop)
        self.made = ir.binding(ir.walk(loop.body))
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
        match made := self.made.get(last):
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
            if leaves is None or not ir.same(leaves, _TRUE):
                steps.append(self._step(param, arm.yields[places[last]], leaves))
        first = steps[0] if steps else None
        agree = first is not None and all(s is not None and ir.same(s, first) for s in steps)
        return first if agree else None

    # ---- bounds ---------------------------------------------------------------------------------

    def is_monotonic(self, atom: ir.Atom) -> bool:
        """True if ``atom`` is computed from the index alone, and never goes down."""
        assert isinstance(self._loop, ir.For)
        if atom is self._loop.index or self.is_invariant(atom):
            return True
        match self.made.get(atom):
            case ir.Compute(op="add", args=(a, b)):
                return self.is_monotonic(a) and self.is_monotonic(b)
            case ir.Compute(op="sub", args=(a, b)):
                return self.is_monotonic(a) and self.is_invariant(b)
            case ir.Compute(op="mul" | "floordiv", args=(a, ir.Const(value=int(by)))) if by > 0:
                return self.is_monotonic(a)
            case _:
                return False

    def above(self, atom: ir.Atom) -> tuple[int, int] | None:
        """A carried value, and the most by which ``atom`` exceeds it."""
        if atom in self._loop.params:
            assert isinstance(atom, ir.Value)
            return self._loop.params.index(atom), 0
        match self.made.get(atom):
            case (
                ir.Compute(op="add", args=(a, ir.Const(value=int(by))))
                | ir.Compute(op="add", args=(ir.Const(value=int(by)), a))
            ):
                return self._moved(a, by)
            case ir.Compute(op="sub", args=(a, ir.Const(value=int(by)))):
                return self._moved(a, -by)
            case ir.Compute(op="select", args=(_, a, b)):
                return self._larger(a, b)
            case ir.If() as branch:
                return self._larger(*ir.arms(branch, atom))
            case _:
                return None

    def _moved(self, atom: ir.Atom, by: int) -> tuple[int, int] | None:
        found = self.above(atom)
        return None if found is None else (found[0], found[1] + by)

    def _larger(self, a: ir.Atom, b: ir.Atom) -> tuple[int, int] | None:
        if isinstance(a, ir.Undef) or isinstance(b, ir.Undef):
            return self.above(b if isinstance(a, ir.Undef) else a)
        first, second = self.above(a), self.above(b)
        if first is None or second is None or first[0] != second[0]:
            return None
        return first[0], max(first[1], second[1])
