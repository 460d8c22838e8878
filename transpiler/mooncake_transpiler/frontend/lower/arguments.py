"""The arguments of one call, and how functions take theirs from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.operands import Operand


@dataclass(frozen=True, slots=True)
class Arguments:
    args: Sequence[Operand]
    keywords: Mapping[str, Operand]

    def take(
        self, ctx: Context, node: cst.Call, name: str, *params: str, required: int | None = None
    ) -> list[Operand | None]:
        """The values for ``params``, in order; None for those left out behind ``required``."""
        if len(self.args) > len(params):
            message = f"{name} takes at most {len(params)} arguments here, got {len(self.args)}"
            raise ctx.refuse(node, "MK303", message)
        unknown = [key for key in self.keywords if key not in params[len(self.args) :]]
        if unknown:
            raise ctx.refuse(node, "MK303", f"{name}: argument {unknown[0]!r} is not supported")
        found = [*self.args, *(self.keywords.get(key) for key in params[len(self.args) :])]
        needed = len(params) if required is None else required
        for key, value in zip(params[:needed], found, strict=False):
            if value is None:
                raise ctx.refuse(node, "MK303", f"{name} needs an argument {key!r}")
        return found

    def positional(self, ctx: Context, node: cst.Call, name: str) -> Sequence[Operand]:
        """The arguments of a function that takes none by name."""
        if self.keywords:
            key = next(iter(self.keywords))
            raise ctx.refuse(node, "MK303", f"{name}: argument {key!r} is not supported")
        return self.args
