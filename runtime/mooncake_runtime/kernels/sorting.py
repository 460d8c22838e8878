"""Sorting, and searching in what is sorted. NaNs are larger than all numbers, as in NumPy."""

from __future__ import annotations

import numpy as np

from mooncake_runtime.kernels.compiled import compiled_as, part
from mooncake_runtime.kernels.routines import as_rows, core


def _argsort(a: np.ndarray) -> np.ndarray:
    order = np.empty(a.shape, np.int64)
    if a.size > 0 and _sort_rows(as_rows(a), as_rows(order)) <= 0:
        raise MemoryError("argsort failed")
    return order


@compiled_as(_argsort)
def argsort(a: np.ndarray) -> np.ndarray:
    """The int64 indices that sort ``a`` along its last axis; equal elements keep their order.

    Rank 1 or 2, any layout, real or integer. Merge sort: O(n log n).
    """
    return np.argsort(a, axis=-1, kind="stable")


@core
def _sort_rows(a: np.ndarray, order: np.ndarray) -> int:
    spare = np.empty(a.shape[1], np.int64)
    for row in range(a.shape[0]):
        values = a[row].copy()
        for i in range(values.size):
            order[row, i] = i
        width = _sort_short(values, order[row])
        while width < values.size:
            _merge_pairs(values, order[row], spare, width)
            for i in range(values.size):
                order[row, i] = spare[i]
            width *= 2
    return 1


SHORT = 16


@part
def _after(x: float, y: float) -> bool:
    """True if ``x`` comes after ``y`` in the order, so not if they are equal; NaNs come last."""
    return x > y or (x != x and y == y)


@part
def _sort_short(values: np.ndarray, order: np.ndarray) -> int:
    """Sort runs of ``SHORT`` indices by insertion."""
    for start in range(0, values.size, SHORT):
        for i in range(start + 1, min(start + SHORT, values.size)):
            index = order[i]
            j = i
            while j > start and _after(values[order[j - 1]], values[index]):
                order[j] = order[j - 1]
                j -= 1
            order[j] = index
    return SHORT


@part
def _merge_pairs(values: np.ndarray, order: np.ndarray, merged: np.ndarray, width: int) -> None:
    """Merge neighbours among the sorted runs of ``width`` indices."""
    n = values.size
    for start in range(0, n, 2 * width):
        middle, end = min(start + width, n), min(start + 2 * width, n)
        i, j = start, middle
        for k in range(start, end):
            if i < middle and (j >= end or not _after(values[order[i]], values[order[j]])):
                merged[k] = order[i]
                i += 1
            else:
                merged[k] = order[j]
                j += 1


def _searchsorted(a: np.ndarray, v: np.ndarray, right: bool) -> np.ndarray:
    positions = np.empty(v.shape, np.int64)
    for k, value in np.ndenumerate(v):
        low, high = 0, a.size
        while low < high:
            middle = (low + high) // 2
            if not _after(value, a[middle]) if not right else _after(a[middle], value):
                high = middle
            else:
                low = middle + 1
        positions[k] = low
    return positions


@compiled_as(_searchsorted)
def searchsorted(a: np.ndarray, v: np.ndarray, right: bool) -> np.ndarray:
    """For each element of ``v`` the int64 index in the ascending ``a`` before which it fits.

    The first such index, or the last if ``right``. ``a`` has rank 1, ``v`` any; any layouts.
    """
    return np.searchsorted(a, v, side="right" if right else "left")
