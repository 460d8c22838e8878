"""The normal form of small programs, in full."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.ir.printer import format_func

from tests.frontend.lowering import read

CASES: dict[str, tuple[str, str]] = {
    "an accumulator is promoted": (
        """
def f(x: A) -> float:
    s = 0
    for i in range(len(x)):
        t = 2 * x[i]
        s += t
    return s
""",
        """
func m:f(x: float64[:]) -> float64
  t1: int64 = dim x, 0
  s.2: float64 = for i in 0..t1 step 1 (s = 0.0):
    t2: float64 = load x[i]
    t: float64 = mul 2, t2
    s.1: float64 = add s, t
    yield s.1
  return s.2
""",
    ),
    "an early return needs no flag": (
        """
def f(a: float) -> float:
    if a > 1:
        return a
    elif a < 0:
        raise ValueError(f"negative: {a}")
    b = a * a
    return b
""",
        """
func m:f(a: float64) -> float64
  t1: bool = gt a, 1
  t3: float64 = if t1:
    yield a
  else:
    t2: bool = lt a, 0
    if t2:
      raise ValueError('negative: {}') with a
    b: float64 = mul a, a
    yield b
  return t3
""",
    ),
    "a return in a loop": (
        """
def f(x: A) -> float:
    for v in x:
        if v > 0:
            return v
    return -1
""",
        """
func m:f(x: float64[:]) -> float64
  t1: int64 = dim x, 0
  t8: bool, t9: float64 = for t2 in 0..t1 step 1 (t3 = False, t4 = undef) exit:
    v: float64 = load x[t2]
    t5: bool = gt v, 0
    t6: bool, t7: float64 = if t5:
      yield True, v
    else:
      yield False, undef
    yield t6, t7
  t10: float64 = if t8:
    yield t9
  else:
    yield -1.0
  return t10
""",
    ),
    "only what is read later is carried": (
        """
def f(x: A) -> float:
    t = 1.0
    u = 2.0
    for i in range(3):
        t = x[i]
        u = u * t
        w = t + u
        x[i] = w
    return u
""",
        """
func m:f(x: float64[:]) -> float64
  u.2: float64 = for i in 0..3 step 1 (u = 2.0):
    t: float64 = load x[i]
    u.1: float64 = mul u, t
    w: float64 = add t, u.1
    x[i] = w
    yield u.1
  return u.2
""",
    ),
    "names of unpacked values": (
        """
def f(x: A2) -> float:
    n, m = x.shape
    p, q = x[0, 0] * n, x[-1][1] - m
    return p - q
""",
        """
func m:f(x: float64[:, :]) -> float64
  n: int64 = dim x, 0
  m: int64 = dim x, 1
  t1: float64 = load x[0, 0]
  p: float64 = mul t1, n
  t2: int64 = sub n, 1
  t3: float64 = load x[t2, 1]
  q: float64 = sub t3, m
  t4: float64 = sub p, q
  return t4
""",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str) -> None:
    source, expected = CASES[name]
    program, diagnostics = read(source)
    assert not diagnostics
    assert format_func(program.funcs["m:f"]).strip() == expected.strip()


def test_single_precision_meets_literals() -> None:
    program, _ = read(
        "def f(x: A32, k: np.float32) -> np.float32:\n"
        "    return 2.0 * x[0] + 1 - k if x[0] < 0.1 else k\n"
    )
    func = program.funcs["m:f"]
    computed = [stmt for stmt in ir.walk(func.body) if isinstance(stmt, ir.Compute)]
    kinds = {str(stmt.out.type) for stmt in computed}
    assert kinds == {"bool", "float32"}


def test_dimension_names_are_checked() -> None:
    header = "from typing import Annotated\nimport numpy as np\nfrom numpy.typing import NDArray\n"
    program, _ = read(
        'def f(x: Annotated[NDArray[np.float64], "n 3"],\n'
        '      y: Annotated[NDArray[np.float64], "n+1"]) -> float:\n'
        "    return x[0, 0] * y[0]\n",
        header,
    )
    raised = [s.message for s in ir.walk(program.funcs["m:f"].body) if isinstance(s, ir.Raise)]
    assert raised == [
        "parameter x: axis 1 must have the size 3",
        "parameter y: axis 0 must have the size n+1",
    ]


def test_helpers_are_specialised_by_type() -> None:
    program, _ = read(
        "def _twice(v):\n    return v + v\n"
        "def f(x: A, n: int) -> float:\n    return _twice(x[0]) * _twice(n) + _twice(x[1])\n"
    )
    assert list(program.funcs) == ["m:_twice#0", "m:_twice#1", "m:f"]
    assert str(program.funcs["m:_twice#1"].result) == "int64"
