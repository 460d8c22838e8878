"""Indexing by arrays of integers and bools, alone or mixed with slices, integers and None.

NumPy's rules: all index arrays (and integers beside them) are broadcast against each other; the
axes of that common shape come where the indexed axes were if those are adjacent, else in front.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mooncake_rules.arrays import (
    Arr,
    Num,
    Shape,
    Stage,
    Table,
    Value,
    broadcast_to,
    elementwise,
    expand,
    fix_axis,
)
from mooncake_rules.arrays.elementwise import broadcast_shape
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import no_out
from mooncake_rules.library.support import as_array
from mooncake_rules.library.views import flattened, part

TABLE = Table()

Index = tuple["Num | int", ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """Elements of ``base``, in memory: ``where`` leads from an index of ``shape`` there."""

    base: Arr
    shape: Shape
    where: Callable[..., Index]
    repeats: bool  # an element may be selected more than once
    layout: object | None = None  # of what is selected

    def read(self) -> Arr:
        if not self.repeats:  # a view
            return self.base
        found = self.base.lazy(self.shape, lambda *index: self.base.at(*self.where(*index)))
        return replace(found, layout=self.layout)


def select(s: Stage, array: Arr, items: Sequence[object]) -> Selection:
    """The elements ``array[items]``; ``items`` are numbers, slices, None, ``...`` and arrays."""
    full = _filled(s, array, _without_masks(s, items))
    arrays = [item for item in full if isinstance(item, Arr)]
    chosen = [isinstance(item, Num | int | Arr) and bool(arrays) for item in full]
    plain = [slice(None) if c else item for c, item in zip(chosen, full, strict=True)]
    if not arrays:
        basic = part(s, array, plain)
        return Selection(basic, basic.shape, lambda *index: index, False)
    basic = s.view(array, plain)
    kept = [c for c, item in zip(chosen, full, strict=True) if c or not isinstance(item, Num | int)]
    indices = [as_array(s, item) for c, item in zip(chosen, full, strict=True) if c]
    common = broadcast_shape(s, [index.shape for index in indices], "indices")
    readers = [expand(s.keep(index) if not index.cheap else index, common) for index in indices]
    axes = [k for k, c in enumerate(kept) if c]
    adjacent = axes[-1] - axes[0] == len(axes) - 1
    at = axes[0] if adjacent else 0
    rest = [size for k, size in enumerate(basic.shape) if k not in axes]
    shape = (*rest[:at], *common, *rest[at:])

    def where(*index: Num | int) -> Index:
        chosen_at = index[at : at + len(common)]
        others = iter((*index[:at], *index[at + len(common) :]))
        picked = iter(reader(*chosen_at) for reader in readers)
        return tuple(next(picked) if k in axes else next(others) for k in range(basic.ndim))  # type: ignore[misc]

    layout = s.gathered(basic, axes, indices, common, at)
    return Selection(basic, shape, where, True, layout)


def _filled(s: Stage, array: Arr, items: Sequence[object]) -> list[object]:
    """``items`` with ``...`` and missing axes written as slices."""
    taken = sum(item is not None and item is not Ellipsis for item in items)
    if taken > array.ndim:
        raise s.refuse(f"{taken} indices for an array of rank {array.ndim}", None, "MK214")
    missing: list[object] = [slice(None)] * (array.ndim - taken)
    if not any(item is Ellipsis for item in items):
        return [*items, *missing]
    found: list[object] = []
    for item in items:
        found.extend(missing if item is Ellipsis else (item,))
    return found


def _without_masks(s: Stage, items: Sequence[object]) -> list[object]:
    """``items`` with arrays of bools as the positions where they are true."""
    found: list[object] = []
    for given in items:
        item = as_array(s, given) if isinstance(given, tuple | list) else given
        if isinstance(item, Arr) and item.dtype == "bool":
            found.extend(nonzero(s, item))
        elif isinstance(item, Arr) and item.dtype.startswith(("float", "complex")):
            raise s.refuse("an index must be an integer, got floats", None, "MK214")
        else:
            found.append(item)
    return found


def put(s: Stage, array: Arr, items: Sequence[object], value: Value, add: bool = False) -> None:
    """``array[items] = value``; with ``add`` each selected element is added to, repeatedly so."""
    items = [s.apart(item, array) if isinstance(item, Arr) else item for item in items]
    mask = items[0] if len(items) == 1 else None
    write = s.add if add else s.store
    if isinstance(mask, Arr) and mask.dtype == "bool" and not isinstance(value, Arr):
        put_masked(s, array, mask, lambda *index: write(array, index, value))
        return
    selection = select(s, array, items)
    source = broadcast_to(
        s, s.apart(as_array(s, value), array), selection.shape, "the assigned value"
    )
    s.nest(
        selection.shape,
        lambda *index: write(selection.base, selection.where(*index), source.at(*index)),
    )


def put_masked(s: Stage, array: Arr, mask: Arr, write: Callable[..., None]) -> None:
    if mask.ndim > array.ndim:
        raise s.refuse("the mask has more axes than the array", None, "MK214")
    where = broadcast_shape(s, (array.shape[: mask.ndim], mask.shape), "the mask")
    shape = (*where, *array.shape[mask.ndim :])

    def one(*index: Num | int) -> None:
        chosen = mask.at(*index[: mask.ndim])
        assert isinstance(chosen, Num | bool)

        def then() -> tuple[()]:
            write(*index)
            return ()

        s.choose(chosen, then, tuple)

    s.nest(shape, one)


def count_true(s: Stage, mask: Arr) -> Num | int:
    def step(accs: Sequence[Num | complex], *index: Num | int) -> tuple[Num | complex]:
        return (s.op("add", accs[0], s.cast(mask.at(*index), "int64")),)

    found = s.fold(mask.shape, (0,), step)[0]
    assert isinstance(found, Num | int)
    return found


@TABLE.add(
    "numpy.nonzero ndarray.nonzero",
    "x[np.nonzero(mask)]",
    "x[(x * y > 0.0).nonzero()]",
    "v[np.nonzero(idx[:4])]",
    "x[np.where(mask)]",
    "np.nonzero(x)[0] * x[0, 0]",
)
def nonzero(s: Stage, a: object) -> tuple[Arr, ...]:
    """The indices of what is true or not zero, an array per axis."""
    mask = as_mask(s, a)
    mask = mask if mask.cheap else s.keep(mask)
    if mask.ndim == 0:
        raise s.refuse("nonzero of a number", "use np.atleast_1d", "MK214")
    count = count_true(s, mask)
    outs = tuple(s.new((count,), "int64") for _ in mask.shape)

    def step(accs: Sequence[Num | complex], *index: Num | int) -> tuple[Num | complex, ...]:
        k = accs[0]
        assert isinstance(k, Num | int)

        def then() -> tuple[Num | complex, ...]:
            for out, i in zip(outs, index, strict=True):
                s.store(out, (k,), i)
            return (s.op("add", k, 1),)

        chosen = mask.at(*index)
        assert isinstance(chosen, Num | bool)
        return s.choose(chosen, then, lambda: (k,))

    s.fold(mask.shape, (0,), step)
    return outs


def as_mask(s: Stage, a: object) -> Arr:
    """``a`` as bools: True where it is not zero."""
    values = as_array(s, a)
    if values.dtype == "bool":
        return values
    return values.lazy(values.shape, lambda *i: s.op("ne", values.at(*i), 0), "bool")


@TABLE.add("numpy.flatnonzero", "x.ravel()[np.flatnonzero(mask)]", "v[np.flatnonzero(v > 0.0)]")
def flatnonzero(s: Stage, a: object) -> Arr:
    return nonzero(s, flattened(s, as_mask(s, a)))[0]


@TABLE.add("numpy.argwhere", "np.argwhere(mask) * a", "np.argwhere(x > 0.0)[:, 1] * b")
def argwhere(s: Stage, a: object) -> Arr:
    found = s.call("numpy.stack", nonzero(s, a), axis=1)
    assert isinstance(found, Arr)
    return s.laid_out(found, s.any_order(found.shape))


def operand(s: Stage, a: object) -> Value:
    """An array or a number; numbers of the program's text keep their weak type."""
    return a if isinstance(a, Num | bool | int | float | complex) else as_array(s, a)


