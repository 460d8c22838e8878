"""Deep recursion is a RecursionError, compiled too, and not the end of the process."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.helpers.processes import python
from tests.helpers.transpile import compiled, gradient_body, gradient_text, transpiled

POWER = """\
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]


# mooncake: modes=reverse,forward
def power(x: float, n: int) -> float:
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


# mooncake: modes=reverse,forward
def even(x: float, n: int) -> float:
    return x if n == 0 else odd(0.5 * x, n - 1)


def odd(x: float, n: int) -> float:
    return -x if n == 0 else even(2.0 * x, n - 1)


def halves(x: Vec, depth: int = 9) -> float:
    if len(x) == 1 or depth == 0:
        return x[0]
    middle = len(x) // 2
    return halves(x[:middle], depth - 1) * halves(x[middle:], depth - 1)
"""

DEEP = """
import sys
import program_grad as made

depth = int(sys.argv[1])
assert made.power_value_and_grad(1.0, depth) == (1.0, depth)
assert made.power_jvp(1.0, depth, 1.0) == (1.0, depth)
residuals = made.power_fwd(1.0, depth)[1]
assert made.power_pullback(residuals, 2.0)[0] == 2.0 * depth
for n in (1_100, 10_000_000):
    for f, args in (
        (made.power_value_and_grad, ()), (made.power_fwd, ()), (made.power_jvp, (1.0,)),
        (made.even_value_and_grad, ()), (made.even_vjp, (1.0,)), (made.even_jvp, (1.0,)),
    ):
        try:
            print("returned", f(0.5, n, *args))
        except RecursionError as error:
            print(str(error).partition(" while")[0])
"""


@pytest.mark.parametrize("jit", [False, True])
def test_deep_recursion(jit: bool, tmp_path: Path) -> None:
    (tmp_path / "program_grad.py").write_text(gradient_text(POWER))
    depth = "900" if jit else "300"  # Python counts the functions around it
    said = python(DEEP, tmp_path, depth, jit=jit)
    assert said.splitlines() == ["maximum recursion depth exceeded"] * 12


def test_parameters_may_be_called_depth_and_have_defaults() -> None:
    _, made = transpiled(POWER)
    value, grad = made.halves_value_and_grad(np.array([2.0, 3.0, 5.0, 7.0]))
    assert value == 210.0
    assert grad.tolist() == [105.0, 70.0, 42.0, 30.0]


def test_what_does_not_recur_does_not_count() -> None:
    source = "def twice(x: float) -> float:\n    return 2.0 * x\n"
    assert "depth" not in gradient_text(source)


def test_derivatives_of_derivatives_count_once() -> None:
    caller = (
        "from program_grad import power_grad\n\n\n"
        "def slope(x: float) -> float:\n    return power_grad(x, 3) ** 2\n"
    )
    made = gradient_body(compiled({"program.py": POWER, "caller.py": caller})["caller"])
    assert "depth + 1" in made
    assert "depth_ " not in made
