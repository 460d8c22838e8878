"""The arguments of one call, and what a function says of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Spread
from mooncake_transpiler.frontend.lower.state.operands import Operand


@dataclass(frozen=True, slots=True)
class Arguments:
    args: Sequence[Operand]
    keywords: Mapping[str, Operand]

    @property
    def sure(self) -> int:
        """The number of parameters that are surely given by position."""
        spread = (k for k, arg in enumerate(self.args) if isinstance(arg, Spread))
        return next(spread, len(self.args))

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

    def parted(
        self, ctx: Context, node: cst.Call, name: str, *params: str, required: int = 1
    ) -> tuple[list[Operand], list[Operand | None]]:
        """The values for ``params`` that are ``required``, and those for the others."""
        found = self.take(ctx, node, name, *params, required=required)
        return [one for one in found[:required] if one is not None], found[required:]

    def all(self, ctx: Context, node: cst.Call, name: str, *params: str) -> list[Operand]:
        """The values for ``params``, in order, of which none may be left out."""
        return [value for value in self.take(ctx, node, name, *params) if value is not None]

    def map(self, change: Callable[[Operand], Operand]) -> Arguments:
        """These arguments, each changed."""
        named = {name: change(value) for name, value in self.keywords.items()}
        return Arguments([change(value) for value in self.args], named)

    def positional(self, ctx: Context, node: cst.Call, name: str) -> Sequence[Operand]:
        """The arguments of a function that takes none by name."""
        if self.keywords:
            key = next(iter(self.keywords))
            raise ctx.refuse(node, "MK303", f"{name}: argument {key!r} is not supported")
        return self.args


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function, and the values of those left out.

    ``star`` and ``stars``: the names of ``*args`` and ``**kwargs``, if it has them. ``maker``: the
    method of a class whose parameters behind its own first one these are.
    """

    name: str
    names: tuple[str, ...]
    positional: int  # how many can be given by position
    defaults: Mapping[str, Operand]
    posonly: frozenset[str] = frozenset()
    star: str | None = None
    stars: str | None = None
    maker: str = ""

    @staticmethod
    def of(name: str, params: cst.Parameters, defaults: Mapping[str, Operand]) -> Signature:
        posonly = [p.name.value for p in params.posonly_params]
        plain = [p.name.value for p in params.params]
        kwonly = [p.name.value for p in params.kwonly_params]
        star = params.star_arg.name.value if isinstance(params.star_arg, cst.Param) else None
        stars = None if params.star_kwarg is None else params.star_kwarg.name.value
        return Signature(
            name, (*posonly, *plain, *kwonly), len(posonly) + len(plain), defaults,
            frozenset(posonly), star, stars,
        )  # fmt: skip


Handler = Callable[[Context, cst.Call, Arguments, str], Operand]  # lowers a call; the str is a hint
