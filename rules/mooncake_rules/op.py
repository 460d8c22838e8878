"""Scalar ops as the compiler sees them: result dtype, printing, partials, domain, conventions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum

from mooncake_rules.expr import SEED, UNKNOWN, Number, Term, mul, substitute
from mooncake_rules.over_complex import OverComplex

Interval = tuple[float, float]  # of whole numbers, if its ends are ints
Partials = tuple[Term | None, ...]


class Result(Enum):
    """The dtype of an op's result."""

    FLOAT = "float"  # floats keep their precision, ints and bools become float64
    PROMOTE = "promote"  # NumPy's promotion of the arguments (of the two arms of a select)
    BOOL = "bool"
    INT = "int"  # int64
    SAME = "same"  # that of the first argument
    REAL = "real"  # that of the first argument, or of its parts if that is complex
    COMPLEX = "complex"  # complex128


class Prec:
    """Python's precedence levels; an operand of a lower level stands in parentheses."""

    SELECT, OR, AND, NOT, COMPARE, BITOR, BITXOR, BITAND, SHIFT = range(1, 10)
    ADD, MUL, UNARY, POWER, CALL, ATTRIBUTE = range(10, 16)


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
    points with a convention. ``expensive``: worth saving rather than computing twice.
    In ``template``, ``rt`` stands for ``mooncake_runtime.scalar_kernels``. All of that is about
    real arguments; ``complex`` says what holds for complex ones, None that there can't be any.
    ``given`` may know better partials where some arguments are literals: with the same values,
    but cheaper. ``products`` are the contributions, where they are not ``SEED`` times a partial.
    """

    name: str
    arity: int
    result: Result
    template: str
    precedence: int
    partials: Partials | None = None
    expensive: bool = False
    domain: tuple[Interval, ...] = ()
    special: tuple[Special, ...] = ()
    complex: OverComplex | None = None
    given: Callable[[Mapping[int, Number]], Partials | None] | None = None
    products: tuple[Term, ...] | None = None

    def is_expensive(self, literals: Mapping[int, Number] | None = None) -> bool:
        """True if the result is worth saving; that of a small integer power is not."""
        exponent = (literals or {}).get(1)
        if self.name == "pow" and exponent is not None and float(exponent).is_integer():
            return abs(exponent) > 4
        return self.expensive

    @property
    def whole(self) -> frozenset[int]:
        """The arguments that must be whole numbers."""
        return frozenset(i for i, (lo, _) in enumerate(self.domain) if isinstance(lo, int))

    def is_unknown(self, index: int) -> bool:
        """True if there is a derivative w.r.t. argument ``index``, but no rule for it."""
        return self.partials is not None and self.partials[index] == UNKNOWN

    def partial(self, index: int, literals: Mapping[int, Number] | None = None) -> Term | None:
        """The partial w.r.t. argument ``index``, simplified for arguments that are literals."""
        if self.partials is None:
            return None
        others = {i: value for i, value in (literals or {}).items() if i != index}
        better = self.given(others) if self.given is not None else None
        term = (better or self.partials)[index]
        if term is not None and others:
            term = substitute(term, others)
        return None if term is None or (isinstance(term, int | float) and term == 0) else term

    def product(self, index: int, literals: Mapping[int, Number] | None = None) -> Term | None:
        """``SEED`` times the partial: the contribution to the cotangent of argument ``index``.

        The same term is the contribution of its tangent ``SEED`` to the tangent of the result.
        """
        partial = self.partial(index, literals)
        if partial is None:
            return None
        if self.products is not None:
            others = {i: value for i, value in (literals or {}).items() if i != index}
            return substitute(self.products[index], others)
        return mul(SEED, partial)

    def pull(
        self, index: int, literals: Mapping[int, Number] | None = None, *, over_complex: bool
    ) -> Term | None:
        """The contribution of the result's cotangent ``SEED`` to that of argument ``index``.

        ``over_complex``: the result or an argument is complex. For a real argument its real part
        counts.
        """
        if not over_complex:
            return self.product(index, literals)
        assert self.complex is not None
        return self._over_complex(self.complex.pull[index], index, literals)

    def push(
        self, index: int, literals: Mapping[int, Number] | None = None, *, over_complex: bool
    ) -> Term | None:
        """The contribution of the tangent ``SEED`` of argument ``index`` to that of the result."""
        if not over_complex:
            return self.product(index, literals)
        assert self.complex is not None
        return self._over_complex(self.complex.push[index], index, literals)

    def _over_complex(
        self, term: Term | None, index: int, literals: Mapping[int, Number] | None
    ) -> Term | None:
        """``term``, simplified for arguments that are literals; None if it is zero."""
        if term is None or self.complex is None:
            return None
        others = {i: value for i, value in (literals or {}).items() if i != index}
        term = substitute(term, others)
        return None if isinstance(term, int | float) else term
