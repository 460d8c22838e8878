"""Products of vectors with vectors and matrices, over stacks of them; sums of diagonals."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Stage, Table, Value, common_size, elementwise, fix_axis
from mooncake_rules.library.arguments import no_out
from mooncake_rules.library.contraction import conj, matmul, outer
from mooncake_rules.library.support import as_array, call
from mooncake_rules.library.views import transposed, with_axis

TABLE = Table()


@TABLE.add(
    "numpy.vecdot", "np.vecdot(x, v)", "np.vecdot(x, y, axis={axis})",
    "np.vecdot(t, x, axis={last})",
    "np.vecdot(v, u)", "np.vecdot(z, x)", "np.vecdot(x, 1j * z, axis=0)", "np.vecdot(t, t, axis=0)",
    "np.vecdot(z, z[:1])", "np.vecdot(idx, idx) * a",
    axis=(0, 1, -1), last=(-1, -2),
)  # fmt: skip
def vecdot(s: Stage, x1: object, x2: object, /, out: None = None, *, axis: object = -1) -> Value:
    """The sum of ``conj(x1) * x2`` along an axis of each; other axes are broadcast."""
    no_out(s, out)
    x, y = (_last(s, as_array(s, one), axis) for one in (x1, x2))
    common_size(s, x.shape[-1], y.shape[-1], "vecdot")
    return _summed(s, conj(s, x), y, -1)


@TABLE.add(
    "numpy.linalg.vecdot", "np.linalg.vecdot(x, y, axis={axis})", "np.linalg.vecdot(z, x[1])",
    axis=(0, -1),
)  # fmt: skip
def linalg_vecdot(s: Stage, x1: object, x2: object, /, *, axis: object = -1) -> Value:
    return vecdot(s, x1, x2, axis=axis)


@TABLE.add("numpy.linalg.outer", "np.linalg.outer(v, w)", "np.linalg.outer(z[0], v)")
def linalg_outer(s: Stage, x1: object, x2: object, /) -> Arr:
    """All products of an element of one vector and one of the other."""
    x, y = as_array(s, x1), as_array(s, x2)
    if x.ndim != 1 or y.ndim != 1:
        raise s.refuse("np.linalg.outer takes vectors", "use np.outer", "MK214")
    return outer(s, x, y)


@TABLE.add(
    "numpy.linalg.trace", "np.linalg.trace(m, offset={k})", "np.linalg.trace(t)",
    "np.linalg.trace(z)",
    k=(0, 1, -1),
)  # fmt: skip
def linalg_trace(s: Stage, x: object, /, *, offset: int = 0, dtype: str | None = None) -> Value:
    """``numpy.linalg.trace``: the sums of diagonals of the last two axes."""
    diagonal = s.call("numpy.linalg.diagonal", x, offset=offset)
    return call(s, "numpy.sum", diagonal, axis=-1, dtype=dtype)


@TABLE.add(
    "numpy.matvec", "np.matvec(x, v)", "np.matvec(t, v)", "np.matvec(m, t[:, :, 0])",
    "np.matvec(t, t[:, 1])", "np.matvec(t[:, None], x)", "np.matvec(z, v)",
    "np.matvec(t, t[:, 0] * 1j)",
    "np.matvec(x, x)", "np.matvec(t[0][None], x)",
)  # fmt: skip
def matvec(s: Stage, x1: object, x2: object, /, out: None = None) -> Value:
    """Matrices, the last two axes of ``x1``, times vectors, the last of ``x2``."""
    no_out(s, out)
    x, y = _ranked(s, x1, 2, "matvec"), _ranked(s, x2, 1, "matvec")
    if y.ndim == 1:
        return matmul(s, x, y)
    if x.ndim == 2:
        return matmul(s, y, transposed(s, x, (1, 0)))
    common_size(s, x.shape[-1], y.shape[-1], "matvec")
    return _summed(s, x, with_axis(y, y.ndim - 1), -1)


@TABLE.add(
    "numpy.vecmat", "np.vecmat(w, x)", "np.vecmat(w, t)", "np.vecmat(x.T, m)",
    "np.vecmat(np.stack((x[0], x[-1])), t.mT)",
    "np.vecmat(x, t[:, None].mT)", "np.vecmat(z, x.T)", "np.vecmat(v, z.T)",
    "np.vecmat(1j * np.stack((z[0], z[-1])), t.mT)",
)  # fmt: skip
def vecmat(s: Stage, x1: object, x2: object, /, out: None = None) -> Value:
    """Conjugated vectors, the last axis of ``x1``, times matrices, the last two of ``x2``."""
    no_out(s, out)
    x, y = conj(s, _ranked(s, x1, 1, "vecmat")), _ranked(s, x2, 2, "vecmat")
    if x.ndim == 1 or y.ndim == 2:
        return matmul(s, x, y)
    common_size(s, x.shape[-1], y.shape[-2], "vecmat")
    return _summed(s, with_axis(x, x.ndim), y, -2)


def _ranked(s: Stage, a: object, least: int, what: str) -> Arr:
    array = as_array(s, a)
    if array.ndim < least:
        raise s.refuse(f"{what} of an array of rank {array.ndim}", None, "MK214")
    return array


def _last(s: Stage, array: Arr, axis: object) -> Arr:
    """``array`` with ``axis`` last."""
    if array.ndim == 0:
        raise s.refuse("vecdot of a number", "multiply with *", "MK214")
    k = fix_axis(s, axis, array.ndim)
    rest = [j for j in range(array.ndim) if j != k]
    return array if k == array.ndim - 1 else transposed(s, array, (*rest, k))


def _summed(s: Stage, x: Arr, y: Arr, axis: int) -> Value:
    """The sum of products, in the dtype of these: small integers stay small."""
    dtype = s.promote(x, y)
    products = elementwise(s, "mul", x, y)
    if dtype == "bool":
        return call(s, "numpy.any", products, axis=axis)
    return call(s, "numpy.sum", products, axis=axis, dtype=dtype)
