"""``math`` in plain mode gives what compiled code gives, where Python raises."""

import math

import numpy as np
import pytest
from mooncake_runtime.plain_math import PlainMath

plain = PlainMath()


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("log", (0.0,), -np.inf),
        ("sqrt", (-1.0,), np.nan),
        ("exp", (1000.0,), np.inf),
        ("acos", (2.0,), np.nan),
        ("pow", (0.0, -1.0), np.inf),
        ("cosh", (1000.0,), np.inf),
        ("gamma", (0.0,), np.inf),
        ("gamma", (-0.0,), -np.inf),
        ("gamma", (-1.0,), np.nan),
        ("gamma", (200.0,), np.inf),
        ("lgamma", (-2.0,), np.inf),
        ("atanh", (1.0,), np.inf),
    ],
)
def test_no_exceptions(name, args, expected):
    with np.errstate(all="ignore"):
        np.testing.assert_equal(getattr(plain, name)(*args), expected)


def test_results_divide_as_numpy_does():
    with np.errstate(all="ignore"):
        assert 1.0 / plain.sqrt(0.0) == np.inf


def test_values_and_constants_are_those_of_math():
    assert plain.sin(0.3) == math.sin(0.3)
    assert plain.floor(2.5) == 2
    assert plain.pi == math.pi
    with pytest.raises(AttributeError):
        _ = plain.nothing
