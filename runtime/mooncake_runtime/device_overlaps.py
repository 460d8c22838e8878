"""Arrays of CuPy that share memory: tests that they do not, and shadows that overlap as they do.

Iterations of a kernel have no order, so what one of them writes no other one may read. Arrays that
are only read may overlap in any way; equal addresses have equal shadows, as on the CPU.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from mooncake_runtime.placing import placed

Extent = tuple[int, int]
Layout = tuple[int, tuple[int, ...], tuple[int, ...]]  # address, shape, strides


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Zeroed memory for arrays that overlap another."""

    memory: Any
    starts: Sequence[int]  # the byte of it where each array has its first element; -1 for one alone
    shadows: dict[Layout, Any]  # those made: arrays that are one have one shadow


def parameters_apart(**arrays: Any) -> None:
    """Raise ValueError if the first of ``arrays``, which is written, shares memory with another."""
    (written, first), *others = arrays.items()
    for name, other in others:
        if _share(first, other):
            message = f"parameter {written}, which is written, shares memory with {name}"
            raise ValueError(f"{message}: pass a copy")


def parameters_one_or_apart(**arrays: Any) -> None:
    """As `parameters_apart`, but others may be the first one itself."""
    (written, first), *others = arrays.items()
    parameters_apart(**{written: first}, **{n: a for n, a in others if not _is_one(a, first)})


def disjoint(one: Any, other: Any) -> None:
    """Raise ValueError if two arrays, one of which is to be written, may share memory."""
    if _share(one, other):
        raise ValueError("arrays of CuPy that share memory, one of which is written")


def one_or_disjoint(one: Any, other: Any) -> None:
    """As `disjoint`, but for arrays that are one and the same."""
    if not _is_one(one, other):
        disjoint(one, other)


def separate(array: Any, *others: Any) -> Any:
    """``array``, or zeros in its place where one of ``others`` shares memory with it.

    To these is added what one kernel adds to all of them, and `rejoin` adds it to ``array``.
    """
    if any(_share(array, other) for other in others):
        return import_module("cupy").zeros(array.shape, array.dtype)
    return array


def rejoin(array: Any, part: Any) -> None:
    """Add to ``array`` what was added to what `separate` gave for it."""
    if part is not array:
        array += part


def _layout(array: Any) -> Layout:
    return array.data.ptr, array.shape, array.strides


def _is_one(one: Any, other: Any) -> bool:
    return one is other or (_layout(one) == _layout(other) and one.dtype == other.dtype)


def _share(one: Any, other: Any) -> bool:
    """True unless no byte is part of both, as far as addresses and strides tell.

    Columns of one matrix are apart: both begin at other places within the common step.
    """
    if not import_module("cupy").may_share_memory(one, other):
        return False
    step = math.gcd(*one.strides, *other.strides)
    if step == 0:
        return True
    ahead = (other.data.ptr - one.data.ptr) % step
    return not one.itemsize <= ahead <= step - other.itemsize


def extent(array: Any) -> Any:
    """``array`` itself, for ``overlaps``."""
    return array


def overlaps(arrays: tuple[Any, ...]) -> Overlaps:
    """Zeroed memory for all of ``arrays`` that overlap another, which are of one dtype."""
    low, high = np.array([_reach(array) for array in arrays], np.int64).T
    used, offsets = placed(low, high)
    memory = None
    if used:
        first = arrays[0]
        memory = import_module("cupy").zeros(used // first.itemsize, first.dtype)
    starts = offsets + [array.data.ptr - begin for array, begin in zip(arrays, low, strict=True)]
    return Overlaps(
        memory, [-1 if at < 0 else int(k) for at, k in zip(offsets, starts, strict=True)], {}
    )


def _reach(array: Any) -> Extent:
    """The first address that ``array`` occupies and the one behind its last; (0, 0) if empty."""
    if not array.size:
        return 0, 0
    ways = [(size - 1) * step for size, step in zip(array.shape, array.strides, strict=True)]
    low = array.data.ptr + sum(min(way, 0) for way in ways)
    return low, array.data.ptr + sum(max(way, 0) for way in ways) + array.itemsize


def shadow(array: Any, overlap: Overlaps, number: int) -> Any:
    """The zero shadow of ``array``, which was number ``number`` among the extents."""
    cupy = import_module("cupy")
    start = overlap.starts[number]
    if start < 0:
        return cupy.zeros(array.shape, array.dtype)
    layout = _layout(array)
    if layout not in overlap.shadows:
        memory = overlap.memory[start // array.itemsize :]
        window = cupy.lib.stride_tricks.as_strided(memory, array.shape, array.strides)
        overlap.shadows[layout] = window
    return overlap.shadows[layout]
