"""Functions of SciPy in programs: how they are imported, their precision, what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from tests.helpers.transpile import Refusal, gradient_text, transpiled

SOURCE = """
import math
from typing import Annotated

import numpy as np
import scipy
import scipy.special as sp
from numpy.typing import NDArray
from scipy.special import expit as sigmoid
from scipy.special import xlogy

Vec = Annotated[NDArray[np.float64], "n"]


def likelihood(x: Vec, y: Vec) -> float:
    p = sigmoid(x)
    return -np.sum(xlogy(y, p) + sp.xlog1py(1.0 - y, -p))


def bessel(x: float) -> float:
    return sp.jv(3, x) * sp.j1(x) + scipy.special.iv(2, x) + sp.i0e(x) + sp.k1e(x)


def order(n: int, x: float) -> float:
    return sp.jn(n, x) + sp.polygamma(n, x) + sp.kn(n, x)


def incomplete(a: float, x: float) -> float:
    return sp.gammainc(a, x) * sp.gammaincc(2.0, a) + sp.betainc(2.0, 3.0, x) + sp.zeta(2.5, a)


def normal(x: float) -> float:
    return sp.log_ndtr(x) + sp.ndtri(0.25 + 0.01 * x) + sp.erfinv(0.1 * x) + math.hypot(x, 2.0, x)


def single(x: Annotated[NDArray[np.float32], "n"]) -> np.float32:
    return np.sum(sp.erf(x) + sp.gammaln(x) + sp.jv(2, x) + sp.log_ndtr(x) + sp.entr(x))


def path(x: float, y: float) -> float:
    return np.logaddexp(np.logaddexp(x, y), -np.inf) + np.modf(x)[0] + math.frexp(y)[0]
"""


@pytest.mark.parametrize("jit", [False, True])
def test_gradients_agree_with_differences(jit: bool) -> None:
    program, module = transpiled(SOURCE, jit=jit)
    x, y = np.array([0.3, -2.0, 3.0]), np.array([0.2, 0.0, 1.0])
    found = module.likelihood_grad(x, y)
    np.testing.assert_allclose(found[0], special.expit(x) - y, rtol=1e-13)
    np.testing.assert_allclose(found[1], -x, rtol=1e-12)
    h = 1e-5
    for name, args in (("bessel", (2.3,)), ("order", (3, 1.7)), ("incomplete", (1.4, 0.6)),
                       ("normal", (0.8,)), ("path", (0.6, 1.7))):  # fmt: skip
        function = getattr(program, name)
        grad = np.atleast_1d(getattr(module, f"{name}_grad")(*args))
        moving = [k for k, arg in enumerate(args) if isinstance(arg, float)]
        for k, slope in zip(moving, grad, strict=True):
            plus, minus = (
                function(*(a + s * (i == k) for i, a in enumerate(args))) for s in (h, -h)
            )
            assert slope == pytest.approx((plus - minus) / (2 * h), rel=1e-8), name


@pytest.mark.parametrize("jit", [False, True])
def test_single_precision_stays_single(jit: bool) -> None:
    x = np.array([0.4, 1.9], np.float32)
    value, found = transpiled(SOURCE, jit=jit)[1].single_value_and_grad(x)
    assert found.dtype == np.float32
    wide = x.astype(np.float64)
    slopes = (2.0 / np.sqrt(np.pi) * np.exp(-(wide**2)) + special.digamma(wide)
              + special.jvp(2, wide) - 1.0 - np.log(wide)
              + np.exp(-0.5 * wide**2) / np.sqrt(2.0 * np.pi) / special.ndtr(wide))  # fmt: skip
    np.testing.assert_allclose(found, slopes, rtol=1e-6)
    whole = special.erf(wide) + special.gammaln(wide) + special.jv(2, wide)
    whole += special.log_ndtr(wide) + special.entr(wide)
    assert value == pytest.approx(whole.sum(), rel=1e-6)


HEAD = "import scipy.special as sp\n\n"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("def f(a: float, x: float) -> float:\n    return sp.betainc(a, 2.0, x)\n", "MK405"),
        ("def f(s: float, x: float) -> float:\n    return sp.zeta(s, x)\n", "MK405"),
        ("def f(a: float, x: float) -> float:\n    return sp.hyp1f1(a, 2.0, x)\n", "MK405"),
        ("def f(v: float, x: float) -> float:\n    return sp.jv(v, x)\n", "MK405"),
        ("def f(v: float, x: float) -> float:\n    return sp.kn(v, x)\n", "MK213"),
        ("def f(x: float) -> float:\n    return sp.hyperu(1.0, 2.0, x)\n", "MK301"),
    ],
)
def test_what_has_no_rule_is_refused(body: str, code: str) -> None:
    with pytest.raises(Refusal, match=code):
        gradient_text(HEAD + body)


def test_unknown_partials_of_constants_do_no_harm() -> None:
    text = (
        HEAD
        + """# mooncake: wrt=x
def f(a: float, x: float) -> float:
    return sp.betainc(a, 2.0, x)
"""
    )
    found = transpiled(text)[1].f_grad(3.0, 0.4)
    assert found == pytest.approx(0.4**2 * 0.6 / special.beta(3.0, 2.0))


def test_infinite_terms_of_a_sum_of_exponentials() -> None:
    text = """
import numpy as np

def f(x: float, y: float) -> float:
    return np.exp(np.logaddexp(x, y))
"""
    found = transpiled(text)[1].f_grad(-np.inf, -np.inf)
    assert tuple(found) == (0.0, 0.0)
