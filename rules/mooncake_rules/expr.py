"""Symbolic terms: the language in which partial derivatives are written.

A term is a number, ``Arg(i)`` (argument i of the op), ``Arg(-1)`` (its result ``Y``), ``Arg(-2)``
(the cotangent or tangent that is multiplied with the partial, ``SEED``), or an op applied to
terms. Numbers are weak, as Python's literals are for NumPy: they take the dtype of what they meet.

The constructors simplify, exactly over the reals: a zero factor is a zero, whatever the other is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

Number = int | float
T = TypeVar("T")


class Expr:
    """A term that is not a number; its operators build terms."""

    __slots__ = ()

    def __add__(self, other: Term) -> Term:
        return add(self, other)

    def __radd__(self, other: Term) -> Term:
        return add(other, self)

    def __sub__(self, other: Term) -> Term:
        return sub(self, other)

    def __rsub__(self, other: Term) -> Term:
        return sub(other, self)

    def __mul__(self, other: Term) -> Term:
        return mul(self, other)

    def __rmul__(self, other: Term) -> Term:
        return mul(other, self)

    def __truediv__(self, other: Term) -> Term:
        return div(self, other)

    def __rtruediv__(self, other: Term) -> Term:
        return div(other, self)

    def __pow__(self, other: Term) -> Term:
        return power(self, other)

    def __neg__(self) -> Term:
        return neg(self)


@dataclass(frozen=True, slots=True)
class Arg(Expr):
    """Argument ``index`` of the op."""

    index: int


@dataclass(frozen=True, slots=True)
class Apply(Expr):
    """An op of the scalar table applied to terms."""

    op: str
    args: tuple[Term, ...]


Term = Expr | int | float

Y = Arg(-1)
SEED = Arg(-2)


# ---- arithmetic ---------------------------------------------------------------------------------


def is_number(term: Term, value: Number | None = None) -> bool:
    """True if ``term`` is a number (equal to ``value``, if that is given)."""
    return isinstance(term, int | float) and (value is None or term == value)


def add(a: Term, b: Term) -> Term:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a + b
    if is_number(a, 0):
        return b
    if is_number(b, 0):
        return a
    if isinstance(b, Apply) and b.op == "neg":
        return sub(a, b.args[0])
    return Apply("add", (a, b))


def sub(a: Term, b: Term) -> Term:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a - b
    if is_number(a, 0):
        return neg(b)
    if is_number(b, 0):
        return a
    return Apply("sub", (a, b))


def mul(a: Term, b: Term) -> Term:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a * b
    for number, other in ((a, b), (b, a)):
        if is_number(number, 0):
            return 0
        if is_number(number, 1):
            return other
        if is_number(number, -1):
            return neg(other)
    match b:
        case Apply("neg", (inner,)):
            return neg(mul(a, inner))
        case Apply("div", (1 | -1 as one, below)):
            return div(mul(a, one), below)
        case Apply("select", (cond, then, orelse)) if is_number(then) or is_number(orelse):
            return where(cond, mul(a, then), mul(a, orelse))
        case _:
            return Apply("mul", (a, b))


def strong(a: Term, b: Term) -> Term:
    """``a * b``, or 0 where ``a`` is 0, whatever ``b`` is."""
    if isinstance(a, int | float) or isinstance(b, int | float):
        return mul(a, b)
    return Apply("strong", (a, b))


def div(a: Term, b: Term) -> Term:
    if is_number(a, 0) and not is_number(b, 0):
        return 0
    if is_number(b, 1):
        return a
    if isinstance(a, int | float) and isinstance(b, int | float) and b != 0:
        return a / b
    if isinstance(a, Apply) and a.op == "neg":
        return neg(div(a.args[0], b))
    return Apply("div", (a, b))


def power(a: Term, b: Term) -> Term:
    """``a ** b``; small whole exponents become ints, halves square roots."""
    if isinstance(b, float) and b.is_integer() and abs(b) <= 64:
        b = int(b)
    match b:
        case 0:
            return 1
        case 1:
            return a
        case -1:
            return div(1, a)
        case 0.5:
            return sqrt(a)
        case -0.5:
            return div(1, sqrt(a))
        case _:
            return Apply("pow", (a, b))


def neg(a: Term) -> Term:
    if isinstance(a, int | float):
        return -a
    if isinstance(a, Apply) and a.op == "neg":
        return a.args[0]
    return Apply("neg", (a,))


# ---- complex numbers ----------------------------------------------------------------------------


def conj(a: Term) -> Term:
    """The complex conjugate; it goes inwards where terms that contain numbers keep their form."""
    match a:
        case int() | float():
            return a
        case Apply("np.conj", (inner,)):
            return inner
        case Apply("neg", (inner,)):
            return neg(conj(inner))
        case Apply("mul", (int() | float() as number, other)):
            return mul(number, conj(other))
        case Apply("div", (int() | float() as above, below)):
            return div(above, conj(below))
        case Apply("select", (cond, then, orelse)):
            return where(cond, conj(then), conj(orelse))
        case _:
            return Apply("np.conj", (a,))


def real(a: Term) -> Term:
    """The real part of ``a``, simplified."""
    match a:
        case int() | float() | Apply("np.real" | "np.imag"):
            return a
        case _:
            return Apply("np.real", (a,))


def imag(a: Term) -> Term:
    """The imaginary part of ``a``, simplified."""
    return 0 if isinstance(a, int | float) else Apply("np.imag", (a,))


def from_parts(re: Term, im: Term) -> Term:
    """The complex number with these parts, which are real."""
    return Apply("complex", (re, im))


I = from_parts(0, 1)  # noqa: E741


# ---- conditions ---------------------------------------------------------------------------------


def lt(a: Term, b: Term) -> Term:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a < b
    return Apply("lt", (a, b))


def le(a: Term, b: Term) -> Term:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a <= b
    return Apply("le", (a, b))


def gt(a: Term, b: Term) -> Term:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a > b
    return Apply("gt", (a, b))


def ge(a: Term, b: Term) -> Term:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a >= b
    return Apply("ge", (a, b))


def eq(a: Term, b: Term) -> Term:
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a == b
    return Apply("eq", (a, b))


def both(a: Term, b: Term) -> Term:
    """``a and b``."""
    if isinstance(a, int | float):
        return b if a else False
    if isinstance(b, int | float):
        return a if b else False
    return Apply("and", (a, b))


def either(a: Term, b: Term) -> Term:
    """``a or b``."""
    if isinstance(a, int | float):
        return True if a else b
    if isinstance(b, int | float):
        return True if b else a
    return Apply("or", (a, b))


def where(cond: Term, then: Term, orelse: Term) -> Term:
    """``then if cond else orelse``."""
    if isinstance(cond, int | float):
        return then if cond else orelse
    if then == orelse:
        return then
    return Apply("select", (cond, then, orelse))


# ---- functions ----------------------------------------------------------------------------------


def call(op: str) -> Callable[..., Apply]:
    """The constructor of applications of ``op``."""

    def apply(*args: Term) -> Apply:
        return Apply(op, args)

    return apply


def sqrt(a: Term) -> Term:
    return Apply("np.sqrt", (a,))


sin, cos, tan = call("np.sin"), call("np.cos"), call("np.tan")
sinh, cosh, tanh = call("np.sinh"), call("np.cosh"), call("np.tanh")
exp, exp2, log = call("np.exp"), call("np.exp2"), call("np.log")
sign, copysign, isfinite = call("np.sign"), call("np.copysign"), call("np.isfinite")
trunc, rint = call("np.trunc"), call("np.rint")
floordiv, sinc = call("floordiv"), call("np.sinc")
sech2, dsinc = call("rt.sech2"), call("rt.dsinc")
complex_sech2, complex_sec2 = call("rt.complex_sech2"), call("rt.complex_sec2")
absolute, hypot, log1p = call("abs"), call("np.hypot"), call("np.log1p")
expit = call("rt.expit")

# A partial that no rule gives; to differentiate there is an error. (None is a partial that is 0.)
UNKNOWN = Apply("unknown", ())


# ---- reading and rewriting terms ----------------------------------------------------------------

SIMPLIFIERS: Mapping[str, Callable[..., Term]] = {
    "add": add, "sub": sub, "mul": mul, "strong": strong, "div": div, "pow": power, "neg": neg,
    "lt": lt, "le": le, "gt": gt, "ge": ge, "eq": eq, "and": both, "or": either, "select": where,
    "np.conj": conj, "np.real": real, "np.imag": imag,
}  # fmt: skip


def fold(
    term: Term, leaf: Callable[[Arg | Number], T], node: Callable[[str, tuple[T, ...]], T]
) -> T:
    """Evaluate ``term`` bottom up; a subterm that occurs several times is evaluated once."""
    done: dict[Term, T] = {}

    def visit(t: Term) -> T:
        if isinstance(t, Apply):
            if t not in done:
                done[t] = node(t.op, tuple(visit(a) for a in t.args))
            return done[t]
        assert isinstance(t, Arg | int | float)
        return leaf(t)

    return visit(term)


def substitute(term: Term, values: Mapping[int, Term]) -> Term:
    """``term`` with ``Arg(i)`` replaced by ``values[i]``, simplified again."""

    def leaf(t: Arg | Number) -> Term:
        return values.get(t.index, t) if isinstance(t, Arg) else t

    def node(op: str, args: tuple[Term, ...]) -> Term:
        return SIMPLIFIERS[op](*args) if op in SIMPLIFIERS else Apply(op, args)

    return fold(term, leaf, node)


def arguments(term: Term) -> frozenset[int]:
    """The indices of the ``Arg`` that occur in ``term``: the values that an adjoint needs."""

    def leaf(t: Arg | Number) -> frozenset[int]:
        return frozenset({t.index}) if isinstance(t, Arg) else frozenset()

    return fold(term, leaf, lambda _, sets: frozenset().union(*sets))
