"""Functions over CuPy's arrays that take and give NumPy's: ``cp.asarray(x)``, ``cp.asnumpy(x)``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from mooncake_transpiler.cli import run

from tests.cuda import backend, compiler, standin
from tests.cuda.comparing import assert_equal, like, on_device, on_host
from tests.helpers.transpile import Modules, gradient_text, module, refusals

HEAD = """from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import {} as xp

if TYPE_CHECKING:
    from jaxtyping import Float64
"""

SOURCE = """
# mooncake: modes=reverse,forward,hvp,hessian
def loss(x: Float64[np.ndarray, "n"], y: Float64[np.ndarray, "n"]) -> float:
    y = xp.asarray(y)
    d = xp.asarray(x) * y
    return float(xp.sum(xp.sin(d)))

# mooncake: modes=reverse,forward,jacobian
def rows(x: Float64[np.ndarray, "n m"], s: float) -> Float64[np.ndarray, "n"]:
    x = xp.asarray(x)
    return xp.asnumpy(xp.sum(xp.exp(x * s), axis=1))

# mooncake: modes=reverse,forward
def both(x: Float64[np.ndarray, "n"], w: Float64[xp.ndarray, "n"]) -> Float64[xp.ndarray, "n"]:
    d = xp.asarray(x)
    d *= w
    return xp.sin(d)

# mooncake: modes=reverse,forward
def given(w: Float64[xp.ndarray, "n"]) -> Float64[np.ndarray, "n"]:
    return xp.asnumpy(w)
"""
NAMES = {"loss": "nn", "rows": "nn", "both": "nd", "given": "d"}  # of NumPy, of the device


@pytest.fixture(scope="module")
def sides() -> Iterator[Modules]:
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")
    host = HEAD.format("numpy") + re.sub(r"xp\.as(numpy|array)", "np.array", SOURCE)
    with standin.installed():
        device = module(gradient_text(HEAD.format("cupy") + SOURCE), "device_hand_over")
        yield device, module(gradient_text(host), "host_hand_over")


def _arguments(name: str) -> tuple[Any, ...]:
    draw = np.random.default_rng(1)
    match name:
        case "rows":
            return draw.normal(size=(7, 3)), 0.7
        case "given":
            return (draw.normal(size=300),)
        case _:
            return draw.normal(size=300), draw.normal(size=300)


def _on_device(value: Any) -> bool:
    return backend.is_array(value)


def _called(sides: Any, name: str, mode: str, more: tuple[Any, ...], kinds: str) -> Any:
    """The result on the device; it is the one of the host, and NumPy's arrays are kept."""
    device, host = sides
    args = (*_arguments(name), *more)
    given = [on_device(a) if k == "d" else a for a, k in zip(args, kinds, strict=True)]
    found = getattr(device, f"{name}_{mode}")(*given)
    assert_equal(on_host(found), getattr(host, f"{name}_{mode}")(*args), 1e-12)
    for value, kept in zip(given, _arguments(name), strict=False):
        np.testing.assert_array_equal(backend.held(value), kept)
    return found


def test_gradients_are_where_parameters_are(sides: Any) -> None:
    value, grad = _called(sides, "loss", "value_and_grad", (), "nn")
    assert type(value) is float
    assert isinstance(grad.x, np.ndarray)
    assert isinstance(grad.y, np.ndarray)
    value, grad = _called(sides, "rows", "vjp", (np.ones(7),), "nnn")
    assert isinstance(value, np.ndarray)
    assert isinstance(grad.x, np.ndarray)
    assert type(grad.s) is float
    value, grad = _called(sides, "both", "vjp", (np.ones(300),), "ndd")
    assert _on_device(value)
    assert isinstance(grad.x, np.ndarray)
    assert _on_device(grad.w)
    value, grad = _called(sides, "given", "vjp", (np.ones(300),), "dn")
    assert isinstance(value, np.ndarray)
    assert _on_device(grad)


@pytest.mark.parametrize("name", NAMES)
def test_forward_mode(sides: Any, name: str) -> None:
    draw = np.random.default_rng(2)
    more = tuple(on_host(like(a, draw)) for a in _arguments(name))
    _called(sides, name, "jvp", more, NAMES[name] * 2)
    if name == "loss":
        _called(sides, name, "hvp", more, NAMES[name] * 2)


def test_two_halves(sides: Any) -> None:
    device, host = sides
    args = _arguments("rows")
    value, residuals = device.rows_fwd(*args)
    wanted, kept = host.rows_fwd(*args)
    assert_equal(value, wanted, 1e-12)
    found = device.rows_pullback(residuals, np.ones(7))
    assert_equal(found, host.rows_pullback(kept, np.ones(7)), 1e-12)
    assert isinstance(found[0], np.ndarray)


def test_dense_derivatives(sides: Any) -> None:
    small = np.linspace(0.1, 1, 4), np.linspace(1, 2, 4)
    device, host = sides
    found = device.loss_hessian(*small)
    assert_equal(found, host.loss_hessian(*small), 1e-12)
    found = device.rows_jacobian(*_arguments("rows"))
    assert_equal(found, host.rows_jacobian(*_arguments("rows")), 1e-12)


def test_waits(sides: Any) -> None:
    """The host waits for what it is given: one number, two gradients."""
    standin.counts.clear()
    sides[0].loss_value_and_grad(*_arguments("loss"))
    assert backend.on_gpu() or standin.counts["synchronisations"] == 3


def test_other_arguments_are_refused(sides: Any) -> None:
    x = np.ones(3)
    with pytest.raises(TypeError, match="parameter 'w' must be a float64 array of rank 1 of CuPy"):
        sides[0].both_vjp(x, x, on_device(x))
    with pytest.raises(TypeError, match=r"parameter 'x' must be .* got a float32 array"):
        sides[0].both_vjp(x.astype("float32"), on_device(x), on_device(x))


def test_waits_are_listed(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    file, shown = tmp_path / "m.py", []
    file.write_text(HEAD.format("cupy") + SOURCE)
    monkeypatch.setattr("mooncake_transpiler.terminal.console.show", shown.append)
    assert run(["list", str(file)]) == 0
    lines = [line for line in "".join(shown).splitlines() if "what it gives to NumPy" in line]
    assert any("value_and_grad" in line for line in lines)


REFUSED = {
    "used otherwise": (
        'x: Float64[np.ndarray, "n"]', "cp.sum(cp.asarray(x)) + x[0]", "MK600",
    ),
    "twice": ('x: Float64[np.ndarray, "n"]', "cp.sum(cp.asarray(x) * cp.asarray(x))", "MK600"),
    "again and again": (
        'x: Float64[np.ndarray, "n"]', "sum([cp.sum(cp.asarray(x)) for _ in range(3)])", "MK600",
    ),
    "later": ('x: Float64[np.ndarray, "n"]', "(lambda: cp.sum(cp.asarray(x)))()", "MK600"),
    "to and fro": (
        'x: Float64[cp.ndarray, "n"]', "cp.sum(cp.asarray(cp.asnumpy(cp.sin(x))))", "MK610",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what: str) -> None:
    params, value, code = REFUSED[what]
    head = "import cupy as cp\nimport numpy as np\nfrom jaxtyping import Float64\n"
    refused = refusals(f'{head}def f({params}) -> Float64[cp.ndarray, ""]:\n    return {value}\n')
    assert [found.code for found in refused] == [code]
