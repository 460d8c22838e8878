"""What the compiler knows about one scalar op."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from mooncake_rules.expr import SEED, Number, Term, eq, may_blow_up, mul, substitute, where

Interval = tuple[float, float]  # of whole numbers, if its ends are ints
Partials = tuple[Term | None, ...]


class Result(Enum):
    """The dtype of an op's result."""

    FLOAT = "float"  # floats keep their precision, ints and bools become float64
    PROMOTE = "promote"  # NumPy's promotion of the arguments (of the two arms of a select)
    BOOL = "bool"
    INT = "int"  # int64
    SAME = "same"  # that of the first argument


class Prec:
    """Python's precedence levels; an operand of a lower level stands in parentheses."""

    SELECT, OR, AND, NOT, COMPARE, BITOR, BITXOR, BITAND, SHIFT = range(1, 10)
    ADD, MUL, UNARY, POWER, CALL = range(10, 15)


@dataclass(frozen=True, slots=True)
class Special:
    """A point where a convention holds, and the partials there (None: any)."""

    args: tuple[Number, ...]
    partials: tuple[Number | None, ...]


@dataclass(frozen=True, slots=True)
class ScalarOp:
    """A function of scalars.

    ``partials`` holds one term per argument, None for a zero one; None altogether is a function
    with zero derivative. ``domain`` is where the test draws each argument; ``special`` are the
    points with a convention. ``strong_zero``: a partial can be infinite, and a zero cotangent
    must nevertheless give zero. ``expensive``: worth saving rather than computing twice.
    In ``template``, ``rt`` stands for ``mooncake_runtime.scalar_kernels``.
    """

    name: str
    arity: int
    result: Result
    template: str
    precedence: int
    partials: Partials | None = None
    strong_zero: bool = False
    expensive: bool = False
    domain: tuple[Interval, ...] = ()
    special: tuple[Special, ...] = ()

    def is_expensive(self, literals: Mapping[int, Number] | None = None) -> bool:
        """Whether the result is worth saving; a small whole power is not."""
        exponent = (literals or {}).get(1)
        if self.name == "pow" and exponent is not None and float(exponent).is_integer():
            return abs(exponent) > 4
        return self.expensive

    def partial(self, index: int, literals: Mapping[int, Number] | None = None) -> Term | None:
        """The partial w.r.t. argument ``index``, simplified for arguments that are literals."""
        if self.partials is None:
            return None
        term = self.partials[index]
        if term is not None and literals:
            others = {i: value for i, value in literals.items() if i != index}
            term = substitute(term, others)
        return None if term is None or (isinstance(term, int | float) and term == 0) else term

    def product(self, index: int, literals: Mapping[int, Number] | None = None) -> Term | None:
        """``SEED`` times the partial: the contribution to the cotangent of argument ``index``.

        The same term is the contribution of its tangent ``SEED`` to the tangent of the result.
        """
        partial = self.partial(index, literals)
        if partial is None:
            return None
        scaled = mul(SEED, partial)
        if self.strong_zero and may_blow_up(partial):
            return where(eq(SEED, 0), 0, scaled)
        return scaled
