"""Texts as numbers."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime import scalar_kernels as rt
from mooncake_runtime import text_numbers
from mooncake_runtime.text_numbers import BASE, number_of, text_number, texts_of


def test_numbers_are_those_of_every_process() -> None:
    assert number_of("cash") == 707322129474172467
    assert all(0 <= number_of(text) < 2**63 for text in ("a", "ä", "\ud800", "x" * 10_000))


def _of_bytes(text: str) -> int:
    """The polynomial, written out with integers of any size."""
    data = text.encode("utf-8", "surrogatepass")
    terms = ((byte + 1) * BASE ** (len(data) - 1 - k) for k, byte in enumerate(data))
    return sum(terms) % 2**63


@pytest.mark.parametrize("text", ["", "0", "a", "bus 12", "ä\ud800", "x" * 300])
def test_it_is_the_polynomial(text: str) -> None:
    assert number_of(text) == _of_bytes(text)
    assert number_of(text[3:], number_of(text[:3])) == number_of(text)


@pytest.mark.parametrize("jit", [False, True])
def test_texts_with_integers(jit: bool) -> None:
    with_integer, with_text = rt.text_with_integer, rt.text_with
    if not jit:
        with_integer, with_text = with_integer.py_func, with_text.py_func
    for n in (0, 1, 9, 10, -1, -10, 99, 100, 123456789, -(10**18), 2**63 - 1):
        for width in (0, 2, 5):
            made = with_integer(number_of("bus "), n, width)
            assert made == number_of(f"bus {n:0{width}d}" if width else f"bus {n}")
            behind = with_text(made, number_of("-ä"), pow(BASE, 3, 2**63))
            assert behind == number_of((f"bus {n:0{width}d}" if width else f"bus {n}") + "-ä")


def test_back_again() -> None:
    numbers = text_numbers.text_numbers("w, key {}", ["b", "a", "b"])
    assert numbers.dtype == np.int64
    assert texts_of(numbers) == ["b", "a", "b"]
    assert texts_of(np.array([number_of("named by the function")]), "named by the function") == [
        "named by the function"
    ]


def test_what_never_came_in() -> None:
    with pytest.raises(KeyError, match="run the forward function first"):
        texts_of(np.array([number_of("never passed to anything")]))


def test_what_is_no_text() -> None:
    with pytest.raises(TypeError, match=r"parameter w, key 1: expected str, got int"):
        text_numbers.text_numbers("w, key {}", ["a", 1])
    with pytest.raises(TypeError, match=r"parameter kind: expected str, got NoneType"):
        text_number("kind", None)


def test_two_texts_of_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_numbers, "number_of", lambda _: 7)
    monkeypatch.setattr(text_numbers, "_texts", {})
    with pytest.raises(ValueError, match="'b' and 'a' collide"):
        text_numbers.text_numbers("w, key {}", ["a", "b"])
