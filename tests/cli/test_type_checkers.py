"""mypy and pyright over generated modules, vendored or not, and over what calls them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = {
    "fit.py": """
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "n m"]


@dataclass
class Layer:
    weights: Mat
    bias: float


class Pair(NamedTuple):
    first: float
    second: Vec


# mooncake: modes=reverse,forward,hvp
def misfit(x: Vec, scale: float, count: int) -> float:
    total = 0.0
    for i in range(x.shape[0]):
        if x[i] > 0.0:
            total += scale * np.tanh(x[i]) ** 2
    return total * count


def layers(stack: list[Layer], x: Annotated[NDArray[np.float64], "m"]) -> Pair:
    y = np.zeros(stack[0].weights.shape[0])
    for layer in stack:
        y += np.tanh(layer.weights @ x) + layer.bias
    return Pair(float(np.sum(y)), y)


def grown(x: Vec, n: int) -> float:
    kept = []
    for i in range(n):
        kept.append(float(x[i] * x[i]))
    return sum(kept)


# mooncake: modes=reverse,hvp,hessian,jacobian
def waves(x: Vec) -> float:
    return float(np.sum(np.sin(x) * x))


def in_place(x: Vec) -> Vec:
    x *= 2.0
    return x[1:] - x[:-1]


def both(x: Vec) -> tuple[float, Vec]:
    return float(np.sum(x)), x * x
""",
    "use.py": """
import numpy as np

import fit_grad
from fit import Layer, Pair

x = np.linspace(0.1, 0.4, 4)
value, grad = fit_grad.misfit_value_and_grad(x, 1.5, 3)
step: float = value + grad.scale
moved = x - 0.1 * grad.x
product = fit_grad.misfit_hvp(x, 1.5, 3, np.ones(4), 0.0)[1].x
stack = [Layer(np.ones((2, 4)), 0.5)]
pair, residuals = fit_grad.layers_fwd(stack, x)
bars = fit_grad.layers_pullback(residuals, pair)
total: float = pair.first + bars[0][0].bias
y, x_bar = fit_grad.in_place_vjp(x, np.ones(3))
(_, squares), kept = fit_grad.both_fwd(x)
x_bar = fit_grad.both_vjp(x, (None, squares))[1] + fit_grad.both_vjp(x, [1.0, None])[1]
x_bar += fit_grad.both_pullback(kept, (None, squares))[0]
curvature = fit_grad.waves_hessian(x)
change: float = fit_grad.grown_jvp(x, 2, np.ones(4))[1]
print(step, moved, product, total, y + x_bar[1:], curvature, change, Pair(1.0, x))
""",
}


@pytest.fixture(scope="module", params=["imported", "vendored"])
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param)
    for name, text in CASES.items():
        (folder / name).write_text(text.lstrip())
    vendor = ["--vendor"] if request.param == "vendored" else []
    command = [sys.executable, "-m", "mooncake_transpiler", "fit.py", ".", *vendor]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


def test_the_program_runs(project: Path) -> None:
    run = [sys.executable, "use.py"]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    subprocess.run(run, cwd=project, env=env, check=True, capture_output=True)


def test_mypy_finds_nothing(project: Path) -> None:
    run = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "."]
    env = {**os.environ, "MYPYPATH": str(ROOT / "runtime")}
    found = subprocess.run(run, cwd=project, env=env, check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout


@pytest.mark.skipif(shutil.which("pyright") is None, reason="pip install -e '.[checkers]'")
def test_pyright_finds_nothing(project: Path) -> None:
    run = ["pyright", "--pythonpath", sys.executable, "."]
    found = subprocess.run(run, cwd=project, check=False, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout
