"""Broadcasting, and scalar ops on whole arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_rules.arrays.sizes import Shape, common_size, equal, size_op
from mooncake_rules.arrays.stage import Arr, Num, Stage, Value
from mooncake_rules.scalar import OPS

SINGLE = ("float32", "complex64")


def broadcast_shape(s: Stage, shapes: Sequence[Shape], what: str = "operands") -> Shape:
    """NumPy's common shape; axes of size 1 are those known to be so ahead of time.

    Slices of at most one item are those, too, where the other size is another one: that they are
    not empty is checked when the program runs.
    """
    rank = max(map(len, shapes), default=0)
    found: list[Num | int] = [1] * rank
    for shape in shapes:
        for axis, size in enumerate(shape, rank - len(shape)):
            if not _is_one(s, size):
                found[axis] = _common(s, found[axis], size, what)
    return tuple(found)


def _common(s: Stage, a: Num | int, b: Num | int, what: str) -> Num | int:
    if _is_one(s, a):
        return b
    if s.stretching and not s.same(a, b) and not (isinstance(a, int) and isinstance(b, int)):
        unknown, other = (b, a) if isinstance(a, int) else (a, b)
        return size_op(s, "where", equal(s, unknown, 1), other, unknown)
    if s.same(a, b) or s.at_most_one(a) == s.at_most_one(b):
        return common_size(s, a, b, what)
    unit, other = (a, b) if s.at_most_one(a) else (b, a)
    common_size(s, unit, 1, what)
    return other


def _is_one(s: Stage, size: Num | int) -> bool:
    return s.same(size, 1)


def expand(array: Arr, shape: Shape) -> Callable[..., Num | complex]:
    """Elements of ``array`` by indices of ``shape``, to which it is stretched."""
    s, skip = array.s, len(shape) - array.ndim
    stretched = [_is_one(s, size) and not _is_one(s, shape[skip + k])
                 for k, size in enumerate(array.shape)]  # fmt: skip
    unknown = [s.stretching and not s.same(size, shape[skip + k])
               for k, size in enumerate(array.shape)]  # fmt: skip
    if not skip and not any(stretched) and not any(unknown):
        return array.at

    def own(k: int, i: Num | int) -> Num | int:
        if stretched[k]:
            return 0
        return size_op(s, "where", equal(s, array.shape[k], 1), 0, i) if unknown[k] else i

    return lambda *index: array.at(*(own(k, i) for k, i in enumerate(index[skip:])))


def settled(s: Stage, array: Arr, shape: Shape) -> Arr:
    """``array``, computed now if stretching it to ``shape`` would compute elements repeatedly.

    What is constant along the innermost axes only is computed once anyway: loops hoist it.
    """
    if array.cheap or array.memory is not None:
        return array
    varies = False
    for k, size in enumerate(reversed(shape), 1):
        own = k <= array.ndim and (not _is_one(s, array.shape[-k]) or _is_one(s, size))
        if varies and not own:
            return s.keep(array)
        varies = varies or (own and not _is_one(s, size))
    return array


def without_ones(array: Arr, ndim: int) -> Arr:
    """``array`` without leading axes of size 1, as far as there are more axes than ``ndim``."""
    sizes = array.shape
    while len(sizes) > ndim and _is_one(array.s, sizes[0]):
        sizes = sizes[1:]
    first = [0] * (array.ndim - len(sizes))
    return array.lazy(sizes, lambda *index: array.at(*first, *index)) if first else array


def broadcast_to(s: Stage, array: Arr, shape: Shape, what: str = "broadcast_to") -> Arr:
    if len(shape) < array.ndim:
        raise s.refuse(f"{what}: rank {array.ndim} does not fit {len(shape)} axes", None, "MK216")
    common = broadcast_shape(s, (array.shape, shape), what)
    for have, want in zip(common, shape, strict=True):
        if _is_one(s, want) and not _is_one(s, have):
            common_size(s, have, 1, what)
    array = settled(s, array, common)
    return array.lazy(common, expand(array, common))


def elementwise(s: Stage, name: str, *args: Value) -> Value:
    """The scalar op ``name`` of arrays and numbers, broadcast against each other."""
    arrays = [arg for arg in args if isinstance(arg, Arr)]
    if not arrays:
        numbers = [arg for arg in args if not isinstance(arg, Arr)]
        return s.op(name, *numbers)
    dtype = s.result(name, *args)
    cheap = not OPS[name].expensive and all(array.cheap for array in arrays)
    return combine(s, dtype, cheap, lambda *items: s.op(name, *items), *args)


def combine(
    s: Stage, dtype: str, cheap: bool, element: Callable[..., Num | complex], *args: Value
) -> Arr:
    """``element`` of the elements of ``args``, broadcast against each other."""
    arrays = [arg for arg in args if isinstance(arg, Arr)]
    shape = broadcast_shape(s, [array.shape for array in arrays])
    ready = [settled(s, arg, shape) if isinstance(arg, Arr) else arg for arg in args]
    parts = [expand(arg, shape) if isinstance(arg, Arr) else arg for arg in ready]

    is_single = any(isinstance(arg, Num | Arr) and arg.dtype in SINGLE for arg in args)

    def item(k: int, index: Sequence[Num | int]) -> Num | complex:
        arg, part = args[k], parts[k]
        if not callable(part):
            return part
        found = part(*index)
        return s.element(found, arg.dtype) if is_single and isinstance(arg, Arr) else found

    def at(*index: Num | int) -> Num | complex:
        return element(*(item(k, index) for k in range(len(args))))

    reads = frozenset().union(*(arg.reads for arg in ready if isinstance(arg, Arr)))
    return Arr(s, dtype, shape, at, None, cheap, reads, layout=s.elementwise(arrays, shape))
