"""The functions that are differentiated in the middle."""

import logging
import warnings

from deepest_grad import product_grad


def scaled_slope(x: float, y: float) -> float:
    """y · d/dz (x y z)."""
    return y * product_grad(x, y, 1.0)


def told_slope(x: float, y: float) -> float:
    """The same, with words."""
    print(f"x={x:.3f}", y, sep=", ")
    if x > 0.0:
        warnings.warn(f"{x} is positive", RuntimeWarning, stacklevel=2)
    logging.getLogger("inner").info("y is %.1f", y)
    return y * product_grad(x, y, 1.0)
