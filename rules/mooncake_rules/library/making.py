"""New arrays: ranges, grids, identities."""

from __future__ import annotations

from collections.abc import Callable

from mooncake_rules.arrays import (
    Arr,
    Num,
    Stage,
    Table,
    Value,
    as_size,
    elementwise,
    expand,
    fix_axis,
)
from mooncake_rules.arrays.elementwise import broadcast_shape
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import element_type, flag, one_of
from mooncake_rules.library.diagonals import mask, offset_of
from mooncake_rules.library.support import as_array, astype, floating, is_complex, is_float
from mooncake_rules.library.views import flattened, shown, transposed

TABLE = Table()

Number = Num | complex


@TABLE.add(
    "numpy.arange",
    "np.arange(a, b, 0.25)",
    "np.arange(b, a, {step})",
    "np.arange(4) * v[0]",
    "np.arange({start}, 5) * a",
    "np.arange(7, 1, -2) * a",
    "np.arange(a)",
    "np.arange(3.0) * a",
    "np.arange(2, dtype=np.float32) * v[0]",
    step=(-0.25, 0.25),
    start=(1, 1.5),
)
def arange(
    s: Stage,
    start: Num | float,
    stop: Num | float | None = None,
    step: Num | float = 1,
    dtype: str | None = None,
) -> Arr:
    """``start + i * step``; the number of elements has no derivative."""
    if stop is None:
        start, stop = 0, start
    for number in (start, stop, step):
        if not isinstance(number, Num | int | float):
            raise s.refuse("arange takes numbers", None, "MK213")
    if is_complex(s.promote(start, stop, step)):
        raise s.refuse("arange takes real numbers", None, "MK213")
    kind = element_type(s, dtype, s.promote(start, stop, step))
    if not is_float(s.promote(start, stop, step)):
        count = _count(s, start, stop, step)
    else:
        span = s.op("div", s.op("sub", stop, start), step)
        count = as_size(s.op("np.maximum", s.cast(s.op("np.ceil", span), "int64"), 0))

    def at(i: Num | int) -> Number:
        return s.cast(_affine(s, start, step, i), kind)

    return Arr(s, kind, (count,), at)


def _count(s: Stage, start: Num | float, stop: Num | float, step: Num | float) -> Num | int:
    """The number of integers in ``range(start, stop, step)``."""
    lo, hi, by = as_size(start), as_size(stop), as_size(step)
    if isinstance(by, int) and by == 0:
        raise s.refuse("the step must not be zero", None, "MK303")
    if isinstance(by, int) and by == 1:
        size = hi if isinstance(lo, int) and lo == 0 else size_op(s, "sub", hi, lo)
    else:
        size = size_op(s, "neg", size_op(s, "floordiv", size_op(s, "sub", lo, hi), by))
    return max(size, 0) if isinstance(size, int) else size_op(s, "np.maximum", size, 0)


def _affine(s: Stage, start: Number, step: Number, i: Number) -> Number:
    """``start + i * step``, without what changes nothing."""
    grown = i if isinstance(step, int) and step == 1 else s.op("mul", i, step)
    return grown if isinstance(start, int) and start == 0 else s.op("add", start, grown)


Element = Callable[..., Number]  # of the position along the new axis, and the rest of the index


@TABLE.add(
    "numpy.linspace",
    "np.linspace(a, b, {num}, endpoint={endpoint})",
    "np.linspace(0, b, v.shape[0]) * v",
    "np.linspace(a, 2)",
    "np.linspace(v, u, 3, endpoint={endpoint})",
    "np.linspace(v, 1.0, 3, axis=-1)",
    "np.linspace(a, b, 5, retstep=True)",
    "np.linspace(1, b, 4, dtype=np.float64)",
    num=(5, 2, 1, 0),
    endpoint=(True, False),
)
def linspace(
    s: Stage,
    start: Value,
    stop: Value,
    num: Num | int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: str | None = None,
    axis: int = 0,
) -> object:
    """``num`` numbers (or arrays) from ``start`` to ``stop``, evenly spaced."""
    endpoint, retstep = flag(s, endpoint, "endpoint"), flag(s, retstep, "retstep")
    kind = floating(s.promote(start, stop))
    first, last = as_array(s, start, kind), as_array(s, stop, kind)
    gap = as_array(s, (last - first) / _steps(s, num, endpoint))
    step = s.keep(gap) if gap.ndim else as_array(s, gap.at())
    found = _spaced(
        s,
        first,
        last,
        num,
        endpoint,
        lambda low, i, *k: low + i * expand(step, step.shape)(*k),
    )
    found = _finished(s, found, dtype, axis)
    return (found, step) if retstep else found


