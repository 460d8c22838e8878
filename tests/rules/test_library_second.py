"""Second derivatives of library functions: symmetric, and right by differences of the gradient.

A sample; ``python -m tests.rules.second_programs`` checks everything.
"""

from __future__ import annotations

import pytest
from mooncake_rules.arrays import Function

from tests.rules.second_programs import WITH_EXAMPLES, check

# NumPy warns of means of nothing and the like.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

# Those with a pushforward of their own, or with decompositions in their rules; some of the others.
NAMED = {
    "numpy.linalg.det", "numpy.linalg.cholesky", "numpy.linalg.svd", "numpy.linalg.eigh",
    "numpy.linalg.qr", "numpy.linalg.pinv", "scipy.linalg.expm", "numpy.linalg.solve",
}  # fmt: skip
SAMPLE = [f for k, f in enumerate(WITH_EXAMPLES) if k % 16 == 5 or f.names[0] in NAMED]


@pytest.mark.parametrize("function", SAMPLE, ids=lambda function: function.names[0])
def test_second_derivatives(function: Function) -> None:
    check(function, 2)
