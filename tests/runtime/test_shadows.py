"""Overlapping arrays have overlapping shadows, at the same distance and with the same strides."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from mooncake_runtime import inner
from mooncake_runtime.shadows import extent, overlaps, shadow

Arrays = tuple[np.ndarray, ...]


def _two(x: np.ndarray, y: np.ndarray) -> Arrays:
    overlap = overlaps((extent(x), extent(y)))
    return shadow(x, overlap, 0), shadow(y, overlap, 1)


def _three(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> Arrays:
    overlap = overlaps((extent(x), extent(y), extent(z)))
    return shadow(x, overlap, 0), shadow(y, overlap, 1), shadow(z, overlap, 2)


two: Callable[..., Arrays] = inner(_two)
three: Callable[..., Arrays] = inner(_three)


def distance(a: np.ndarray, b: np.ndarray) -> int:
    return int(a.__array_interface__["data"][0] - b.__array_interface__["data"][0])


M = np.arange(20.0)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (M[:10], M[5:]), (M, M), (M[::-1], M[3:15:3]), (M[2:3], M.reshape(4, 5)[:, 2]),
        (M.reshape(4, 5).T, M[7:8]), (M[:5], M[5:]), (M[:0], M[:0]), (np.ones(()), M),
        (M.reshape(4, 5)[1:, ::2], M.reshape(4, 5)[:, ::-1]),
    ],
)  # fmt: skip
def test_pairs(x: np.ndarray, y: np.ndarray) -> None:
    a, b = two(x, y)
    for array, own in ((x, a), (y, b)):
        assert own.shape == array.shape
        assert own.dtype == array.dtype
        assert not own.any()
        assert own.flags.writeable
    if np.shares_memory(x, y):
        assert distance(a, b) == distance(x, y)
        assert a.strides == x.strides
        assert b.strides == y.strides
        b[...] = 1.0  # what is written through one is seen through the other
        assert a.any()
    else:
        b[...] = 1.0
        assert not a.any()


def test_a_third_array_connects_two() -> None:
    a, b, c = three(M[0:6], M[10:16], M[5:11])
    c[0], c[-1] = 1.0, 2.0
    assert a[5] == 1.0
    assert b[0] == 2.0


def test_read_only_and_other_dtypes() -> None:
    frozen = M[:3]
    frozen.flags.writeable = False
    a, b, c = three(M[2:6], M.astype(np.float32), frozen)
    c[2] = 5.0
    assert a[0] == 5.0
    assert b.dtype == np.float32
    assert not b.any()


def test_separate_arrays_do_not_share_a_block() -> None:
    a, b = two(np.ones(3), np.ones(3))
    assert a.flags.c_contiguous
    assert not np.may_share_memory(a, b)
