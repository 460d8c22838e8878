"""Equal values of loops over the same range share one place, and are counted once."""

from __future__ import annotations

from mooncake_transpiler import ir

from tests.ad.deriving import derivatives, found

TWO_READERS = """
def f(x: Vec, steps: int) -> float:
    n = len(x)
    w, y, z = np.zeros(n), np.zeros(n), np.zeros(n)
    for _ in range(steps):
        w[:] = 0.5
        for i in range(n):
            w[i] += x[i]
        for i in range(n):
            y[i] = x[i] * w[i]
        for i in range(n):
            z[i] = x[n - 1 - i] * w[i]
        for i in range(n):
            x[i] = y[i] + z[i]
    return x[0]
"""

TWO_SINES = """
def f(x: Vec, m: Mat, steps: int) -> float:
    s = 1.0
    n = len(x)
    for t in range(steps):
        for i in range(n):
            s = s * math.sin(x[i])
        for i in range(n):
            s = s + math.sin(x[i]) * m[t, i]
    return s
"""


def tapes(source: str) -> int:
    """The number of arrays with an axis for the steps that the forward function allocates."""
    fwd = derivatives(source)["fwd"]
    return len([s for s in found(fwd, ir.Alloc) if isinstance(s, ir.Alloc) and len(s.shape) == 2])


def test_an_element_that_two_loops_read_is_saved_once() -> None:
    assert tapes(TWO_READERS) == 2  # x and w


def test_it_is_saved_twice_if_it_is_written_in_between() -> None:
    third = "        for i in range(n):\n            z"
    source = TWO_READERS.replace(third, f"        w[0] = x[0]\n{third}")
    assert source != TWO_READERS
    assert tapes(source) == 3


def test_it_is_saved_twice_if_the_ranges_differ() -> None:
    source = TWO_READERS.replace("n):\n            z", "n - 1):\n            z")
    assert source != TWO_READERS
    assert tapes(source) == 3


def test_a_function_of_equal_elements_is_saved_once() -> None:
    assert tapes(TWO_SINES) == 3  # s, the sine, the cosine
