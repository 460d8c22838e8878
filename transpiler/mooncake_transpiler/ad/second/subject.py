"""The subject of forward mode: a user's function, or the gradient that reverse mode returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.ad.border import without_last_values
from mooncake_transpiler.ad.callees import Callees
from mooncake_transpiler.ad.derive import Derived
from mooncake_transpiler.ad.forward.calls import Pushforwards
from mooncake_transpiler.ad.forward.derive import reached
from mooncake_transpiler.ad.orders.rules import Rules
from mooncake_transpiler.ad.orders.subject import Subject as OfOrder
from mooncake_transpiler.ad.orders.subject import differentiated
from mooncake_transpiler.ad.plain import plain
from mooncake_transpiler.ad.second.fitting import obstacle
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.types import Tuple

LANES = 8  # directions at once, where there are many


@dataclass(frozen=True, slots=True)
class Subject:
    """A function that forward mode is applied to.

    ``primal`` is the user's function, without last values of fields; ``func`` is that function or
    its gradient, with the same inputs.
    """

    primal: ir.Func
    func: ir.Func
    callees: Callees
    program: ir.Program
    rules: Rules

    @classmethod
    def value(cls, func: ir.Func, program: ir.Program, rules: Rules) -> Subject:
        """The function itself."""
        alone = rules.prune(without_last_values(func))
        return cls(alone, alone, Callees.of(alone, program, rules.prune), program, rules)

    @classmethod
    def gradient(
        cls, func: ir.Func, wrt: Sequence[str], program: ir.Program, rules: Rules
    ) -> Subject:
        """Its gradient with respect to ``wrt``, without the value."""
        if refused := obstacle("hvp", func, wrt):
            raise refused
        primal = without_last_values(func)
        next_ = differentiated(OfOrder(primal, tuple(wrt), program), "reverse", rules)
        program = ir.Program({**program.funcs, **next_.program.funcs})
        callees = Callees.of(next_.func, program, rules.prune)
        return cls(primal, next_.func, callees, program, rules)

    @property
    def written(self) -> frozenset[ir.Value]:
        """The inputs that ``func`` writes."""
        return frozenset(Memories(self.func, self.callees.changes).written_params)

    def pushes(self, lanes: int) -> Pushforwards:
        return Pushforwards.of_callees(self.callees, self.program, self.rules.stated, lanes)

    def finished(
        self,
        public: ir.Func,
        private: Sequence[ir.Func],
        pushes: Pushforwards,
        structs: tuple[Tuple, ...],
    ) -> Derived:
        """``public`` with the functions that it calls."""

        def finish(made: ir.Func) -> ir.Func:
            return self.rules.simplify(plain(made, self.callees.library))

        funcs = (finish(public),)
        inner = [finish(made) for made in (*private, *self.callees.funcs, *pushes.called.values())]
        return Derived(tuple(reached(funcs, inner)), funcs, structs)