@TABLE.add(
    "numpy.take ndarray.take",
    "np.take(x, idx, axis={axis})",
    "np.take(x, [5, -2], mode={mode})",
    "np.take(x * 2.0, idx + 2, axis={axis}, mode={mode})",
    "np.take(x, 1, axis={axis})",
    axis=(None, 0, 1, -1),
    mode=("clip", "wrap"),
)
def take(
    s: Stage, a: object, indices: object, axis: object = None, out: None = None, mode: str = "raise"
) -> Value:
    no_out(s, out)
    array, index = as_array(s, a), as_array(s, indices)
    if axis is None:
        array = flattened(s, array)
    k = 0 if axis is None else fix_axis(s, axis, array.ndim)
    index = in_mode(s, index, array.shape[k], mode)
    return select(s, array, (*[slice(None)] * k, index)).read()


def in_mode(s: Stage, index: Arr, size: Num | int, mode: str) -> Arr:
    """``index`` into an axis of ``size``, with what is outside clipped or wrapped."""
    match mode:
        case "raise":
            return index
        case "clip":
            last = size_op(s, "sub", size, 1)
            return index.lazy(
                index.shape,
                lambda *i: s.op("np.minimum", s.op("np.maximum", index.at(*i), 0), last),
            )
        case "wrap":
            return index.lazy(index.shape, lambda *i: s.op("mod", index.at(*i), size))
        case _:
            raise s.refuse(f"there is no mode {mode!r}")


