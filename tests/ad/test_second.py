"""Second derivatives and dense ones: ``f_hvp``, ``f_hessian`` and ``f_jacobian``."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.ad.deriving import HEADER
from tests.helpers.processes import python
from tests.helpers.transpile import Modules, compiled, gradient_body, refusals, transpiled

pytestmark = pytest.mark.xdist_group("second")  # the derivatives are made once

SOURCE = """
from dataclasses import dataclass

Steps = Annotated[NDArray[np.float64], "t"]
Cube = Annotated[NDArray[np.float64], "a b c"]


# mooncake: modes=reverse,hvp,hessian
def rosenbrock(x: Vec) -> float:
    s = 0.0
    for i in range(len(x) - 1):
        s += 100.0 * (x[i + 1] - x[i] * x[i]) ** 2 + (1.0 - x[i]) ** 2
    return s


# mooncake: wrt=m modes=reverse,hvp,hessian
def algebra(m: Mat, v: Vec) -> float:
    a = m @ m.T + np.eye(len(v))
    return v @ np.linalg.solve(a, v) + np.linalg.slogdet(a)[1] + np.sum(np.linalg.cholesky(a))


# mooncake: modes=reverse,hvp
def taped(x: float, a: Vec) -> float:
    y = 1.0
    while abs(y * y - x) > 1e-3:
        y = 0.5 * (y + x / y) + 0.01 * np.sum(np.sin(a)) * (y * y - x) ** 2
    return y * np.prod(a)


# mooncake: modes=reverse,hvp
def in_place(x: Vec, a: float) -> float:
    for i in range(1, len(x)):
        x[i] = x[i - 1] * math.sin(x[i]) + a * x[i]
    x[0] *= x[len(x) - 1]
    return np.sum(x * x)


def tree(x: float, n: int) -> float:
    return x if n <= 1 else tree(x, n - 1) * math.cos(x) + tree(x * x, n - 2)


# mooncake: modes=reverse,hvp,hessian,jacobian
def recursive(x: float) -> float:
    return tree(x, 4)


# mooncake: wrt=x modes=reverse,jacobian
def layer(m: Mat, x: Vec) -> Vec:
    return np.tanh(m @ x) * np.sum(x)


# mooncake: wrt=x modes=jacobian
def columns_only(m: Mat, x: Vec) -> Vec:
    return np.tanh(m @ x) * np.sum(x)


# mooncake: modes=reverse,jacobian
def shown(x: Cube) -> Mat:
    return x[0, 1:]


# mooncake: wrt=x modes=reverse,jacobian
def several(m: Mat, x: Vec) -> tuple[Mat, tuple[float, int]]:
    for i in range(len(x) - 1):
        x[i + 1] = x[i] * x[i + 1]
        m[0, 0] += x[i]
    return m * x[0], (m[0, 0] * x[2], len(x))


# mooncake: modes=reverse,jacobian,hessian,hvp
def of_cube(x: Cube) -> float:
    return np.sum(np.sin(x) * x[::-1]) ** 2


@dataclass
class Model:
    k: float
    m: Mat
    label: str
    n: int


# mooncake: modes=reverse,hvp,hessian,jacobian
def of_numbers(x: float, y: float, z: float) -> float:
    return x * y * y + np.sin(z * x)


# mooncake: modes=reverse,hvp,hessian,jacobian
def of_all(x: Vec, y: float, m: Mat) -> float:
    return np.sum(np.sin(m @ np.ones(m.shape[1])) * x) * y + np.sum(x * x * x) + y ** 3


# mooncake: modes=reverse,jacobian
def row_of_all(x: Vec, y: float, m: Mat) -> Vec:
    return np.sin(m @ np.ones(m.shape[1])) * x * y


# mooncake: wrt=p modes=reverse,hvp,hessian,jacobian
def of_object(p: Model, x: Vec) -> float:
    return p.k * p.n * np.sum(p.m ** 3) + np.sum(x) * p.k ** 2


# mooncake: modes=reverse,hvp,hessian,jacobian
def of_known_sizes(x: Annotated[NDArray[np.float64], "3"], y: tuple[float, float]) -> float:
    return x[0] * x[1] * y[0] * x[2] ** 2 + y[1] ** 2 * x[0]


# mooncake: modes=reverse,jacobian
def several_of_several(x: Vec, y: float) -> tuple[Vec, float, int]:
    x[0] *= y
    return x * y, np.sum(x) * y * y, 3


# mooncake: modes=reverse,jacobian
def curve(t: float) -> Steps:
    out = np.zeros(3)
    for k in range(3):
        out[k] = t ** k
    return out
