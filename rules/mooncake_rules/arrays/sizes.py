"""Axes and sizes."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_runtime.fronts import DIFFER

from mooncake_rules.arrays.stage import Num, Stage

_NO_AXIS = "an axis must be a constant integer: branch on it, with a call for each axis"
Shape = tuple["Num | int", ...]


def fix_axis(s: Stage, axis: object, ndim: int) -> int:
    """The axis counted from the front; a diagnostic where there is none such."""
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise s.refuse(_NO_AXIS, None, "MK310")
    if not -ndim <= axis < ndim:
        raise s.refuse(f"axis {axis} of an array of rank {ndim}", None, "MK214")
    return axis % ndim


def fix_axes(s: Stage, axis: object, ndim: int) -> tuple[int, ...]:
    """The axes that ``axis`` (None: all) stands for, in increasing order."""
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, tuple | list) else (axis,)
    axes = sorted(fix_axis(s, one, ndim) for one in given)
    if len(set(axes)) != len(axes):
        raise s.refuse("an axis is given twice", None, "MK214")
    return tuple(axes)


def size_op(s: Stage, name: str, *args: Num | int) -> Num | int:
    """An op of sizes, which are integers."""
    out = s.op(name, *args)
    assert isinstance(out, Num | int)
    return out


def product(s: Stage, sizes: Sequence[Num | int]) -> Num | int:
    total: Num | int = 1
    for k, size in enumerate(sizes):
        total = size if k == 0 else size_op(s, "mul", total, size)
    return total


def common_size(
    s: Stage, a: Num | int, b: Num | int, what: str, exc: str = "ValueError"
) -> Num | int:
    """The size that ``a`` and ``b`` must agree on; checked when the program runs if need be."""
    if s.same(a, b):
        return a
    if isinstance(a, int) and isinstance(b, int):
        raise s.refuse(f"{what}: the sizes {a} and {b} differ", None, "MK216")
    s.require(equal(s, a, b), f"{what}: {DIFFER}", exc)
    s.equate(a, b)
    return a if isinstance(a, int) else b if isinstance(b, int) else a


def as_size(number: Num | complex) -> Num | int:
    """``number``, which is an integer, as a size or an index."""
    assert isinstance(number, Num | int)
    return number


def equal(s: Stage, a: Num | int, b: Num | int) -> Num | bool:
    """``a == b`` of sizes."""
    out = s.op("eq", a, b)
    assert isinstance(out, Num | bool)
    return out
