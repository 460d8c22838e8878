"""Functions that call derivatives."""

import numpy as np
import potential_grad as first
from potential import Mat, Vec
from potential_grad import in_place_grad, pairs_grad, pairs_value_and_grad


def misfit(x: Vec, target: Vec) -> float:
    return float(np.sum((pairs_grad(x) - target) ** 2))


def by_hand(x: Vec) -> float:
    y, residuals = first.pairs_fwd(x)
    (x_bar,) = first.pairs_pullback(residuals, y)
    return y * float(np.sum(x_bar * x_bar))


def root(a: float) -> float:
    return first.newton_grad(a) ** 2 + first.newton_jvp(a, 2.0)[1]


def walked(x: Vec, a: float) -> float:
    value, grad = first.walk_value_and_grad(x, a)
    return value * float(np.sum(grad.x * x)) + grad.a


def walked_back(x: Vec, a: float) -> float:
    value, grad = first.walk_vjp(x, a, a)
    return value * float(np.sum(grad.x * x))


def overwritten(x: Vec, y: Vec) -> float:
    grad = in_place_grad(x, y)
    return float(np.sum(grad.x * y) + np.sum(grad.y * grad.x))


def recursive(a: float) -> float:
    return first.deeper_grad(3, a) + first.deeper_jvp(2, a, a)[1]


def vectorised(x: Vec) -> float:
    return float(np.sum(first.smooth_grad(x) ** 2))


def along(x: Vec, v: Vec) -> float:
    return first.smooth_jvp(x, v)[1]


def descent(x: Vec, step: float) -> float:
    """The meta-gradient: through an optimiser that is unrolled."""
    y = x.copy()
    value = 0.0
    for _ in range(3):
        value, grad = pairs_value_and_grad(y)
        y = y - step * grad
    return value + float(np.sum(y * y))


def scaled(x: Vec) -> float:
    return float(np.sum(first.scaled_grad(x)))


def stopped(x: Vec) -> float:
    return float(np.sum(first.stopped_grad(x)))


def product(a: Mat, b: Vec) -> float:
    grad = first.product_grad(a, b)
    return float(np.sum(grad.a * grad.a)) + float(np.sum(grad.b)) + first.product_jvp(a, b, a, b)[1]


def solved(a: Mat, b: Vec) -> float:
    grad = first.solved_grad(a, b)
    return float(np.sum(grad.a * grad.a)) + float(np.sum(grad.b**2))


def factored(a: Mat) -> float:
    return float(np.sum(first.factored_grad(a) ** 2))
