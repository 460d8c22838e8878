"""The inputs of the transforms beside functions: rules of primitives, and simplification."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from mooncake_transpiler import ir
from mooncake_transpiler.ad.forward.calls import Stated, Static

Simplify = Callable[[ir.Func], ir.Func]


class PrimitivesWithPullbacks(Protocol):
    """Primitives as functions with a pullback."""

    @property
    def funcs(self) -> Mapping[str, ir.Func]:
        """The functions that have been asked for, with their pullbacks."""

    def function(self, name: str, args: tuple[Static, ...]) -> ir.Func | None:
        """The function that stands for the primitive ``name``; static arguments are built in."""


@dataclass(frozen=True, slots=True)
class Rules:
    """``stated`` gives the pushforwards that rules state, ``ruled`` primitives with pullbacks.

    ``prepare`` makes a function of a program ready to be differentiated, ``simplify`` finishes what
    is made, and ``prune`` removes what is dead.
    """

    stated: Stated
    ruled: PrimitivesWithPullbacks
    prepare: Callable[[ir.Func, ir.Program], ir.Func]
    simplify: Simplify
    prune: Simplify
