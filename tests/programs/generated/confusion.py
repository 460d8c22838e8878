"""Nested derivatives whose perturbations are easily taken for one another."""

import inner_grad
from plane_grad import plus_jvp, plus_value_and_grad, times_grad


def classic(x: float) -> float:
    """x · d/dy (x + y), whose derivative is 1."""
    _, slope = plus_jvp(x, 1.0, 1.0)
    return x * slope


def classic_reverse(x: float) -> float:
    _, slope = plus_value_and_grad(x, x)
    return x * slope


def closed_over(x: float, z: float) -> float:
    """A closure that sees what is bound after it."""
    a = z

    def slope(y: float) -> float:
        return times_grad(a, y).y

    a = x * z
    return x * slope(z)


def three_deep(x: float) -> float:
    """x · d/dy [y · d/dz (x y z)] = x · d/dy (x y²) = 2 x² y, at y = x."""
    return x * inner_grad.scaled_slope_grad(x, x).y


def told(x: float) -> float:
    """The same, of a function that prints, warns and logs."""
    return x * inner_grad.told_slope_grad(x, x).y
