"""Values chosen by nested branches are copied where nobody can tell, and only there."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import Refusal, gradient_text

CHOSEN = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

def f(x: Annotated[NDArray[np.float64], "n"], a: float, k: int) -> float:
    y = x
    w = x[:1]
    if a > 0.0:
        z = a * x
        part = z[1:]
        if k > 0:
            y = z
        LATER
    y[0] = 2.0 * a
    return np.sum(x * y) + w[0]
"""


def test_nobody_can_tell() -> None:
    gradient_text(CHOSEN.replace("LATER", "x[0] = x[1]"))


@pytest.mark.parametrize("later", ["part[0] = 3.0 * a", "z[0] = 3.0 * a", "w = part"])
def test_what_is_used_behind_the_branch_is_refused(later: str) -> None:
    with pytest.raises(Refusal, match="MK401"):
        gradient_text(CHOSEN.replace("LATER", later))


PART = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

def f(x: Annotated[NDArray[np.float64], "n"], a: float, k: int) -> float:
    r = np.array([a, 0.5, 0.5])
    if a > 0.0:
        if k > 0:
            r = a * x
        r = r[1:]
    return np.sum(r)
"""


def test_parts_of_what_an_inner_branch_may_have_made_are_refused() -> None:
    with pytest.raises(Refusal, match="MK401"):
        gradient_text(PART)


NAMES = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

def f(x: Annotated[NDArray[np.float64], "n"], a: float) -> float:
    if a > 0.0:
        if x[0] > 0.0:
            p = x * a
            q = p
        else:
            p, q = x[:2] * 1.0, x * x
    else:
        p, q = x[:2] * 2.0, x * a
    LATER
    return np.sum(p * p) * np.sum(q)
"""


def test_two_names_are_made_apart_where_nobody_can_tell() -> None:
    gradient_text(NAMES.replace("LATER", ""))


def test_two_names_are_refused_where_one_is_written() -> None:
    with pytest.raises(Refusal, match="MK401"):
        gradient_text(NAMES.replace("LATER", "q[0] *= p[1]"))
