"""Compositions of modes: derivatives of derivatives, of second and third order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime import tangents
from mooncake_runtime.testing import check_gradients
from mooncake_transpiler.diagnostic.diagnostics import Refused

from tests.ad.deriving import HEADER, derivatives_of_body
from tests.helpers.transpile import compiled, gradient_body, gradient_text, module, transpiled

pytestmark = pytest.mark.xdist_group("orders")  # the derivatives are made once

PROGRAMS = Path(__file__).with_name("order_programs.py")
SECOND = [f"{a}-over-{b}" for a in ("reverse", "forward") for b in ("reverse", "forward")]

Maker = Callable[[np.random.Generator], tuple[object, ...]]
ARGS: dict[str, Maker] = {
    "valley": lambda r: (r.normal(size=5),),
    "in_place": lambda r: (r.normal(size=4), 0.3),
    "overlapping": lambda r: (r.normal(size=4), r.normal(size=4)),
    "stacks": lambda r: (2.2, r.normal(size=3)),
    "work_arrays": lambda r: (r.normal(size=3),),
    "grows": lambda r: (r.normal(size=3), 0.7),
    "recursive": lambda r: (0.7,),
    "rebinds": lambda r: (0.7, 1.3),
    "resized": lambda r: (r.normal(size=3), 0.7),
    "layer": lambda r: (r.normal(size=(3, 3)), r.normal(size=3)),
    "spectrum": lambda r: (r.normal(size=4) + 1j * r.normal(size=4),),
    "solved": lambda r: (r.normal(size=(3, 3)), r.normal(size=3)),
    "triangular": lambda r: (r.normal(size=(3, 3)) + 3.0 * np.eye(3), r.normal(size=3)),
    "spectral": lambda r: (r.normal(size=(3, 3)) + 3.0 * np.diag((1.0, 2.0, 4.0)),),
}


def derivatives(source: str, modes: Sequence[str]) -> ModuleType:
    """The gradient module of ``source``, plain, with these modes for all functions."""
    listed = ", ".join(f'"{mode}"' for mode in modes)
    config = f"[tool.mooncake-transpile]\nmodes = [{listed}]\n"
    product = compiled({"pyproject.toml": config, "program.py": source})["program"]
    return module(gradient_body(product), "program_grad")


@pytest.fixture(scope="module")
def generated() -> ModuleType:
    return derivatives(PROGRAMS.read_text(), ["reverse", "forward", "hvp", *SECOND])


def subjects(name: str, generated: ModuleType) -> list[tuple[str, tuple[object, ...]]]:
    """The first derivatives that are differentiated again, and their arguments."""
    rng = np.random.default_rng(3)
    args = ARGS[name](rng)
    dots = tangents.direction(args, rng)
    found = [(f"{name}_jvp", (*tangents.copy(args), *dots))]
    found = found if hasattr(generated, f"{name}_jvp") else []
    if hasattr(generated, f"{name}_grad"):
        return [*found, (f"{name}_grad", args)]
    y, _ = getattr(generated, f"{name}_fwd")(*tangents.copy(args))
    return [*found, (f"{name}_vjp", (*args, tangents.cotangent(y, rng)))]


@pytest.mark.parametrize("name", ARGS)
def test_against_differences_of_first_derivatives(name: str, generated: ModuleType) -> None:
    for subject, args in subjects(name, generated):
        check_gradients(getattr(generated, subject), generated, args, coordinates=0)


@pytest.mark.parametrize("name", [name for name in ARGS if name != "layer"])
def test_hessians_are_one_and_symmetric(name: str, generated: ModuleType) -> None:
    """``u H v == v H u``, and both modes over reverse mode give the product of ``f_hvp``."""
    rng = np.random.default_rng(4)
    args = ARGS[name](rng)
    u, v = (list(tangents.direction(args, rng)) for _ in range(2))
    products = []
    for w in (u, v):
        _, expected = getattr(generated, f"{name}_hvp")(*tangents.copy(args), *w)
        y_bar = w[0] if len(w) == 1 else tuple(w)
        _, found = getattr(generated, f"{name}_grad_vjp")(*tangents.copy(args), y_bar)
        _, other = getattr(generated, f"{name}_grad_jvp")(*tangents.copy(args), *w)
        for one in (found, other):
            np.testing.assert_allclose(flat(one), flat(expected), rtol=1e-10, atol=1e-12)
        products.append(flat(expected))
    np.testing.assert_allclose(
        np.dot(flat(u), products[1]), np.dot(flat(v), products[0]), rtol=1e-10, atol=1e-12
    )


def flat(tree: object) -> np.ndarray:
    return np.asarray(tangents.flat(tree))


def test_rules_hold_in_derivatives(generated: ModuleType) -> None:
    """Values behind ``@nondiff`` and ``stop_gradient`` are constant in derivatives of any order."""
    x, y = 0.7, 1.3
    weight = y**3
    sigmoid = 1.0 / (1.0 + math.exp(-x * y))
    slope = sigmoid * (1.0 - sigmoid)
    soft = math.log(1.0 + math.exp(x * y))
    expected = weight * (
        y * y * slope * math.sin(x) + 2.0 * y * sigmoid * math.cos(x) - soft * math.sin(x)
    )
    _, found = generated.ruled_grad_vjp(x, y, (1.0, 0.0))
    assert found.x == pytest.approx(expected, rel=1e-14)
    _, (_, found_y) = generated.ruled_grad_jvp(x, y, 0.0, 1.0)
    assert found_y == pytest.approx(weight * x * x * slope * math.sin(x) + 6.0 * y, rel=1e-14)
    _, both = generated.ruled_jvp_vjp(x, y, 1.0, 0.0, (0.0, 1.0))
    assert both.x == pytest.approx(expected, rel=1e-14)
    assert generated.constant_slope_grad_grad(3.0) == 2.0
    assert generated.constant_slope_hvp(3.0, 1.0) == (33.0, 2.0)
    assert generated.constant_slope_jvp_jvp(3.0, 1.0, 1.0, 0.0)[1] == (33.0, 2.0)
    v = np.array((2.0, -1.0))
    _, product = generated.constants_grad_vjp(np.array((1.0, 3.0)), v)
    np.testing.assert_array_equal(product, (4.0, -6.0))


# ---- third order --------------------------------------------------------------------------------

CUBIC = (
    HEADER
    + """
