"""Learn how much to penalise each weight, by the gradient through gradient descent.

A ridge regression with many inputs, most of which mean nothing. Its weights come from 40 steps of
gradient descent; the error on other data is differentiated through all of these, with respect to
the logarithms of the penalties and of the step size, and scipy minimises it. Run it with the name
of a picture file (default: meta_gradient.png).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pictures import save
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parent / "programs"))
from tuning import descended
from tuning_grad import held_out_error_value_and_grad

Floats = NDArray[np.float64]

INPUTS, MEANINGFUL, STEPS = 30, 5, 40


@dataclass(frozen=True, slots=True)
class Data:
    x: Floats
    y: Floats


@dataclass(frozen=True, slots=True)
class Tuned:
    true: Floats  # weights
    before: Floats
    after: Floats
    penalties: Floats
    step: float
    errors: tuple[float, float]  # on data that were used for nothing, before and after


def tune() -> Tuned:
    rng = np.random.default_rng(11)
    true = np.zeros(INPUTS)
    true[:MEANINGFUL] = rng.normal(size=MEANINGFUL) * 2.0
    fitted, other, unseen = (_drawn(rng, true, count) for count in (40, 40, 1000))

    def error(at: Floats) -> tuple[float, Floats]:
        value, grad = held_out_error_value_and_grad(
            at[:-1], at[-1], fitted.x, fitted.y, other.x, other.y, STEPS
        )
        return value, np.append(grad.log_penalties, grad.log_step)

    start = np.append(np.full(INPUTS, np.log(0.1)), np.log(0.1))
    # Descent with the largest penalty and step of these converges: beyond, rounding decides.
    limits = [(-6.0, 1.0)] * INPUTS + [(-4.0, -1.5)]
    found = minimize(error, start, jac=True, method="L-BFGS-B", bounds=limits)
    before, after = (
        descended(np.exp(at[:-1]), float(np.exp(at[-1])), fitted.x, fitted.y, STEPS)
        for at in (start, found.x)
    )
    errors = (_error(unseen, before), _error(unseen, after))
    return Tuned(true, before, after, np.exp(found.x[:-1]), float(np.exp(found.x[-1])), errors)


def _drawn(rng: np.random.Generator, true: Floats, count: int) -> Data:
    x = rng.normal(size=(count, INPUTS))
    return Data(x, x @ true + rng.normal(size=count))


def _error(data: Data, weights: Floats) -> float:
    return float(np.mean((data.x @ weights - data.y) ** 2))


def draw(result: Tuned, figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    inputs = np.arange(INPUTS)
    left.plot(inputs, result.true, "k_", markersize=12, label="true weights")
    left.plot(inputs, result.before, "o", markersize=4, label="one penalty for all")
    left.plot(inputs, result.after, "s", markersize=4, label="penalties learned")
    left.set(xlabel="input", ylabel="weight")
    left.legend(fontsize="small")
    right.semilogy(inputs, result.penalties, "s", markersize=4)
    right.axvline(MEANINGFUL - 0.5, linestyle=":", color="k")
    right.set(xlabel="input", ylabel="penalty learned")


if __name__ == "__main__":
    result = tune()
    print(f"error on unseen data with one penalty for all: {result.errors[0]:.3f}")
    print(f"error on unseen data with the penalties learned: {result.errors[1]:.3f}")
    meaningful, others = result.penalties[:MEANINGFUL], result.penalties[MEANINGFUL:]
    print(f"penalty of inputs that mean something, median: {np.median(meaningful):.3g}")
    print(f"penalty of the others, median: {np.median(others):.3g}")
    print(f"step size: {result.step:.3f}")
    save(lambda figure: draw(result, figure), "meta_gradient.png")
