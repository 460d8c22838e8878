"""A module with functions over NumPy's arrays and functions over CuPy's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cuda import compiler, standin
from tests.cuda.comparing import assert_equal, on_device, on_host
from tests.helpers.transpile import Refusal, gradient_text, module, refusals

HEAD = """from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cupy as cp
import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Float64

@dataclass
class Physics:
    g: float
    k: int

def _square(x):
    return x * x

"""

# The same function twice; helpers and the class of numbers are shared.
FUNCTION = """
def {2}(x: Float64[{1}.ndarray, "n m"], p: Physics, *, s: float = 0.5) -> {0}:
    return {1}.sum(_square({1}.sin(x * p.g)) * s)
"""

NUMBERS = """
def entry(cp: float) -> float:
    return _square(cp)
"""

SOURCE = (
    HEAD
    + FUNCTION.format('Float64[cp.ndarray, ""]', "cp", "on_device")
    + NUMBERS
    + FUNCTION.format("float", "np", "on_host")
)


@pytest.fixture(scope="module")
def text() -> str:
    return gradient_text(SOURCE)


@pytest.mark.skipif(compiler.GXX is None, reason="g++, which runs the kernels, is not installed")
@pytest.mark.parametrize("mode", ["value_and_grad", "jvp"])
def test_each_as_if_alone(text: str, mode: str) -> None:
    with standin.installed():
        program = module(SOURCE, "program").__dict__
        found = module(text, "both_grad").__dict__
        x, physics = np.random.default_rng(0).normal(size=(3, 50)), program["Physics"](1.3, 2)
        more = (np.ones_like(x), program["Physics"](0.5, 0)) if mode == "jvp" else ()
        keyword = {"s_dot": 2.0} if mode == "jvp" else {}
        of_host = found[f"on_host_{mode}"](x, physics, *more, s=0.5, **keyword)
        of_device = found[f"on_device_{mode}"](
            on_device(x), physics, *map(on_device, more), s=0.5, **keyword
        )
        assert_equal(on_host(_flat(of_device)), on_host(_flat(of_host)), 1e-12)
        assert found["entry_value_and_grad"](3.0) == (9.0, 6.0)


def _flat(value: object) -> object:
    """Tuples as such, whatever their classes are called."""
    return tuple(map(_flat, value)) if isinstance(value, tuple) else value


def test_functions_of_one_library_stay_as_they_are(text: str) -> None:
    """Of the host, that is: the other ones are behind them."""
    alone = gradient_text(HEAD + NUMBERS + FUNCTION.format("float", "np", "on_host"))
    functions = alone.partition("\n\n\n")[2].rstrip()
    assert functions in text


def test_formatted(text: str, tmp_path: Path) -> None:
    file = tmp_path / "both_grad.py"
    file.write_text(text)
    ruff = [sys.executable, "-m", "ruff"]
    own = 'lint.isort.known-first-party = ["program"]'
    for command in (["format", "--check"], ["check", "--select", "E,F,I", "--config", own]):
        done = subprocess.run(
            [*ruff, *command, "--isolated", str(file)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_mixing_is_an_error_with_both_places() -> None:
    """In a function, and in a helper that names one of them."""
    mixed = HEAD + (
        "def f(x: Float64[cp.ndarray, 'n']) -> Float64[cp.ndarray, '']:\n"
        "    return cp.sum(_helper(x))\n\n"
        "def _helper(x):\n"
        "    return np.sin(x)\n"
    )
    (problem,) = refusals(mixed)
    assert problem.code == "MK600"
    assert "cp.ndarray (program.py:20)" in problem.message
    assert "np.sin (program.py:24)" in problem.message


EITHER = """
def _weights(z):
    xp = cp.get_array_module(z)
    e = xp.exp(z - xp.max(z))
    e *= 2.0
    return e / xp.sum(e)

def device(x: Float64[cp.ndarray, "n"]) -> Float64[cp.ndarray, ""]:
    return cp.sum(_weights(x) ** 2)

def host(x: Float64[np.ndarray, "n"]) -> float:
    return cp.get_array_module(x).sum(_weights(x) ** 2)
"""


@pytest.mark.skipif(compiler.GXX is None, reason="g++, which runs the kernels, is not installed")
def test_module_of_arrays() -> None:
    """A helper for both libraries, which asks what it is given."""
    found = gradient_text(HEAD + EITHER)
    x = np.random.default_rng(0).normal(size=40)
    with standin.installed():
        both = module(found, "either_grad").__dict__
        host, device = both["host_value_and_grad"](x), both["device_value_and_grad"](on_device(x))
        assert_equal(on_host(device), host, 1e-12)
    p = np.exp(x) / np.sum(np.exp(x))
    assert_equal(host, (np.sum(p**2), 2 * p * (p - np.sum(p**2))), 1e-12)


ASKING = """
def _on_host(x):
    return np.sum(x)