"""

Maker = Callable[[np.random.Generator], tuple[object, ...]]
ARGS: dict[str, Maker] = {
    "rosenbrock": lambda r: (r.normal(size=19),),
    "algebra": lambda r: (r.normal(size=(4, 4)), r.normal(size=4)),
    "taped": lambda r: (2.2, r.normal(size=3)),
    "in_place": lambda r: (r.normal(size=5), 0.3),
    "recursive": lambda r: (0.7,),
    "layer": lambda r: (r.normal(size=(r.integers(1, 9), 8)), r.normal(size=8)),
    "shown": lambda r: (r.normal(size=(3, r.integers(2, 4), 2)),),
    "several": lambda r: (r.normal(size=(2, 9)), r.normal(size=9)),
    "of_cube": lambda r: (r.normal(size=(2, 3, 2)),),
    "of_numbers": lambda r: (0.3, 0.7, 1.1),
    "of_all": lambda r: (r.normal(size=(n := r.integers(1, 5))), 0.4, r.normal(size=(n, 4))),
    "row_of_all": lambda r: (r.normal(size=(n := r.integers(1, 9))), 0.4, r.normal(size=(n, 2))),
    "of_known_sizes": lambda r: (r.normal(size=3), (0.3, 0.6)),
    "several_of_several": lambda r: (r.normal(size=5), 0.6),
    "curve": lambda r: (0.7,),
}


@pytest.fixture(scope="module")
def modules() -> Modules:
    return transpiled(HEADER + SOURCE)


@pytest.mark.parametrize("name", ARGS)
def test_plain(name: str, modules: Modules) -> None:
    primal, generated = modules
    for seed in range(4):
        args = ARGS[name](np.random.default_rng(seed))
        check_gradients(getattr(primal, name), generated, args)


def test_objects(modules: Modules) -> None:
    """The numbers of an object, and of no other parameter, are in a row."""
    primal, generated = modules
    draw = np.random.default_rng(0)
    args = primal.Model(0.4, draw.normal(size=(2, 3)), "small", 3), draw.normal(size=2)
    check_gradients(primal.of_object, generated, args)
    assert generated.of_object_hessian(*args).shape == (7, 7)
    assert generated.of_object_jacobian(*args).shape == (7,)


@pytest.mark.wide
def test_jitted() -> None:
    primal, generated = transpiled(HEADER + SOURCE, jit=True)
    for name in ("rosenbrock", "in_place", "several", "of_all", "row_of_all"):
        args = ARGS[name](np.random.default_rng(3))
        check_gradients(getattr(primal, name), generated, args)


# In a process of its own: jax has threads, which do not go with the processes of other tests.
JAX = """
import json, sys
import jax, jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
x = jnp.array(json.loads(sys.argv[1]))


def rosenbrock(x):
    return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def algebra(m, v):
    a = m @ m.T + jnp.eye(len(v))
    whole = v @ jnp.linalg.solve(a, v) + jnp.linalg.slogdet(a)[1]
    return whole + jnp.sum(jnp.linalg.cholesky(a))


found = jax.hessian(rosenbrock)(x), jax.hessian(algebra)(x[:16].reshape(4, 4), x[16:])
print(json.dumps([h.tolist() for h in found]))
"""


@pytest.mark.skipif(find_spec("jax") is None, reason="jax is not installed")
def test_against_jax(modules: Modules, tmp_path: Path) -> None:
    _, generated = modules
    x = np.random.default_rng(5).normal(size=20)
    first, second = json.loads(python(JAX, tmp_path, json.dumps(x.tolist())))
    np.testing.assert_allclose(generated.rosenbrock_hessian(x), first, rtol=1e-12)
    found = generated.algebra_hessian(x[:16].reshape(4, 4), x[16:])
    np.testing.assert_allclose(found, second, rtol=1e-9, atol=1e-11)


def test_sizes(modules: Modules) -> None:
    _, generated = modules
    assert generated.layer_jacobian(np.ones((3, 0)), np.ones(0)).shape == (3, 0)
    assert generated.layer_jacobian(np.ones((0, 9)), np.ones(9)).shape == (0, 9)
    assert generated.rosenbrock_hessian(np.ones(0)).shape == (0, 0)
    assert generated.of_cube_hessian(np.ones((2, 0, 3))).shape == (2, 0, 3) * 2
    assert generated.of_cube_jacobian(np.ones((2, 2, 3))).shape == (2, 2, 3)
    assert generated.of_all_hessian(np.ones(0), 0.5, np.ones((0, 2))).shape == (1, 1)
    assert generated.row_of_all_jacobian(np.ones(2), 0.5, np.ones((2, 3))).shape == (2, 9)
    assert generated.of_known_sizes_hessian(np.ones(3), (0.5, 0.5)).shape == (5, 5)
    big, (number, none) = generated.several_jacobian(np.ones((2, 9)), np.ones(9))
    assert (big.shape, number.shape, none) == ((2, 9, 9), (9,), None)
    assert isinstance(generated.recursive_hessian(0.5), float)


@pytest.mark.parametrize("rows", [1, 3, 4, 6, 20])
def test_rows_and_columns_agree(rows: int, modules: Modules) -> None:
    _, generated = modules
    draw = np.random.default_rng(rows)
    m, x = draw.normal(size=(rows, 8)), draw.normal(size=8)
    found, expected = generated.layer_jacobian(m, x), generated.columns_only_jacobian(m, x)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)
    for mode in ("auto", "forward", "reverse"):
        forced = generated.layer_jacobian(m, x, mode=mode)
        np.testing.assert_allclose(forced, expected, rtol=1e-12, atol=1e-13)


def test_unknown_mode(modules: Modules) -> None:
    _, generated = modules
    with pytest.raises(ValueError, match="must be one of 'auto'"):
        generated.layer_jacobian(np.ones((2, 3)), np.ones(3), mode="backward")


@pytest.mark.parametrize("n", [1, 3, 4])
def test_determinant_of_singular_matrices(n: int) -> None:
    """Equal and vanishing singular values; differences of determinants of parts are exact."""
    _, generated = transpiled(
        HEADER
        + """
