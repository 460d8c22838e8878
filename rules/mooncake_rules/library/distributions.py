"""The normal distribution (scipy.stats.norm)."""

from __future__ import annotations

import math
from collections.abc import Callable

from mooncake_rules.arrays import Arr, Stage, Table, Value, elementwise
from mooncake_rules.library.arguments import as_value
from mooncake_rules.library.choosing import dtype_of
from mooncake_rules.library.support import astype, is_complex

TABLE = Table()

Density = Callable[[Stage, Value, Value], Value]  # of the standardised number, and the scale


def _operand(s: Stage, value: object, name: str) -> Value:
    """A number or array, as float64: so SciPy computes, whatever it is given."""
    found = as_value(s, value, name)
    if is_complex(dtype_of(s, found)):
        raise s.refuse("distributions of complex numbers are not supported")
    return astype(s, found, "float64") if isinstance(found, Arr) else s.cast(found, "float64")


def _of_normal(name: str, *examples: str, formula: Density) -> None:
    """Enter the function ``name`` of the normal distribution."""
    calls = (f"scipy.stats.norm.{name}{example}" for example in examples)

    @TABLE.add(f"scipy.stats.norm.{name}", *calls)
    def function(s: Stage, x: object, loc: object = 0.0, scale: object = 1.0) -> Value:
        number, mean = _operand(s, x, "x"), _operand(s, loc, "loc")
        width = _operand(s, scale, "scale")
        z = elementwise(s, "div", elementwise(s, "sub", number, mean), width)
        found = formula(s, z, width)
        return elementwise(s, "where", elementwise(s, "gt", width, 0.0), found, math.nan)


def _exponent(s: Stage, z: Value) -> Value:
    return elementwise(s, "mul", elementwise(s, "mul", z, z), -0.5)


def _density(s: Stage, z: Value, scale: Value) -> Value:
    height = elementwise(s, "div", 1.0 / math.sqrt(2.0 * math.pi), scale)
    return elementwise(s, "mul", elementwise(s, "np.exp", _exponent(s, z)), height)


def _log_density(s: Stage, z: Value, scale: Value) -> Value:
    shift = elementwise(s, "add", elementwise(s, "np.log", scale), 0.5 * math.log(2.0 * math.pi))
    return elementwise(s, "sub", _exponent(s, z), shift)


_EXAMPLES = ("(x)", "(a)", "(x, v, 2.0)", "(x, scale=pos)", "(a, loc=b, scale=0.5)", "(idx) * a")

_of_normal("pdf", *_EXAMPLES, formula=_density)
_of_normal("logpdf", *_EXAMPLES, formula=_log_density)
_of_normal("cdf", *_EXAMPLES, formula=lambda s, z, _: elementwise(s, "rt.ndtr", z))
_of_normal("logcdf", *_EXAMPLES, formula=lambda s, z, _: elementwise(s, "rt.log_ndtr", z))
_of_normal(
    "sf",
    *_EXAMPLES,
    formula=lambda s, z, _: elementwise(s, "rt.ndtr", elementwise(s, "neg", z)),
)
