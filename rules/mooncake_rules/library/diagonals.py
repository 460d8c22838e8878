"""Diagonals and triangles."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Num, Shape, Stage, Table, common_size, fix_axis
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.support import as_array
from mooncake_rules.library.views import flattened, plus, shown, transposed

TABLE = Table()

OFFSETS = (0, 1, -1, 2, -3)


def offset_of(s: Stage, k: object) -> Num | int:
    if isinstance(k, bool) or not isinstance(k, Num | int):
        raise s.refuse("the offset of a diagonal must be an integer", None, "MK213")
    return k


def starts(s: Stage, k: Num | int) -> tuple[Num | int, Num | int]:
    """Row and column at which diagonal ``k`` starts."""
    if isinstance(k, int):
        return max(-k, 0), max(k, 0)
    return size_op(s, "np.maximum", size_op(s, "neg", k), 0), size_op(s, "np.maximum", k, 0)


def length(s: Stage, rows: Num | int, columns: Num | int, k: Num | int) -> Num | int:
    """The length of diagonal ``k``."""
    if isinstance(k, int) and s.same(rows, columns):
        return s.shrunk(rows, abs(k))
    row, column = starts(s, k)
    sizes = (_less(s, rows, row), _less(s, columns, column))
    shorter = size_op(s, "np.minimum", *sizes)
    return shorter if k == 0 else size_op(s, "np.maximum", shorter, 0)


def _less(s: Stage, a: Num | int, b: Num | int) -> Num | int:
    return a if isinstance(b, int) and b == 0 else size_op(s, "sub", a, b)


@TABLE.add(
    "numpy.diag",
    "np.diag(x, {k})",
    "np.diag(v, {k})",
    "np.diag(m)",
    "np.diag(m * 2.0, k={k})",
    k=OFFSETS,
)
def diag(s: Stage, v: object, k: object = 0) -> Arr:
    array, by = as_array(s, v), offset_of(s, k)
    if array.ndim == 2:
        return diagonal(s, array, by)
    if array.ndim != 1:
        raise s.refuse(f"diag of an array of rank {array.ndim}", "use np.diagonal", "MK214")
    row, column = starts(s, by)
    size = plus(s, array.shape[0], plus(s, row, column))
    out = s.new((size, size), array.dtype, 0)
    s.nest(array.shape, lambda i: s.store(out, (plus(s, row, i), plus(s, column, i)), array.at(i)))
    return out


@TABLE.add("numpy.diagflat", "np.diagflat(x, {k})", "np.diagflat(v)", k=OFFSETS)
def diagflat(s: Stage, v: object, k: object = 0) -> Arr:
    return diag(s, flattened(s, as_array(s, v)), k)


@TABLE.add(
    "numpy.diagonal ndarray.diagonal",
    "np.diagonal(x, {k})",
    "np.diagonal(t, {k}, 0, 2)",
    "t.diagonal(0, 2, 1)",
    "np.diagonal(x * y)",
    k=OFFSETS,
)
def diagonal(s: Stage, a: object, offset: object = 0, axis1: object = 0, axis2: object = 1) -> Arr:
    array, k = as_array(s, a), offset_of(s, offset)
    first, second = fix_axis(s, axis1, array.ndim), fix_axis(s, axis2, array.ndim)
    if first == second:
        raise s.refuse("a diagonal is that of two axes", None, "MK214")
    rest = [axis for axis in range(array.ndim) if axis not in (first, second)]
    last = transposed(s, array, [*rest, first, second]) if rest or first > second else array
    row, column = starts(s, k)
    rows, columns = last.shape[-2:]
    size = length(s, rows, columns, k)
    found = last.lazy(
        (*last.shape[:-2], size),
        lambda *i: last.at(*i[:-1], plus(s, row, i[-1]), plus(s, column, i[-1])),
    )
    return shown(found, last)


@TABLE.add(
    "numpy.linalg.diagonal", "np.linalg.diagonal(x, offset={k})",
    "np.linalg.diagonal(t, offset={k})",
    k=OFFSETS,
)  # fmt: skip
def last_diagonal(s: Stage, x: object, /, *, offset: object = 0) -> Arr:
    """``numpy.linalg.diagonal``: the diagonals of the last two axes."""
    return diagonal(s, x, offset, -2, -1)


@TABLE.add(
    "numpy.triu", "np.triu(x, {k})", "np.triu(t, {k})", "np.triu(m * 2.0)", "np.triu(v)", k=OFFSETS
)
def triu(s: Stage, m: object, k: object = 0) -> Arr:
    return _triangle(s, m, "ge", offset_of(s, k))


@TABLE.add(
    "numpy.tril", "np.tril(x, {k})", "np.tril(t, {k})", "np.tril(m * 2.0)", "np.tril(v)", k=OFFSETS
)
def tril(s: Stage, m: object, k: object = 0) -> Arr:
    return _triangle(s, m, "le", offset_of(s, k))


def _triangle(s: Stage, m: object, op: str, k: Num | int) -> Arr:
    """``m`` where column ``op`` row + k, else 0."""
    array = as_array(s, m)
    if array.ndim == 0:
        raise s.refuse("a triangle needs an array", None, "MK214")
    shape = array.shape if array.ndim > 1 else (*array.shape, *array.shape)
    inside = mask(s, shape, op, k)
    reads = array.ndim if array.ndim == 1 else 0

    def at(*index: Num | int) -> Num | complex:
        return s.op("where", inside.at(*index), array.at(*index[-reads:]), s.cast(0, array.dtype))

    return array.lazy(shape, at)


def mask(s: Stage, shape: Shape, op: str, k: Num | int) -> Arr:
    """The mask that is True where column ``op`` row + k holds."""

    def at(*index: Num | int) -> Num | complex:
        return s.op(op, index[-1], plus(s, k, index[-2]))

    return Arr(s, "bool", shape, at)


@TABLE.add(
    "numpy.triu_indices",
    "x[np.triu_indices(3, {k}, 4)]",
    "m[np.triu_indices(m.shape[0], {k})]",
    k=OFFSETS,
)
def triu_indices(s: Stage, n: Num | int, k: object = 0, m: Num | int | None = None) -> object:
    return s.call("numpy.nonzero", mask(s, (n, n if m is None else m), "ge", offset_of(s, k)))


@TABLE.add(
    "numpy.tril_indices",
    "x[np.tril_indices(3, {k}, 4)]",
    "m[np.tril_indices(m.shape[0], {k})]",
    k=OFFSETS,
)
def tril_indices(s: Stage, n: Num | int, k: object = 0, m: Num | int | None = None) -> object:
    return s.call("numpy.nonzero", mask(s, (n, n if m is None else m), "le", offset_of(s, k)))


@TABLE.add("numpy.triu_indices_from", "x[np.triu_indices_from(x, {k})]", k=OFFSETS)
def triu_indices_from(s: Stage, arr: Arr, k: object = 0) -> object:
    return triu_indices(s, *_sides(s, arr, k))


@TABLE.add("numpy.tril_indices_from", "x[np.tril_indices_from(x, {k})]", k=OFFSETS)
def tril_indices_from(s: Stage, arr: Arr, k: object = 0) -> object:
    return tril_indices(s, *_sides(s, arr, k))


def _sides(s: Stage, arr: Arr, k: object) -> tuple[Num | int, object, Num | int]:
    if arr.ndim != 2:
        raise s.refuse("a matrix is needed here", None, "MK214")
    return arr.shape[0], k, arr.shape[1]


@TABLE.add("numpy.diag_indices", "m[np.diag_indices(m.shape[0])]", "m[np.diag_indices(3)]")
def diag_indices(s: Stage, n: Num | int, ndim: int = 2) -> tuple[Arr, ...]:
    return (Arr(s, "int64", (n,), lambda i: i),) * ndim


@TABLE.add("numpy.diag_indices_from", "m[np.diag_indices_from(m)]")
def diag_indices_from(s: Stage, arr: Arr) -> tuple[Arr, ...]:
    size = arr.shape[0]
    for other in arr.shape[1:]:
        size = common_size(s, size, other, "diag_indices_from")
    return diag_indices(s, size, arr.ndim)