def _steps(s: Stage, num: Num | int, endpoint: bool) -> Num | int:
    """The number of steps, at least one."""
    steps = size_op(s, "sub", num, 1) if endpoint else num
    return max(steps, 1) if isinstance(steps, int) else size_op(s, "np.maximum", steps, 1)


def _spaced(
    s: Stage, first: Arr, last: Arr, num: Num | int, endpoint: bool, element: Element
) -> Arr:
    """``element(first, i)`` along a new first axis; the last one is ``last``."""
    common = broadcast_shape(s, (first.shape, last.shape), "the ends")
    low, high = expand(first, common), expand(last, common)
    out = s.new((num, *common), first.dtype)
    s.nest(out.shape, lambda i, *k: s.store(out, (i, *k), element(low(*k), i, *k)))
    if endpoint:
        end = size_op(s, "sub", num, 1)
        several = s.op("gt", num, 1)
        assert isinstance(several, Num | bool)

        def exactly() -> tuple[()]:
            s.nest(common, lambda *k: s.store(out, (end, *k), high(*k)))
            return ()

        s.choose(several, exactly, tuple)
    return out


def _finished(s: Stage, array: Arr, dtype: str | None, axis: object) -> Arr:
    """``array`` of the dtype asked for, with its first axis where it should be."""
    kind = element_type(s, dtype, array.dtype)
    if not is_float(kind):
        floored = elementwise(s, "np.floor", array)
        assert isinstance(floored, Arr)
        array = floored
    array = astype(s, array, kind)
    k = fix_axis(s, axis, array.ndim)
    return transposed(s, array, [*range(1, k + 1), 0, *range(k + 1, array.ndim)]) if k else array


@TABLE.add(
    "numpy.logspace",
    "np.logspace(a, b, {num}, endpoint={endpoint})",
    "np.logspace(a, b, 3, base=v[1] * v[1])",
    "np.logspace(0, a, v.shape[0])",
    num=(4, 1),
    endpoint=(True, False),
)
def logspace(
    s: Stage,
    start: Value,
    stop: Value,
    num: Num | int = 50,
    endpoint: bool = True,
    base: Num | float = 10.0,
    dtype: str | None = None,
    axis: int = 0,
) -> Arr:
    """``base`` to the powers that ``linspace`` gives."""
    if isinstance(base, Arr):
        raise s.refuse("logspace: the base must be a number")
    exponents = linspace(s, start, stop, num, endpoint, axis=axis)
    assert isinstance(exponents, Arr)
    found = elementwise(s, "pow", s.cast(base, exponents.dtype), exponents)
    assert isinstance(found, Arr)
    return astype(s, found, element_type(s, dtype, found.dtype))


@TABLE.add(
    "numpy.geomspace",
    "np.geomspace(a, b, {num}, endpoint={endpoint})",
    "np.geomspace(-1.0, -b, 3)",
    "np.geomspace(pos[0], pos[1], 3, axis=-1)",
    num=(4, 1),
    endpoint=(True, False),
)
def geomspace(
    s: Stage,
    start: Value,
    stop: Value,
    num: Num | int = 50,
    endpoint: bool = True,
    dtype: str | None = None,
    axis: int = 0,
) -> Arr:
    """``start (stop / start)^(i / steps)``, of numbers of the same sign."""
    endpoint = flag(s, endpoint, "endpoint")
    kind = floating(s.promote(start, stop, Arr(s, "float64", (), lambda: 0.0)))
    if is_complex(kind):
        raise s.refuse("geomspace of complex numbers is not supported")
    first, last = as_array(s, start, kind), as_array(s, stop, kind)
    ratio = as_array(s, last / first)
    ratio = s.keep(ratio) if ratio.ndim else as_array(s, ratio.at())
    steps = _steps(s, num, endpoint)

    def element(low: Number, i: Num | int, *k: Num | int) -> Number:
        return low * s.op("pow", ratio.at(*k), s.cast(s.op("div", i, steps), kind))

    return _finished(s, _spaced(s, first, last, num, endpoint, element), dtype, axis)


