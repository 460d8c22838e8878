"""The laws of tangents for drawn values: against vectors of their numbers, read off otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mooncake_runtime import tangents
from mooncake_runtime.tangents import (
    Tree,
    add_to_primal,
    difference,
    dot,
    fdata,
    increment,
    join,
    randn_tangent,
    rdata,
    scale,
    zero_tangent,
)

from tests.runtime.tangent_values import Node, numbers, parts, trees

SEEDS = st.integers(0, 2**32 - 1)
SINGLE = (
    1e-5  # the rounding of a few operations in single precision, relative to numbers of size 10
)
law = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def drawn(x: Tree, seed: int, n: int) -> list[Tree]:
    rng = np.random.default_rng(seed)
    return [randn_tangent(x, rng) for _ in range(n)]


def near(a: np.ndarray, b: np.ndarray) -> None:
    np.testing.assert_allclose(a, b, rtol=SINGLE, atol=SINGLE)


def total(a: Tree, b: Tree) -> Tree:
    """``a + b`` in new memory."""
    return increment(scale(1.0, a), b)


@law
@given(trees, SEEDS)
def test_a_tangent_has_a_number_for_each_number(x: Tree, seed: int) -> None:
    (t,) = drawn(x, seed, 1)
    zero = zero_tangent(x)
    assert numbers(t).size == numbers(zero).size == numbers(x).size
    assert not numbers(zero).any()
    assert numbers(x).size == 0 or numbers(t).all()
    alike(x, t)
    alike(x, zero)
    alike(t, scale(2.0, t))


def alike(x: Tree, t: Tree) -> None:
    """Equal addresses have equal tangents, different ones have different tangents; dtypes agree."""
    pairs = [(p, q) for _, p, q in tangents.leaves(x, t) if tangents.has_tangent(p)]
    assert all(type(p) is type(q) for p, q in pairs)
    arrays = [(p, q) for p, q in pairs if isinstance(p, np.ndarray)]
    for p, q in arrays:
        assert (q.dtype, q.shape) == (p.dtype, p.shape)
        assert not np.shares_memory(p, q)
        for r, s in arrays:
            assert np.shares_memory(p, r) == np.shares_memory(q, s)
            if np.shares_memory(p, r):
                assert address(p) - address(r) == address(q) - address(s)


def address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


@law
@given(trees, SEEDS, st.floats(-4, 4), st.floats(-4, 4))
def test_vector_space(x: Tree, seed: int, c: float, d: float) -> None:
    s, t, u = drawn(x, seed, 3)
    zero = zero_tangent(x)
    a, b = numbers(s), numbers(t)
    near(numbers(total(s, t)), a + b)
    near(numbers(total(s, t)), numbers(total(t, s)))
    near(numbers(total(total(s, t), u)), numbers(total(s, total(t, u))))
    near(numbers(scale(c, s)), c * a)
    near(numbers(scale(c, total(s, t))), numbers(total(scale(c, s), scale(c, t))))
    near(numbers(scale(c + d, s)), numbers(total(scale(c, s), scale(d, s))))
    near(numbers(scale(c, scale(d, s))), numbers(scale(c * d, s)))
    assert np.array_equal(numbers(total(zero, s)), a)
    assert np.array_equal(numbers(total(s, zero)), a)
    assert not numbers(total(s, scale(-1.0, s))).any()


@law
@given(trees, SEEDS, st.floats(-4, 4))
def test_inner_product(x: Tree, seed: int, c: float) -> None:
    s, t, u = drawn(x, seed, 3)
    a, b = numbers(s), numbers(t)
    assert dot(s, t) == pytest.approx(float(np.sum(a * b)), rel=1e-12, abs=1e-12)
    assert dot(s, t) == pytest.approx(dot(t, s), rel=1e-12, abs=1e-12)
    assert dot(s, s) > 0.0 or not a.size
    bilinear = dot(s, u) + c * dot(t, u)
    assert dot(total(s, scale(c, t)), u) == pytest.approx(bilinear, rel=1e-4, abs=1e-4)
    near(tangents.flat(scale(1.0, s)), tangents.flat(s))


@law
@given(trees, SEEDS)
def test_splitting_and_joining(x: Tree, seed: int) -> None:
    (t,) = drawn(x, seed, 1)
    joined = join(fdata(t), rdata(t))
    for _, p, q in tangents.leaves(t, joined):
        assert p is q
    assert numbers(joined).tolist() == numbers(t).tolist()
    assert numbers(fdata(t)).size + numbers(rdata(t)).size == numbers(t).size
    assert tangents.leaves(fdata(rdata(t))) == tangents.leaves(rdata(fdata(t))) == []
    s = zero_tangent(x)
    increment(fdata(s), fdata(t))  # in place: the rest is returned
    after = join(fdata(s), increment(rdata(s), rdata(t)))
    assert numbers(after).tolist() == numbers(t).tolist()


@law
@given(trees, SEEDS)
def test_incrementing_keeps_what_has_an_address(x: Tree, seed: int) -> None:
    s, t = drawn(x, seed, 2)
    before, kept = numbers(t), addresses(s)
    result = increment(s, t)
    assert addresses(result) == kept
    assert addresses(increment(result, None)) == kept
    assert numbers(t).tolist() == before.tolist()
    doubled = 2.0 * numbers(result)
    near(numbers(increment(result, result)), doubled)


def addresses(tree: Tree) -> list[int]:
    """The ids of all arrays and of all objects that can be changed, in order."""
    return [id(part) for part in parts(tree) if isinstance(part, np.ndarray | list | dict | Node)]


@law
@given(trees, SEEDS)
def test_moving_a_value_and_back(x: Tree, seed: int) -> None:
    s, t = drawn(x, seed, 2)
    y = add_to_primal(x, t)
    assert numbers(y).size == numbers(x).size
    near(numbers(y), numbers(x) + numbers(t))
    near(numbers(difference(y, x)), numbers(t))
    near(numbers(add_to_primal(add_to_primal(x, s), t)), numbers(add_to_primal(x, total(s, t))))
    alike(x, difference(y, x))
    assert not numbers(difference(x, tangents.copy(x))).any()
    assert numbers(add_to_primal(y, None)).tolist() == numbers(y).tolist()


@law
@given(trees)
def test_units_are_a_basis(x: Tree) -> None:
    basis = [tangents.unit(x, i) for i in range(tangents.flat(x).size)]
    for i, unit in enumerate(basis):
        assert tangents.flat(unit)[i] == 1.0
        assert numbers(unit).sum() == 1.0