def f(x: float) -> float:
    return math.sin(2.0 * x) * x + x**4


def g(x: float, k: int) -> float:
    y = 1.0
    while y < 20.0:
        y = y * x + k
    return y
"""
)

# The third derivative by each composition, the first mode first.
THIRD: dict[str, Callable[[ModuleType, float], float]] = {
    "rrr": lambda m, x: m.f_grad_grad_grad(x),
    "frr": lambda m, x: m.f_grad_grad_jvp(x, 1.0)[1],
    "rfr": lambda m, x: m.f_grad_jvp_vjp(x, 1.0, (0.0, 1.0))[1].x,
    "ffr": lambda m, x: m.f_grad_jvp_jvp(x, 1.0, 1.0, 0.0)[1][1],
    "rrf": lambda m, x: m.f_jvp_vjp_vjp(x, 1.0, (0.0, 1.0), ((0.0, 0.0), (1.0, 0.0)))[1].x,
    "frf": lambda m, x: m.f_jvp_vjp_jvp(x, 1.0, (0.0, 1.0), 1.0, 0.0, (0.0, 0.0))[1][1][0],
    "rff": lambda m, x: m.f_jvp_jvp_vjp(x, 1.0, 1.0, 0.0, ((0.0, 0.0), (0.0, 1.0)))[1].x,
    "fff": lambda m, x: m.f_jvp_jvp_jvp(x, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0)[1][1][1],
}
MODES = {"r": "reverse", "f": "forward"}


@pytest.fixture(scope="module")
def cubic() -> ModuleType:
    compositions = ["-over-".join(MODES[letter] for letter in name) for name in THIRD]
    return derivatives(CUBIC, ["reverse", "forward", *SECOND, *compositions])


@pytest.mark.parametrize("name", THIRD)
def test_third_derivative(name: str, cubic: ModuleType) -> None:
    for x in (0.3, -1.1):
        expected = -12.0 * math.sin(2.0 * x) - 8.0 * x * math.cos(2.0 * x) + 24.0 * x
        assert THIRD[name](cubic, x) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("name", ["grad_grad", "grad_jvp", "jvp_vjp", "jvp_jvp"])
def test_third_derivative_of_a_loop(name: str, cubic: ModuleType) -> None:
    """Against differences of the second ones."""
    last: dict[str, tuple[object, ...]] = {
        "grad_grad": (), "grad_jvp": (0.7,), "jvp_vjp": (0.7, (0.3, 0.9)),
        "jvp_jvp": (0.7, 0.2, -0.4),
    }  # fmt: skip
    check_gradients(getattr(cubic, f"g_{name}"), cubic, (1.3, 2, *last[name]))


# ---- conventions --------------------------------------------------------------------------------


def test_perturbations_are_told_apart() -> None:
    """d/dx (x d/dy (x + y)) = 1 and the like: the direction of each derivative is its own."""
    source = (
        HEADER
        + """
def f(x: float, y: float) -> float:
    return x * (x + y)


def curried(x: float, y: float) -> float:
    def inner(z: float) -> float:
        nonlocal x
        x = x * z
        return x + z

    return inner(y) * x
