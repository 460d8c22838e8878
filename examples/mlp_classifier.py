"""Train a small network to tell two moons apart, with mini-batches and Adam.

Run it with the name of a picture file (default: mlp_classifier.png).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pictures import save

sys.path.insert(0, str(Path(__file__).parent / "programs"))
from mlp import scores
from mlp_grad import cross_entropy_value_and_grad

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

HIDDEN, BATCH, EPOCHS, DECAY = 24, 50, 80, 1e-4


@dataclass(frozen=True, slots=True)
class Trained:
    parameters: list[Floats]
    losses: list[float]  # the mean over each epoch

    def classify(self, x: Floats) -> Labels:
        w1, b1, w2, b2 = self.parameters
        found: Labels = np.argmax(scores(w1, b1, w2, b2, x), axis=1)
        return found


@dataclass(slots=True)
class Adam:
    """Kingma and Ba, "Adam: a method for stochastic optimization" (2015)."""

    parameters: list[Floats]
    means: list[Floats]
    squares: list[Floats]
    rate: float = 0.02
    steps: int = 0

    def step(self, gradient: tuple[Floats, ...]) -> None:
        self.steps += 1
        rate = self.rate * np.sqrt(1.0 - 0.999**self.steps) / (1.0 - 0.9**self.steps)
        for p, m, v, g in zip(self.parameters, self.means, self.squares, gradient, strict=True):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            p -= rate * m / (np.sqrt(v) + 1e-8)


def moons(count: int, seed: int) -> tuple[Floats, Labels]:
    """Points on two half circles that reach into each other, with noise."""
    rng = np.random.default_rng(seed)
    labels = np.arange(count) % 2
    angle = rng.uniform(0.0, np.pi, size=count)
    upper = np.stack((np.cos(angle), np.sin(angle)), axis=1)
    x = np.where(labels[:, None] == 0, upper, np.array([1.0, 0.5]) - upper)
    return x + rng.normal(scale=0.12, size=x.shape), labels


def train(x: Floats, labels: Labels) -> Trained:
    rng = np.random.default_rng(0)
    parameters = [
        rng.normal(size=(2, HIDDEN)), np.zeros(HIDDEN),
        rng.normal(size=(HIDDEN, 2)) / np.sqrt(HIDDEN), np.zeros(2),
    ]  # fmt: skip
    zeros = [np.zeros_like(p) for p in parameters]
    adam = Adam(parameters, zeros, [z.copy() for z in zeros])
    losses = []
    for _ in range(EPOCHS):
        order = rng.permutation(len(labels))
        total = 0.0
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            w1, b1, w2, b2 = parameters
            loss, gradient = cross_entropy_value_and_grad(
                w1, b1, w2, b2, x[batch], labels[batch], DECAY
            )
            adam.step(gradient)
            total += loss * len(batch)
        losses.append(total / len(order))
    return Trained(parameters, losses)


def draw(result: Trained, x: Floats, labels: Labels, figure: Any) -> None:
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    across, up = np.meshgrid(np.linspace(-1.6, 2.6, 200), np.linspace(-1.1, 1.6, 150))
    grid = np.stack((across.ravel(), up.ravel()), axis=1)
    sides = result.classify(grid).reshape(across.shape)
    left.contourf(across, up, sides, levels=1, alpha=0.3, colors=("tab:blue", "tab:orange"))
    for k, colour in enumerate(("tab:blue", "tab:orange")):
        left.plot(*x[labels == k].T, ".", color=colour, markersize=3)
    right.semilogy(result.losses)
    right.set(xlabel="epoch", ylabel="loss")


if __name__ == "__main__":
    x, labels = moons(400, seed=1)
    result = train(x, labels)
    print(f"loss {result.losses[0]:.3f} in the first epoch, {result.losses[-1]:.3f} in the last")
    new_x, new_labels = moons(1000, seed=2)
    accuracy = np.mean(result.classify(new_x) == new_labels)
    print(f"accuracy on new points: {accuracy:.3f}")
    save(lambda figure: draw(result, x, labels, figure), "mlp_classifier.png")
