"""Second derivatives of special functions: symmetric, and right by differences of the gradient."""

from __future__ import annotations

import pytest
from mooncake_rules.arrays import Function

from tests.rules.second_programs import check

EXPRESSIONS = {
    "box_cox": ("scipy.special.boxcox(pos, a)", "scipy.special.boxcox1p(v * v, a - 0.7)",
                "scipy.special.inv_boxcox(pos, 0.1 * a)", "scipy.special.inv_boxcox1p(x, 0.01 * a)",
                "scipy.special.boxcox(pos, a - 0.7)"),
    "exponential": ("scipy.special.dawsn(3.0 * x)", "scipy.special.exp1(pos) * b",
                    "scipy.special.expi(x)", "scipy.special.expn(1, pos)",
                    "scipy.special.expn(4, pos)"),
    "elliptic": ("scipy.special.ellipk(-pos) * b", "scipy.special.ellipe(0.1 * x)",
                 "scipy.special.ellipkm1(0.1 * pos)", "scipy.special.ellipe(0.0 * x)"),
    "hypergeometric": ("scipy.special.hyp0f1(1.5, x)", "scipy.special.hyp1f1(0.5, 1.5, 3.0 * x)",
                       "scipy.special.hyp2f1(0.5, 1.5, 2.5, -pos)"),
    "gamma": ("scipy.special.poch(pos, a)", "scipy.special.poch(x, 3)",
              "scipy.special.owens_t(x, a)", "scipy.special.zeta(2.5, pos)"),
    "voigt": ("scipy.special.voigt_profile(x, a, b)", "scipy.special.voigt_profile(a, b, pos)",
              "scipy.special.voigt_profile(x, 0.0, a)"),
}  # fmt: skip


@pytest.mark.parametrize("topic", EXPRESSIONS)
def test_second_derivatives(topic: str) -> None:
    check(Function((topic,), lambda _: (), EXPRESSIONS[topic], {}))
