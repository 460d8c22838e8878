"""Functions of the program applied along axes, or element by element."""

from __future__ import annotations

from collections.abc import Callable

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value, elementwise, fix_axis
from mooncake_rules.arrays.elementwise import broadcast_shape, expand
from mooncake_rules.arrays.sizes import Shape
from mooncake_rules.library.arguments import as_value, holds
from mooncake_rules.library.support import as_array, without
from mooncake_rules.library.views import WHOLE, with_axis
from mooncake_rules.scalar import resolve

TABLE = Table()

Size = Num | int
Applied = Callable[..., object]

EMPTY = "cannot call `vectorize` on size 0 inputs unless `otypes` is set"
LENGTHS = "what the function returns must be a number, or as long as what it is given"


def function_of(s: Stage, function: object) -> Applied:
    """A function of the program, or one of NumPy, which comes by its name."""
    if callable(function):
        applied: Applied = function
        return applied
    if isinstance(function, str) and s.has(function):
        return lambda *args: s.call(function, *args)
    if isinstance(function, str) and (op := resolve(function)):
        return lambda *args: elementwise(s, op, *(as_value(s, arg, "x") for arg in args))
    raise s.refuse("a function is needed here", "write a lambda", "MK213")


class _Gathered:
    """The results of a function in a nest over ``outer``, in an array made in front of it.

    Their axes stand in place of axis ``k`` of an array of shape ``sizes``. How long they are must
    be known in front of the nest: each is a number or one of ``sizes``.
    """

    def __init__(self, s: Stage, outer: Shape, k: int, sizes: Shape) -> None:
        self.s, self.outer, self.k, self.sizes = s, outer, k, sizes
        self.before = s.before()
        self.out: Arr | None = None

    def add(self, index: Shape, found: Arr) -> None:
        k, outer = self.k, self.outer
        if self.out is None:
            inner = tuple(map(self._known, found.shape))
            shape = (*outer[:k], *inner, *outer[k:])
            self.out = self.before(lambda: self.s.new(shape, found.dtype))
        out = self.out

        def store(*j: Size) -> None:
            self.s.store(out, (*index[:k], *j, *index[k:]), found.at(*j))

        self.s.nest(found.shape, store)

    def _known(self, size: Size) -> Size:
        """``size`` as known in front of the nest: for a vector the size of those that go in."""
        if isinstance(size, int):
            return size
        for known in self.sizes:
            if self.s.same(known, size):
                return known
        own = self.sizes[self.k]
        self.s.require(holds(self.s, "eq", size, own), LENGTHS)
        return own


@TABLE.add(
    "numpy.apply_along_axis",
    "np.apply_along_axis(lambda r: np.sum(r * r), {axis}, x)", "np.apply_along_axis(np.max, 0, x)",
    "np.apply_along_axis(lambda r: r / np.sum(np.exp(r)), {axis}, t)",
    "np.apply_along_axis(lambda r, c: c * r[0] + w[0], {axis}, x, v[0])",
    "np.apply_along_axis(lambda r: np.stack((r, 2.0 * r)), {axis}, x)",
    "np.apply_along_axis(lambda r: (r[0], r[-1] * v[0]), 1, x * y)",
    "np.apply_along_axis(np.sort, 0, v)",
    "np.apply_along_axis(lambda r: np.sum(r) ** 2, 0, v)", "np.apply_along_axis(np.cumsum, 1, z)",
    axis=(0, 1, -1),
)  # fmt: skip
def apply_along_axis(s: Stage, func1d: object, axis: object, arr: object, *args: object) -> object:
    """The results of ``func1d`` for each vector along an axis; its axes are where that axis was."""
    array, function = s.keep(as_array(s, arr)), function_of(s, func1d)
    k = fix_axis(s, axis, array.ndim)
    rest = without(array.shape, (k,))
    if not rest:
        return function(array, *args)
    for size in rest:
        some = holds(s, "ne", size, 0)
        s.require(some, "Cannot apply_along_axis when any iteration dimensions are 0")
    gathered = _Gathered(s, rest, k, array.shape)

    def one(*index: Size) -> None:
        vector = s.view(array, (*index[:k], WHOLE, *index[k:]))
        gathered.add(index, as_array(s, function(vector, *args)))

    s.nest(rest, one)
    return gathered.out


@TABLE.add(
    "numpy.apply_over_axes", "np.apply_over_axes(np.sum, t, {axes})",
    "np.apply_over_axes(np.max, x, 1)",
    "np.apply_over_axes(lambda q, k: np.mean(q * q, axis=k), t, (0, -1))",
    "np.apply_over_axes(np.cumsum, x * y, (0, 1))", "np.apply_over_axes(np.sum, v, 0)",
    axes=((0, 2), (1,), -1, (2, 1, 0)),
)  # fmt: skip
def apply_over_axes(s: Stage, func: object, a: object, axes: object) -> Arr:
    """``func(a, axis)`` for one axis after the other; an axis that it removes is put back."""
    array, function = as_array(s, a), function_of(s, func)
    for axis in axes if isinstance(axes, tuple | list) else (axes,):
        k = fix_axis(s, axis, array.ndim)
        found = as_array(s, function(array, k))
        if found.ndim not in (array.ndim, array.ndim - 1):
            raise s.refuse("function is not returning an array of the correct shape", None, "MK214")
        array = found if found.ndim == array.ndim else with_axis(found, k)
    return array


@TABLE.add(
    "numpy.vectorize.call", "np.vectorize(lambda q: q * q if q > 0.0 else -v[0] * q)(x)",
    "np.vectorize(lambda q, r: np.sin(q) * r)(x, v)", "np.vectorize(lambda q: q * a)(b)",
    "np.vectorize(lambda q, n: q ** 2 * n)(v[:, None], idx)", "np.vectorize(math.exp)(x)",
)  # fmt: skip
def vectorized(s: Stage, pyfunc: object, *args: object) -> Value:
    """``np.vectorize(pyfunc)(*args)``: ``pyfunc`` of numbers, broadcast."""
    function = function_of(s, pyfunc)
    values = [as_value(s, arg, "an argument") for arg in args]
    arrays = [value for value in values if isinstance(value, Arr)]
    if not arrays:
        return as_value(s, function(*values), "the result")
    shape = broadcast_shape(s, [array.shape for array in arrays], "vectorize")
    for size in shape:
        s.require(holds(s, "ne", size, 0), EMPTY)
    parts = [expand(value, shape) if isinstance(value, Arr) else None for value in values]
    gathered = _Gathered(s, shape, 0, ())

    def one(*index: Size) -> None:
        pairs = zip(parts, values, strict=True)
        found = as_array(s, function(*(part(*index) if part else value for part, value in pairs)))
        if found.ndim:
            raise s.refuse("a vectorized function returns a number", None, "MK214")
        gathered.add(index, found)

    s.nest(shape, one)
    assert gathered.out is not None
    return gathered.out
