"""Python's operators, and the ops that have no spelling of their own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from mooncake_rules.expr import (
    SEED,
    UNKNOWN,
    Arg,
    Number,
    Y,
    absolute,
    both,
    conj,
    eq,
    floordiv,
    ge,
    log,
    real,
    sign,
    strong,
    where,
)
from mooncake_rules.op import Partials, Prec, Result, ScalarOp, Special
from mooncake_rules.over_complex import OverComplex, holomorphic, locally_constant, real_valued

X, P = Arg(0), Arg(1)
POINT = (-2.0, 2.0)
APART = ((-5.0, 5.0), (0.7, 0.9))  # quotients of these stay away from jumps often enough

# x**0 has the derivative 0 everywhere, and 0**p is constant in p.
POWER_PARTIALS: Partials = (
    strong(P, X ** (P - 1)),
    where(both(eq(X, 0), ge(P, 0)), 0, Y * log(X)),
)
POWER_OVER_COMPLEX = holomorphic(
    strong(P, X ** (P - 1)),
    where(both(eq(X, 0), ge(real(P), 0)), 0, Y * log(X)),
)
ABS_OVER_COMPLEX = real_valued(where(eq(Y, 0), 0, X / Y))
POWER_DOMAIN = ((0.2, 3.0), (-2.0, 3.0))
POWER_SPECIAL = (
    Special((0.0, 0.0), (0, 0)),
    Special((0.0, 1.0), (1, 0)),
    Special((0.0, 2.0), (0, 0)),
    Special((2.0, 0.0), (0, 0.6931471805599453)),
    Special((-2.0, 2.0), (-4, None)),
)


def power_given(literals: Mapping[int, Number]) -> Partials | None:
    """The partials of ``x**p`` without a second power, for a literal ``p`` where that is as good.

    That is a negative ``p`` between whole numbers: ``y / abs(x)`` is too small or too large for a
    float where ``x**(p - 1)`` is, and a pole at 0.0 and at -0.0, where both have one sign. (Other
    ``p`` would give 0 / 0 at zero, and products do for whole ones.) Powers with an infinite ``p``
    are 0 or infinite, and where they are 0 they are constant.
    """
    exponent = literals.get(1)
    if exponent is not None and math.isinf(exponent):
        return (where(eq(Y, 0), 0, P * Y), POWER_PARTIALS[1])
    if exponent is None or exponent > 0 or float(exponent).is_integer():
        return None
    return (P * Y / absolute(X), POWER_PARTIALS[1])


def binary(name: str, symbol: str, prec: int, result: Result) -> ScalarOp:
    """An infix operator with zero derivative."""
    return ScalarOp(name, 2, result, f"{{0}} {symbol} {{1}}", prec)


ARITHMETIC = (
    ScalarOp("add", 2, Result.PROMOTE, "{0} + {1}", Prec.ADD, (1, 1), domain=(POINT, POINT),
             complex=holomorphic(1, 1)),
    ScalarOp("sub", 2, Result.PROMOTE, "{0} - {1}", Prec.ADD, (1, -1), domain=(POINT, POINT),
             complex=holomorphic(1, -1)),
    ScalarOp("mul", 2, Result.PROMOTE, "{0} * {1}", Prec.MUL, (P, X), domain=(POINT, POINT),
             complex=holomorphic(P, X)),
    ScalarOp("div", 2, Result.FLOAT, "{0} / {1}", Prec.MUL, (1 / P, -Y / P),
             domain=(POINT, (0.5, 2.0)), complex=holomorphic(1 / P, -Y / P)),
    ScalarOp("mod", 2, Result.PROMOTE, "{0} % {1}", Prec.MUL, (1, -floordiv(X, P)), domain=APART),
    ScalarOp("pow", 2, Result.PROMOTE, "{0} ** {1}", Prec.POWER, POWER_PARTIALS,
             expensive=True, domain=POWER_DOMAIN, special=POWER_SPECIAL,
             complex=POWER_OVER_COMPLEX, given=power_given),
    ScalarOp("neg", 1, Result.SAME, "-{0}", Prec.UNARY, (-1,), domain=(POINT,),
             complex=holomorphic(-1)),
    ScalarOp("pos", 1, Result.SAME, "+{0}", Prec.UNARY, (1,), domain=(POINT,),
             complex=holomorphic(1)),
    ScalarOp("abs", 1, Result.REAL, "abs({0})", Prec.CALL, (sign(X),), domain=((0.1, 2.0),),
             special=(Special((0.0,), (0,)), Special((-3.0,), (-1,))), complex=ABS_OVER_COMPLEX),
    binary("floordiv", "//", Prec.MUL, Result.PROMOTE),
)  # fmt: skip

COMPARISONS = (
    *(
        binary(name, symbol, Prec.COMPARE, Result.BOOL)
        for name, symbol in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    ),
    *(
        replace(binary(name, symbol, Prec.COMPARE, Result.BOOL), complex=locally_constant(2))
        for name, symbol in (("eq", "=="), ("ne", "!="))
    ),
)

LOGIC = (
    binary("and", "and", Prec.AND, Result.BOOL),
    binary("or", "or", Prec.OR, Result.BOOL),
    ScalarOp("not", 1, Result.BOOL, "not {0}", Prec.NOT),
    binary("bitand", "&", Prec.BITAND, Result.PROMOTE),
    binary("bitor", "|", Prec.BITOR, Result.PROMOTE),
    binary("bitxor", "^", Prec.BITXOR, Result.PROMOTE),
    binary("lshift", "<<", Prec.SHIFT, Result.PROMOTE),
    binary("rshift", ">>", Prec.SHIFT, Result.PROMOTE),
    ScalarOp("invert", 1, Result.SAME, "~{0}", Prec.UNARY),
)

# ``cast`` is printed by the emitter, from the type of its result; SAME stands for "as told".
# ``where`` is ``np.where``: both sides are computed, so what leads to the side that is not taken
# may be infinite, and its zero cotangent must stay zero all the way back.
# ``detach`` is its argument with derivative zero, for what a result provably does not depend on;
# ``stop_gradient`` is the same by declaration, so it must be there to be seen in what is printed.
# ``ruled`` is the result of a function with a rule of the user's, which is no part of that.
# ``strong`` is a product that is 0 where its first factor is, whatever the other is: what reverse
# and forward mode make of a derivative that may be infinite, where that is differentiated again.
# ``over`` is a quotient that is 0 where its first operand is.
# ``radd`` adds a term to a sum whose order is left open, as NumPy leaves that of ``np.sum``.
OTHER = (
    *(
        ScalarOp(name, 3, Result.PROMOTE, "{1} if {0} else {2}", Prec.SELECT,
                 (None, where(X, 1, 0), where(X, 0, 1)),
                 complex=holomorphic(None, where(X, 1, 0), where(X, 0, 1)))
        for name in ("select", "where")
    ),
    ScalarOp("cast", 1, Result.SAME, "{0}", Prec.CALL, (1,), domain=(POINT,),
             complex=holomorphic(1)),
    ScalarOp("detach", 1, Result.SAME, "{0}", Prec.ATTRIBUTE, complex=locally_constant(1)),
    ScalarOp("stop_gradient", 1, Result.SAME, "rt.stop_gradient({0})", Prec.CALL,
             complex=locally_constant(1)),
    ScalarOp("ruled", 1, Result.SAME, "rt.ruled({0})", Prec.CALL, (UNKNOWN,), domain=(POINT,),
             complex=holomorphic(1)),
    ScalarOp("strong", 2, Result.PROMOTE, "rt.times({0}, {1})", Prec.CALL, (P, X),
             domain=(POINT, POINT),
             complex=OverComplex((strong(SEED, P), strong(X, SEED)),
                                 (strong(SEED, conj(P)), strong(conj(X), SEED))),
             products=(strong(SEED, P), strong(X, SEED))),
    ScalarOp("over", 2, Result.PROMOTE, "rt.over({0}, {1})", Prec.CALL, (1 / P, -Y / P),
             domain=(POINT, POINT), products=(strong(SEED, 1 / P), -strong(Y, SEED / P))),
    ScalarOp("radd", 2, Result.PROMOTE, "rt.radd({0}, {1})", Prec.CALL, (1, 1),
             domain=(POINT, POINT), complex=holomorphic(1, 1)),
    ScalarOp("round", 1, Result.INT, "round({0})", Prec.CALL),
)  # fmt: skip

OPERATORS = ARITHMETIC + COMPARISONS + LOGIC + OTHER
