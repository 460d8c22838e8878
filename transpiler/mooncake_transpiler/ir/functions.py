"""Functions in the typed normal form, and programs of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from mooncake_transpiler.border.borders import NO_BORDER, Border
from mooncake_transpiler.ir.atoms import Origin, Value
from mooncake_transpiler.ir.nodes import Block
from mooncake_transpiler.types import Type

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ObjectDefault:
    """The place of a default that is an object: ``param`` of a function of the source."""

    module: str
    function: str
    param: str

    def __str__(self) -> str:
        return f"{self.module}:{self.function}:{self.param}"


@dataclass(frozen=True, slots=True, eq=False)
class Param:
    """A parameter and its leaves (one for a scalar or array, several for a tuple)."""

    name: str
    type: Type
    leaves: tuple[Value, ...]
    default: str | ObjectDefault | None = None  # Python text of a literal, or an object
    kwonly: bool = False
    dims: tuple[tuple[int | str | None, ...] | None, ...] = ()  # of array leaves, for docstrings
    is_cotangent: bool = False  # for which callers may write None and lists


@dataclass(frozen=True, slots=True)
class Overwritten:
    """A variable that a saved value would be computed from again, and where it is overwritten."""

    name: str
    at: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Func:
    """A function; ``body.yields`` are the leaves of ``result``, left to right.

    A function with a ``pullback`` is never differentiated: that function of the program moves its
    cotangents instead. The last ``kept`` leaves of the result exist for the pullback alone.

    ``pullback(*inputs, *results, *shadows, *seeds) -> bars``: the leaves of arguments and results
    (``kept`` ones included); a shadow to add to for each input array that carries floats; the
    cotangent of each result that does and is not kept; it returns that of each such input scalar.
    """

    name: str
    params: tuple[Param, ...]
    result: Type
    body: Block
    doc: str = ""
    origin: Origin | None = None
    pullback: str | None = None
    kept: int = 0
    border: Border = NO_BORDER  # what Python does in front of it
    barriers: tuple[
        tuple[Overwritten, ...], ...
    ] = ()  # to computing each residual again, for reports

    @property
    def inputs(self) -> tuple[Value, ...]:
        return tuple(leaf for param in self.params for leaf in param.leaves)

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of the result and the parameters, and of what its border handles."""
        fields = (*self.border.rebound, *self.border.tangents)
        holders = (type_ for _, type_ in self.border.holders)
        return (self.result, *(p.type for p in self.params), *(f.type for f in fields), *holders)

    def with_types(self, change: Callable[[Type], Type]) -> Func:
        """The function with each of these types ``change``d."""
        border = self.border
        return replace(
            self,
            params=tuple(replace(p, type=change(p.type)) for p in self.params),
            result=change(self.result),
            border=replace(
                border,
                rebound=tuple(replace(f, type=change(f.type)) for f in border.rebound),
                tangents=tuple(replace(f, type=change(f.type)) for f in border.tangents),
                holders=tuple((path, change(type_)) for path, type_ in border.holders),
            ),
        )

    def public(self, leaves: tuple[T, ...]) -> tuple[T, ...]:
        """``leaves``, one for each of the result, without those that are kept for the pullback."""
        return leaves[: len(leaves) - self.kept]


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """All functions that one run has read, by name; callees stand beside their callers."""

    funcs: dict[str, Func] = field(default_factory=dict)