"""
    )
    m = derivatives(source, ["reverse", "forward", *SECOND])
    along_x, along_y, still = (1.0, 0.0), (0.0, 1.0), (0.0, 0.0)
    assert m.f_jvp_jvp(3.0, 5.0, *along_y, *along_x, *still) == ((24.0, 3.0), (11.0, 1.0))
    assert m.f_jvp_jvp(3.0, 5.0, *along_y, *along_y, *still)[1][1] == 0.0
    assert tuple(m.f_grad_vjp(3.0, 5.0, along_y)[1]) == (1.0, 0.0)
    assert tuple(m.f_grad_jvp(3.0, 5.0, *along_x)[1]) == (2.0, 1.0)
    # (x z + z) x z = x**2 z**2 + x z**2
    assert tuple(m.curried_grad_vjp(2.0, 3.0, along_x)[1]) == (18.0, 30.0)
    assert m.curried_jvp_jvp(2.0, 3.0, *along_y, *along_x, *still)[1][1] == 30.0


ZEROS = (
    HEADER
    + """
def residual(x: Vec) -> float:
    return np.sum(np.where(x > 0.5, np.log(x), 0.0) ** 2) + np.sum((np.sqrt(x[1:]) - 1.0) ** 2)
"""
)


def test_second_derivatives_where_the_first_is_zero() -> None:
    """A cotangent that is zero here stays zero; its derivative need not be."""
    m = derivatives(ZEROS, ["reverse", "forward", "hvp", *SECOND])
    x, ones = np.array((0.0, 1.0)), np.ones(2)
    expected = (0.0, 2.0 + 0.5)
    np.testing.assert_array_equal(m.residual_hvp(x, ones)[1], expected)
    np.testing.assert_array_equal(m.residual_grad_vjp(x, ones)[1], expected)
    np.testing.assert_array_equal(m.residual_grad_jvp(x, ones)[1], expected)
    np.testing.assert_array_equal(m.residual_jvp_vjp(x, ones, (0.0, 1.0))[1].x, expected)
    assert m.residual_jvp_jvp(x, ones, ones, np.zeros(2))[1][1] == sum(expected)


def test_arguments_are_found_once_more() -> None:
    """Names of parameters that are taken, classes of derivatives, keywords and defaults."""
    source = (
        HEADER
        + """
from dataclasses import dataclass


@dataclass
class Cell:
    x: float
    rate: Vec
    label: str = "cell"


def f(cell: Cell, x_dot: float) -> float:
    cell.rate[0] *= cell.x
    return np.sum(cell.rate) * x_dot**2 * cell.x


def with_default(x: float, *, scale: float = 2.0) -> float:
    return scale * x**3
"""
    )
    modes = ["reverse", "forward", *SECOND]
    product = compiled({
        "pyproject.toml": f"[tool.mooncake-transpile]\nmodes = {modes}\n", "program.py": source
    })["program"]  # fmt: skip
    primal = module(source, "program")
    m = module(gradient_body(product), "program_grad")
    cell = primal.Cell(0.7, np.array((1.0, 2.0)))
    check_gradients(m.f_grad, m, (cell, 1.5))
    check_gradients(m.f_jvp, m, (cell, 1.5, cell, 0.5))
    _, gradient = m.f_grad_vjp(cell, 1.5, m.f_grad(cell, 1.5))
    assert type(gradient).__name__ == "FGradGrad"
    assert type(gradient.cell).__name__ == "CellBar"
    assert m.with_default_grad_vjp(3.0, (1.0, 0.0))[1] == (36.0, 27.0)
    assert m.with_default_grad_vjp(3.0, (1.0, 0.0), scale=1.0)[1] == (18.0, 27.0)


# ---- refusals and the like ----------------------------------------------------------------------


def test_names_are_those_of_the_mode() -> None:
    source = "# mooncake: modes={}\ndef f(x: Vec) -> {}:\n    return {}\n"
    for modes, result, value, first, last in (
        ("reverse-over-reverse", "float", "np.sum(x)", "f_grad_fwd", "f_grad_vjp"),
        ("reverse-over-reverse", "Vec", "x * x", "f_vjp_fwd", "f_vjp_vjp"),
        ("forward-over-reverse", "float", "np.sum(x)", "f_grad_jvp", "f_grad_jvp"),
        ("forward-over-forward", "Vec", "x * x", "f_jvp_jvp", "f_jvp_jvp"),
    ):
        text = gradient_text(HEADER + source.format(modes, result, value))
        names = [line[4:].partition("(")[0] for line in text.splitlines() if line[:4] == "def "]
        assert (names[0], names[-1]) == (first, last)


def test_reverse_mode_refuses_primitives() -> None:
    """They have no adjoint: that of what they are called by has been lost."""
    with pytest.raises(Refused, match="no rule gives the derivative of matmul"):
        derivatives_of_body("def f(m: Mat, x: Vec) -> Vec:\n    return m @ x\n")


def test_compiled() -> None:
    source, _, rest = PROGRAMS.read_text().partition("def valley")
    stacks = rest[rest.index("def stacks") : rest.index("def work_arrays")]
    _, m = transpiled(f"{source}# mooncake: modes=reverse,reverse-over-reverse\n{stacks}", jit=True)
    for subject, args in subjects("stacks", m):
        check_gradients(getattr(m, subject), m, args, coordinates=0)
