"""What forward mode is applied to: a user's function, or the gradient that reverse mode returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.border import without_last_values
from mooncake_transpiler.ad.calls import callees, mutated
from mooncake_transpiler.ad.derive import Derived, value_and_grad
from mooncake_transpiler.ad.forward.calls import Pushforwards, Stated
from mooncake_transpiler.ad.forward.derive import reached
from mooncake_transpiler.ad.library import Library
from mooncake_transpiler.ad.second.fitting import obstacle
from mooncake_transpiler.ad.stacks import without_growables
from mooncake_transpiler.analysis.memory import Mutated
from mooncake_transpiler.types import Tuple

Simplify = Callable[[ir.Func], ir.Func]
LANES = 8  # directions at once, where there are many


@dataclass(frozen=True, slots=True)
class Rules:
    """What the transforms are given: rules of primitives, and what cleans up behind them.

    ``stated`` gives the pushforwards that rules state; ``simplify`` finishes what is made, and
    ``prune`` removes what is dead.
    """

    stated: Stated
    simplify: Simplify
    prune: Simplify


@dataclass(frozen=True, slots=True)
class Subject:
    """A function that forward mode is applied to.

    ``primal`` is the user's function, without last values of fields; ``func`` is that function or
    its gradient, with the same inputs; ``called`` are the functions that it calls.
    """

    primal: ir.Func
    func: ir.Func
    called: tuple[ir.Func, ...]
    program: ir.Program
    library: Library
    changes: Mutated
    rules: Rules

    @classmethod
    def value(cls, func: ir.Func, program: ir.Program, rules: Rules) -> Subject:
        """The function itself."""
        library = Library(program, rules.prune)
        alone = rules.prune(without_last_values(func))
        return cls._of(alone, alone, callees(func, program), program, library, rules)

    @classmethod
    def gradient(
        cls, func: ir.Func, wrt: Sequence[str], program: ir.Program, rules: Rules
    ) -> Subject:
        """Its gradient with respect to ``wrt``, without the value."""
        if refused := obstacle("hvp", func, wrt):
            raise refused
        library = Library(program, rules.prune)
        fused, inner = value_and_grad(func, wrt, program, library)
        assert isinstance(fused.result, Tuple)
        body = ir.Block(fused.body.stmts, fused.body.yields[1:])
        gradient = rules.prune(replace(fused, result=fused.result.items[1], body=body))
        return cls._of(without_last_values(func), gradient, inner, program, library, rules)

    @classmethod
    def _of(
        cls,
        primal: ir.Func,
        func: ir.Func,
        called: Sequence[ir.Func],
        program: ir.Program,
        library: Library,
        rules: Rules,
    ) -> Subject:
        changes = mutated([func, *called, *library.funcs()])
        program = ir.Program({**program.funcs, **{one.name: one for one in called}})
        return cls(primal, func, tuple(called), program, library, changes, rules)

    def pushes(self, lanes: int) -> Pushforwards:
        # What a pullback reads of a call moves with the arguments, too.
        return Pushforwards(
            self.program, self.library, self.changes, self.rules.stated, lanes, of_kept=True
        )

    def finished(
        self,
        public: ir.Func,
        private: Sequence[ir.Func],
        pushes: Pushforwards,
        structs: tuple[Tuple, ...],
    ) -> Derived:
        """``public`` with the functions that it calls."""

        def finish(made: ir.Func) -> ir.Func:
            return self.rules.simplify(without_growables(self.library.expand(made)))

        funcs = (finish(public),)
        inner = [finish(made) for made in (*private, *self.called, *pushes.called.values())]
        return Derived(tuple(reached(funcs, inner)), funcs, structs)
