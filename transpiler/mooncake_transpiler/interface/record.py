"""The record of the outside of a function's derivatives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memories, Mutated
from mooncake_transpiler.border.borders import Border, Check
from mooncake_transpiler.border.paths import SPANS_OF, paths
from mooncake_transpiler.interface.cotangents import of_gradient
from mooncake_transpiler.interface.docstrings import Docs
from mooncake_transpiler.interface.last_values import kept_apart, user_result
from mooncake_transpiler.ir.function_names import short
from mooncake_transpiler.types import SPANS, Type, leaves


@dataclass(frozen=True, slots=True)
class Interface:
    """The outside of the derivatives of ``func`` with respect to its parameters ``wrt``.

    ``written``: the inputs that ``func`` writes.
    """

    func: ir.Func
    wrt: tuple[str, ...]
    written: frozenset[ir.Value]

    @classmethod
    def of(cls, func: ir.Func, wrt: Sequence[str], changes: Mutated | None = None) -> Self:
        """The record for ``func``, where functions write the inputs that ``changes`` says."""
        own = tuple(p.name for p in func.params if p.name in wrt)
        return cls(func, own, frozenset(Memories(func, changes).written_params))

    @property
    def name(self) -> str:
        return short(self.func.name)

    @property
    def result(self) -> Type:
        """The result type of the user's function, without last values of fields."""
        return user_result(self.func)

    @property
    def wrt_params(self) -> list[ir.Param]:
        return [p for p in self.func.params if p.name in self.wrt]

    @property
    def wrt_leaves(self) -> list[ir.Value]:
        """The leaves of the gradient, as those of parameters."""
        return [v for p in self.wrt_params for v in of_gradient(p.type, iter(p.leaves))]

    @property
    def apart(self) -> tuple[Check, ...]:
        return kept_apart(self.func, self.written)

    @property
    def docs(self) -> Docs:
        written = (p.name for p in self.func.params if not self.written.isdisjoint(p.leaves))
        return Docs(self.name, self.func.params, self.wrt, tuple(written), self.result)

    def make(
        self, suffix: str, params: Sequence[ir.Param], result: Type, body: ir.Block, doc: str,
        border: Border | None = None,
    ) -> ir.Func:  # fmt: skip
        """A derivative function with this body; ``border``: more than what is kept apart."""
        if border is None:
            border = Border(apart=self.apart, words=self.func.border.words)
        name, origin = f"{self.func.name}_{suffix}", self.func.origin
        return ir.Func(name, tuple(params), result, body, doc, origin, border=border)


def labels(type_: Type, name: str) -> Iterator[str]:
    """The user's names for the leaves of ``name``, a value of ``type_``."""
    for leaf, path in zip(leaves(type_), paths(type_, name), strict=True):
        yield path.removesuffix(SPANS_OF) if leaf == SPANS else path


def class_name(function: str, suffix: str) -> str:
    """A name of its own for each function: ``FitLineGrad`` for ``fit_line``."""
    if re.fullmatch(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*", function):
        return "".join(part.capitalize() for part in function.split("_")) + suffix
    return f"{function.lstrip('_')}_{suffix}"
