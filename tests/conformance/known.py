"""What is wrong for the time being: an entry that is right again makes a test fail.

Themes of tables, and seeds of random programs.
"""

from __future__ import annotations

# ``and`` of an int and a bool is one of both: as an index, and under ``-``, ``~`` and ``**``.
MIXED = (
    ("p", "k"), ("p", "i[1]"), ("k", "p"), ("k", "m[1]"), ("k", "(a > b)"), ("m[1]", "k"),
    ("m[1]", "i[1]"), ("i[1]", "p"), ("i[1]", "k"), ("i[1]", "m[1]"), ("i[1]", "(a > b)"),
    ("(a > b)", "k"), ("(a > b)", "i[1]"),
)  # fmt: skip
THEMES = {f"uses of {left}, {right}" for left, right in MIXED} | {
    "x[..., 1]", "x[1, ...]",  # an array without axes in NumPy, which shares the memory
}  # fmt: skip
SEEDS: frozenset[int] = frozenset()
