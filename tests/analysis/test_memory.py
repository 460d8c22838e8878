"""Arrays that are taken to share memory, and parameters that are written."""

from __future__ import annotations

import pytest
from mooncake_transpiler.analysis.memory import Memories

from tests.ad.deriving import function, named

COPIES = "v = x.copy()\nw = y.copy()\n"


def _same(body: str, a: str, b: str) -> bool:
    """True if the arrays named ``a`` and ``b`` are of one class."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    func = function(f"def f(x: Vec, y: Vec, m: Mat, p: Ints, q: int) -> float:\n{lines}")
    memories = Memories(func)
    return memories.of(named(func, a)) is memories.of(named(func, b))


@pytest.mark.parametrize(
    ("body", "a", "b"),
    [
        ("u = x[1:]\nu[0] = 2.0\nreturn u[0] * x[1]", "x", "u"),
        ("u = m[0]\nv = u[1:]\nv[0] = x[0]\nreturn v[0] + m[0, 1]", "m", "v"),
        ("x[0] = y[0]\nreturn x[0]", "x", "y"),  # arguments may overlap
        ("x[0] = m[0, 0]\nreturn x[0]", "x", "m"),
        (COPIES + "u = v if q > 0 else w\nu[0] = 1.0\nreturn v[0] * w[0] * u[0]", "v", "w"),
        (COPIES + "for i in range(q):\n    v[0] = w[0]\n    v, w = w, v\nreturn v[0]", "v", "w"),
        (COPIES + "while v[0] < q:\n    v[0] = w[0]\n    v, w = w, v\nreturn v[0]", "v", "w"),
    ],
)
def test_may_share(body: str, a: str, b: str) -> None:
    assert _same(body, a, b)


@pytest.mark.parametrize(
    ("body", "a", "b"),
    [
        ("return x[0] * y[0]", "x", "y"),  # only read: as if distinct
        ("p[0] = 1\nreturn x[p[0]] * y[0]", "x", "y"),  # of another dtype
        ("p[0] = 1\nreturn x[p[0]]", "x", "p"),
        ("w = x.copy()\nw[0] = y[0]\nreturn w[0] * x[0]", "w", "x"),
        ("w = np.zeros(3)\nw[0] = x[0]\nreturn w[0] * x[1]", "w", "x"),
    ],
)
def test_cannot_share(body: str, a: str, b: str) -> None:
    assert not _same(body, a, b)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x[0] * y[0]", set()),
        ("x[0] = y[0]\nreturn x[0]", {"x"}),
        ("u = m[0]\nu[0] = y[0]\nreturn m[0, 0]", {"m"}),
        ("w = x.copy()\nw[0] = y[0]\nreturn w[0]", set()),
        ("for i in range(q):\n    p[i] += 1\nreturn x[p[0]]", {"p"}),
    ],
)
def test_written_parameters(body: str, expected: set[str]) -> None:
    assert _written(body) == expected


def test_a_write_to_an_array_that_a_branch_chooses_may_be_to_any_of_them() -> None:
    assert {"x", "y"} <= _written("u = x if q > 0 else y\nu[0] = 1.0\nreturn x[0] * y[0]")


def _written(body: str) -> set[str]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    func = function(f"def f(x: Vec, y: Vec, m: Mat, p: Ints, q: int) -> float:\n{lines}")
    return {v.hint for v in Memories(func).written_params}
