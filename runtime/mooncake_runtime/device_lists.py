"""Lists of CuPy's arrays, taken apart at the border, and integers that the host keeps."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray


def spans_of(path: str, arrays: Iterable[Any], ndim: int) -> NDArray[np.int64]:
    """A row per array: where its elements start among those of all, and its shape."""
    cupy = import_module("cupy")
    items = list(arrays)
    spans = np.empty((len(items), ndim + 1), np.int64)
    start = 0
    for k, item in enumerate(items):
        if not isinstance(item, cupy.ndarray) or item.ndim != ndim:
            is_such = isinstance(item, cupy.ndarray)
            found = f"rank {item.ndim}" if is_such else type(item).__name__
            wanted = f"an array of CuPy of rank {ndim}"
            raise TypeError(f"parameter {path.format(k)}: expected {wanted}, got {found}")
        spans[k, 0] = start
        spans[k, 1:] = item.shape
        start += item.size
    return spans


def elements_of(path: str, arrays: Iterable[Any], dtype: str) -> Any:
    """The elements of all arrays in one; TypeError for other dtypes."""
    cupy = import_module("cupy")
    items = list(arrays)
    for k, item in enumerate(items):
        if item.dtype != dtype:
            raise TypeError(f"parameter {path.format(k)}: expected {dtype}, got {item.dtype}")
    return cupy.concatenate([cupy.empty(0, dtype), *(item.reshape(-1) for item in items)])


def integers(*sizes: int) -> NDArray[np.int64]:
    """Memory for integers of the host."""
    return np.empty(sizes, np.int64)


def flags(*sizes: int) -> NDArray[np.bool_]:
    """Memory for bools of the host."""
    return np.empty(sizes, np.bool_)


def apart(path: str, items: Iterable[object], other: str, value: object) -> None:
    """Raise ValueError if an item of a list is ``value``, which is written, or overlaps with it."""
    cupy = import_module("cupy")
    for k, item in enumerate(items):
        arrays = isinstance(item, cupy.ndarray) and isinstance(value, cupy.ndarray)
        if item is value or (arrays and cupy.may_share_memory(item, value)):
            message = f"parameter {other}, which is written, is also {path.format(k)}"
            raise ValueError(f"{message}: pass a copy")
