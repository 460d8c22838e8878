"""Reshaped arrays share memory where they can, compiled as well as plain."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from mooncake_runtime import inner
from mooncake_runtime.reshaping import reshaped

M = np.arange(24.0).reshape(4, 6)


def _marked(x: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    r = reshaped(x, shape)
    r[0] = 77.0
    return r


marked: Callable[..., np.ndarray] = inner(_marked)


@pytest.mark.parametrize(
    ("array", "shape"),
    [
        (M, (24,)), (M, 24), (M, (2, 3, 4)), (M[1:3], (3, 4)), (M[:1].T, (6,)), (M[2], (2, 3)),
        (M.T, (24,)), (M[:, 1], (2, 2)), (M[::2], (12,)), (M[::-1], 24), (M[:, 2:4], (8,)),
    ],
)  # fmt: skip
def test_memory_is_shared_if_it_is_contiguous(array: np.ndarray, shape: tuple[int, ...]) -> None:
    memory = M.copy()
    given = np.ndarray(array.shape, array.dtype, memory, _offset(array), array.strides)
    expected = given.reshape(shape).copy()
    expected[0] = 77.0
    got = marked(given, shape)
    assert np.array_equal(got, expected)
    assert (77.0 in given) == given.flags.c_contiguous == np.shares_memory(got, given)


def _offset(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0] - M.__array_interface__["data"][0])


def test_empty_and_read_only_arrays() -> None:
    assert reshaped(M[:0], (3, 0)).shape == (3, 0)
    assert reshaped(M[:0].T, (0,)).shape == (0,)
    frozen = M.copy()
    frozen.flags.writeable = False
    assert not reshaped(frozen, 24).flags.writeable
    assert np.array_equal(reshaped(frozen.T, 24), M.T.ravel())


@pytest.mark.parametrize("array", [M, M.T])
@pytest.mark.parametrize("shape", [(5, 5), (23,)])
def test_another_size_is_an_error(array: np.ndarray, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"size|reshape"):
        reshaped(array, shape)
