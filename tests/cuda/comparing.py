"""Calls of one function on the device and on the host, and comparison of what they return."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.cuda import backend
from tests.helpers.transpile import Modules


def on_device(value: Any) -> Any:
    """Arrays as CuPy's; numbers, and arrays without axes, as they are given there."""
    if isinstance(value, tuple):
        return tuple(map(on_device, value))
    return backend.array(value) if isinstance(value, np.ndarray) else value


def on_host(value: Any) -> Any:
    """Arrays as NumPy's, those without axes as numbers."""
    if isinstance(value, tuple):
        return tuple(map(on_host, value))
    held = backend.held(value)
    return held.item() if isinstance(held, np.ndarray) and held.ndim == 0 else held


def like(value: Any, draw: np.random.Generator) -> Any:
    """A cotangent or tangent for ``value``; those of numbers are arrays without axes."""
    if isinstance(value, tuple):
        return tuple(like(part, draw) for part in value)
    if value is None:
        return None
    dtype = np.asarray(value).dtype
    drawn = draw.normal(size=np.shape(value))
    if dtype.kind == "c":
        drawn = drawn + 1j * draw.normal(size=np.shape(value))
    return np.asarray(drawn).astype(dtype)


def tangents(args: tuple[Any, ...], draw: np.random.Generator) -> tuple[Any, ...]:
    floats = (a for a in args if np.asarray(a).dtype.kind in "fc")
    return tuple(like(a, draw) for a in floats)


def called(modules: Modules, name: str, *args: Any) -> tuple[Any, Any]:
    """The results of the function ``name`` of a module of the device, and of one of the host."""
    device, host = modules
    given = [a.copy() if isinstance(a, np.ndarray) else a for a in args]  # args may be written
    found = getattr(device, name)(*map(on_device, args))
    return on_host(found), getattr(host, name)(*map(on_host, given))


def assert_equal(found: Any, wanted: Any, tolerance: float) -> None:
    """Equality of structures, dtypes and, within ``tolerance``, numbers."""
    _assert_equal(found, wanted, tolerance * (backend.ROUNDING if backend.on_gpu() else 1.0))


def _assert_equal(found: Any, wanted: Any, tolerance: float) -> None:
    if isinstance(wanted, tuple):
        assert isinstance(found, tuple)
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            _assert_equal(one, other, tolerance)
    elif wanted is None:
        assert found is None
    else:
        found, wanted = np.asarray(found), np.asarray(wanted)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance, strict=True)
