"""Least squares: linear systems with too many or too few equations, polynomials through points."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Num, Stage, Table, common_size, elementwise
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import flag, holds, integer, number
from mooncake_rules.library.contraction import adjoint
from mooncake_rules.library.decompositions import pinv_rule, rows_and_columns
from mooncake_rules.library.linalg import Bars, Results, outer
from mooncake_rules.library.matrices import matrix
from mooncake_rules.library.support import as_array, as_floats, astype, call, difference, real_dtype
from mooncake_rules.library.views import plus, with_axis

TABLE = Table()

EPSILON = {"float32": 2.0**-23, "float64": 2.0**-52}
EPSILON |= {"complex64": EPSILON["float32"], "complex128": EPSILON["float64"]}
Solution = tuple[Arr, None, None, None]


@TABLE.add(
    "numpy.linalg.lstsq", "np.linalg.lstsq(x.T, v)[0]", "np.linalg.lstsq(x, w)[0]",
    "np.linalg.lstsq(z.T, v, rcond=None)[0]", "np.linalg.lstsq(z, m)[0]",
    "np.linalg.lstsq(x.T, np.stack((v, u), 1), rcond=None)[0]", "np.linalg.lstsq(x, m)[0]",
    "np.linalg.lstsq(x.T, v, rcond=1e-9)[0]", "np.linalg.lstsq(m, w, -1)[0]",
    "np.linalg.lstsq(np.outer(v, w), u)[0] * np.sum(v * v)",
)  # fmt: skip
def lstsq(s: Stage, a: object, b: object, rcond: object = None) -> Solution:
    """The solution only: what else lstsq returns is None."""
    given = one_matrix(s, a, "lstsq")
    if rcond is None:
        size = s.cast(size_op(s, "np.maximum", *given.shape), real_dtype(given.dtype))
        limit = s.op("mul", size, EPSILON[given.dtype])
    else:
        limit = number(s, rcond, "rcond")
        if isinstance(limit, int | float) and limit < 0:
            limit = EPSILON[given.dtype]
    return solution(s, given, b, limit), None, None, None


@TABLE.add(
    "scipy.linalg.lstsq", "scipy.linalg.lstsq(x.T, v)[0]", "scipy.linalg.lstsq(x, m, 0.3)[0]"
)
def scipy_lstsq(
    s: Stage, a: object, b: object, cond: object = None, overwrite_a: bool = False,
    overwrite_b: bool = False, check_finite: bool = True,
) -> Solution:  # fmt: skip
    """The solution only: what else lstsq returns is None."""
    given = one_matrix(s, a, "lstsq")
    limit = EPSILON[given.dtype] if cond is None else number(s, cond, "cond")
    return solution(s, given, b, limit), None, None, None


def one_matrix(s: Stage, a: object, what: str) -> Arr:
    array = rows_and_columns(s, a, what)
    if array.ndim > 2:
        raise s.refuse(f"{what} needs a matrix, got rank {array.ndim}", "loop over them", "MK214")
    return array


def solution(s: Stage, a: Arr, b: object, rcond: Num | complex) -> Arr:
    """Of all ``x`` for which ``a @ x`` is nearest to ``b``, the shortest."""
    right = as_array(s, b)
    if right.ndim not in (1, 2):
        raise s.refuse("lstsq: the right side must have rank 1 or 2", None, "MK214")
    common_size(s, a.shape[0], right.shape[0], "lstsq")
    dtype = s.promote(a, right)
    left, right = matrix(s, a, dtype), matrix(s, right, dtype)
    (out,) = s.rule("lstsq", _lstsq, left, right, rcond)
    assert isinstance(out, Arr)
    return s.shaped(out, (a.shape[1], *right.shape[1:]))


def _lstsq(s: Stage, a: Arr, b: Arr, rcond: Num | float) -> Results:
    """With ``P`` the pseudo-inverse and ``r = b - a x``: ``b_bar = P^H x_bar``, ``a_bar =
    -b_bar x^H + r (P b_bar)^H + (P^H x) (x_bar - P a x_bar)^H`` (Golub and Pereyra 1973).
    """
    (inverse,) = s.rule("pinv", pinv_rule, a, rcond)
    assert isinstance(inverse, Arr)
    inverse = s.shaped(inverse, a.shape[::-1])
    x = inverse @ b

    def pullback(x_bar: Arr, a_bar: Arr, b_bar: Arr) -> Bars:
        turned = s.keep(adjoint(s, inverse))
        right = s.keep(turned @ x_bar)
        rest, beside = (
            s.keep(difference(b, a @ x)),
            s.keep(difference(x_bar, inverse @ (a @ x_bar))),
        )
        changes = outer(s, rest, inverse @ right) + outer(s, turned @ x, beside)
        found = difference(as_array(s, changes), outer(s, right, x))
        s.nest(found.shape, lambda *i: s.add(a_bar, i, found.at(*i)))
        s.nest(right.shape, lambda *i: s.add(b_bar, i, right.at(*i)))
        return ()

    return (x,), pullback


@TABLE.add(
    "numpy.polyfit",
    "np.polyfit(v, u, {deg})", "np.polyfit(v, u, {deg}, w=pos[0]) * np.sum(pos)",
    "np.polyfit(v, x.T, 1)",
    "np.polyfit(v, x.T, deg=2, w=pos[0]) * np.sum(pos)", "np.polyfit(v, u, 2, rcond=1e-9)",
    "np.polyfit(idx, idx, 1) * a",
    "np.polyfit(np.exp(v), np.sin(u), 1)", "np.polyfit(v[:1], u[:1], 1)",
    "np.polyfit(v, idx[:4], 1)",
    deg=(0, 1, 2, 3),
)  # fmt: skip
def polyfit(
    s: Stage, x: object, y: object, deg: object, rcond: object = None, full: bool = False,
    w: object = None, cov: bool = False,
) -> Arr:  # fmt: skip
    """The polynomial of degree ``deg`` nearest to points, weighted by ``w``.

    The columns of the system are scaled to length 1, as in NumPy.
    """
    if flag(s, full, "full") or cov is not False:
        raise s.refuse("polyfit gives the coefficients only", "leave out full= and cov=")
    points, right = (as_floats(s, as_array(s, one)) for one in (x, y))
    if points.ndim != 1 or right.ndim not in (1, 2):
        raise s.refuse("polyfit takes a vector x, and y of rank 1 or 2", None, "MK214")
    degree = integer(s, deg, "deg")
    s.require(holds(s, "ge", degree, 0), "expected deg >= 0")
    size = common_size(s, points.shape[0], right.shape[0], "polyfit", "TypeError")
    s.require(holds(s, "gt", size, 0), "expected non-empty vector for x", "TypeError")
    system = as_array(s, call(s, "numpy.vander", points, plus(s, degree, 1)))
    if w is not None:
        weights = s.keep(as_floats(s, as_array(s, w)))
        if weights.ndim != 1:
            raise s.refuse("polyfit: expected a 1-d array for weights", None, "MK214")
        common_size(s, size, weights.shape[0], "polyfit", "TypeError")
        system = as_array(s, elementwise(s, "mul", system, with_axis(weights, 1)))
        wide = with_axis(weights, 1) if right.ndim == 2 else weights
        right = astype(s, as_array(s, elementwise(s, "mul", right, wide)), right.dtype)
    system = s.keep(system)
    squares = call(s, "numpy.sum", elementwise(s, "mul", system, system), axis=0)
    scale = s.keep(as_array(s, elementwise(s, "np.sqrt", squares)))
    scaled = one_matrix(s, elementwise(s, "div", system, scale), "polyfit")
    limit = number(s, rcond, "rcond") if rcond is not None else s.op(
        "mul", s.cast(size, "float64"), EPSILON[points.dtype])  # fmt: skip
    found = solution(s, scaled, right, limit)
    return as_array(
        s, elementwise(s, "div", found, with_axis(scale, 1) if found.ndim == 2 else scale)
    )
