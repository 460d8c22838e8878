"""The functions that lower layers ask of higher ones (``state.context.Lower``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst
from mooncake_rules.arrays import Arr, Num
from mooncake_rules.arrays.stage import Rule

from mooncake_transpiler.frontend.lower import calls, expressions, names, statements
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.container import views
from mooncake_transpiler.frontend.lower.operation import binary, logic
from mooncake_transpiler.frontend.lower.rule import rules
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import NO_KEYWORDS, Context
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.syntax import Hint


class Syntax:
    """The implementation of ``Lower``: lowering of all syntax, for lower layers."""

    expression = staticmethod(expressions.lower)
    block = staticmethod(statements.lower_list)
    attribute = staticmethod(names.attribute)
    binary = staticmethod(binary.binary)
    compare = staticmethod(logic.compare)
    view = staticmethod(views.view)

    def call(
        self,
        ctx: Context,
        node: cst.Call,
        callee: Operand,
        args: Sequence[Operand] = (),
        keywords: Mapping[str, Operand] = NO_KEYWORDS,
        hint: Hint = "",
    ) -> Operand:
        return calls.apply(ctx, node, callee, Arguments(args, keywords), hint)

    def rule(
        self, ctx: Context, node: cst.CSTNode, name: str, rule: Rule, args: Sequence[object]
    ) -> tuple[Num | Arr, ...]:
        return rules.call(LoweringStage(ctx, node), name, rule, args)


SYNTAX = Syntax()
