"""Random numbers: the bits of NumPy's generator, and its state after them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.kernels import FORMS, kernels

SEEDS = ((0,), (1,), (2**31,), (2**32,), (2**63 - 1,), (3, 0, 2**40), (1, 2, 3, 4, 5, 6))
SPANS = (0, 1, 2, 99, 2**31, 3 * 2**30, 2**32 - 2, 2**32 - 1, 2**32, 2**40, 3 * 2**61, 2**63 - 1)


def same_state(state: np.ndarray, generator: np.random.Generator) -> bool:
    found = generator.bit_generator.state
    words = [int(word) for word in state]
    return (words[0] << 64 | words[1], words[2] << 64 | words[3], *words[4:]) == (
        *found["state"].values(), found["has_uint32"], found["uinteger"]
    )  # fmt: skip


@FORMS
@pytest.mark.parametrize("seed", SEEDS)
def test_the_numbers_are_those_of_numpy(form: str, seed: tuple[int, ...]) -> None:
    rt = kernels(form)
    generator = np.random.default_rng(seed)
    state = rt.pcg64(np.array(seed))
    assert same_state(state, generator)
    count = 3000 if form == "compiled" else 300  # 1 in 4000 normal numbers is from the tail
    assert [rt.next_double(state) for _ in range(9)] == list(generator.random(9))
    for draw, numbers in (
        (rt.next_normal, generator.standard_normal(count)),
        (rt.next_exponential, generator.standard_exponential(count)),
    ):
        assert [draw(state) for _ in range(count)] == list(numbers)
    assert same_state(state, generator)


@FORMS
@pytest.mark.parametrize("span", SPANS)
def test_bounded_integers_are_those_of_numpy(form: str, span: int) -> None:
    rt = kernels(form)
    generator = np.random.default_rng(span)
    state = rt.pcg64(np.array([span]))
    for count in (1, 4):  # an odd number of halves
        drawn = generator.integers(0, span, count, endpoint=True)
        assert [rt.next_bounded(state, span) for _ in range(count)] == list(drawn)
        assert rt.next_double(state) == generator.random()
    assert same_state(state, generator)


@FORMS
def test_all_integers(form: str) -> None:
    rt = kernels(form)
    generator, state = np.random.default_rng(5), rt.pcg64(np.array([5]))
    drawn = generator.integers(-(2**63), 2**63 - 1, 20, endpoint=True)
    found = [rt.next_bounded(state, -1) % 2**64 for _ in range(20)]
    assert found == [int(n) + 2**63 for n in drawn]


@FORMS
@pytest.mark.parametrize("seed", [0, 1, 42, 2**32 - 1])
def test_older_numbers_are_those_of_numpy(form: str, seed: int) -> None:
    rt = kernels(form)
    state = rt.mt19937(seed)
    drawn = np.random.RandomState(seed).randint(0, 2**32, 1500, dtype=np.uint32)
    assert [rt.next_word(state) for _ in range(1500)] == [int(word) for word in drawn]
