"""Linear algebra, polynomials and tests of elements at special points, and what is refused."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
import scipy.linalg

from tests.helpers.transpile import Refusal, compiled, gradient_body, transpiled
from tests.rules.library_programs import HEADER, annotation

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def value(expression: str, x: np.ndarray) -> object:
    """The result of ``expression`` in the generated module, for an array ``x``."""
    return module(expression, x).f_fwd(x)[0]


def module(expression: str, x: np.ndarray) -> ModuleType:
    expected = eval(expression, {"np": np, "scipy": scipy, "x": x})
    kind = annotation(expected) or "float"
    given = f"x: {annotation(x)}"
    return transpiled(f"{HEADER}\n\ndef f({given}) -> {kind}:\n    return {expression}\n")[1]


ZEROS, SINGULAR = np.zeros((2, 2)), np.array([[1.0, 2.0], [2.0, 4.0]])
TIES = np.array([[1.0, -1, 1], [-1, 1, 1], [1, 1, -1], [-1, -1, -1]])


@pytest.mark.parametrize(
    ("expression", "x"),
    [
        *((f"np.linalg.cond(x, {p})", ZEROS) for p in (None, 2, -2, 1, "'fro'", "np.inf")),
        ("np.linalg.cond(x, 1)", SINGULAR),
        ("np.linalg.cond(x, -np.inf)", SINGULAR),
        *((f"np.linalg.vector_norm(x, ord=np.inf, axis={k})", np.zeros((0, 3))) for k in (None, 0)),
        ("np.linalg.vector_norm(x, ord=np.inf, axis=1)", np.zeros((3, 0))),
        *((f"np.linalg.matrix_norm(x, ord={p})", np.zeros((2, 0))) for p in (1, "np.inf", "'fro'")),
        *(
            (f"np.linalg.cond(x, {p})", np.array([[1.0, far], [far, 4.0]]))
            for p in (1, "'fro'", "-np.inf")
            for far in (np.inf, np.nan)
        ),
        ("np.linalg.matrix_rank(x) * 1.0", SINGULAR),
        *(
            (f"np.interp({q}, x[0], x[1])", np.array([points, [1.0, 2.5, 4.0]]))
            for q in (0.5, 1.0, "-np.inf")
            for points in ([-np.inf, 1.0, 2.0], [-np.inf, 0.0, np.inf], [0.0, 1.0, np.inf])
        ),
        ("np.interp(0.5, x[0], x[1])", np.array([[0.0, 1.0], [np.inf, np.inf]])),
        ("np.interp(np.nan, x[0], x[1])", np.array([[1.0], [2.0]])),
        *(
            (
                f"np.histogram(x[0], [0.0, 1.0, 2.0], weights=x[1])[{k}]",
                np.array([[-1.0, 0.5, 1.5, 1.0], [first, second, 2.0, 3.0]]),
            )
            for k in (0, 1)
            for first, second in ((1.0, 2.0), (1.0, np.inf), (np.nan, 1.0), (np.inf, 1.0))
        ),
        ("np.linalg.matrix_rank(x) * 1.0", ZEROS),
        ("np.polymul(x, [1.0, 2.0])", np.array([0.0, 0.0, 3.0, 4.0])),
        ("np.polymul(x, x)", np.zeros(3)),
        ("np.polymul(x, [1.0, 2.0])", np.zeros(0)),
        ("np.polyval(x, np.inf)", np.array([1.0, 2.0])),
        ("np.polydiv(x, [1.0, 1.0])", np.array([1.0, 3.0, 3.0, 1.0])),
        ("np.polydiv([1.0, 0.0, 0.0, 0.0], x)", np.array([1.0, 0.0, 1.0])),
        ("np.polyint(x, 2)", np.zeros(0)),
        ("np.polyder(x, 2)", np.ones(1)),
        ("np.polyfit(x[:, 0], x[:, 1], x.shape[1])", np.array([[1.0, 2], [2, 3], [3, 5], [0, 1]])),
        *((f"scipy.linalg.lu({x})", TIES) for x in ("x", "x.T", "x[:3]", "x[::-1]")),
        *((f"scipy.linalg.lu({x}, True)", TIES) for x in ("x", "x.T")),
        ("scipy.linalg.sqrtm(x)", np.array([[0.0, 1.0], [-1.0, 0.0]])),
        ("np.resize(x, (2, 3))", np.zeros(0)),
        ("np.isin(x, [np.nan, 2.0]) * x", np.array([np.nan, 2.0, 3.0])),
        ("np.isin(x, x[::2]) * x", np.array([np.nan, 2.0, 3.0, 3.0])),
    ],
)
def test_values(expression: str, x: np.ndarray) -> None:
    expected = eval(expression, {"np": np, "scipy": scipy, "x": x})
    found = value(expression, x)
    pairs = (
        zip(found, expected, strict=True) if isinstance(expected, tuple) else ((found, expected),)
    )
    for one, other in pairs:
        np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-15)
        assert np.shape(one) == np.shape(other)


@pytest.mark.parametrize(
    ("expression", "x", "message"),
    [
        ("scipy.linalg.sqrtm(x)", np.diag([1.0, -2.0, 3.0]), "singular, or its square root"),
        ("scipy.linalg.polar(x)[1]", np.ones((2, 3)), "as many rows as columns"),
        ("scipy.linalg.qr(x)[1]", np.ones((3, 2)), "mode='economic'"),
        ("np.polyfit(x, x, 1)", np.zeros(0), "non-empty"),
        ("np.poly(x)", np.zeros(0), "no roots"),
        ("np.linalg.cond(x)", np.zeros((0, 0)), "empty"),
        ("np.apply_along_axis(np.sum, 0, x)", np.zeros((2, 0)), "iteration dimensions"),
        ("np.vectorize(lambda q: q * q)(x)", np.zeros(0), "size 0 inputs unless `otypes` is set"),
        ("np.histogram(x, x)[1]", np.array([1.0, 0.0]), "`bins` must increase monotonically"),
        (
            "x[np.unravel_index(int(x[0]), x.shape)]",
            np.array([2.0, 0.0]),
            "^index 2 is out of bounds for array with size 2$",
        ),
        (
            "np.unravel_index(x.astype(int), (2, 2))[1] * x",
            np.array([3.0, -1.0]),
            "^index -1 is out of bounds for array with size 4$",
        ),
    ],
)
def test_what_raises(expression: str, x: np.ndarray, message: str) -> None:
    fine = np.diag([2.0, 3.0]) if x.ndim == 2 else np.array([1.0, 3.0])
    generated = module(expression, fine)
    with pytest.raises((ValueError, TypeError), match=message):
        generated.f_fwd(x)


@pytest.mark.parametrize(
    "expression",
    ["np.poly(x)[0]", "np.real_if_close(z)[0].real", "np.unstack(x)[0][0]", "np.linalg.cond(t)",
     "np.polyder(v, n)[0]", "np.polyfit(v, v, 1, full=True)[0]",
     "scipy.linalg.qr(x, pivoting=True)[1][0]", "np.apply_along_axis(1.0, 0, x)[0]",
     "np.vectorize(np.sin, '()->()')(v)[0]", "np.linalg.outer(x, v)[0, 0]"],
)  # fmt: skip
def test_what_is_refused(expression: str) -> None:
    kinds = {"x": "_ _", "v": "_", "t": "_ _ _"}
    params = ", ".join(
        f'{k}: Annotated[NDArray[np.float64], "{dims}"]' for k, dims in kinds.items()
    )
    params += ', z: Annotated[NDArray[np.complex128], "_"], n: int'
    source = f"{HEADER}\n\ndef f({params}) -> float:\n    return {expression}\n"
    with pytest.raises(Refusal):
        gradient_body(compiled({"program.py": source})["program"])


def test_polar_where_singular_values_are_equal() -> None:
    """Its derivative does not need them to differ."""
    generated = module("scipy.linalg.polar(x)", np.eye(3))
    seeds = np.zeros((3, 3)), np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
    _, bar = generated.f_vjp(np.eye(3), seeds)
    np.testing.assert_allclose(bar, (seeds[1] + seeds[1].T) / 2, atol=1e-14)
