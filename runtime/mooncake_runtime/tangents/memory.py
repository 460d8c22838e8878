"""Equal addresses have equal tangents: new memory in which arrays overlap as the old ones do.

For arguments of compiled functions ``shadows.py`` does the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
from numpy.lib.array_utils import byte_bounds
from numpy.typing import NDArray

from mooncake_runtime.memory import address
from mooncake_runtime.tangents.trees import Leaf, Path, Tree, leaves, rebuild

Array = NDArray[np.generic]
Mask = NDArray[np.bool_]


def overlapping(arrays: Sequence[Array]) -> list[list[Array]]:
    """The arrays that overlap another one, in groups that are connected."""
    groups: list[list[Array]] = []
    reach = 0
    for array in sorted((a for a in arrays if a.size), key=byte_bounds):
        low, high = byte_bounds(array)
        if groups and low < reach:
            groups[-1].append(array)
        else:
            groups.append([array])
        reach = max(reach, high)
    return [group for group in groups if len(group) > 1]


def windows(arrays: Sequence[Array]) -> dict[int, Array]:
    """Zeroed memory for the arrays that overlap another one, by their ids: laid out alike."""
    found: dict[int, Array] = {}
    for group in overlapping(arrays):
        begin = min(byte_bounds(a)[0] for a in group)
        block = np.zeros(max(byte_bounds(a)[1] for a in group) - begin, np.uint8)
        for a in group:
            found[id(a)] = np.ndarray(a.shape, a.dtype, block, address(a) - begin, a.strides)
    return found


def in_new_memory(function: Leaf, *trees: Tree) -> Tree:
    """``rebuild`` where ``function`` gives new arrays of the dtypes of the first tree, or None.

    Arrays that overlap in the first tree overlap in the result; the last one gives the numbers.
    """
    laid = windows(arrays_of(trees[0]))

    def leaf(path: Path, x: Tree, *others: Tree) -> Tree:
        value = function(path, x, *others)
        if value is None or not isinstance(x, np.ndarray):
            return value
        if id(x) not in laid:
            return np.asarray(value)  # of rank 0, too, where NumPy makes scalars
        laid[id(x)][...] = value
        return laid[id(x)]

    return rebuild(leaf, *trees)


def arrays_of(tree: Tree) -> list[Array]:
    """The arrays in ``tree``, each once."""
    return [leaf for _, leaf in leaves(tree) if isinstance(leaf, np.ndarray)]


def copy(tree: Tree) -> Tree:
    """A deep copy: what was one array is one array, what overlapped overlaps."""

    def duplicate(path: Path, leaf: Tree) -> Tree:
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind != "O":
            return leaf.copy(order="K")
        return deepcopy(leaf)

    return in_new_memory(duplicate, tree)


def distinct(pairs: Sequence[tuple[Array, Array]]) -> list[tuple[Array, Array, Mask | None]]:
    """Pairs of arrays of equal shape, and which of their elements count: None for all.

    A pair of addresses counts once: where pairs ``(x, a)`` and ``(y, b)`` overlap both in ``x`` and
    ``y`` and in ``a`` and ``b``, the elements in common are left out of the second. Complex
    arrays that overlap come in two parts, as each part may have a view of its own.
    """
    left, right = ({id(a) for group in overlapping(s) for a in group} for s in _columns(pairs))
    plain, shared = [], []
    for x, y in pairs:
        if id(x) not in left or id(y) not in right:
            plain.append((x, y, None))
        elif np.iscomplexobj(x) or np.iscomplexobj(y):
            shared += [(x.real, y.real), (x.imag, y.imag)]
        else:
            shared.append((x, y))
    return [*plain, *_first_occurrences(shared)]


def _columns(pairs: Sequence[tuple[Array, Array]]) -> tuple[list[Array], list[Array]]:
    return [x for x, _ in pairs], [y for _, y in pairs]


def _first_occurrences(pairs: list[tuple[Array, Array]]) -> list[tuple[Array, Array, Mask]]:
    """The pairs with masks of the address pairs that no earlier element has."""
    if not pairs:
        return []
    keys = [np.concatenate([_addresses(a) for a in side]) for side in _columns(pairs)]
    _, first = np.unique(np.stack(keys), axis=1, return_index=True)
    counts = np.zeros(keys[0].size, np.bool_)
    counts[first] = True
    ends = np.cumsum([x.size for x, _ in pairs])[:-1]
    masks = np.split(counts, ends)
    return [(x, y, m.reshape(x.shape)) for (x, y), m in zip(pairs, masks, strict=True)]


def _addresses(array: Array) -> NDArray[np.int64]:
    """The addresses of the elements in C order."""
    found = np.full(array.shape, address(array))
    for axis, stride in enumerate(array.strides):
        steps = stride * np.arange(array.shape[axis])
        found += steps.reshape(-1, *(1,) * (array.ndim - axis - 1))
    return found.ravel()