@TABLE.add(
    "numpy.eye",
    "np.eye(3, {M}, {k}) * a",
    "m - a * np.eye(m.shape[0])",
    M=(None, 2, 4),
    k=(0, 1, -2),
)
def eye(
    s: Stage, N: Num | int, M: Num | int | None = None, k: object = 0, dtype: str = "float64"
) -> Arr:
    diagonal = mask(s, (N, N if M is None else M), "eq", offset_of(s, k))
    return s.in_order(astype(s, diagonal, element_type(s, dtype, "float64")))


@TABLE.add("numpy.identity", "m + a * np.identity(m.shape[0])", "np.identity(3) * a")
def identity(s: Stage, n: Num | int, dtype: str = "float64") -> Arr:
    return eye(s, n, dtype=dtype)


@TABLE.add("numpy.tri", "np.tri(3, {M}, {k}) * a", M=(None, 2, 4), k=(0, 1, -2))
def tri(
    s: Stage, N: Num | int, M: Num | int | None = None, k: object = 0, dtype: str = "float64"
) -> Arr:
    below = mask(s, (N, N if M is None else M), "le", offset_of(s, k))
    return astype(s, below, element_type(s, dtype, "float64"))


@TABLE.add(
    "numpy.vander",
    "np.vander(v, {N}, increasing={increasing})",
    "np.vander(v)",
    N=(None, 1, 3),
    increasing=(False, True),
)
def vander(s: Stage, x: object, N: Num | int | None = None, increasing: bool = False) -> Arr:
    array, increasing = as_array(s, x), flag(s, increasing, "increasing")
    if array.ndim != 1:
        raise s.refuse("vander takes a vector", None, "MK214")
    kind = s.promote(array, Arr(s, "int64", (), lambda: 0))
    columns = array.shape[0] if N is None else N
    array = array if array.cheap else s.keep(array)
    out = s.new((array.shape[0], columns), kind)

    def row(i: Num | int) -> None:
        factor = s.cast(array.at(i), kind)

        def power(accs: tuple[Number, ...], j: Num | int) -> tuple[Number, ...]:
            column = j if increasing else size_op(s, "sub", size_op(s, "sub", columns, 1), j)
            s.store(out, (i, column), accs[0])
            return (s.op("mul", accs[0], factor),)

        s.fold((columns,), (s.cast(1, kind),), power)

    s.nest(array.shape, row)
    return out


def _grid(s: Stage, cut: object) -> Arr:
    """The numbers that a slice of ``np.mgrid`` stands for; an imaginary step is their count."""
    if not isinstance(cut, slice):
        raise s.refuse("np.mgrid and np.ogrid take slices", None, "MK214")
    start, step = 0 if cut.start is None else cut.start, 1 if cut.step is None else cut.step
    if isinstance(step, complex):
        found = linspace(s, start, cut.stop, int(abs(step)))
    elif isinstance(step, Num) and is_complex(step.dtype):
        raise s.refuse("the number of points must be a constant", None, "MK310")
    else:
        found = arange(s, start, cut.stop, step)
    assert isinstance(found, Arr)
    return found


def _grids(s: Stage, cuts: tuple[object, ...]) -> list[Arr]:
    """A vector for each slice, all of one dtype."""
    found = [_grid(s, cut) for cut in cuts]
    kind = s.promote(*found)
    return [astype(s, one, kind) for one in found]


@TABLE.add("numpy.mgrid", "np.mgrid[0:4, 1:3][1] * a", "np.mgrid[a:b:0.25] * a",
           "np.mgrid[a:b:5j, 0:2]", "np.mgrid[:3]")  # fmt: skip
