"""Dicts and texts at the border: gradients, what is checked, and what the caller's objects hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.transpile import Modules, gradient_text, transpiled

SOURCE = """\
from dataclasses import dataclass

@dataclass
class Order:
    side: str
    size: float

def total(w: dict[str, float], r: dict[str, float]) -> float:
    return sum(v * r[k] for k, v in w.items())

def filled(w: dict[str, float], x: float) -> float:
    w["total"] = x * sum(w.values())
    return w["total"] * x

def shares(w: dict[str, float]) -> dict[str, float]:
    total = sum(w.values())
    return {k: v / total for k, v in w.items()}

def numbered(d: dict[int, float], t: tuple[float, ...]) -> float:
    return sum(k * v for k, v in d.items()) * t[-1]

def nested(rows: list[dict[str, float]], g: dict[int, list[tuple[int, float]]]) -> float:
    edges = sum(k * j * v for k, row in g.items() for j, v in row)
    return sum(r["price"] * r["quantity"] for r in rows) * edges

def signed(orders: list[Order]) -> float:
    for o in orders:
        if o.side == "sell":
            o.size = -o.size
            o.side = "sold"
    return sum(o.size for o in orders)
"""


@pytest.fixture(scope="module")
def modules() -> Modules:
    return transpiled(SOURCE)


def test_gradients_have_the_keys(modules: Modules) -> None:
    _, grad = modules
    y, bars = grad.total_value_and_grad({"b": 2.0, "a": 1.0}, {"a": 3.0, "c": 4.0, "b": 5.0})
    assert y == 13.0
    assert list(bars.w.items()) == [("b", 5.0), ("a", 3.0)]
    assert list(bars.r.items()) == [("a", 1.0), ("c", 0.0), ("b", 2.0)]
    y, bars = grad.numbered_value_and_grad({3: 2.0}, (1.0, 4.0))
    assert (y, bars.d, bars.t) == (24.0, {3: 12.0}, (0.0, 6.0))


def test_containers_in_containers(modules: Modules) -> None:
    _, grad = modules
    rows = [{"price": 2.0, "quantity": 3.0}, {"quantity": 1.0, "price": 4.0, "fee": 1.0}]
    y, bars = grad.nested_value_and_grad(rows, {2: [(1, 0.5), (3, 1.0)], 5: []})
    assert y == 10.0 * 7.0
    assert bars.rows == [
        {"price": 21.0, "quantity": 14.0},
        {"quantity": 28.0, "price": 7.0, "fee": 0.0},
    ]
    assert bars.g == {2: [(None, 20.0), (None, 60.0)], 5: []}
    with pytest.raises(TypeError, match="expected a list or a dict, got int"):
        grad.nested_grad([{"price": 1.0, "quantity": 1.0}, 3], {})


@pytest.mark.parametrize("command", ["format --diff", "check"])
def test_the_text_is_in_order(tmp_path: Path, command: str) -> None:
    path = tmp_path / "program_grad.py"
    path.write_text(gradient_text(SOURCE))
    path.with_name("program.py").write_text(SOURCE)
    ruff = [sys.executable, "-m", "ruff", *command.split(), "--isolated", path.name]
    done = subprocess.run(ruff, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_missing_keys(modules: Modules) -> None:
    _, grad = modules
    with pytest.raises(KeyError):
        grad.total_grad({"x": 1.0}, {})
    assert grad.total_value_and_grad({}, {"a": 1.0})[0] == 0.0


def test_other_types(modules: Modules) -> None:
    _, grad = modules
    with pytest.raises(TypeError, match="parameter w: expected a dict, got list"):
        grad.total_grad([1.0], {})
    with pytest.raises(TypeError, match="parameter w, key 0: expected str, got int"):
        grad.total_grad({1: 1.0}, {})
    with pytest.raises(TypeError, match="parameter d, value 0: expected float64, got str"):
        grad.numbered_grad({1: "a"}, (1.0,))


def test_what_the_caller_has(modules: Modules) -> None:
    primal, grad = modules
    w = {"a": 1.0, "b": 2.0}
    assert grad.filled_value_and_grad(w, 2.0)[0] == 12.0
    assert w == {"a": 1.0, "b": 2.0}
    y, residuals = grad.filled_fwd(w, 2.0)
    assert (y, w) == (12.0, {"a": 1.0, "b": 2.0, "total": 6.0})
    w_bar, x_bar = grad.filled_pullback(residuals, 1.0)
    assert (w, w_bar, x_bar) == ({"a": 1.0, "b": 2.0}, {"a": 4.0, "b": 4.0}, 12.0)
    dot = {"a": 1.0, "b": 0.0}
    assert grad.filled_jvp(w, 2.0, dot, 0.0) == (12.0, 4.0)
    assert (w["total"], dot) == (6.0, {"a": 1.0, "b": 0.0, "total": 2.0})
    orders = [primal.Order("buy", 2.0), primal.Order("sell", 3.0)]
    y, _ = grad.signed_fwd(orders)
    assert (y, orders[1]) == (-1.0, primal.Order("sold", -3.0))


def test_cotangents_have_the_keys_in_their_order(modules: Modules) -> None:
    _, grad = modules
    w = {"a": 1.0, "b": 3.0}
    y, bar = grad.shares_vjp(w, {"a": 1.0, "b": 0.0})
    assert (y, bar) == ({"a": 0.25, "b": 0.75}, {"a": 0.1875, "b": -0.0625})
    for wrong in ({"b": 0.0, "a": 1.0}, {"a": 1.0}, {"a": 1.0, "c": 0.0}):
        with pytest.raises(ValueError, match="y_bar"):
            grad.shares_vjp(w, wrong)
        _, residuals = grad.shares_fwd(w)
        with pytest.raises(ValueError, match="y_bar"):
            grad.shares_pullback(residuals, wrong)
    with pytest.raises(ValueError, match=r"w_dot\.keys must be that of w\.keys"):
        grad.shares_jvp(w, {"b": 1.0, "a": 0.0})