def {2}(x: Float64[{1}.ndarray, "n"]) -> {0}:
    xp = cp.get_array_module(x)
    if {3}:
        return _on_host(x) if xp is np else xp.sum(x)
    return {1}.sum(x * x)
"""
ASKED = {
    "xp is np": "host", "xp == cp": "device", "np is not xp": "device", "cp != xp": "host",
}  # fmt: skip


@pytest.mark.parametrize("test", ASKED)
def test_asking_for_the_module(test: str) -> None:
    """The branch for the other library is left out, whatever it calls."""
    for library, number in (("cp", 'Float64[cp.ndarray, ""]'), ("np", "float")):
        text = gradient_text(HEAD + ASKING.format(number, library, "f", test))
        value = text.partition("def f_jvp")[0]
        assert ("x * x" not in value) == ((ASKED[test] == "host") == (library == "np"))


def test_a_helper_of_both_is_not_told() -> None:
    text = HEAD + (
        "def _total(x):\n"
        "    return np.sum(x) if cp.get_array_module(x) is np else cp.sum(x * x)\n\n"
        "def f(x: Float64[cp.ndarray, 'n']) -> Float64[cp.ndarray, '']:\n"
        "    return _total(cp.sin(x))\n"
    )
    with pytest.raises(Refusal, match="MK343"):
        gradient_text(text)


def test_module_of_a_number_is_not_told() -> None:
    """``cp.get_array_module(s)`` of Python's float is NumPy."""
    text = HEAD + (
        "def f(x: Float64[cp.ndarray, 'n'], s: float) -> Float64[cp.ndarray, '']:\n"
        "    return cp.sum(x) * cp.get_array_module(s).exp(s)\n"
    )
    with pytest.raises(Refusal, match="MK343"):
        gradient_text(text)


def test_numbers_with_two_names_beside_a_local_module() -> None:
    text = HEAD + (
        "def f(x: Float64[cp.ndarray, 'n']) -> Float64[cp.ndarray, '']:\n"
        "    s = cp.sum(x)\n"
        "    t = s\n"
        "    xp = cp.get_array_module(x)\n"
        "    s += 1.0\n"
        "    return xp.sum(x) * t\n"
    )
    with pytest.raises(Refusal, match="MK602"):
        gradient_text(text)


def test_numbers_that_a_pattern_binds_may_be_changed_in_place() -> None:
    """CuPy's numbers are arrays: ``t`` changes with ``s``."""
    changed = HEAD + (
        "def f(x: Float64[cp.ndarray, 'n']) -> Float64[cp.ndarray, '']:\n"
        "    s = 0\n"
        "    match cp.sum(x):\n"
        "        case s:\n"
        "            pass\n"
        "    t = s\n"
        "    s += 1\n"
        "    return t * cp.sum(x)\n"
    )
    caught = refusals(changed)
    assert [problem.code for problem in caught] == ["MK602"]


def test_random_numbers_are_passed() -> None:
    text = HEAD + (
        "def f(x: Float64[cp.ndarray, 'n']) -> Float64[cp.ndarray, '']:\n"
        "    return cp.sum(x * cp.random.default_rng(1).normal(size=3))\n"
    )
    with pytest.raises(Refusal, match="MK194"):
        gradient_text(text)


CHANGED_IN_PLACE = {
    "an array with two names": "    y = x.copy()\n    z = y\n    y += a\n    return cp.sum(z)\n",
    "an array of a type alias": "    x = x.copy()\n    x += a\n    return cp.sum(x)\n",
    "what is stored": "    y = x.copy()\n    for i in range(x.shape[0]):\n"
    "        s = 0.0\n        s += x[i]\n        y[i] = s if s > 0 else a * s\n"
    "    return cp.sum(y)\n",
    "what is returned": "    s = cp.sum(x)\n    s += a\n    return s if a > 0 else s * a\n",
    "a number of Python's": "    t = 0.0\n    u = t\n    t += a\n    return cp.sum(x) * t + u\n",
}


@pytest.mark.parametrize("what", CHANGED_IN_PLACE)
def test_what_is_no_number_of_cupys_is_changed_in_place(what: str) -> None:
    header = (
        "Vec = Float64[cp.ndarray, 'n']\n\ndef f(x: Vec, a: float) -> Float64[cp.ndarray, '']:\n"
    )
    assert "f_grad" in gradient_text(HEAD + header + CHANGED_IN_PLACE[what])


def test_numbers_with_two_names_in_a_helper() -> None:
    """It names no library, and is read where it is called."""
    text = HEAD + (
        "def helper(s, a):\n    t = s\n    s += a\n    return s * t\n\n"
        "def f(x: Float64[cp.ndarray, 'n'], a: float) -> Float64[cp.ndarray, '']:\n"
        "    return helper(cp.sum(x), a)\n"
    )
    with pytest.raises(Refusal, match="MK602"):
        gradient_text(text)
    assert "f_grad" in gradient_text(
        text.replace("helper(cp.sum(x), a)", "cp.sum(x) * helper(a, a)")
    )
