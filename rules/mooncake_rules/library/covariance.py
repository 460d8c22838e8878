"""Covariances and correlations of the rows or columns of a matrix."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, elementwise
from mooncake_rules.library.arguments import flag, holds
from mooncake_rules.library.reductions import FLAGS, count_of, total
from mooncake_rules.library.statistics import freedom, squares
from mooncake_rules.library.support import as_array, astype, is_complex, real_dtype

TABLE = Table()
ONE_VARIABLE = "the covariance of one variable is a number: give it as a vector"


@TABLE.add(
    "numpy.cov",
    "np.reshape(np.cov(x, rowvar={rowvar}, bias={bias}), -1)", "np.reshape(np.cov(x, ddof=2), -1)",
    "np.cov(v)", "np.cov(x, y)", "np.cov(v, u)", "np.cov(x, y, rowvar=False)",
    "np.reshape(np.cov(x, aweights=pos[0]), -1)",
    "np.cov(v, aweights=pos[0], ddof=0)",
    rowvar=(True, False), bias=FLAGS,
)  # fmt: skip
def cov(
    s: Stage, m: object, y: object = None, rowvar: bool = True, bias: bool = False,
    ddof: object = None, fweights: object = None, aweights: object = None,
) -> Value:  # fmt: skip
    """``numpy.cov``: a number for a vector, which is one variable, and a matrix for a matrix."""
    rows = _variables(s, m, flag(s, rowvar, "rowvar"))
    if y is not None:
        joined = s.call("numpy.concatenate", (rows, _variables(s, y, bool(rowvar))))
        assert isinstance(joined, Arr)
        rows = joined
    rows = astype(s, rows, "complex128" if is_complex(rows.dtype) else "float64")
    lost = ddof if ddof is not None else 0 if flag(s, bias, "bias") else 1
    if not isinstance(lost, Num | int | float):
        raise s.refuse("ddof must be a number", None, "MK213")
    weights = _weights(s, fweights, aweights)
    if weights is None:
        centred = rows - s.call("numpy.mean", rows, 1, keepdims=True)  # type: ignore[operator]
        divisor = freedom(s, count_of(s, rows, (1,)), lost, real_dtype(rows.dtype))
        return _products(s, centred, None, divisor)
    sums = total(s, weights)
    mean = elementwise(s, "div", total(s, rows * weights, 1, keepdims=True), sums)
    free = _weighted_freedom(s, weights, sums, lost, aweights, rows.dtype)
    return _products(s, rows - mean, weights, free)


def _variables(s: Stage, m: object, rowvar: bool) -> Arr:
    """The data as a matrix with a row per variable."""
    array = as_array(s, m)
    if array.ndim > 2:
        raise s.refuse("cov takes arrays of ranks 1 and 2", None, "MK216")
    if array.ndim < 2:
        return array.lazy((1, *array.shape), lambda _, *i: array.at(*i))
    if not rowvar:
        return s.view(array, (), (1, 0))
    return array


def _weights(s: Stage, fweights: object, aweights: object) -> Arr | None:
    given = [as_array(s, w) for w in (fweights, aweights) if w is not None]
    if not given:
        return None
    if any(w.ndim != 1 for w in given):
        raise s.refuse("the weights must be vectors", None, "MK216")
    found = elementwise(s, "mul", *given) if len(given) == 2 else given[0]
    assert isinstance(found, Arr)
    return found


def _weighted_freedom(
    s: Stage, weights: Arr, sums: Value, lost: Num | float, aweights: object, dtype: str
) -> Value:
    if isinstance(lost, int | float) and lost == 0:
        return sums
    if aweights is not None:
        heavy = total(s, elementwise(s, "mul", weights, as_array(s, aweights)))
        loss = elementwise(s, "div", elementwise(s, "mul", heavy, lost), sums)
    else:
        loss = lost
    left = elementwise(s, "np.maximum", elementwise(s, "sub", sums, loss), 0.0)
    assert isinstance(left, Num | int | float)
    return s.cast(left, real_dtype(dtype))


def _products(s: Stage, centred: Value, weights: Arr | None, divisor: Value) -> Value:
    """The (weighted) products of the rows of ``centred`` with each other."""
    assert isinstance(centred, Arr)
    if isinstance(centred.shape[0], int) and centred.shape[0] == 1:
        terms = squares(s, centred)
        assert isinstance(terms, Arr)
        sums = total(s, terms if weights is None else terms * weights)
        return elementwise(s, "div", sums, divisor)
    if not isinstance(centred.shape[0], int):
        s.require(holds(s, "ne", centred.shape[0], 1), ONE_VARIABLE)
    left = s.keep(centred)
    right: Value = left if weights is None else left * weights
    if is_complex(left.dtype):
        right = elementwise(s, "np.conj", right)
    assert isinstance(right, Arr)
    product = s.call("numpy.matmul", left, s.view(right, (), (1, 0)))
    assert isinstance(product, Arr)
    return elementwise(s, "div", product, divisor)


@TABLE.add(
    "numpy.corrcoef",
    "np.reshape(np.corrcoef(x, rowvar={rowvar}), -1)", "np.corrcoef(v, u)", "np.corrcoef(x, y)",
    rowvar=(True, False),
)  # fmt: skip
def corrcoef(s: Stage, x: object, y: object = None, rowvar: bool = True) -> Value:
    found = cov(s, x, y, rowvar)
    if not isinstance(found, Arr):
        return elementwise(s, "div", found, found)
    c = s.keep(found)
    size = c.shape[0]
    parts = elementwise(s, "np.real", c) if is_complex(c.dtype) else c
    assert isinstance(parts, Arr)
    diagonal = parts.lazy((size,), lambda i: parts.at(i, i))
    scale = elementwise(s, "np.sqrt", diagonal)
    assert isinstance(scale, Arr)
    kept = s.keep(scale)
    down = kept.lazy((size, 1), lambda i, _: kept.at(i))
    scaled = elementwise(s, "div", elementwise(s, "div", c, down), kept)
    if is_complex(c.dtype):
        return scaled
    return elementwise(s, "np.clip", scaled, -1.0, 1.0)
