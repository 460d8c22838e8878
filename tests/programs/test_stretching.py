"""Axes that turn out to be 1 when a function is called: stretched as NumPy does it, or refused."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from itertools import product
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime.tangents import Tree

from tests.helpers.transpile import gradient_text, module

SOURCE = """
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = np.ndarray[tuple[int], np.dtype[np.float64]]
Mat = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Three = Annotated[NDArray[np.float64], "n 3"]
Named = Annotated[NDArray[np.float64], "n"]


def score(x: Mat, mu: Mat, sd: Vec) -> float:
    z = (x - mu) / sd
    return np.sum(z**2)


def share(x: Vec, y: Vec) -> Vec:
    a = np.exp(x) * y
    return a / np.sum(a)


def layer(x: Mat, w: Mat, b: Mat) -> float:
    h = np.tanh(x @ w + b)
    return np.sum(h * h)


def one_more(x: Vec, y: Vec) -> float:
    return np.sum(x * y) + np.sum(x)


def two(x: Vec, y: Vec, z: Vec) -> float:
    return np.sum(x * y) + np.sum(x * z)


def known(x: Three, w: Vec) -> float:
    return np.sum(x * w)


def larger(u: Vec, v: Vec) -> Vec:
    return np.maximum(u, v)


def helped(x: Vec, y: Vec) -> float:
    return np.mean(larger(x, y * 2.0))


def in_place(x: Vec, y: Vec) -> Vec:
    out = np.zeros(x.shape[0])
    out += y
    out[:] = out * y
    return out


def distances(x: Mat, y: Mat) -> float:
    d = x[:, None, :] - y[None, :, :]
    return np.sum(np.exp(-np.sum(d**2, axis=-1)))


def count(x: Vec, y: Vec) -> float:
    return np.sum(x * y) * len(x) + y.shape[0]


def last(x: Vec, y: Vec) -> float:
    return np.sum(x * y) + x[-1]


def whole(x: Vec, y: Vec) -> float:
    return np.sum(x * y) + np.linalg.norm(x)


def test_one(x: Vec, y: Vec) -> float:
    return np.sum(x * y) * (2.0 if x.shape[0] == 1 else 1.0)


def places(x: Vec, y: Vec) -> float:
    return np.sum(x * y * np.arange(x.shape[0]))


def named(x: Named, y: Named, z: Vec) -> float:
    return np.sum(x * y * z)


def writes(x: Vec, y: Vec, z: Vec) -> float:
    z[0] = 2.0 * z[0]
    return np.sum(x * y) + z[0]


def halves(x: Vec, y: Vec) -> float:
    return np.sum(x[1:] * y)


def by_branch(x: Vec, y: Vec, n: int) -> float:
    if n > 0:
        return np.sum(x * y)
    return x[0]


def looped(x: Vec, y: Vec, z: Vec) -> float:
    a = x * y
    for _ in range(3):
        a = np.sin(a) + z
    return np.sum(a)
