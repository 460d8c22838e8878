"""Ranks that names of parameters tell by convention, where what the code does leaves them open.

The order in which all that tells ranks counts is that of ``Evidence``: code, text, conventions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from mooncake_transpiler.frontend.rank.rank_parts import ArrayEvidence
from mooncake_transpiler.frontend.rank_evidence import Part

# Names of rows of coordinates, or of a matrix, as nearly everybody calls them.
MATRICES = frozenset({"pts", "positions", "velocities", "vertices"})
# First letters of matrices beside others, as ``Q`` and ``R`` are beside ``A @ x``.
CAPITALS = "ABCDFGHJKLMPQRWX"
# Names of arrays of one rank that stand together.
ATTENTION = (("q", "k", "v"), ("query", "key", "value"), ("queries", "keys", "values"))


def note(facts: ArrayEvidence) -> None:
    """Add to ``facts`` what names tell; the code of the function counts first."""
    params = facts.parts.params
    arrays = [name for name in params if facts.parts.type_of(Part(name)) is None]
    matrices, vectors = _designs(params)
    for name in matrices:
        facts.about(Part(name)).is_design = True
    for name in vectors:
        facts.about(Part(name)).usual.add(1)
    for together in alike(arrays):
        if any(facts.about(Part(name)).rank == 2 for name in together):
            for name in together:
                facts.about(Part(name)).usual.add(2)
    _note_layers(facts, arrays)
    of_capitals = any(
        name[0].isupper() and facts.about(Part(name)).is_multiplied for name in arrays
    )
    for name in arrays:
        mine = facts.about(Part(name))
        is_also = of_capitals and name[0] in CAPITALS and not name[1:].islower()
        if not (mine.usual or mine.exact) and (is_matrix(name) or is_also):
            mine.usual.add(2)


def _note_layers(facts: ArrayEvidence, names: Collection[str]) -> None:
    """Add what layers tell, if all multiply: weights are matrices, as is ``x`` of ``x @ w1``."""
    layers = _layers(names)
    weights, biases = {one for one, _ in layers}, {one for _, one in layers}
    if weights and all(facts.about(Part(name)).is_multiplied for name in weights):
        for name in names:
            mine = facts.about(Part(name))
            is_matrix = name in weights or (mine.leads and not mine.usual)
            if not mine.exact and (is_matrix or name in biases):
                mine.usual.add(2 if is_matrix else 1)


def _designs(names: Collection[str]) -> tuple[list[str], list[str]]:
    """The parameters ``X``, ``X_test`` and the like, and ``y``, ``y_test``, of one that has both.

    So people call a matrix with a row for each item of a vector.
    """
    matrices = [name for name in names if name.partition("_")[0] == "X"]
    vectors = [name for name in names if name.partition("_")[0] == "y"]
    return (matrices, vectors) if matrices and vectors else ([], [])


def alike(names: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Names of arrays that have one rank, whichever it is: ``wq``, ``wk`` and ``wv``."""
    for first, *others in ATTENTION:
        for name in names:
            prefix = name.removesuffix(first)
            together = (name, *(prefix + other for other in others))
            if name.endswith(first) and all(other in names for other in together):
                yield together


def _layers(names: Collection[str]) -> list[tuple[str, str]]:
    """The weights and biases of layers, by names: ``w1`` with ``b1``, ``W_out`` with ``b_out``.

    None where there is one pair only.
    """
    weights = [name for name in names if name[0] in "wW" and name[1:]]  # not w and b
    pairs = [(name, f"b{name[1:]}") for name in weights if f"b{name[1:]}" in names]
    return pairs if len(pairs) > 1 else []


def is_matrix(name: str) -> bool:
    """True for the name of a matrix: ``pts``, or ``contact_matrix``."""
    return name in MATRICES or "matrix" in name.lower()
