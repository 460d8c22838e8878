"""Primitives as functions with a pullback, lowered to the normal form.

Their rules (``mooncake_rules.pullbacks``) are like those of library functions, and are lowered by
the same code, outside any module of the user's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_rules.primitives import PRIMITIVES

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.primitive.pushforwards import NoFunctions, Static, wrapped
from mooncake_transpiler.frontend.lower.rule.rules import call
from mooncake_transpiler.frontend.lower.state.known import Ruled
from mooncake_transpiler.ir.function_names import in_library, short
from mooncake_transpiler.types import Array


class RuledPrimitives(NoFunctions):
    """The functions that stand for primitives in one run, made when first asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.funcs: dict[str, ir.Func] = {}  # by name, with their pullbacks
        self._known: dict[tuple[object, ...], Ruled] = {}

    def function(self, name: str, args: Sequence[Static]) -> ir.Func | None:
        """The function that stands for the primitive ``name``; None if it has no rule.

        It takes the arguments that are not known ahead of time.
        """
        rule = PRIMITIVES[name].pull
        if rule is None:
            return None
        stage = self.stage()
        ctx = stage.ctx
        inputs = [a if isinstance(a, ir.Const) else ir.Value("", a) for a in args]
        ctx.memory.inputs.update(v for v in inputs if isinstance(v, ir.Value) and _is_array(v))
        given = [a.value if isinstance(a, ir.Const) else wrapped(stage, a) for a in inputs]
        call(stage, in_library(short(name)), rule, given)
        (made,) = (stmt for stmt in ctx.builder.stmts if isinstance(stmt, ir.Call))
        return self.funcs[made.func]

    def ruled(self, key: tuple[object, ...], make: Callable[[str], Ruled]) -> Ruled:
        """The functions of a rule, by names that those of the program don't have."""
        if key not in self._known:
            made = self._known[key] = make(f"{key[0]}_again__{len(self._known)}")
            self.funcs |= {func.name: func for func in (made.func, made.pullback)}
        return self._known[key]


def _is_array(value: ir.Value) -> bool:
    return isinstance(value.type, Array)
