"""Second derivatives in use: Newton's method for a soap film, Laplace's approximation."""

from __future__ import annotations

import gp
import gp_fit
import gp_laplace
import numpy as np
import soap_film
import surface
import surface_grad
from mooncake_runtime.differences import richardson
from mooncake_runtime.testing import check_gradients


def test_derivatives_of_the_area():
    rng = np.random.default_rng(1)
    check_gradients(
        surface.area, surface_grad, (rng.normal(size=6), rng.normal(size=(4, 5))), wrt=["inner"],
        plain=True,
    )  # fmt: skip


def test_the_film_is_scherks_surface():
    """Halving the cells more than halves the error; products take fewer evaluations."""
    errors = []
    for size in (11, 21):
        found = soap_film.film(soap_film.frame(size))
        assert found.norm < 1e-6
        errors.append(np.max(np.abs(found.inner - soap_film.scherk(size)[1:-1, 1:-1].ravel())))
    assert errors[1] < 0.5 * errors[0] < 0.01
    assert found.evaluations < soap_film.film(soap_film.frame(21), products=False).evaluations


def test_laplace_is_near_the_posterior():
    found = gp_laplace.laplace(100)
    assert found.efficiency > 0.6
    assert np.all(np.abs(found.mean - gp_fit.TRUE) < 2.5 * found.deviation)
    x, y = gp_fit.observations()

    def along(t: float) -> np.ndarray:
        return np.array([gp.negative_log_likelihood(found.mean + np.array((t, 0.0, 0.0)), x, y)])

    def slope(t: float) -> np.ndarray:
        return richardson(lambda h: along(t + h))[0]

    curvature, _ = richardson(slope)
    expected = np.linalg.inv(found.covariance)[0, 0]
    np.testing.assert_allclose(curvature[0], expected, rtol=1e-5)
