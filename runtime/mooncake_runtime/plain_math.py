"""Python's ``math`` as compiled code has it: NumPy scalars, and inf or nan instead of exceptions.

In plain mode generated modules see this in place of ``math``, so that ``1.0 / math.sqrt(x)`` at 0
is inf there, too.
"""

import math
from collections.abc import Callable

import numpy as np


def _gamma(x: float) -> float:
    """``math.gamma``, infinite at the signed zeros."""
    return math.gamma(x) if x != 0.0 else math.copysign(math.inf, x)


def _lgamma(x: float) -> float:
    """``math.lgamma``, infinite at its poles."""
    return math.inf if x <= 0.0 and x == np.floor(x) else math.lgamma(x)


def _quiet(name: str, function: Callable[..., object]) -> Callable[..., object]:
    """``function`` without exceptions; its floats are NumPy's."""
    fallback = getattr(np, _NUMPY_NAMES.get(name, name), None)

    def call(*args: float) -> object:
        try:
            result = function(*args)
        except OverflowError:
            result = np.inf if fallback is None else fallback(*args)
        except ValueError:
            result = np.nan if fallback is None else fallback(*args)
        return np.float64(result) if isinstance(result, float) else result

    return call


_NUMPY_NAMES = {
    "acos": "arccos", "asin": "arcsin", "atan": "arctan", "atan2": "arctan2", "acosh": "arccosh",
    "asinh": "arcsinh", "atanh": "arctanh", "pow": "power",
}  # fmt: skip

_OWN = {"gamma": _gamma, "lgamma": _lgamma}

FUNCTIONS = {
    name: _quiet(name, _OWN.get(name, value)) if callable(value) else value
    for name, value in vars(math).items()
    if not name.startswith("_")
}


def plain_complex(real: complex | str = 0.0, imag: complex = 0.0) -> np.complex128:
    """``complex``, but a NumPy scalar: its division by zero and overflow raise nothing."""
    number = complex(real) if isinstance(real, str) or not imag else complex(real, imag)
    return np.complex128(number)


class PlainMath:
    """The functions and constants of ``math``, as attributes."""

    def __getattr__(self, name: str) -> object:
        try:
            return FUNCTIONS[name]
        except KeyError:
            raise AttributeError(name) from None