@TABLE.add(
    "numpy.compress",
    "np.compress(mask[:, 0], x, axis=0)",
    "np.compress(v > 0.0, x, axis=-1)",
    "np.compress([True, False, True], x)",
)
def compress(
    s: Stage, condition: object, a: object, axis: object = None, out: None = None
) -> Value:
    no_out(s, out)
    (index,) = nonzero(s, condition)
    return take(s, a, index, axis)


@TABLE.add("ndarray.compress", "x.compress([False, True], 1)")
def compress_method(s: Stage, a: Arr, condition: object, axis: object = None) -> Value:
    return compress(s, condition, a, axis)


@TABLE.add("numpy.extract", "np.extract(mask, x)", "np.extract(x > y, x * y)")
def extract(s: Stage, condition: object, arr: object) -> Value:
    return take(s, arr, flatnonzero(s, condition))


def _adding(ufunc: str, op: str, sign: Callable[[Stage, Value], Value]) -> None:
    """Enter ``np.add.at`` or ``np.subtract.at``; floats that go into integers are cut off last."""

    @TABLE.add(f"numpy.{ufunc}.at")
    def at(s: Stage, a: Arr, indices: object, b: object) -> None:
        change = operand(s, b)
        if s.result(op, a, change).startswith("float") and not a.dtype.startswith("float"):
            _update_at(s, a, indices, b, op)
            return
        items = indices if isinstance(indices, tuple) else (indices,)
        put(s, s.writable(a), items, sign(s, change), add=True)


_adding("add", "add", lambda s, b: b)
_adding("subtract", "sub", lambda s, b: elementwise(s, "neg", b))


def _updating(ufunc: str, op: str) -> None:
    """Enter the ``at`` of a function of two numbers that is no sum."""

    @TABLE.add(f"numpy.{ufunc}.at")
    def at(s: Stage, a: Arr, indices: object, b: object) -> None:
        _update_at(s, a, indices, b, op)


_updating("multiply", "mul")
_updating("divide", "div")
_updating("true_divide", "div")
_updating("power", "pow")
_updating("maximum", "np.maximum")
_updating("minimum", "np.minimum")
_updating("fmax", "np.fmax")
_updating("fmin", "np.fmin")


def _update_at(s: Stage, a: Arr, indices: object, b: object, op: str) -> None:
    """``a[i] op= b`` for one index after the other."""
    items = [
        s.apart(item, a) if isinstance(item, Arr) else item
        for item in (indices if isinstance(indices, tuple) else (indices,))
    ]
    selection = select(s, s.writable(a), items)
    source = broadcast_to(s, s.apart(as_array(s, b), a), selection.shape, "the operand")

    def one(*index: Num | int) -> None:
        at = selection.where(*index)
        s.store(selection.base, at, s.op(op, selection.base.at(*at), source.at(*index)))

    s.nest(selection.shape, one)
