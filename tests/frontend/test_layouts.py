"""Layouts inferred by the compiler against those of NumPy's arrays."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.state.layouts import (
    Layout,
    Layouts,
    Stride,
    c_order,
    fresh,
    unknown,
)
from mooncake_transpiler.types import INT

KNOWN = Layouts(lambda a, b: a == b)
SIZES = {name: ir.Value(name, INT) for name in "nmk"}


def shape(*sizes: int | str) -> tuple[ir.Atom, ...]:
    return tuple(SIZES[n] if isinstance(n, str) else ir.int_const(n) for n in sizes)


def layout(array: np.ndarray) -> Layout:
    return tuple(Stride(step // array.itemsize) for step in array.strides)


def fits(of: Layout, array: np.ndarray) -> bool:
    """True if ``array`` has the layout ``of``; an axis of size 1 has any."""
    pairs = zip(array.shape, of, layout(array), strict=True)
    return all(size == 1 or one == other for size, one, other in pairs)


def arrays(rng: random.Random) -> np.ndarray:
    sizes = [rng.choice([1, 2, 3, 4]) for _ in range(rng.choice([1, 2, 3]))]
    wide = np.zeros([2 * n for n in sizes], order=rng.choice("CF"))
    parts = tuple(slice(None, None, 2) if rng.random() < 0.4 else slice(n) for n in sizes)
    array = wide[parts] if rng.random() < 0.5 else np.zeros(sizes, order=rng.choice("CF"))
    array = array.transpose(rng.sample(range(array.ndim), array.ndim))
    array = array[::-1] if rng.random() < 0.2 else array
    return np.broadcast_to(array, (2, *array.shape)) if rng.random() < 0.2 else array


def other_shape(rng: random.Random, size: int) -> list[int]:
    rest = [p for p in (2, 2, 2, 2, 2, 2, 3, 3, 3) if size % p == 0]
    found = []
    while size > 1:
        n = rng.choice([p for p in range(2, size + 1) if size % p == 0]) if rest else size
        found.append(n)
        size //= n
    if rng.random() < 0.3:
        found.insert(rng.randint(0, len(found)), 1)
    return found or [1]


@pytest.mark.parametrize("seed", range(4))
def test_layouts_are_those_of_numpy(seed: int) -> None:
    rng = random.Random(seed)
    views = 0
    for _ in range(1500):
        a, b = arrays(rng), arrays(rng)
        of, sizes = layout(a), shape(*a.shape)
        assert KNOWN.contiguous(sizes, of) == a.flags.c_contiguous
        assert fits(KNOWN.like(sizes, of), np.copy(a))
        assert fits(KNOWN.elementwise([(sizes, of)], sizes), a * 2.0)
        new = other_shape(rng, a.size)
        if tuple(new) != a.shape:
            reshaped = a.reshape(new)
            is_view, found = KNOWN.reshaped(sizes, of, shape(*new))
            assert is_view == np.shares_memory(a, reshaped)
            assert fits(found, reshaped)
            views += bool(is_view)
        if _can_meet(a.shape, b.shape):
            both = a + b
            pairs = [(sizes, of), (shape(*b.shape), layout(b))]
            assert fits(KNOWN.elementwise(pairs, shape(*both.shape)), both)
    assert 300 < views < 1200


def _can_meet(one: Sequence[int], other: Sequence[int]) -> bool:
    pairs = zip(reversed(one), reversed(other), strict=False)
    return all(1 in pair or len(set(pair)) == 1 for pair in pairs)


def test_sizes_of_the_program() -> None:
    n, m, k = shape("n", "m", "k")
    c = c_order((n, m, k))
    turned = c[::-1]
    assert KNOWN.contiguous((n, m, k), c) is True
    assert KNOWN.contiguous((k, m, n), turned) is None  # it is one if n and m are 1
    assert KNOWN.reshaped((n, m, k), c, (k, n))[0] is True
    assert KNOWN.reshaped((k, m, n), turned, (n, k))[0] is None
    assert KNOWN.elementwise([((k, m, n), turned)], (k, m, n)) == turned
    operands = [((k, m, n), turned), ((k, m, n), c_order((k, m, n)))]
    assert KNOWN.elementwise(operands, (k, m, n)) == c_order((k, m, n))
    assert KNOWN.like((k, m, n), turned) == turned


def test_what_is_not_known() -> None:
    sizes = shape("n", "m")
    of = unknown(2)
    assert KNOWN.contiguous(sizes, of) is None
    assert KNOWN.reshaped(sizes, of, shape("k"))[0] is None
    assert KNOWN.reshaped(shape("n"), of[:1], shape(2, "k"))[0] is True  # whatever the stride is
    assert KNOWN.contiguous(sizes, KNOWN.like(sizes, of)) is None
    assert KNOWN.contiguous(sizes, KNOWN.elementwise([(sizes, of)], sizes)) is None
    either = [(sizes, of), (sizes, c_order(sizes))]
    assert KNOWN.elementwise(either, sizes) == c_order(sizes)  # C order wins
    assert KNOWN.contiguous(shape("n"), fresh(shape("n"))) is True
