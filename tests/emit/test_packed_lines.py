"""Long lists of names fill their lines; what is saved has one name; shapes are unpacked at once."""

from __future__ import annotations

from mooncake_transpiler.emit.packed_lines import packed

from tests.helpers.transpile import gradient_text

SAVES = """
import numpy as np
from numpy.typing import NDArray
from typing import Annotated

# mooncake: wrt=x
def f(x: Annotated[NDArray[np.float64], "n m"], steps: int) -> Annotated[NDArray[np.float64], "n"]:
    total = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total[i] += np.exp(x[i, j])
    return total
"""


def test_lists_of_names_fill_their_lines() -> None:
    items = [f"    a_rather_long_name_{k}," for k in range(5)]
    assert packed(["call(", *items, ")"]) == [
        "call(",
        "    a_rather_long_name_0, a_rather_long_name_1, a_rather_long_name_2,",
        "    a_rather_long_name_3, a_rather_long_name_4,",
        ")  # fmt: skip",
    ]


def test_the_end_of_the_statement_is_marked() -> None:
    items = [f"        name_{k}," for k in range(5)]
    lines = ["return (", "    value,", "    Residuals(", *items, "    ),", ")", "after()"]
    assert packed(lines)[-3:] == ["    ),", ")  # fmt: skip", "after()"]


def test_few_items_and_expressions_stay_apart() -> None:
    few = ["call(", *[f"    name_{k}," for k in range(4)], ")"]
    sums = ["call(", *[f"    name_{k} + 1.0," for k in range(6)], ")"]
    assert packed(few) == few
    assert packed(sums) == sums


def test_what_is_saved_has_one_name() -> None:
    text = gradient_text(SAVES)
    assert "    exp_saved: Matrix\n" in text
    forward, _, pullback = text.partition("def f_pullback")
    assert "FResiduals(x, exp_saved)" in forward
    assert "x, exp_saved = residuals" in pullback
    assert "n, m = x.shape" in text


def test_the_vjp_of_an_array_has_a_body_of_its_own() -> None:
    _, _, vjp = gradient_text(SAVES).partition("def f_vjp")
    body, _, _ = vjp.partition("\ndef ")
    assert "f_fwd" not in body
    assert body.index("must have the shape of the result") < body.index("for i in")
