"""Arguments that many of NumPy's functions take, and functions of loops over arrays."""

import bisect
import math
from typing import Annotated

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy import special
from scipy.special import comb

Vec = Annotated[NDArray[np.float64], "q"]
Mat = Annotated[NDArray[np.float64], "q p"]


def with_reshape_F(m: Mat) -> float:
    v = m.reshape((2, 3), order="F")
    return float(v[0, 1] * v[1, 2] + v[1, 0])


def with_ravel_F(m: Mat) -> float:
    v = m.ravel(order="F")
    return float(v[1] * v[2])


def with_flatten_F(m: Mat) -> float:
    v = m.flatten("F")
    return float(v[1] * v[2])


def with_item(x: Vec) -> float:
    return x.sum().item() * x.item(1) + x[:1].item()


def with_out_add(x: Vec) -> float:
    y = np.zeros(3)
    np.add(x, x * x, out=y)
    np.multiply(y, 2.0, y)
    return y.sum()


def with_out_sum(m: Mat) -> float:
    r = np.zeros(2)
    np.sum(m * m, axis=0, out=r)
    return r[0] * r[1]


def with_out_dot(m: Mat, x: Vec) -> float:
    r = np.zeros(2)
    np.dot(m.T, x, out=r)
    np.matmul(m.T, x, out=r)
    return r[0] * r[1]


def with_where_ufunc(x: Vec) -> float:
    y = np.zeros(3)
    np.log(x, out=y, where=x > 0.3)
    return (y * x).sum()


def with_where_divide(x: Vec) -> float:
    y = np.divide(1.0, x, out=np.zeros_like(x), where=x > 0.6)
    return y.sum()


def with_where_sum(x: Vec) -> float:
    return np.sum(x * x, where=x > 0.6) + np.mean(x, where=x > 0.6)


def with_initial(x: Vec) -> float:
    return np.sum(x * x, initial=2.0) + np.max(x, initial=0.0)


def with_max_where(x: Vec) -> float:
    return np.max(x, initial=-np.inf, where=x < 2.0)


def with_zeros_order(x: Vec) -> float:
    a = np.zeros((3, 2), order="F")
    a[:, 0] = x
    b = np.array(x, order="C")
    c = np.empty_like(a, order="K")
    c[:] = 1.0
    return (a.sum() * b[0]) + c.sum()


def with_max_accumulate(x: Vec) -> float:
    y = np.maximum.accumulate(x)
    z = np.minimum.accumulate(x * x)
    return (y * y).sum() + z.sum()


def with_add_accumulate(x: Vec) -> float:
    return (np.add.accumulate(x) * x).sum() + np.multiply.accumulate(x)[2]


def with_reduces(x: Vec) -> float:
    return np.add.reduce(x) * np.multiply.reduce(x) + np.maximum.reduce(x) + np.minimum.reduce(x)


def with_reduce_axis(m: Mat) -> float:
    r = np.add.reduce(m, axis=1)
    return r[0] * r[1] * r[2]


def with_reduceat(x: Vec) -> float:
    r = np.add.reduceat(x * x, [0, 1])
    return r[0] * r[1]


def with_outer_ufunc(x: Vec) -> float:
    r = np.subtract.outer(x, x * x)
    s = np.multiply.outer(x, x)
    return (r * r).sum() + s.sum()


def with_add_at(x: Vec) -> float:
    y = np.zeros(2)
    np.add.at(y, np.array([0, 1, 0]), x * x)
    return y[0] * y[1]


def with_reshape_write(x: Vec) -> float:
    a = np.zeros(6)
    b = a.reshape(2, 3)
    b[0, :] = x
    b[1, 2] = x[0] * x[1]
    return (a * a).sum()


def with_ravel_write(x: Vec) -> float:
    a = np.zeros((2, 3))
    v = a.ravel()
    v[1:4] = x
    return (a * a).sum()


def with_mgrid(x: Vec) -> float:
    a, b = np.mgrid[0:3, 0:2]
    return (a * x[:, None]).sum() + (b * x[0]).sum()


def with_mgrid_c(x: Vec) -> float:
    t = np.mgrid[0:1:5j]
    return (t * x[0] ** 2).sum()


def with_ogrid(x: Vec) -> float:
    i, j = np.ogrid[:3, :2]
    return ((i + j) * x[:, None] ** 2).sum()


