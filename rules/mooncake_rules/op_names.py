"""Names of ops, as ``np.exp``: the library whose function an op is, and what it is called there."""

from __future__ import annotations

from enum import Enum


class Home(Enum):
    """The library whose function an op is, by the prefix of its name."""

    PYTHON = ""  # its operators and built-in functions; also ops of our own without a spelling
    MATH = "math"
    NUMPY = "np"
    SCIPY = "sp"
    RUNTIME = "rt"


def home(op: str) -> Home:
    """The library of ``op``."""
    return Home(op.rpartition(".")[0])


def bare(op: str) -> str:
    """The name of ``op`` in its library."""
    return op.rpartition(".")[2]
