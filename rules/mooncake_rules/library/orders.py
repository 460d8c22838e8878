"""Functions with an order or a branch, on which their op depends (scipy.special)."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, elementwise
from mooncake_rules.library.arguments import as_value, flag, whole_number
from mooncake_rules.library.choosing import dtype_of
from mooncake_rules.library.support import astype

TABLE = Table()

ORDERS = (0, 1, 2, -1, 0.5, 2.0, 3.7, -1.3)


def _doubled(s: Stage, x: Value) -> Value:
    return astype(s, x, "float64") if isinstance(x, Arr) else s.cast(x, "float64")


def _order(s: Stage, v: object) -> Value:
    """The order; a constant like 2.0 is an integer."""
    order = as_value(s, v, "the order")
    return int(order) if isinstance(order, float) and order.is_integer() else order


def _is_whole(order: Value) -> bool:
    kind = order.dtype if isinstance(order, Arr | Num) else type(order).__name__
    return kind.startswith(("int", "uint", "bool"))


def _of_order(s: Stage, v: object, z: object, whole: str, real: str) -> Value:
    """The op ``whole`` for an order that is known to be an integer, ``real`` for others."""
    order, at = _order(s, v), as_value(s, z, "the argument")
    return elementwise(s, whole if _is_whole(order) else real, order, at)


@TABLE.add(
    "scipy.special.jv", "scipy.special.jv({order}, pos)", "scipy.special.jv(idx, 6.0 * a)",
    "scipy.special.jv(0.7, 30.0 * pos) * y", "scipy.special.jv(3, x)", order=ORDERS,
)  # fmt: skip
def jv(s: Stage, v: object, z: object) -> Value:
    return _of_order(s, v, z, "rt.jn", "rt.bessel_j")


@TABLE.add(
    "scipy.special.jn", "scipy.special.jn({order}, pos)", "scipy.special.jn(2, x)",
    order=(0, 2, 0.5),
)  # fmt: skip
def jn(s: Stage, v: object, z: object) -> Value:
    return _of_order(s, v, z, "rt.jn", "rt.bessel_j")


@TABLE.add(
    "scipy.special.yv", "scipy.special.yv({order}, pos)", "scipy.special.yv(idx, 6.0 * a)",
    "scipy.special.yv(0.7, 30.0 * pos) * y", order=ORDERS,
)  # fmt: skip
def yv(s: Stage, v: object, z: object) -> Value:
    return _of_order(s, v, z, "rt.yn", "rt.bessel_y")


@TABLE.add(
    "scipy.special.iv", "scipy.special.iv({order}, pos)", "scipy.special.iv(idx, 6.0 * a)",
    "scipy.special.iv(3, x)", order=ORDERS,
)  # fmt: skip
def iv(s: Stage, v: object, z: object) -> Value:
    return _of_order(s, v, z, "rt.iv", "rt.bessel_i")


@TABLE.add(
    "scipy.special.ive", "scipy.special.ive({order}, pos)", "scipy.special.ive(idx, 6.0 * a)",
    "scipy.special.ive(0.7, 30.0 * pos) * y", order=ORDERS,
)  # fmt: skip
def ive(s: Stage, v: object, z: object) -> Value:
    return _of_order(s, v, z, "rt.ive", "rt.bessel_ie")


@TABLE.add(
    "scipy.special.kv", "scipy.special.kv({order}, pos)", "scipy.special.kv(idx, 6.0 * a)",
    order=ORDERS,
)  # fmt: skip
def kv(s: Stage, v: object, z: object) -> Value:
    return _of_order(s, v, z, "rt.kn", "rt.bessel_k")


@TABLE.add(
    "scipy.special.kve", "scipy.special.kve({order}, pos)", "scipy.special.kve(idx, 6.0 * a)",
    "scipy.special.kve(0.7, 30.0 * pos) * y", order=ORDERS,
)  # fmt: skip
def kve(s: Stage, v: object, z: object) -> Value:
    return _of_order(s, v, z, "rt.kve", "rt.bessel_ke")


# ---- spherical ----------------------------------------------------------------------------------

WHOLE, FLAGS = (0, 1, 2, 5), (False, True)


def _spherical(
    s: Stage, op: str, n: object, z: object, derivative: object, *, wide: bool = True
) -> Value:
    """A spherical Bessel function; ``wide``: SciPy computes in double precision in any case."""
    order, at = _order(s, n), as_value(s, z, "z")
    if not _is_whole(order):
        raise s.refuse("the order n must be an integer", None, "MK213")
    if wide:
        at = _doubled(s, at)
    return elementwise(s, op, int(flag(s, derivative, "derivative")), order, at)


@TABLE.add(
    "scipy.special.spherical_jn", "scipy.special.spherical_jn({n}, x, derivative={slope})",
    "scipy.special.spherical_jn(idx, 6.0 * a)", "scipy.special.spherical_jn(idx[0], a)",
    n=WHOLE, slope=FLAGS,
)  # fmt: skip
def spherical_jn(s: Stage, n: object, z: object, derivative: bool = False) -> Value:
    return _spherical(s, "rt.spherical_j", n, z, derivative)


@TABLE.add(
    "scipy.special.spherical_yn", "scipy.special.spherical_yn({n}, pos, derivative={slope})",
    "scipy.special.spherical_yn(idx, 6.0 * a)", "scipy.special.spherical_yn(2, -pos)",
    n=WHOLE, slope=FLAGS,
)  # fmt: skip
def spherical_yn(s: Stage, n: object, z: object, derivative: bool = False) -> Value:
    return _spherical(s, "rt.spherical_y", n, z, derivative)


@TABLE.add(
    "scipy.special.spherical_in", "scipy.special.spherical_in({n}, x, derivative={slope})",
    "scipy.special.spherical_in(idx, 6.0 * a)", n=WHOLE, slope=FLAGS,
)  # fmt: skip
def spherical_in(s: Stage, n: object, z: object, derivative: bool = False) -> Value:
    return _spherical(s, "rt.spherical_i", n, z, derivative)


@TABLE.add(
    "scipy.special.spherical_kn", "scipy.special.spherical_kn({n}, pos, derivative={slope})",
    "scipy.special.spherical_kn(idx, 3.0 * a)", "scipy.special.spherical_kn(2, -pos)",
    n=WHOLE, slope=FLAGS,
)  # fmt: skip
def spherical_kn(s: Stage, n: object, z: object, derivative: bool = False) -> Value:
    return _spherical(s, "rt.spherical_k", n, z, derivative, wide=False)


# ---- of whole order only ------------------------------------------------------------------------


def _whole(s: Stage, op: str, n: object, x: object) -> Value:
    """A function of integer order ``n``; SciPy gives double precision for 2, not for 2.0."""
    order, at = _order(s, n), as_value(s, x, "x")
    if not _is_whole(order):
        raise s.refuse("the order n must be an integer", None, "MK213")
    found = elementwise(s, op, order, _doubled(s, at))
    if not isinstance(n, float) or dtype_of(s, at) != "float32":
        return found
    return astype(s, found, "float32") if isinstance(found, Arr) else s.cast(found, "float32")


@TABLE.add(
    "scipy.special.expn", "scipy.special.expn({n}, pos)", "scipy.special.expn(idx, a) * b",
    "scipy.special.expn(idx[0], a)", "scipy.special.expn(2.0, pos)", n=WHOLE,
)  # fmt: skip
def expn(s: Stage, n: object, x: object) -> Value:
    return _whole(s, "rt.expn", n, x)


@TABLE.add(
    "scipy.special.kn", "scipy.special.kn({n}, pos)", "scipy.special.kn(idx, a) * b", n=WHOLE,
)  # fmt: skip
def kn(s: Stage, n: object, x: object) -> Value:
    return _whole(s, "rt.kn", n, x)


@TABLE.add(
    "scipy.special.yn", "scipy.special.yn({n}, pos)", "scipy.special.yn(idx, a) * b", n=WHOLE,
)  # fmt: skip
def yn(s: Stage, n: object, x: object) -> Value:
    return _whole(s, "rt.yn", n, x)


# ---- branches -----------------------------------------------------------------------------------


@TABLE.add(
    "scipy.special.lambertw", "scipy.special.lambertw(z, {k})", "scipy.special.lambertw(pos) * y",
    "np.real(scipy.special.lambertw(-0.02 * pos, {k}))", k=(0, -1),
)  # fmt: skip
def lambertw(s: Stage, z: object, k: object = 0, tol: object = None) -> Value:
    """``scipy.special.lambertw``: complex128 always; ``tol`` is ignored, values are exact."""
    at, branch = as_value(s, z, "z"), whole_number(s, k, "k")
    if branch not in (0, -1):
        raise s.refuse(f"lambertw is known for the branches 0 and -1, not for {branch}", None)
    wide = astype(s, at, "complex128") if isinstance(at, Arr) else s.cast(at, "complex128")
    return elementwise(s, "rt.lambertw" if branch == 0 else "rt.lambertw_below", wide)
