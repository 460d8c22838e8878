"""Activity: what depends on the differentiated parameters and influences the result."""

from __future__ import annotations

import pytest

from tests.ad.deriving import facts, named

SIGNATURE = "def f(x: Vec, y: Vec, a: float, p: Ints) -> float:\n"


def _active(body: str, name: str, wrt: str = "x,y,a") -> bool:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    known = facts(f"# mooncake: wrt={wrt}\n{SIGNATURE}{lines}")
    return known.activity.active(named(known.func, name))


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("w = np.zeros(2)\nw[0] = x[0]\nreturn w[0] * w[1]", "w"),
        ("w = np.zeros(2)\nu = w[1:]\nu[0] = x[0]\nreturn w[1]", "w"),
        ("w = x.copy()\nreturn w[0] * w[1]", "w"),
        ("t = 1.0\nfor e in x:\n    t = t * e\nreturn t", "t"),
        ("t = math.sin(x[0])\nreturn t if a > 0 else 1.0", "t"),
        (
            "w = np.zeros(1)\nwhile w[0] < 3.0:\n    w[0] += x[0]\nreturn w[0]",
            "w",
        ),
        ("x[0] = a\nreturn y[0] * a", "y"),  # x may be y
        ("t = a\nfor i in range(3):\n    x[0] = t * x[0]\n    t = x[0]\nreturn t", "x"),
    ],
)
def test_active(body: str, name: str) -> None:
    assert _active(body, name)


@pytest.mark.parametrize(
    ("body", "name", "wrt"),
    [
        ("t = math.sin(y[0])\nreturn t * x[0]", "t", "x"),  # does not depend on x
        ("return x[0] * y[0]", "y", "x"),
        ("w = y.copy()\nw[0] = y[1]\nreturn w[0] * x[0]", "w", "x"),
        ("w = x.copy()\nw[0] = x[1]\nreturn x[1] if w[0] > 0.5 else a", "w", "x"),
        ("t = x[0]\nreturn x[1] if t > 0.5 else a", "t", "x"),  # only chooses
        ("t = x[0]\nfor i in range(int(t)):\n    a = a * y[i]\nreturn a", "t", "a"),
        ("w = np.zeros(2, dtype=np.int64)\nw[0] = int(x[0])\nreturn x[w[0]]", "w", "x"),
        ("t = float(p[0])\nreturn t * x[0]", "t", "x"),
        ("t = math.floor(x[0]) * 1.0\nreturn t * x[1]", "t", "x"),
        ("w = np.zeros(1)\nw[0] = y[0]\nreturn w[0] * a", "w", "a"),
    ],
)
def test_not_active(body: str, name: str, wrt: str) -> None:
    assert not _active(body, name, wrt)