"""

# What `entry` is told; functions that are not here must not be stretched.
STRETCHED = {
    "score": ["x.0 mu.0", "x.1 mu.1 sd.0"],
    "share": ["x.0 y.0"],
    "layer": ["b.0 =x.0", "b.1 =w.1"],
    "one_more": ["y.0 =x.0"],
    "two": ["x.0 y.0 z.0 =x.0*y.0 =x.0*z.0"],
    "known": ["w.0 =3"],
    "larger": ["u.0 v.0"],
    "helped": ["x.0 =y.0"],
    "in_place": ["y.0 =x.0"],
    "distances": ["x.1 y.1"],
    "last": ["y.0 =x.0"],
    "whole": ["y.0 =x.0"],
    "test_one": ["y.0 =x.0"],
    "places": ["y.0 =x.0"],
    "named": ["z.0 =x.0"],
    "by_branch": ["x.0 y.0"],
    "looped": ["x.0 y.0"],
}
NAMES = re.findall(r"^def (\w+)", SOURCE, re.M)
TEXT = gradient_text(SOURCE)
PLAIN = module(SOURCE, "stretched")


@pytest.fixture(scope="module")
def generated() -> ModuleType:
    return module(TEXT, "stretching_grad")


def points(function: Callable[..., Tree]) -> Iterator[list[Tree]]:
    """Arguments with axes of 3 and 1 in every combination."""
    rng = np.random.default_rng(1)
    kinds = [str(p.annotation) for p in inspect.signature(function).parameters.values()]
    ranks = [0 if "int'" in k else 2 if "int, int" in k or "n 3" in k else 1 for k in kinds]
    for shapes in product(*(product((3, 1), repeat=rank) for rank in ranks)):
        yield [rng.uniform(0.5, 1.5, shape) if shape else 1 for shape in shapes]


def copies(args: list[Tree]) -> list[Tree]:
    return [np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args]


def differences(function: Callable[..., Tree], args: list[Tree], k: int) -> np.ndarray:
    """Differences of the sum of what ``function`` gives, by each item of an argument."""
    out = np.zeros_like(args[k])
    for at in np.ndindex(out.shape):
        low, high = copies(args), copies(args)
        low[k][at] -= 1e-6
        high[k][at] += 1e-6
        out[at] = (np.sum(function(*high)) - np.sum(function(*low))) / 2e-6
    return out


def judge(generated: ModuleType, name: str, args: list[Tree]) -> bool:
    """True if derivatives are there and right; a ValueError is the one other thing they may do."""
    primal = getattr(PLAIN, name)
    try:
        value = primal(*copies(args))
    except ValueError:
        value = None
    bar = np.ones(3) if value is None or isinstance(value, np.ndarray) else 1.0
    bar = np.ones_like(value) if isinstance(value, np.ndarray) else bar
    bar = bar if name in ("share", "larger", "in_place") else 1.0
    try:
        found, grad = getattr(generated, f"{name}_vjp")(*copies(args), bar)
    except ValueError:
        return value is None
    np.testing.assert_allclose(found, value, rtol=1e-12)
    arrays = [k for k, arg in enumerate(args) if isinstance(arg, np.ndarray)]
    dots = [np.cos(np.arange(args[k].size)).reshape(args[k].shape) for k in arrays]
    total = 0.0
    for k, dot in zip(arrays, dots, strict=True):
        assert grad[k].shape == args[k].shape
        np.testing.assert_allclose(grad[k], differences(primal, args, k), rtol=1e-5, atol=1e-7)
        total += float(np.sum(grad[k] * dot))
    after, found = getattr(generated, f"{name}_jvp")(*copies(args), *dots)
    np.testing.assert_allclose(after, value, rtol=1e-12)
    np.testing.assert_allclose(np.sum(found), total, rtol=1e-9, atol=1e-12)
    return True


@pytest.mark.parametrize("name", NAMES)
def test_entries_are_told(name: str) -> None:
    told = re.search(rf"@entry(.*)\ndef {name}_vjp\(", TEXT)
    assert told is not None
    axes = STRETCHED.get(name)
    assert (f"stretch={axes}".replace("'", '"') in told[1]) if axes else told[1] == ""


@pytest.mark.parametrize("name", NAMES)
def test_values_and_derivatives(name: str, generated: ModuleType) -> None:
    right = [judge(generated, name, args) for args in points(getattr(PLAIN, name))]
    assert any(right)
    if name in ("score", "share", "larger", "distances", "in_place"):
        assert all(right)


@pytest.mark.parametrize("name", ["score", "two", "layer"])
def test_compiled(name: str) -> None:
    compiled = module(TEXT, "stretching_grad", jit=True)
    right = [judge(compiled, name, args) for args in points(getattr(PLAIN, name))]
    assert right == [
        judge(module(TEXT, "plain_grad"), name, a) for a in points(getattr(PLAIN, name))
    ]


def test_gradients_of_one_parameter() -> None:
    head, _, _ = SOURCE.partition("def score")
    body = "def f(k: Ints, y: Vec) -> float:\n    return np.sum(k * y)\n"
    kinds = "Ints = np.ndarray[tuple[int], np.dtype[np.int64]]\n"
    made = module(gradient_text(head + kinds + body), "one_grad")
    k, one = np.arange(3), np.ones(1)
    np.testing.assert_array_equal(made.f_grad(k, one), [3.0])
    value, grad = made.f_value_and_grad(np.array([2]), np.arange(4.0))
    assert value == 12.0
    np.testing.assert_array_equal(grad, [2.0, 2.0, 2.0, 2.0])
    assert made.f_jvp(k, one, np.array([0.5])) == (3.0, 1.5)


def test_sizes_that_differ_are_told(generated: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"differ: x has shape \(3,\), y \(2,\), "):
        generated.share_vjp(np.ones(3), np.ones(2), np.ones(3))
    with pytest.raises(ValueError, match=r"x has shape \(1,\), y \(3,\); an axis of size 1 is"):
        generated.one_more_grad(np.ones(1), np.ones(3))