def mgrid(s: Stage, *cuts: object) -> Arr:
    """``np.mgrid[cuts]``: the coordinates of the points of a grid, along a new first axis."""
    grids = _grids(s, cuts)
    if len(grids) == 1:
        return grids[0]
    shape = tuple(grid.shape[0] for grid in grids)
    out = s.new((len(grids), *shape), grids[0].dtype)
    for k, grid in enumerate(grids):
        s.nest(shape, lambda *i, k=k, grid=grid: s.store(out, (k, *i), grid.at(i[k])))
    return s.in_order(out)


@TABLE.add("numpy.ogrid", "np.ogrid[0:4, 1:3][1] * a", "np.ogrid[a:b:0.25] * a")
def ogrid(s: Stage, *cuts: object) -> object:
    """``np.ogrid[cuts]``: a vector for each slice, along an axis of its own."""
    grids = _grids(s, cuts)
    if len(grids) == 1:
        return grids[0]
    return tuple(_turned(grid, k, len(grids)) for k, grid in enumerate(grids))


def _turned(vector: Arr, k: int, ndim: int) -> Arr:
    """``vector`` as the axis ``k`` of an array with ``ndim`` axes."""
    shape = tuple(vector.shape[0] if axis == k else 1 for axis in range(ndim))
    return vector.lazy(shape, lambda *i: vector.at(i[k]))


@TABLE.add(
    "numpy.meshgrid",
    "np.meshgrid(v, w, indexing={indexing}, sparse={sparse})",
    "np.meshgrid(v, w, u * 2.0, indexing={indexing})",
    "np.meshgrid(v)",
    "np.meshgrid(a, v)",
    indexing=("xy", "ij"),
    sparse=(False, True),
)
def meshgrid(
    s: Stage, *xi: object, copy: object = True, sparse: bool = False, indexing: str = "xy"
) -> tuple[Arr, ...]:
    indexing = one_of(s, indexing, "indexing", ("xy", "ij"))
    sparse = flag(s, sparse, "sparse")
    vectors = [flattened(s, as_array(s, x)) for x in xi]
    axes = list(range(len(vectors)))
    if indexing == "xy" and len(axes) > 1:
        axes[0], axes[1] = 1, 0
    sizes = dict(zip(axes, (x.shape[0] for x in vectors), strict=True))
    found = []
    for vector, axis in zip(vectors, axes, strict=True):
        ready = vector if vector.cheap else s.keep(vector)
        shape = tuple(1 if sparse and k != axis else sizes[k] for k in range(len(axes)))
        found.append(ready.lazy(shape, lambda *i, ready=ready, axis=axis: ready.at(i[axis])))
    if not flag(s, copy, "copy"):
        found = [shown(each, vector) for each, vector in zip(found, vectors, strict=True)]
    return tuple(found)


@TABLE.add(
    "numpy.indices",
    "np.indices((2, 3)) * a",
    "np.indices((v.shape[0],))[0] * v",
    "np.indices((2, 3), sparse=True)[1] * a",
)
def indices(
    s: Stage, dimensions: tuple[Num | int, ...], dtype: str = "int64", sparse: bool = False
) -> object:
    """The index of every element: an array with an axis more, or one array for each axis."""
    places, dtype = range(len(dimensions)), element_type(s, dtype, "int64")
    if flag(s, sparse, "sparse"):
        shapes = [tuple(n if j == k else 1 for j, n in enumerate(dimensions)) for k in places]
        return tuple(_positions(s, shape, k, dtype) for k, shape in enumerate(shapes))
    out = s.new((len(dimensions), *dimensions), dtype)
    for k in places:
        s.nest(dimensions, lambda *i, k=k: s.store(out, (k, *i), s.cast(i[k], dtype)))
    return out


def _positions(s: Stage, shape: tuple[Num | int, ...], k: int, dtype: str) -> Arr:
    return Arr(s, dtype, shape, lambda *i: s.cast(i[k], dtype))


@TABLE.add("numpy.fromfunction", "np.fromfunction(lambda i, j: (i + 1.0) * j, (2, 3)) * a")
def fromfunction(
    s: Stage, function: Callable[..., object], shape: tuple[Num | int, ...], dtype: str = "float64"
) -> object:
    """The result of ``function`` for the arrays of the positions along each axis."""
    dtype = element_type(s, dtype, "float64")
    return function(*(_positions(s, tuple(shape), k, dtype) for k in range(len(shape))))
