"""Functions of numbers, and elementwise of arrays, that have two results."""

from __future__ import annotations

from mooncake_rules.arrays import Stage, Table, Value, elementwise
from mooncake_rules.library.arguments import as_value

TABLE = Table()


def _both(s: Stage, ops: tuple[str, str], *args: object) -> tuple[Value, Value]:
    values = [as_value(s, arg, f"argument {k}") for k, arg in enumerate(args, 1)]
    first, second = (elementwise(s, op, *values) for op in ops)
    return first, second


@TABLE.add("numpy.divmod", "np.divmod(x, 0.7)[1]", "np.divmod(v, 0.7)[0] * u")
def divmod_(s: Stage, x1: object, x2: object) -> tuple[Value, Value]:
    return _both(s, ("floordiv", "mod"), x1, x2)


@TABLE.add("numpy.modf math.modf", "np.modf(x)[0] * y", "np.modf(x)[1] * y")
def modf(s: Stage, x: object) -> tuple[Value, Value]:
    return _both(s, ("rt.modf_fraction", "np.trunc"), x)


@TABLE.add("numpy.frexp math.frexp", "np.frexp(x)[0] * y")
def frexp(s: Stage, x: object) -> tuple[Value, Value]:
    return _both(s, ("rt.frexp_mantissa", "rt.frexp_exponent"), x)
