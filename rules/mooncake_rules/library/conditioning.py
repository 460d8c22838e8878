"""Condition numbers and ranks of matrices."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, elementwise
from mooncake_rules.library.arguments import flag, holds, number
from mooncake_rules.library.decompositions import svdvals
from mooncake_rules.library.eigenvalues import eigvalsh
from mooncake_rules.library.linalg import inv
from mooncake_rules.library.matrices import LINALG_ERROR, one_real, square
from mooncake_rules.library.norms import norm
from mooncake_rules.library.reductions import any_of
from mooncake_rules.library.support import as_array, as_number, call

TABLE = Table()

INF, NAN = float("inf"), float("nan")
EPSILON = {"float32": 2.0**-23, "float64": 2.0**-52}
Number = Num | complex


@TABLE.add(
    "numpy.linalg.cond", "np.linalg.cond(m, {order}) * a", "np.linalg.cond(m) * b",
    "np.linalg.cond(x, {of})",
    "np.linalg.cond(x.T)", order=(None, 2, -2, 1, -1, "fro", "nuc", INF, -INF), of=(None, 2, -2),
)  # fmt: skip
def cond(s: Stage, x: object, p: object = None) -> Number:
    """The quotient of singular values, or ``norm(x) * norm(inv(x))``; infinite if x is singular."""
    array = as_array(s, x)
    if array.ndim != 2 or (p not in (None, 2, -2)):
        array = square(s, array, "cond")
    array = one_real(s, array, "cond")
    sizes = array.shape[:1] if s.same(*array.shape) else array.shape
    for extent in sizes:
        some = holds(s, "ne", extent, 0)
        s.require(some, "cond is not defined on empty arrays", LINALG_ERROR)
    if p in (None, 2, -2):
        values = svdvals(s, array)
        large, small = values.at(0), values.at(s.shrunk(values.shape[0], 1))
        return _known(s, array, s.op("div", *((small, large) if p == -2 else (large, small))))
    size = as_number(norm(s, array, p))
    (fails,) = s.primitive("singular", (array,), (("bool", 0),))
    assert isinstance(fails, Num)
    nothing = s.cast(NAN, array.dtype)

    def by_inverse() -> Sequence[Number]:
        return (s.op("mul", size, as_number(norm(s, inv(s, array), p))),)

    return _known(s, array, s.choose(fails, lambda: (nothing,), by_inverse)[0])


def _known(s: Stage, array: Arr, found: Number) -> Number:
    """A condition number: infinite where there is none, but for a matrix with NaN in it."""

    def none() -> Sequence[Number]:
        gaps = as_number(any_of(s, elementwise(s, "np.isnan", array)))
        return (s.op("select", gaps, s.cast(NAN, array.dtype), s.cast(INF, array.dtype)),)

    return s.choose(holds(s, "np.isnan", found), none, lambda: (found,))[0]


@TABLE.add(
    "numpy.linalg.matrix_rank",
    "np.linalg.matrix_rank(x) * a", "np.linalg.matrix_rank(m, 4.5) * a",
    "np.linalg.matrix_rank(v) * a",
    "np.linalg.matrix_rank(np.outer(v, w)) * a", "np.linalg.matrix_rank(p - w[:, None], b) * a",
    "np.linalg.matrix_rank(m, rtol=0.9) * a", "np.linalg.matrix_rank(p, hermitian=True) * a",
)  # fmt: skip
def matrix_rank(
    s: Stage, A: object, tol: object = None, hermitian: bool = False, *, rtol: object = None
) -> Value:
    """The number of singular values above ``tol``: by default ``rtol`` times the largest."""
    array = as_array(s, A)
    if array.ndim < 2:
        some = call(s, "numpy.any", elementwise(s, "ne", array, 0))
        return s.cast(as_number(some), "int64")
    array = one_real(s, array, "matrix_rank")
    if flag(s, hermitian, "hermitian"):
        values = as_array(s, elementwise(s, "np.abs", eigvalsh(s, array)))
    else:
        values = svdvals(s, array)
    values = s.keep(values)
    if tol is None:
        (top,) = s.fold(
            values.shape,
            (s.cast(0, values.dtype),),
            lambda accs, i: (s.op("np.maximum", accs[0], values.at(i)),),
        )
        limit = s.op("mul", top, _relative(s, array, values.dtype, rtol))
    elif rtol is not None:
        raise s.refuse("`tol` and `rtol` can't be both set")
    else:
        limit = number(s, tol, "tol")
    return call(s, "numpy.count_nonzero", elementwise(s, "gt", values, limit))


def _relative(s: Stage, array: Arr, dtype: str, rtol: object) -> Number:
    if rtol is not None:
        return number(s, rtol, "rtol")
    size = s.cast(s.op("np.maximum", *array.shape), dtype)
    return s.op("mul", size, EPSILON[dtype])
