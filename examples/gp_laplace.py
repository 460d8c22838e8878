"""How sure is the fit of the Gaussian process? Laplace's approximation, from one Hessian.

Around its maximum the posterior of the parameters is nearly a normal distribution, whose covariance
is the inverse of the Hessian of minus the log density. Weights of samples drawn from it tell how
near. Run it with the name of a picture file (default: gp_laplace.png).

MacKay, "Information Theory, Inference, and Learning Algorithms" (2003), chapter 27.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from gp_fit import TRUE, Floats, fit
from pictures import save

sys.path.insert(0, str(Path(__file__).parent / "programs"))
from gp import negative_log_likelihood
from gp_grad import negative_log_likelihood_hessian

NAMES = ("length scale", "amplitude", "noise")


@dataclass(frozen=True, slots=True)
class Laplace:
    """A normal distribution of the logarithms; ``weights``: of ``samples`` from it, their sum is 1.

    ``evidence``: the logarithm of the integral of the likelihood over the parameters.
    """

    mean: Floats  # (3,)
    covariance: Floats  # (3, 3)
    evidence: float
    samples: Floats  # (count, 3)
    weights: Floats  # (count,)

    @property
    def deviation(self) -> Floats:
        return np.sqrt(np.diag(self.covariance))

    @property
    def efficiency(self) -> float:
        """1 if the posterior is a normal distribution: samples that count, of all."""
        return float(1.0 / (self.weights.size * np.sum(self.weights**2)))


def laplace(count: int = 400) -> Laplace:
    found = fit()
    hessian = negative_log_likelihood_hessian(found.theta, found.x, found.y)
    covariance = np.linalg.inv(hessian)
    spread = 0.5 * (3 * np.log(2.0 * np.pi) + np.linalg.slogdet(covariance)[1])
    rng = np.random.default_rng(5)
    away = rng.normal(size=(count, 3)) @ np.linalg.cholesky(covariance).T
    logs = np.array([
        0.5 * step @ hessian @ step
        - negative_log_likelihood(found.theta + step, found.x, found.y)
        for step in away
    ])  # fmt: skip
    weights = np.exp(logs - logs.max())
    return Laplace(
        found.theta, covariance, found.best + float(spread), found.theta + away,
        weights / np.sum(weights),
    )  # fmt: skip


def draw(found: Laplace, figure: Any) -> None:
    for axes, (a, b) in zip(figure.subplots(1, 3), ((0, 1), (0, 2), (1, 2)), strict=True):
        shade = found.weights / found.weights.max()
        axes.scatter(found.samples[:, a], found.samples[:, b], c=shade, s=6, cmap="viridis")
        angle = np.linspace(0.0, 2.0 * np.pi, 100)
        factor = np.linalg.cholesky(found.covariance[np.ix_((a, b), (a, b))])
        for radius in (1.0, 2.0):
            ring = found.mean[[a, b], None] + radius * factor @ [np.cos(angle), np.sin(angle)]
            axes.plot(*ring, "k", linewidth=0.8)
        axes.plot(TRUE[a], TRUE[b], "rx")
        axes.set(xlabel=f"log {NAMES[a]}", ylabel=f"log {NAMES[b]}")


if __name__ == "__main__":
    result = laplace()
    for name, mean, deviation, true in zip(NAMES, result.mean, result.deviation, TRUE, strict=True):
        low, high = np.exp(mean - deviation), np.exp(mean + deviation)
        print(f"{name}: {low:.3f} to {high:.3f} (the data were made with {np.exp(true):.3f})")
    print(f"log evidence {result.evidence:.2f}; {result.efficiency:.0%} of the samples count")
    save(lambda figure: draw(result, figure), "gp_laplace.png")
