"""``mooncake-transpile list`` says what the GPU has to do, and where the host waits for it."""

from __future__ import annotations

import pytest
from mooncake_transpiler.cli import run

SOURCE = """import cupy as cp
from jaxtyping import Float64

Number = Float64[cp.ndarray, ""]

def loss(x: Float64[cp.ndarray, "n"], y: Float64[cp.ndarray, "n"]) -> Number:
    return cp.sum(cp.exp(cp.sin(x) * y))

def stepped(x: Float64[cp.ndarray, "n"], steps: int) -> Number:
    for t in range(steps):
        x = cp.sin(x) / cp.sum(x) / (t + 1)
    return cp.sum(x)

def branching(x: Float64[cp.ndarray, "n"]) -> Number:
    s = cp.sum(x * x)
    if s > 1.0:
        x = x / s
    return cp.sum(cp.sin(x))

def solved(a: Float64[cp.ndarray, "n n"], b: Float64[cp.ndarray, "n"]) -> Number:
    return cp.sum(cp.linalg.solve(a, b))

def chosen(x: Float64[cp.ndarray, "n"]) -> Number:
    return cp.sum(x[x > 0])

def until(x: Float64[cp.ndarray, "n"], tol: float) -> Number:
    r = cp.sum(x * x)
    while r > tol:
        x = 0.5 * cp.sin(x)
        r = cp.sum(x * x)
    return cp.sum(x)

def counted(x: Float64[cp.ndarray, "n"]) -> Number:
    for _ in range(int(cp.sum(x * x))):
        x = cp.sin(x)
    return cp.sum(x)

def halving(x: Float64[cp.ndarray, "n"], k: int) -> Number:
    while k > 0:
        x = 0.5 * cp.sin(x)
        k //= 2
    return cp.sum(x)

def filtered(x: Float64[cp.ndarray, "n"]) -> Number:
    s = 0.0
    for i in range(len(x)):
        s = cp.sin(s) + x[i]
    return s
"""


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The lines below that of each function."""
    file = tmp_path_factory.mktemp("src") / "m.py"
    file.write_text(SOURCE)
    with pytest.MonkeyPatch.context() as patch:
        shown: list[str] = []
        patch.setattr("mooncake_transpiler.terminal.console.show", shown.append)
        assert run(["list", str(file)]) == 1  # `filtered` is refused
    found: dict[str, list[str]] = {}
    for line in "".join(shown).splitlines():
        if line.startswith(" "):
            found[list(found)[-1]].append(line.strip())
        elif line:
            found[line.split()[0]] = []
    return found


def test_launches(listed: dict[str, list[str]]) -> None:
    both = "fwd, pullback, vjp, value_and_grad, grad, jvp"
    assert listed["m:loss"] == [f"{both}: 2 launches"]


def test_launches_in_loops(listed: dict[str, list[str]]) -> None:
    """Steps of the forwards loop store what is saved, and make the next array."""
    assert any(line.startswith("fwd") and "of line 10" in line for line in listed["m:stepped"])


def test_waits(listed: dict[str, list[str]]) -> None:
    waits = [line for line in listed["m:branching"] if "waits" in line]
    assert any("vjp" in w and "line 16, a branch on a number of the GPU" in w for w in waits)
    assert sum("vjp" in w for w in waits) == 1  # the reverse sweep knows the number
    assert any("line 21, LU factors" in line for line in listed["m:solved"])
    assert not any("waits" in line for name in ("m:loss", "m:stepped") for line in listed[name])


def test_masks(listed: dict[str, list[str]]) -> None:
    (line,) = (line for line in listed["m:chosen"] if "waits" in line and "vjp" in line)
    assert line.endswith("line 24, the number of elements that a mask selects")


def test_loops_that_wait(listed: dict[str, list[str]]) -> None:
    """For what Python decides by; in the pullback nothing is decided."""
    for name, waits_for in (
        ("until", "line 28, a loop on a number of the GPU"),
        ("counted", "line 34, an integer that depends on a number of the GPU"),
    ):
        waits = [line for line in listed[f"m:{name}"] if "waits" in line]
        assert any("fwd" in w and waits_for in w for w in waits)
        assert not any("pullback" in w for w in waits)
    assert not any("waits" in line for line in listed["m:halving"])


def test_what_is_refused(listed: dict[str, list[str]]) -> None:
    assert listed["m:filtered"] == [
        "error: a loop over elements that need one another is not supported on the GPU yet"
    ]
