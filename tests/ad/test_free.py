"""Statements that derivatives add are free: sums may be reordered, zeros dropped."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memories

from tests.ad.deriving import derivatives, function

SOURCE = """
def f(x: Vec, m: Mat) -> float:
    y = np.zeros(len(x))
    for i in range(len(x)):
        y[i] += x[i] * x[i]
        y[i] = y[i] * 2.0
    y += m @ x
    s = 0.0
    for i in range(len(x)):
        s += y[i] * y[0]
    return s
"""


def test_nothing_of_the_user_is_free() -> None:
    func = function(SOURCE)
    writes = [s for s in ir.walk(func.body) if ir.written(s)]
    assert len(writes) >= 3
    assert not any(map(ir.is_free, ir.walk(func.body)))


def test_what_changes_cotangents_is_free() -> None:
    """All that writes memory of shadows, and nothing else that writes."""
    func = derivatives(SOURCE)["vjp"]
    memories = Memories(func)
    shadows, others = [], []
    for stmt in ir.walk(func.body):
        for array in ir.written(stmt):
            names = {root.hint for root in memories.of(array).roots}
            (shadows if any(n.endswith("_bar") for n in names) else others).append(stmt)
    assert {type(s) for s in shadows} >= {ir.Accum, ir.Store}
    assert all(map(ir.is_free, shadows))
    assert any(isinstance(s, ir.Store) and not s.free for s in others)
