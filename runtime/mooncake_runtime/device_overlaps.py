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

Extent = tuple[int, int]
Layout = tuple[int, tuple[int, ...], tuple[int, ...]]  # address, shape, strides


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Zeroed memory for arrays that overlap another, and the address that its first byte has."""

    groups: tuple[tuple[int, Any], ...]  # address and memory, for each array; None for one alone
    shadows: dict[Layout, Any]  # those made: arrays that are one have one shadow


def parameters_apart(**arrays: Any) -> None:
    """Raise ValueError if the first of ``arrays``, which is written, shares memory with another."""
    (written, first), *others = arrays.items()
    for name, other in others:
        if _share(first, other):
            message = f"parameter {written}, which is written, shares memory with {name}"
            raise ValueError(f"{message}: pass a copy")


def disjoint(one: Any, other: Any) -> None:
    """Raise ValueError if two arrays, one of which is to be written, may share memory."""
    if _share(one, other):
        raise ValueError("arrays of CuPy that share memory, one of which is written")


def one_or_disjoint(one: Any, other: Any) -> None:
    """As `disjoint`, but for arrays that are one and the same."""
    if one is not other and _share(one, other):
        raise ValueError("arrays of CuPy that share memory in part, both of which are added to")


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
    reaches = [_reach(array) for array in arrays]
    found: list[tuple[int, Any]] = [(0, None)] * len(arrays)
    waiting = set(range(len(arrays)))
    while waiting:
        group = _connected(min(waiting), reaches)
        waiting -= group
        if len(group) > 1:
            low, high = min(reaches[k][0] for k in group), max(reaches[k][1] for k in group)
            array = arrays[min(group)]
            memory = import_module("cupy").zeros((high - low) // array.itemsize, array.dtype)
            for k in group:
                found[k] = low, memory
    return Overlaps(tuple(found), {})


def _reach(array: Any) -> Extent:
    """The first address that ``array`` occupies and the one behind its last; (0, 0) if empty."""
    if not array.size:
        return 0, 0
    ways = [(size - 1) * step for size, step in zip(array.shape, array.strides, strict=True)]
    low = array.data.ptr + sum(min(way, 0) for way in ways)
    return low, array.data.ptr + sum(max(way, 0) for way in ways) + array.itemsize


def _connected(first: int, reaches: Sequence[Extent]) -> set[int]:
    """Arrays that overlap number ``first``, or one another in a chain from there."""
    low, high = reaches[first]
    found = {first}
    while True:
        near = {k for k, (begin, end) in enumerate(reaches) if begin < high and end > low}
        if near <= found:
            return found
        found |= near
        low, high = min(reaches[k][0] for k in found), max(reaches[k][1] for k in found)


def shadow(array: Any, overlap: Overlaps, number: int) -> Any:
    """The zero shadow of ``array``, which was number ``number`` among the extents."""
    cupy = import_module("cupy")
    origin, memory = overlap.groups[number]
    if memory is None:
        return cupy.zeros(array.shape, array.dtype)
    layout = array.data.ptr, array.shape, array.strides
    if layout not in overlap.shadows:
        start = memory[(array.data.ptr - origin) // array.itemsize :]
        window = cupy.lib.stride_tricks.as_strided(start, array.shape, array.strides)
        overlap.shadows[layout] = window
    return overlap.shadows[layout]
