"""The protocol by which differentiation asks the rest of the compiler, which it does not import."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from mooncake_transpiler import ir
from mooncake_transpiler.types import Type

Static = Type | ir.Const  # an argument: its type, or what it is if that is known ahead of time


class Services(Protocol):
    """The passes between derivatives, and primitives as functions that can be differentiated."""

    @property
    def on_device(self) -> bool:
        """True for arrays of a GPU: what asks for a number waits for it."""

    def prepared(self, func: ir.Func, program: ir.Program) -> ir.Func:
        """``func``, a function of ``program``, ready to be differentiated."""

    def pruned(self, func: ir.Func) -> ir.Func:
        """``func`` without what is dead."""

    def finished(self, func: ir.Func) -> ir.Func:
        """``func``, a derivative, as emission wants it."""

    def pushforward(
        self, name: str, args: tuple[Static, ...], outs: tuple[Type, ...], active: frozenset[int]
    ) -> ir.Func:
        """The pushforward that is stated for ``name``.

        It takes the arguments and the results, then the tangents of the arguments at ``active``,
        and returns those of the results that carry floats. To the tangent of an argument that is
        written it adds.
        """

    def with_pullback(self, name: str, args: tuple[Static, ...]) -> ir.Func | None:
        """The function with a pullback that stands for the primitive ``name``, if there is one.

        Static arguments are built in.
        """

    @property
    def with_pullbacks(self) -> Mapping[str, ir.Func]:
        """The functions of ``with_pullback`` that have been asked for, and their pullbacks."""
