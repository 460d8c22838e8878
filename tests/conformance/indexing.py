"""Every spelling of an index: read, stored to, in an augmented assignment, written by its view."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from tests.conformance.rows import Row, Subject, Theme

PARAMETERS = {
    "x": "Vec", "i": "Ints", "m": "Bools", "k": "int", "b": "float",
    "a": "Mat", "r": 'Annotated[NDArray[np.int64], "r"]', "q": 'Annotated[NDArray[np.bool_], "r"]',
}  # fmt: skip


def _point(k: int, x: tuple, i: tuple, m: tuple, shift: float) -> dict:
    return {
        "x": np.array(x), "i": np.array(i), "m": np.array(m), "k": k, "b": 1.7,
        "a": np.sin(np.arange(12.0) + shift).reshape(3, 4), "r": np.array(i[:3]) % 3,
        "q": np.array(m[:3]),
    }  # fmt: skip


SUBJECT = Subject(
    PARAMETERS,
    (
        _point(2, (0.6, -1.7, 0.3, 1.1), (2, 0, 3, 1), (True, False, True, True), 0.3),
        _point(-1, (-0.6, 1.7, 0.9, -2.1), (-2, 1, -3, 1), (False, True, True, False), 1.3),
        _point(0, (0.6, 0.2, 0.3, 1.1), (0, 0, -1, 3), (False, False, False, False), 2.3),
    ),
)

VECTOR = (
    "m", "~m", "x > 0.5", "~(x > 0.5)", "(x > 0.5) & ~m", "(x > 0.5) | m", "np.logical_not(m)",
    "m[::-1]", "i > 0", "i % 2 == 0", "np.abs(x) < 1", "m == False", "np.zeros(4, dtype=bool)",
    "[True, False, True, False]", "np.ones(len(x), dtype=bool)", "np.isfinite(x)",
    "i", "i[:2]", "i[::-1]", "-i", "i % 4", "i[m]", "[0, 2]", "[-1]", "[]", "[1, 1, 0]", "[k, 0]",
    "np.array([1, 0, 1])", "np.array([], dtype=int)", "np.flatnonzero(m)", "np.nonzero(x > 0)[0]",
    "np.where(m)", "np.where(x > 0)[0]", "np.argsort(x)", "np.argsort(-x)", "np.arange(3)",
    "np.arange(len(x))[::-1]", "np.array([[0, 1], [2, 3]])", "i[:, None]", "i.reshape(2, 2)",
    "...", "None", "..., None", "None, :", ":, None", "(None, ..., None)", "()", "(2,)",
    ":", "::-1", "::2", "-1::-2", "3:0:-1", "5:", "1:1", ":-1", "-3:", "-3:-1", "k:", ":k", "::3",
    "slice(1, 3)", "slice(None, None, -1)", "-100:100", "2:100", "1:-1", "-2:-4:-1", "-k:",
    "k", "-1", "k - 1", "-k", "i[1]", "np.argmax(x)", "len(x) - 1", "int(i[0])", "..., 1", "1, ...",
)  # fmt: skip
# Indices of one axis of a matrix, of which any two make one of both.
AXIS = (
    ":", "1:", "::-1", "-1", "k", "[0, 2]", "np.array([1, 0])", "i[:3] % 3", "None", "...",
    "r[:, None]", "2:0:-1", ":0",
)  # fmt: skip
MATRIX = (
    "a > 0", "~(a > 0)", "np.abs(a) < 0.5", "(a > 0) & (a < 0.5)", "q", "~q", "q, :", ":, m",
    ":, ~m", "q, 1", "0, m", "-1, ~m", "q, ::-1", "::2, m", "np.ix_([0, 2], [1, 3])",
    "np.ix_(q, m)", "np.ix_(r, i)", "np.ix_(q, [0, 1])", "r, i[:3]", "r, r", "r, -1",
    "np.arange(3), np.arange(3)", "np.arange(3), r", "np.arange(3)[:, None], i", "[0, 1], [1, 1]",
    "range(2), [0, 1]", "r, None, i[:3]", "r, ..., 0", "..., i", "..., m", "None, q", "q, None",
    "np.where(a > 0)", "np.nonzero(a > 0)", "np.diag_indices(3)", "np.triu_indices(3)",
    "np.tril_indices(3, -1)", "np.unravel_index(5, (3, 4))", "np.argsort(a[:, 0])",
    "np.argmax(a[:, 0])", ":, np.argsort(a[0])", "np.arange(3), np.argmax(a, axis=1)", "()",
    "q.nonzero()[0]", "tuple([0, 1])", "slice(0, 2)", "(slice(None), 1)", "(0,)", "1:2, 1:3",
)  # fmt: skip


# Of these, numbers come out.
ITEMS = {
    "(2,)", "k", "-1", "k - 1", "-k", "i[1]", "np.argmax(x)", "len(x) - 1", "int(i[0])", "..., 1",
    "1, ...", "-1, -1", "-1, k", "k, -1", "k, k", "np.unravel_index(5, (3, 4))", "tuple([0, 1])",
}  # fmt: skip


def uses(name: str, index: str) -> Iterator[Row]:
    """The rows for uses of a part of an array: read, stored to, updated, written through a view."""
    part = f"{name}[{index}]"
    if index in ITEMS:
        yield Row("read", f"b * {part}")
    else:
        yield Row("read", f"b * np.sum(np.cumsum({part})) + np.sin({part}).sum()")
        yield Row("shape", f"np.sum({part} * b) * np.size({part}) + np.ndim({part})")
    start = f"{{t}} = {name}.copy()"
    for key, value in (
        ("= b", "= b"), ("= 2 *", f"= 2.0 * {part}"), ("+= b", "+= b"), ("*=", f"*= {part}"),
        ("-= itself", f"-= {{t}}[{index}] * b"), ("= reversed", f"= {{t}}[::-1][{index}]"),
        ("**= 2", "**= 2"),
    ):  # fmt: skip
        yield Row(key, "np.sum(np.cumsum({t}) * {t})", (start, f"{{t}}[{index}] {value}"))
    lines = (start, f"{{t}}v = {{t}}[{index}]", "{t}v *= b")
    yield Row("by a name", "np.sum(np.cumsum({t}) * {t}) + np.sum({t}v)", lines)


def themes() -> Iterator[Theme]:
    """The rows, those of an index together."""
    for index in VECTOR:
        yield Theme(f"x[{index}]", SUBJECT, tuple(uses("x", index)))
    for index in (*map(", ".join, product(AXIS, AXIS)), *MATRIX):
        yield Theme(f"a[{index}]", SUBJECT, tuple(uses("a", index)))