# mooncake: modes=reverse,hvp
def volume(m: Mat) -> float:
    return np.linalg.det(m)
"""
    )
    draw = np.random.default_rng(n)
    v = draw.normal(size=(n, n))
    flat = draw.normal(size=(n, n))
    flat -= flat.mean(0)
    for m in (np.eye(n), np.zeros((n, n)), np.ones((n, n)), flat, draw.normal(size=(n, n))):
        steps = [(t, generated.volume_grad(m + t * v)) for t in (-0.5, 0.5, -1.0, 1.0)]
        # polynomials of degree n - 1 <= 3: this rule is exact
        half, whole = (steps[k + 1][1] - steps[k][1] for k in (0, 2))
        expected = (8.0 * half - whole) / 6.0
        found = generated.volume_hvp(m, v)[1]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_what_has_no_derivative_by_declaration() -> None:
    """Nor has its tangent one: the gradient of ``x * step(x)`` is constant."""
    _, generated = transpiled(
        HEADER
        + """
from mooncake_runtime import nondiff, stop_gradient

@nondiff
def step(x: float) -> float:
    return math.sin(x)

# mooncake: modes=reverse,hvp
def declared(x: float) -> float:
    return x * x * step(x)

# mooncake: modes=reverse,hvp
def stopped(x: Vec) -> float:
    return np.sum(x * stop_gradient(x * x))
"""
    )
    x, v = 0.7, 0.4
    _, product = generated.declared_hvp(x, v)
    assert product == pytest.approx(2.0 * v * np.sin(x), rel=1e-14)
    assert not np.any(generated.stopped_hvp(np.ones(3), np.ones(3))[1])


@pytest.mark.parametrize(
    ("modes", "signature", "result", "code"),
    [
        ("hessian", "x: float, y: Single", "float", "MK411"),
        ("jacobian", "x: list[float]", "float", "MK411"),
        ("hessian", "x: float | None", "float", "MK411"),
        ("hvp", "x: float", "tuple[float, float]", "MK412"),
        ("hessian", "x: Vec", "Vec", "MK412"),
        ("jacobian", "x: complex", "complex", "MK413"),
        ("jacobian", "x: float", "complex", "MK413"),
    ],
)
def test_refused(modes: str, signature: str, result: str, code: str) -> None:
    value = {"float": "0.0", "Vec": "x", "complex": "1j * x"}.get(result, "(x, x)")
    single = 'Single = Annotated[NDArray[np.float32], "n"]\n'
    body = (
        f"{single}# mooncake: modes={modes}\ndef f({signature}) -> {result}:\n    return {value}\n"
    )
    caught = refusals(HEADER + body)
    assert [d.code for d in caught] == [code]


def test_modes_for_all_functions() -> None:
    """Settings for everything hold for the functions that can have them."""
    config = '[tool.mooncake-transpile]\nmodes = ["reverse", "hessian"]\n'
    source = """
def f(x: Vec) -> float:
    return x[0] * x[1]

def g(x: list[float], y: Vec) -> float:
    return x[0] * y[1]

def h(x: Vec) -> Vec:
    return x * x
"""
    text = gradient_body(
        compiled({"pyproject.toml": config, "program.py": HEADER + source})["program"]
    )
    assert [f"def {name}_hessian" in text for name in "fgh"] == [True, False, False]
    assert "def h_vjp" in text
