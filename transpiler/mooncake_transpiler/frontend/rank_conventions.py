"""Ranks that names of parameters tell by convention, where what the code does leaves them open.

The order in which all that tells ranks counts is that of ``Evidence``: code, text, conventions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

# Names of rows of coordinates, or of a matrix, as nearly everybody calls them.
MATRICES = frozenset({"pts", "positions", "velocities", "vertices"})
# Names of arrays of one rank that stand together.
ATTENTION = (("q", "k", "v"), ("query", "key", "value"), ("queries", "keys", "values"))


def designs(names: Collection[str]) -> tuple[list[str], list[str]]:
    """The parameters ``X``, ``X_test`` and the like, and ``y``, ``y_test``, of one that has both.

    So people call a matrix with a row for each item of a vector.
    """
    matrices = [name for name in names if name.partition("_")[0] == "X"]
    vectors = [name for name in names if name.partition("_")[0] == "y"]
    return (matrices, vectors) if matrices and vectors else ([], [])


def alike(names: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Names of arrays that have one rank, whichever it is."""
    for together in ATTENTION:
        if all(name in names for name in together):
            yield together


def is_matrix(name: str) -> bool:
    """True for the name of a matrix: ``pts``, or ``contact_matrix``."""
    return name in MATRICES or "matrix" in name.lower()
