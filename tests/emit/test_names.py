"""Names of programs that emitted modules would use themselves: each keeps its meaning."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import compiled, gradient_text, transpiled

# SLOT is replaced by a name: a parameter, a variable, the index of a loop, a field.
PROGRAM = """
from dataclasses import dataclass
from typing import Annotated as A
import math as M
import numpy as N
from numpy.typing import NDArray as V

TABLE = N.array([1.0, 2.0, 3.0])


@dataclass
class State:
    SLOT: A[V[N.float64], "n"]
    time: float


def _recurse(p: float, q: int) -> float:
    return p if q <= 0 else _recurse(p * 1.01, q - 1) + p


def loop(SLOT: A[V[N.float64], "n"], w: float = 2.0) -> float:
    total = N.sum(N.abs(SLOT) * N.exp(SLOT) * TABLE + N.where(SLOT > w, SLOT, N.maximum(SLOT, w)))
    while total < 3.0:
        total += SLOT[0]
    if total > 1e9:
        raise OverflowError("large")
    return total


def number(SLOT: float, n: int) -> float:
    z = SLOT * 1j + n
    return M.erf(SLOT) * (SLOT > 0.2) + (z * z).real + _recurse(SLOT, 2) + SLOT**n


def variable(x: A[V[N.float64], "n"]) -> float:
    SLOT = N.exp(x)
    SLOT[0] *= x[1]
    return N.sum(SLOT * SLOT * x)


def struct(SLOT: State, b: float) -> State:
    return State(SLOT.SLOT * b + TABLE, SLOT.time * b)


def keyword(x: float, *, SLOT: float = 2.0, y: float | None = None) -> float:
    return x * SLOT if y is None else x * y * SLOT


def written(SLOT: A[V[N.float64], "n"], x: float) -> tuple[float, float]:
    SLOT *= x
    return SLOT[0] * SLOT[1], x
"""


def results(made: ModuleType, name: str) -> Iterator[object]:
    x = np.array([0.3, -0.4, 0.5])
    yield made.loop_value_and_grad(**{name: x})
    yield made.loop_vjp(x, 1.5, 2.0)
    yield made.loop_jvp(x, 1.5, x, 1.0)
    yield made.number_value_and_grad(0.3, n=3)
    yield made.number_jvp(0.3, 3, 1.0)
    yield made.variable_grad(x)
    state = SimpleNamespace(**{name: x, "time": 2.0})
    yield made.struct_vjp(state, 1.5, state)[1]
    yield made.keyword_value_and_grad(0.3, **{name: 1.5})
    yield made.keyword_vjp(0.3, 2.0, y=3.0)
    yield made.written_vjp(x.copy(), 0.7, (1.0, 2.0))


def plain(value: object) -> object:
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def found(source: str, name: str, results: Callable[..., Iterator[object]], jit: bool) -> object:
    return [plain(v) for v in results(transpiled(source.replace("SLOT", name), jit=jit)[1], name)]


def names_of(text: str) -> set[str]:
    """All that a module calls something."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.alias(asname=str(name)):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.alias(name=name):
                names.add(name)
            case _:
                pass
    return names


# The names of PROGRAM itself; and those that it reads.
OWN = {
    "State",
    "TABLE",
    "_recurse",
    "OverflowError",
    "x",
    "w",
    "p",
    "q",
    "n",
    "b",
    "y",
    "z",
    "time",
}
OTHERS = {"__", "match", "case", "type", "t1", "np_", "range_", "sum", "len", "rt", "Literal"}


def clashing() -> list[str]:
    text = gradient_text(PROGRAM.replace("SLOT", "neutral"))
    return sorted((names_of(text) | OTHERS) - OWN - {"neutral", "total"})


def test_names_of_emitted_modules(request: pytest.FixtureRequest) -> None:
    """Each name of the emitted module, as a name of the program; all with ``--whole-grid``."""
    names = clashing()
    assert {"np", "math", "range", "float", "LoopGrad", "loop_value_and_grad"} <= set(names)
    expected = found(PROGRAM, "neutral", results, jit=False)
    every = request.config.getoption("--whole-grid")
    for name in names if every else [n for n in names if len(n) < 6]:
        if not name.startswith("_"):  # no name of a field of a gradient
            assert found(PROGRAM, name, results, jit=False) == expected, name


