"""Fit the length scale, amplitude and noise of a Gaussian process by maximum likelihood.

The data are drawn from a process with known parameters. Run it with the name of a picture file
(default: gp_fit.png).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pictures import save
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parent / "programs"))
from gp import covariance
from gp_grad import negative_log_likelihood_value_and_grad

Floats = NDArray[np.float64]

TRUE = np.log([0.7, 1.5, 0.3])  # length scale, amplitude, noise


@dataclass(frozen=True, slots=True)
class Fit:
    x: Floats
    y: Floats
    start: float  # log likelihoods
    best: float
    theta: Floats

    def predict(self, at: Floats) -> tuple[Floats, Floats]:
        """Mean and standard deviation of the process at new points."""
        noise = np.exp(2.0 * self.theta[2]) * np.eye(self.x.size)
        factor = cho_factor(covariance(self.theta, self.x, self.x) + noise)
        across = covariance(self.theta, self.x, at)
        mean: Floats = across.T @ cho_solve(factor, self.y)
        explained = np.sum(across * cho_solve(factor, across), axis=0)
        return mean, np.sqrt(np.exp(2.0 * self.theta[1]) - explained)


def observations(count: int = 150) -> tuple[Floats, Floats]:
    """Noisy values of a function drawn from the process with the parameters ``TRUE``."""
    rng = np.random.default_rng(3)
    x = np.sort(rng.uniform(0.0, 12.0, size=count))
    spread = covariance(TRUE, x, x) + np.exp(2.0 * TRUE[2]) * np.eye(count)
    return x, np.linalg.cholesky(spread) @ rng.normal(size=count)


def fit() -> Fit:
    x, y = observations()
    start = np.zeros(3)
    found = minimize(
        negative_log_likelihood_value_and_grad, start, args=(x, y), jac=True, method="L-BFGS-B"
    )
    before, _ = negative_log_likelihood_value_and_grad(start, x, y)
    return Fit(x, y, -before, -float(found.fun), found.x)


def draw(result: Fit, figure: Any) -> None:
    at = np.linspace(-1.0, 13.0, 400)
    mean, deviation = result.predict(at)
    axes = figure.subplots()
    axes.fill_between(
        at, mean - 2.0 * deviation, mean + 2.0 * deviation, alpha=0.25, label="two deviations"
    )
    axes.plot(at, mean, label="prediction")
    axes.plot(result.x, result.y, "k.", markersize=3, label="observations")
    axes.set(xlabel="x", ylabel="y")
    axes.legend(loc="upper right", fontsize="small")


if __name__ == "__main__":
    result = fit()
    print(f"log likelihood {result.start:.2f} at the start, {result.best:.2f} after the fit")
    for name, log_found, log_true in zip(
        ("length scale", "amplitude", "noise"), result.theta, TRUE, strict=True
    ):
        print(f"{name}: {np.exp(log_found):.3f} (the data were made with {np.exp(log_true):.3f})")
    save(lambda figure: draw(result, figure), "gp_fit.png")
