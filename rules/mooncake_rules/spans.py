"""Spans: where the values of scalars can lie, and whether they can be zero or infinite.

A contribution to a cotangent is 0 where the cotangent is, and ``c * p`` is not where the partial
``p`` is infinite. So such a product asks whether ``c`` is zero (it is *strong*), unless ``p`` is
seen to be finite here. What is given counts as finite, and sums and products of finite numbers do;
quotients, powers, exponentials and logarithms count as what they can become.

Each function below follows from the mathematics of one op, for real arguments.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from mooncake_rules.expr import Apply, Arg, Number, Term
from mooncake_rules.op_names import bare


@dataclass(frozen=True, slots=True)
class Span:
    """Numbers from ``lo`` to ``hi``; ``zero``: 0 may be among them, ``wild``: infinities or NaN.

    ``nan``: NaN may be among the wild ones: 1 / inf is finite, 1 / nan is not.
    """

    lo: float = -inf
    hi: float = inf
    zero: bool = True
    wild: bool = False
    nan: bool = False

    def __or__(self, other: Span) -> Span:
        """The smallest span that contains both."""
        return Span(
            min(self.lo, other.lo),
            max(self.hi, other.hi),
            self.zero or other.zero,
            self.wild or other.wild,
            self.nan or other.nan,
        )

    @property
    def is_positive(self) -> bool:
        return self.lo >= 0 and not self.zero

    @property
    def tame(self) -> Span:
        """The finite numbers of the span."""
        return replace(self, wild=False, nan=False)


FINITE, ANY = Span(), Span(wild=True, nan=True)
UNIT, POSITIVE_UNIT, NONNEGATIVE = Span(-1.0, 1.0), Span(0.0, 1.0), Span(0.0)
LARGEST = 709.0  # exp of more than that overflows
SMALLEST = -708.0  # exp of less loses digits, and is 0 in the end


def span(lo: float, hi: float, *, zero: bool = True, wild: bool = False) -> Span:
    """The span from ``lo`` to ``hi``; a NaN bound is no bound."""
    lo, hi = (-inf if math.isnan(lo) else lo), (inf if math.isnan(hi) else hi)
    return Span(lo, hi, zero and lo <= 0 <= hi, wild)


def exactly(value: Number) -> Span:
    """The span of one number."""
    return Span(value, value, value == 0) if math.isfinite(value) else ANY


# ---- arithmetic ---------------------------------------------------------------------------------


def _add(a: Span, b: Span) -> Span:
    positive = a.lo >= 0 and b.lo >= 0 and not (a.zero and b.zero)
    found = span(a.lo + b.lo, a.hi + b.hi, zero=not positive)
    opposite = not (a.lo >= 0 and b.lo >= 0) and not (a.hi <= 0 and b.hi <= 0)
    nan = a.nan or b.nan or (a.wild and b.wild and opposite)
    return replace(found, wild=(a.wild or b.wild), nan=nan)


def _neg(a: Span) -> Span:
    return Span(-a.hi, -a.lo, a.zero, a.wild, a.nan)


def _sub(a: Span, b: Span) -> Span:
    return _add(a, _neg(b))


def _times(x: float, y: float) -> float:
    return 0.0 if x == 0 or y == 0 else x * y


def _mul(a: Span, b: Span) -> Span:
    ends = [_times(x, y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    nan = a.nan or b.nan or (a.wild and b.zero) or (a.zero and b.wild)
    return Span(min(ends), max(ends), a.zero or b.zero, a.wild or b.wild, nan)


def _reciprocal(a: Span) -> Span:
    """1 / a; that of an infinity is 0."""
    if a.zero or a.lo >= 0 >= a.hi:  # nothing can lie between these, as in code that never runs
        return Span(0.0 if a.lo >= 0 else -inf, 0.0 if a.hi <= 0 else inf, a.wild, True, a.nan)
    if a.lo >= 0:
        return Span(1 / a.hi, 1 / a.lo if a.lo else inf, a.wild, a.nan, a.nan)
    if a.hi <= 0:
        return _neg(_reciprocal(_neg(a)))
    return Span(zero=a.wild, wild=a.nan, nan=a.nan)


def _div(a: Span, b: Span) -> Span:
    return _mul(a, _reciprocal(b))


def _abs(a: Span) -> Span:
    if a.lo >= 0:
        return a
    return Span(max(0.0, -a.hi), max(-a.lo, a.hi), a.zero, a.wild, a.nan)


def _square(a: Span) -> Span:
    size = _abs(a)
    return replace(_mul(size, size), nan=a.nan)


def _pow(base: Span, exponent: Span) -> Span:
    """A literal exponent says most; powers from the third on may overflow, and be 0."""
    n = exponent.lo
    if n != exponent.hi:
        return Span(0.0 if base.lo >= 0 else -inf, wild=True, nan=True)
    if n < 0:
        return _reciprocal(_pow(base, exactly(-n)))
    if n == 0:
        return exactly(1)
    if n == 2:
        return _square(base)
    even = float(n).is_integer() and n % 2 == 0
    lo = 0.0 if base.lo >= 0 or even or not float(n).is_integer() else -inf
    within = base.lo >= -1 and base.hi <= 1
    beyond = base.lo >= 1 or base.hi <= -1
    nan = base.nan or exponent.nan
    wild = base.wild or nan or (n > 2 and not within)
    return Span(lo, 1.0 if within else inf, base.zero or (n > 2 and not beyond), wild, nan)


# ---- functions ----------------------------------------------------------------------------------


def _exp_of(x: float) -> float:
    return inf if x > LARGEST else math.exp(x)


def _exp(a: Span) -> Span:
    grows = a.hi > LARGEST
    return Span(_exp_of(a.lo), _exp_of(a.hi), a.lo < SMALLEST, grows or a.nan, a.nan)


def _expm1(a: Span) -> Span:
    found = _exp(a)
    return Span(found.lo - 1, found.hi - 1, a.zero, found.wild, a.nan)


def _cosh(a: Span) -> Span:
    grows = a.lo < -LARGEST or a.hi > LARGEST
    return Span(1.0, inf, False, grows or a.nan, a.nan)


def _sinh(a: Span) -> Span:
    return replace(_signed(a), wild=_cosh(a).wild)


def _exp2(a: Span) -> Span:
    return _exp(_mul(a, exactly(math.log(2.0))))


def _log(a: Span) -> Span:
    nan = a.nan or a.lo < 0
    return Span(wild=nan or a.zero or a.wild, nan=nan)


def _log1p(a: Span) -> Span:
    nan = a.nan or a.lo < -1
    return Span(0.0 if a.lo >= 0 else -inf, inf, a.zero, a.wild or a.lo <= -1, nan)


def _sqrt(a: Span) -> Span:
    """The span of square roots; the operand is taken to be non-negative."""
    lo, hi = (math.sqrt(max(x, 0.0)) for x in (a.lo, a.hi))
    return Span(lo, hi, a.zero, a.wild, a.nan)


def _sign(a: Span) -> Span:
    return Span(-1.0 if a.lo < 0 else 0.0, 1.0 if a.hi > 0 else 0.0, a.zero, a.nan, a.nan)


def _same(a: Span) -> Span:
    return a


def _signed(a: Span) -> Span:
    """The span of numbers with the signs of ``a``, 0 where that is."""
    return Span(0.0 if a.lo >= 0 else -inf, 0.0 if a.hi <= 0 else inf, a.zero, a.wild, a.nan)


def _rounded(a: Span) -> Span:
    return Span(a.lo - 1, a.hi + 1, wild=a.wild, nan=a.nan)


def _finite(*args: Span) -> Span:
    """The span of any number, infinite where an argument is."""
    wild = any(a.wild for a in args)
    return Span(wild=wild, nan=wild)


def _select(_: Span, a: Span, b: Span) -> Span:
    return a | b


def _hypot(*args: Span) -> Span:
    wild, nan = any(a.wild for a in args), any(a.nan for a in args)
    return Span(0.0, inf, all(a.zero for a in args), wild, nan)


def _softplus(a: Span) -> Span:
    return replace(NONNEGATIVE, wild=a.wild, nan=a.nan)


def _larger(a: Span, b: Span) -> Span:
    lo = max(a.lo, b.lo)
    zero = lo <= 0 and (a.zero or b.zero)
    return Span(lo, max(a.hi, b.hi), zero, a.wild or b.wild, a.nan or b.nan)


def _smaller(a: Span, b: Span) -> Span:
    return _neg(_larger(_neg(a), _neg(b)))


def _larger_or_only(a: Span, b: Span) -> Span:
    """The span of the larger number, of what is left beside NaN."""
    return a | b if a.nan or b.nan else _larger(a, b)


def _smaller_or_only(a: Span, b: Span) -> Span:
    return _neg(_larger_or_only(_neg(a), _neg(b)))


def _clip(a: Span, low: Span, high: Span) -> Span:
    return _smaller(_larger(a, low), high)


def _within(found: Span) -> Callable[..., Span]:
    """The rule of a function whose results lie in a span, also for infinities."""

    def rule(*args: Span) -> Span:
        nan = any(a.nan for a in args)
        return replace(found, wild=nan, nan=nan)

    return rule


def _waving(found: Span) -> Callable[..., Span]:
    """The rule of a function that has no value for infinities."""
    return lambda a: replace(found, wild=a.wild, nan=a.wild)


_BOUNDED = {
    "tanh": UNIT, "arctan atan": Span(-2.0, 2.0), "atan2 arctan2": Span(-4.0, 4.0),
    "asin arcsin": Span(-2.0, 2.0), "acos arccos": Span(0.0, 4.0), "erf": UNIT,
    "erfc": Span(0.0, 2.0), "expit": POSITIVE_UNIT, "sech2": POSITIVE_UNIT,
    "ndtr": POSITIVE_UNIT, "dawsn": Span(-2.0, 2.0),
}  # fmt: skip

_BY_NAME: Mapping[str, Callable[..., Span]] = {
    "add": _add, "radd": _add, "sub": _sub, "mul": _mul, "strong": _mul, "div": _div, "over": _div,
    "neg": _neg, "pos": _same, "cast": _same, "detach": _same, "stop_gradient": _same,
    "ruled": _same, "select": _select, "where": _select, "abs": _abs, "pow": _pow,
    "power": _pow, "float_power": _pow, "square": _square, "reciprocal": _reciprocal,
    "fabs": _abs, "exp": _exp, "exp2": _exp2, "expm1": _expm1, "cosh": _cosh, "sinh": _sinh,
    "log": _log, "log2": _log, "log10": _log, "log1p": _log1p, "sqrt": _sqrt, "cbrt": _signed,
    "sign": _sign, "copysign": _finite, "hypot": _hypot, "hypot3": _hypot, "maximum": _larger,
    "minimum": _smaller, "fmax": _larger_or_only, "fmin": _smaller_or_only, "clip": _clip,
    "floor": _rounded,
    "ceil": _rounded, "trunc": _rounded, "rint": _rounded, "round": _rounded, "tan": _finite,
    "degrees": _signed, "radians": _signed, "rad2deg": _signed, "deg2rad": _signed,
    "asinh": _signed, "arcsinh": _signed, "softplus": _softplus, "logaddexp": _finite,
    "nan_to_num": lambda *_: FINITE, "sin": _waving(UNIT), "cos": _waving(UNIT),
    "sinc": _waving(UNIT), "dsinc": _waving(Span(-2.0, 2.0)), "mod": _finite, "fmod": _finite,
    "round_to": _finite, "floordiv": _finite, "real": _finite, "imag": _finite,
    "conj": _same, "complex": _hypot,
    **{name: _within(found) for names, found in _BOUNDED.items() for name in names.split()},
}  # fmt: skip


# Ops of complex numbers that are infinite for infinite ones only; for quotients see ``_div``.
_OVER_COMPLEX = frozenset({
    "add", "radd", "sub", "mul", "strong", "div", "neg", "pos", "cast", "detach", "stop_gradient",
    "ruled", "select", "where", "square", "real", "imag", "conj", "complex",
})  # fmt: skip


def of_op(op: str, args: Sequence[Span], *, over_complex: bool = False) -> Span:
    """The span of the results of ``op``; ``ANY`` if none is stated.

    A span of complex numbers tells of zero and infinity only.
    """
    name = bare(op)
    if over_complex and name not in _OVER_COMPLEX:
        return ANY
    found = _BY_NAME[name](*args) if name in _BY_NAME else ANY
    return Span(zero=found.zero, wild=found.wild, nan=found.wild) if over_complex else found


def of_term(term: Term, leaf: Callable[[int], Span], *, over_complex: bool = False) -> Span:
    """The span of ``term``, with ``leaf(i)`` for ``Arg(i)``."""

    def of(term: Term, leaf: Callable[[int], Span]) -> Span:
        match term:
            case Arg(index=index):
                return leaf(index)
            case Apply("mul", (a, b)) if a == b and not over_complex:
                return _square(of(a, leaf))
            case Apply("select", (Apply("eq", (Arg(index=k), 0)), then, orelse)):
                apart = replace(leaf(k), zero=False)
                return of(then, leaf) | of(orelse, lambda i: apart if i == k else leaf(i))
            case Apply(op, args):
                return of_op(op, [of(a, leaf) for a in args], over_complex=over_complex)
            case _:
                assert isinstance(term, int | float)
                return exactly(term)

    return of(term, leaf)


# ---- where the program runs ---------------------------------------------------------------------


def limited(a: Span, relation: str, b: Span) -> Span:
    """``a`` where it stands in ``relation`` to ``b``."""
    match relation:
        case "gt" | "ge":
            beyond = b.lo > 0 or (b.lo == 0 and relation == "gt")
            return replace(a, lo=max(a.lo, b.lo), zero=a.zero and not beyond, nan=False)
        case "lt" | "le":
            beyond = b.hi < 0 or (b.hi == 0 and relation == "lt")
            return replace(a, hi=min(a.hi, b.hi), zero=a.zero and not beyond, nan=False)
        case "ne" if b == exactly(0):
            return replace(a, zero=False)
        case _:
            return a


def between(lo: Span, hi: Span) -> Span:
    """The span of the indices of a loop."""
    return replace(lo | hi, zero=lo.lo <= 0 <= hi.hi or hi.lo <= 0 <= lo.hi)


def widened(a: Span, b: Span) -> Span:
    """The union of both spans, without a bound where ``b`` goes beyond ``a``."""
    both = a | b
    return replace(
        both,
        lo=a.lo if a.lo <= b.lo else -inf,
        hi=a.hi if a.hi >= b.hi else inf,
    )
