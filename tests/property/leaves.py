"""Leaves of trees compared: equal but for rounding, integers exactly; the memory of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import numpy as np
from mooncake_runtime import tangents
from mooncake_runtime.tangents import Tree
from numpy.typing import NDArray

Array = NDArray[np.generic]
WHOLE = int | np.integer | np.bool_
EXACT = 2.0**53  # larger integers are no floats


def same_leaves(expected: Tree, found: Tree, precision: float) -> bool:
    """True if two trees have one structure, and the same numbers but for rounding."""
    try:
        pairs = [(a, b) for _, a, b in tangents.leaves(expected, found)]
    except (TypeError, ValueError):  # of another structure
        return False
    return all(nearly_equal(a, b, precision) for a, b in pairs)


def nearly_equal(expected: Tree, found: Tree, precision: float) -> bool:
    """True if two leaves have one shape, and the same numbers; floats but for rounding.

    Arrays have one dtype, too. A whole number may be declared as a float.
    """
    if isinstance(expected, str | Enum | None):
        return bool(expected == found)
    if np.shape(expected) != np.shape(found):
        return False
    if isinstance(expected, np.ndarray) and expected.dtype != found.dtype:
        return False
    numbers = np.asarray(expected)
    if numbers.dtype.kind in "biu" and np.all(abs(numbers.astype(float)) < EXACT):
        return np.array_equal(numbers, found)
    size = np.max(abs(numbers), initial=1.0, where=np.isfinite(numbers))
    same: bool = np.allclose(found, expected, rtol=0.0, atol=precision * size, equal_nan=True)
    return same


def double(leaf: Tree) -> Tree:
    """A number or an array in double precision."""
    return np.multiply(leaf, 1.0, dtype=None if np.iscomplexobj(leaf) else np.float64)


def arrays(tree: Tree) -> list[Array]:
    return [leaf for _, leaf in tangents.leaves(tree) if isinstance(leaf, np.ndarray)]


def memory(tree: Tree) -> list[tuple[int, tuple[int, ...]]]:
    """The address and strides of each array."""
    return [(address(a), a.strides) for a in arrays(tree)]


def address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


def sharing(parts: Sequence[Tree]) -> list[int]:
    """For each array, the first one that begins where it does."""
    places = [address(part) for part in parts if isinstance(part, np.ndarray)]
    return [places.index(place) for place in places]