def with_ndarray_new(x: Vec) -> float:
    y = np.ndarray((3,))
    y[:] = x * x
    z = np.ndarray(shape=(3, 2), dtype=np.float64)
    z[:, 0] = y
    z[:, 1] = x
    return (z * z).sum()


def with_sliding(x: Vec) -> float:
    w = np.lib.stride_tricks.sliding_window_view(x, 2)
    return (w.sum(axis=1) ** 2).sum()


def with_sliding_import(x: Vec) -> float:
    w = sliding_window_view(x, window_shape=2)
    return w.max(axis=-1).sum()


def with_trim_zeros(x: Vec) -> float:
    y = np.zeros(6)
    y[1:4] = x
    return (np.trim_zeros(y) * x).sum()


def with_comb(x: Vec) -> float:
    s = 0.0
    for k in range(3):
        s += comb(4, k) * x[k] ** 2
    return s


def with_comb_exact(x: Vec) -> float:
    return special.comb(5, 2, exact=True) * x[0] ** 2 + math.comb(5, 3) * x[1]


def with_bisect(x: Vec, t: float) -> float:
    k = bisect.bisect_left(x, t)
    j = bisect.bisect([0.1, 0.6, 0.9], t)
    return x[k] * t * j


def with_searchsorted(x: Vec, t: float) -> float:
    k = np.searchsorted(x, t, side="right") - 1
    k2 = min(x.searchsorted(t), 2)
    idx = np.searchsorted(x, np.array([0.6, 2.0])) - 1
    return x[k] * t + x[k2] + x[idx].sum()


def with_ndenumerate(m: Mat) -> float:
    s = 0.0
    for (i, j), v in np.ndenumerate(m):
        s += v * v * (i + 2 * j)
    for idx, v in np.ndenumerate(m):
        s += v * m[idx]
    return s


def with_ndindex(m: Mat) -> float:
    s = 0.0
    for i, j in np.ndindex(m.shape):
        s += m[i, j] ** 2
    for idx in np.ndindex(*m.shape):
        s += m[idx]
    return s


def with_nditer(m: Mat) -> float:
    s = 0.0
    for v in np.nditer(m, order="C"):
        s += v * v
    return s


def with_deleted(x: Vec) -> float:
    y = x * x
    z = y.sum()
    del y
    y = x[0]
    d = {"a": y, "b": z}
    del d["a"]
    xs = [y, z]
    del xs[0]
    return z * y + d["b"] + xs[0]


def with_del_loop(x: Vec) -> float:
    s = 0.0
    for v in x:
        t = v * v
        s += t
        del t
    a, b = x[0], x[1]
    if s > 0.0:
        del a, b
        a = 2.0
    return s * a


def with_out_view(m: Mat, x: Vec) -> float:
    y = np.zeros((3, 2))
    np.multiply(m[:, 0], x, out=y[:, 1])
    np.cumsum(x, out=x)
    np.exp(x, x)
    np.maximum(y, 0.5, out=y)
    np.subtract(x[1:], x[:-1], out=x[1:])
    return y.sum() + x.sum() * x[2]


def with_fortran_write(x: Vec) -> float:
    a = np.zeros(6)
    b = a.reshape((2, 3), order="F")
    b[0, :] = x
    return (a * np.arange(6)).sum() + b[0, 1] ** 2


def subscripts_in_lists(m: Mat) -> float:
    return np.einsum(m, [0, 1], m, [2, 1], [0, 2])[0, 1] * np.einsum(m, [0, 1], []) + np.sum(
        np.einsum(m, [1, 0])[0]
    )


def columns_first(m: Mat) -> float:
    y = np.array(m, copy=True, order="F")
    y[0] = 0.0
    z = m.copy(order="F")
    z[0, 1] = 2.0
    w = np.arange(1.0 * m.size)
    return np.sum(y**2) + z.ravel(order="F") @ w + np.sum(z.reshape(-1, order="F") * w)


def with_infinite_middles(x: Vec) -> float:
    y = np.append(x, [np.inf, np.inf, np.inf])
    s = np.where(np.isinf(np.median(y[-2:])) & np.isinf(np.nanmedian(y)), x[0], x[1])
    z = np.nanvar(y[1:])
    return s * x[2] + np.percentile(y, 30) * x[0] + np.where(np.isnan(z), x[1] ** 2, z)