@pytest.mark.parametrize("name", ["np", "range", "loop_value_and_grad"])
@pytest.mark.wide("np")
@pytest.mark.wide("range")
def test_names_of_compiled_modules(name: str) -> None:
    assert found(PROGRAM, name, results, jit=True) == found(PROGRAM, "neutral", results, jit=True)


UNDERSCORES = """
from typing import Annotated as A
import numpy as np
from numpy.typing import NDArray as V


def f(_: float, x: A[V[np.float64], "n"]) -> float:
    total = 0.0
    for i in range(3):
        total += x[i] * _
    for j in range(3):
        total += _
    return total + np.sum(x * _)


def g(x: A[V[np.float64], "n"]) -> float:
    _ = x[0]
    total = 0.0
    for i in range(len(x)):
        total += x[i] * _
        for j in range(2):
            total += _
    return total


def h(x: float) -> float:
    total, __ = 0.0, x * x
    for _ in range(4):
        total += x * _ + __
        for k in range(2):
            total += _
    return total


def k(x: A[V[np.float64], "n"], _: tuple[float, int]) -> tuple[float, float]:
    a, b = _
    x *= a
    return x[0] + b, a
"""


@pytest.mark.parametrize("jit", [False, True])
def test_underscores(jit: bool) -> None:
    _, made = transpiled(UNDERSCORES, jit=jit)
    x = np.array([2.0, 3.0, 5.0])
    value, grad = made.f_value_and_grad(7.0, x)
    assert (value, plain(grad)) == (161.0, [23.0, [14.0, 14.0, 14.0]])
    value, grad = made.g_value_and_grad(x)
    assert (value, plain(grad)) == (32.0, [18.0, 2.0, 2.0])
    assert made.h_value_and_grad(3.0) == (18.0 + 36.0 + 12.0, 6.0 + 24.0)
    y, grad = made.k_vjp(x, (2.0, 4), (1.0, 1.0))
    assert (plain(y), plain(grad)) == ([8.0, 2.0], [[2.0, 0.0, 0.0], [3.0, None]])


OWN_GRADIENTS = """
import numpy as np


def rosen(x: np.ndarray, a: float) -> float:
    return (a - x[0]) ** 2 + 5.0 * (x[1] - x[0] ** 2) ** 2


def rosen_grad(x: np.ndarray, a: float) -> np.ndarray:
    slope = x[1] - x[0] ** 2
    return np.array([-2.0 * (a - x[0]) - 20.0 * x[0] * slope, 10.0 * slope])


def descended(x: np.ndarray, a: float, n: int) -> float:
    for _ in range(n):
        x = x - 1e-2 * rosen_grad(x, a)
    return rosen(x, a)


def f(x: float) -> float:
    return x**3


def f_fwd(x: float) -> float:
    return f(x) * f_pullback(x)


def f_pullback(x: float) -> float:
    return 3.0 * x**2
"""


@pytest.mark.parametrize("jit", [False, True])
def test_functions_of_the_user_that_are_named_like_derivatives(jit: bool) -> None:
    module, made = transpiled(OWN_GRADIENTS, jit=jit)
    x = np.array([0.5, -0.3])
    assert np.allclose(made.rosen_grad(x, 2.0).x, module.rosen_grad(x, 2.0), rtol=1e-13)
    check_gradients(module.rosen_grad, made, (x, 2.0))
    check_gradients(module.descended, made, (x, 2.0, 3))
    assert made.f_fwd_value_and_grad(2.0) == (96.0, 240.0)
    assert made.f_value_and_grad(2.0) == (8.0, 12.0)


def test_two_generated_functions_of_one_name() -> None:
    """The configuration asks for what the text does not show: it is refused all the same."""
    config = "[tool.mooncake-transpile]\nmodes = ['reverse', 'reverse-over-reverse']"
    function = "def {}(x: float) -> float:\n    return x * x\n\n\n"
    source = function.format("f") + function.format("f_grad_value_and")
    made = compiled({"pyproject.toml": config, "program.py": source})["program"]
    (found,) = made.diagnostics
    assert (found.code, found.message) == (
        "MK240",
        "f_grad_value_and_grad would be generated twice, for different functions",
    )
