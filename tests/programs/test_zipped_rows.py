"""``zip(*rows, strict=True)`` of lists of lists, as long as the run makes them."""

from __future__ import annotations

import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import transpiled

TEXT = """
def f(rows: list[list[float]]) -> float:
    return sum((k + 1) * sum(column) ** 2 for k, column in enumerate(zip(*rows, strict=True)))
"""


def test_columns() -> None:
    module, made = transpiled(TEXT)
    check_gradients(module.f, made, ([[0.3, -0.7], [1.2, 0.5], [0.4, 0.8]],))


@pytest.mark.parametrize(
    "rows",
    [
        [[1.0, 2.0], [3.0]],
        [[1.0], [3.0, 4.0]],
        [[1.0, 2.0], [3.0, 4.0], [2.0]],
        [[1.0], [3.0], [2.0, 4.0]],
    ],
)
def test_lengths_that_differ(rows: list[list[float]]) -> None:
    module, made = transpiled(TEXT)
    with pytest.raises(ValueError, match="than argument") as expected:
        module.f(rows)
    with pytest.raises(ValueError, match="than argument") as found:
        made.f_value_and_grad(rows)
    assert str(found.value) == str(expected.value)
