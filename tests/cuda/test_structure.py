"""The work of a GPU: launches, memory, and no waiting."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from mooncake_runtime import device_runs

from tests.conftest import Golden
from tests.cuda import standin
from tests.cuda.comparing import on_device
from tests.cuda.conftest import Programs
from tests.cuda.programs import INPUTS
from tests.helpers.transpile import gradient_text

EXPECTED = Path(__file__).parent / "expected"
EXAMPLE = """import cupy as cp
from jaxtyping import Float64


def loss(
    x: Float64[cp.ndarray, "n m"], b: Float64[cp.ndarray, "m"], s: float
) -> Float64[cp.ndarray, ""]:
    h = cp.exp(cp.sin(x) * b) / (1 + x * x) * s
    return cp.sum(h)
"""


def test_golden(golden: Golden) -> None:
    golden(EXPECTED / "loss_grad.py.txt", gradient_text(EXAMPLE))


def test_one_kernel_for_value_and_gradient(both: Programs) -> None:
    """``sum(exp(sin(x) * y))``: one kernel and the sum of the blocks; no array of the value."""
    args = map(on_device, INPUTS["sum_sin"](np.random.default_rng(0)))
    standin.counts.clear()
    both.device.__dict__["sum_sin_value_and_grad"](*args)
    assert dict(standin.counts) == {"allocations": 4, "launches": 2}  # x_bar, y_bar, sums, total


def test_nothing_is_launched_for_empty_arrays(both: Programs) -> None:
    """But what CuPy itself does for the sum of no blocks."""
    for name, more in (("chain", 0), ("sum_sin", 1)):
        args = [on_device(np.empty(0)) for _ in INPUTS[name](np.random.default_rng(0))]
        y, _ = both.device.__dict__[f"{name}_fwd"](*args)
        standin.counts.clear()
        both.device.__dict__[f"{name}_vjp"](*args, y)
        assert standin.counts["launches"] == more
        both.device.__dict__[f"{name}_jvp"](*args, *args)
        assert standin.counts["launches"] <= 3 * more


LAUNCHES = {
    "row": 3, "mean": 3, "column": 3, "chosen": 2, "clipped": 2, "helped": 2, "mixed": 2,
    "counted": 2, "logistic": 5, "two_sums": 7, "differences": 4, "mlp": 19, "rolled": 28,
    "cross_entropy": 7, "heat": 35, "labelled": 7, "bounded": 2, "counted_off": 15, "highest": 6,
}  # fmt: skip


@pytest.mark.parametrize("name", LAUNCHES)
def test_launches(both: Programs, name: str) -> None:
    """No more launches than these, and no waiting for the device."""
    args = map(on_device, INPUTS[name](np.random.default_rng(0)))
    standin.counts.clear()
    both.device.__dict__[f"{name}_value_and_grad"](*args)
    assert standin.counts["launches"] <= LAUNCHES[name]
    assert standin.counts["synchronisations"] == 0


@pytest.mark.parametrize("name", ["adaptive", "limited", "until", "line_search", "nested"])
def test_pullbacks_know_which_way_was_taken(both: Programs, name: str) -> None:
    """Numbers that the forward sweep has waited for stay on the host."""
    x, *numbers = INPUTS[name](np.random.default_rng(1))
    y, residuals = both.device.__dict__[f"{name}_fwd"](on_device(x), *numbers)
    standin.counts.clear()
    both.device.__dict__[f"{name}_pullback"](residuals, on_device(np.ones(y.shape)))
    assert standin.counts["synchronisations"] == 0


def test_no_double_precision_in_single(emitted: str) -> None:
    """Kernels over float32 alone have no literal and no variable of float64."""
    kernels = re.findall(r"ElementwiseKernel\(\n(.*?)\n\)\n", emitted, re.DOTALL)
    single = [text for text in kernels if "float32" in text and "float64" not in text]
    assert single
    for text in single:
        assert "double" not in text
        code = re.sub("//.*", "", text)
        assert not re.search(r"\d\.\d+(e[+-]?\d+)?(?![\df])", code)


def test_fixed_order(emitted: str) -> None:
    """Atomics are left for integers alone, which come out the same in any order."""
    kernels = re.findall(r"ElementwiseKernel\(\n(.*?)\n\)\n", emitted, re.DOTALL)
    for text in kernels:
        assert text.count("atomicAdd") == text.count("atomicAdd((unsigned long long*)&")
    assert "add_at(" in emitted


@pytest.mark.parametrize("name", ["stored", "rows_stored", "pairs_stored"])
def test_places_are_sorted_once(both: Programs, name: str) -> None:
    """The reverse sweep knows the order that the forward sweep has found, and all is parallel."""
    function = both.text.partition(f"def {name}_vjp(")[2].partition("@entry")[0]
    assert function.count("runs(places)") == 1
    assert "size=1)" not in function


def test_long_runs_are_added_up_by_parts() -> None:
    """A million terms for one place are not one thread's."""
    draw = np.random.default_rng(0)
    terms, places = draw.normal(size=(3000, 2)), draw.integers(0, 3, size=3000)
    base = np.zeros((3, 2))
    with standin.installed():
        given = standin.ndarray(places)
        order, starts, _ = device_runs.runs(given)
        standin.counts.clear()
        device_runs.add_at(standin.ndarray(base), given, order, starts, standin.ndarray(terms))
    assert standin.counts["launches"] == 3
    wanted = np.zeros((3, 2))
    np.add.at(wanted, places, terms)
    np.testing.assert_allclose(base, wanted, rtol=1e-12)


def test_same_bits(both: Programs) -> None:
    """A gradient of indexing is the same, whatever order the threads ran in."""
    x, i = np.random.default_rng(0).normal(size=5), np.asarray([2, 0, 0, 2, 0])
    found = [both.device.__dict__["gathered_grad"](*map(on_device, (x, i))) for _ in range(2)]
    assert np.array_equal(found[0].held, found[1].held)


def test_formatted(emitted: str, tmp_path: Path) -> None:
    """Formatters and linters leave the text alone."""
    file = tmp_path / "program_grad.py"
    file.write_text(emitted)
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["format", "--check", "--isolated"], ["check", "--isolated", "-q"]):
        done = subprocess.run([*ruff, *command, str(file)], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
