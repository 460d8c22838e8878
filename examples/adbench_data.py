"""Inputs of GMM, LSTM and BA: read from files of ADBench, or drawn at random in the same shapes.

Each class lists the arguments of its objective in order, so that ``f(*inputs)`` calls it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CAMERA = np.array([0.1, -0.2, 0.15, 0.3, -0.4, 0.5, 1.2, 0.02, -0.01, 0.05, 0.01])


class GmmInputs(NamedTuple):
    alphas: Floats
    means: Floats
    q: Floats
    lower: Floats
    x: Floats
    gamma: float
    m: int


class LstmInputs(NamedTuple):
    main_params: Floats
    extra_params: Floats
    state: Floats
    sequence: Floats


class BaInputs(NamedTuple):
    cameras: Floats
    points: Floats
    weights: Floats
    seen: Ints
    features: Floats


def data_folder() -> Path | None:
    """The folder that MOONCAKE_ADBENCH names, else ``shared/data/adbench`` beside the project."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data" / "adbench"
    folder = Path(os.environ.get("MOONCAKE_ADBENCH", beside))
    return folder if folder.is_dir() else None


def read_gmm(file: Path) -> GmmInputs:
    numbers = iter(file.read_text().split())
    d, k, n = (int(next(numbers)) for _ in range(3))
    alphas = _take(numbers, k)
    means = _take(numbers, k, d)
    packed = _take(numbers, k, d * (d + 1) // 2)
    x = _take(numbers, n, d)
    gamma, m = float(next(numbers)), int(next(numbers))
    return GmmInputs(alphas, means, packed[:, :d].copy(), packed[:, d:].copy(), x, gamma, m)


def random_gmm(n: int, d: int, k: int, seed: int = 0) -> GmmInputs:
    rng = np.random.default_rng(seed)
    return GmmInputs(
        alphas=rng.normal(size=k),
        means=rng.uniform(size=(k, d)),
        q=0.3 * rng.normal(size=(k, d)),
        lower=0.3 * rng.normal(size=(k, d * (d - 1) // 2)),
        x=rng.normal(size=(n, d)),
        gamma=1.0,
        m=0,
    )


def read_lstm(file: Path) -> LstmInputs:
    numbers = iter(file.read_text().split())
    layers, steps, b = (int(next(numbers)) for _ in range(3))
    return LstmInputs(
        main_params=_take(numbers, 2 * layers, 4 * b),
        extra_params=_take(numbers, 3, b),
        state=_take(numbers, 2 * layers, b),
        sequence=_take(numbers, steps, b),
    )


def random_lstm(layers: int, steps: int, b: int, seed: int = 0) -> LstmInputs:
    rng = np.random.default_rng(seed)
    return LstmInputs(
        main_params=rng.uniform(-1.0, 1.0, size=(2 * layers, 4 * b)),
        extra_params=rng.uniform(-1.0, 1.0, size=(3, b)),
        state=rng.uniform(-1.0, 1.0, size=(2 * layers, b)),
        sequence=rng.integers(0, 2, size=(steps, b)).astype(np.float64),
    )


def read_ba(file: Path) -> BaInputs:
    """The one camera, point, weight and feature of the file, each repeated."""
    numbers = iter(file.read_text().split())
    n, m, p = (int(next(numbers)) for _ in range(3))
    camera, point, weight, feature = (_take(numbers, size) for size in (11, 3, 1, 2))
    return BaInputs(
        cameras=np.tile(camera, (n, 1)),
        points=np.tile(point, (m, 1)),
        weights=np.repeat(weight, p),
        seen=_seen(n, m, p),
        features=np.tile(feature, (p, 1)),
    )


def random_ba(n: int, m: int, p: int, seed: int = 0) -> BaInputs:
    rng = np.random.default_rng(seed)
    return BaInputs(
        cameras=CAMERA + 0.05 * rng.normal(size=(n, 11)),
        points=np.array([0.2, 0.1, 4.0]) + 0.3 * rng.normal(size=(m, 3)),
        weights=rng.uniform(0.5, 1.5, size=p),
        seen=_seen(n, m, p),
        features=0.2 * rng.normal(size=(p, 2)),
    )


def _seen(n: int, m: int, p: int) -> Ints:
    """Observation i sees point i mod m through camera i mod n."""
    i = np.arange(p)
    return np.stack([i % n, i % m], axis=1).astype(np.int64)


def _take(numbers: Iterator[str], *shape: int) -> Floats:
    count = int(np.prod(shape))
    return np.array([float(next(numbers)) for _ in range(count)]).reshape(shape)
