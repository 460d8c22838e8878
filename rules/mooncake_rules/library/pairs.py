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


@TABLE.add(
    "scipy.special.sici", "scipy.special.sici(x)[0]", "scipy.special.sici(pos)[1] * y",
    "scipy.special.sici(a)[0] * v", "scipy.special.sici(idx * 2 + 1)[1] * a",
    "np.stack(scipy.special.sici(9.0 * pos))",
)  # fmt: skip
def sici(s: Stage, x: object) -> tuple[Value, Value]:
    return _both(s, ("rt.sine_integral", "rt.cosine_integral"), x)


@TABLE.add(
    "scipy.special.shichi", "scipy.special.shichi(x)[0]", "scipy.special.shichi(pos)[1] * y",
    "scipy.special.shichi(a)[0] * v", "scipy.special.shichi(idx * 2 + 1)[1] * a",
    "np.stack(scipy.special.shichi(9.0 * pos))",
)  # fmt: skip
def shichi(s: Stage, x: object) -> tuple[Value, Value]:
    return _both(s, ("rt.sinh_integral", "rt.cosh_integral"), x)


@TABLE.add(
    "scipy.special.fresnel", "scipy.special.fresnel(x)[0]", "scipy.special.fresnel(x)[1] * y",
    "scipy.special.fresnel(a)[0] * v", "scipy.special.fresnel(idx * 2 + 1)[1] * a",
    "np.stack(scipy.special.fresnel(3.0 * x))",
)  # fmt: skip
def fresnel(s: Stage, z: object) -> tuple[Value, Value]:
    return _both(s, ("rt.fresnel_sine", "rt.fresnel_cosine"), z)
