"""Texts as numbers."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime import text_numbers
from mooncake_runtime.text_numbers import number_of, text_number, texts_of


def test_numbers_are_those_of_every_process() -> None:
    assert number_of("cash") == 2043035991745089483
    assert all(0 <= number_of(text) < 2**63 for text in ("a", "ä", "\ud800", "x" * 10_000))


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
