"""More kernels of special functions against SciPy, and second derivatives in programs."""

from __future__ import annotations

from itertools import product

import numpy as np
from mooncake_runtime import scalar_kernels as rt
from scipy import special

from tests.rules.test_special_values import assert_close, filled


def grid(*axes: tuple[float, ...]) -> tuple[np.ndarray, ...]:
    return tuple(np.array(list(product(*axes)), float).T)


POWERS = (-3.0, -0.5, -1e-9, 0.0, 1e-12, 0.4, 1.0, 2.0, 7.0)


def test_box_cox() -> None:
    x, p = grid((0.0, 1e-200, 1e-9, 0.3, 1.0, 1.0 + 1e-9, 2.5, 1e5), POWERS)
    assert_close(filled(rt.boxcox, x, p), special.boxcox(x, p), 1e-8)
    x, p = grid((-1.0, -0.9, -1e-9, 0.0, 1e-9, 2.5, 1e5), POWERS)
    assert_close(filled(rt.boxcox1p, x, p), special.boxcox1p(x, p))
    y, p = grid((-20.0, -1.0, -1e-9, 0.0, 1e-300, 2.0, 60.0), POWERS)
    for name in ("inv_boxcox", "inv_boxcox1p"):
        assert_close(filled(getattr(rt, name), y, p), getattr(special, name)(y, p), rel=1e-13)
    assert np.isnan(filled(rt.boxcox, np.array([-1.0]), np.array([2.0])))
