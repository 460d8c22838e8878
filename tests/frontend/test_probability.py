"""Distributions that are written out: SciPy's values, at the edges of their support, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special
import scipy.stats
from mooncake_transpiler.frontend.lower.written import library_source, probability

X = np.array([-2.0, -0.3, 0.0, 0.2, 0.5, 1.0, 1.7, 4.0, 30.0, np.inf, -np.inf, np.nan])
K = np.array([-1.0, 0.0, 1.0, 2.0, 2.5, 7.0, 40.0, np.nan])
SHAPES: dict[str, tuple[tuple[float, ...], ...]] = {
    "gamma": ((0.7,), (1.0,), (3.5,), (-1.0,)), "chi2": ((2.0,), (4.5,), (0.0,)), "expon": ((),),
    "lognorm": ((0.8,), (-1.0,)), "weibull_min": ((0.8,), (1.0,), (2.5,)), "halfnorm": ((),),
    "rayleigh": ((),), "invgamma": ((1.5,),), "pareto": ((2.5,),), "uniform": ((),),
    "beta": ((0.7, 2.0), (1.0, 1.0), (3.0, 0.5), (-1.0, 1.0)), "t": ((1.0,), (4.5,), (-1.0,)),
    "laplace": ((),), "cauchy": ((),), "logistic": ((),), "gumbel_r": ((),), "norm": ((),),
}  # fmt: skip
MASSES: dict[str, tuple[tuple[float, ...], ...]] = {
    "poisson": ((0.4,), (3.5,), (-1.0,)), "bernoulli": ((0.3,), (1.5,)),
    "binom": ((7, 0.3), (2, 0.0), (3, 1.0), (2.5, 0.3)), "nbinom": ((2.5, 0.3), (1.0, 0.9)),
}  # fmt: skip


@pytest.fixture(autouse=True)
def special(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probability, "special", scipy.special)


def written() -> list[tuple[str, str]]:
    """The names of distributions, and of their functions."""
    names = (n for n, text in library_source.functions().items() if text is probability)
    found = (n.removeprefix("scipy_stats_").rpartition("_") for n in names if n[0] != "_")
    return [(name, function) for name, _, function in found]


def both(name: str, function: str) -> tuple[Any, Any]:
    own = getattr(probability, f"scipy_stats_{name}_{function}")
    return own, getattr(getattr(scipy.stats, name), function)


def test_each_distribution_has_a_case() -> None:
    known = {*SHAPES, *MASSES, "multivariate_normal"}
    assert {name for name, _ in written()} == known


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("name", "function"), written())
def test_values_are_those_of_scipy(name: str, function: str) -> None:
    if name == "multivariate_normal":
        pytest.skip("has a test of its own")
    own, theirs = both(name, function)
    places = K if name in MASSES else np.linspace(-0.1, 1.1, 9) if function == "ppf" else X
    ends = [(0.0,), (0.4,)] if name in MASSES else [(0.0, 1.0), (0.3, 2.5), (0.0, -1.0)]
    for shape in {**SHAPES, **MASSES}[name]:
        for end in ends:
            expected = theirs(places, *shape, *end)
            got = own(places, *shape, *end)
            np.testing.assert_allclose(got, expected, rtol=1e-11, atol=1e-300)
            for place, one in zip(places, expected, strict=True):
                np.testing.assert_allclose(own(place, *shape, *end), one, rtol=1e-11, atol=1e-300)


def test_vectors_are_those_of_scipy() -> None:
    draw = np.random.default_rng(0)
    root = draw.normal(size=(3, 3))
    mean, cov = draw.normal(size=3), root @ root.T + 0.1 * np.eye(3)
    for x in (draw.normal(size=3), draw.normal(size=(5, 3))):
        for function in ("logpdf", "pdf"):
            own, theirs = both("multivariate_normal", function)
            np.testing.assert_allclose(own(x, mean, cov), theirs(x, mean, cov), rtol=1e-10)
