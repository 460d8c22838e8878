"""Programs that write to an array or to what is made of it, and then read both.

A program is: where the array ``a`` comes from (a layout), what is made of it (an operation), and
what is written. NumPy says which of the two sees the write.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

HEADER = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
M = Annotated[NDArray[np.float64], "n m"]
M34 = Annotated[NDArray[np.float64], "3 4"]
V = Annotated[NDArray[np.float64], "n"]
"""


@dataclass(frozen=True, slots=True)
class Layout:
    """A source of ``a``: the annotation of ``x``, and statements that make ``a`` of it."""

    x: str
    lines: str
    rank: int = 2


# ``x`` has the shape (3, 4), or 12 items.
LAYOUTS = {
    "argument": Layout("M", "a = x"),
    "argument 3 4": Layout("M34", "a = x"),
    "argument.T": Layout("M", "a = x.T"),
    "row of argument": Layout("M", "a = x[1]", 1),
    "column of argument": Layout("M", "a = x[:, 1]", 1),
    "vector argument": Layout("V", "a = x", 1),
    "reversed argument": Layout("V", "a = x[::-1]", 1),
    "C": Layout("M", "a = x.copy()"),
    "C 3 4": Layout("M", "a = np.zeros((3, 4))\na[...] = x"),
    "transposed": Layout("M", "b = x.copy()\na = b.T"),
    "transposed 4 3": Layout("M", "b = np.zeros((3, 4))\nb[...] = x\na = b.T"),
    "F": Layout("M", "b = x.copy()\na = b.T * 1.0"),
    "F 4 3": Layout("M", "b = np.zeros((3, 4))\nb[...] = x\na = b.T * 1.0"),
    "like the argument": Layout("M", "a = x * 1.0"),
    "like the vector": Layout("V", "a = x * 1.0", 1),
    "copied by np.copy": Layout("M", "a = np.copy(x)"),
    "gathered columns": Layout("M", "a = x[:, [0, 2, 1]]"),
    "gathered rows": Layout("M", "a = x[[2, 0, 1]]"),
    "rows": Layout("M", "b = x.copy()\na = b[1:]"),
    "every other row": Layout("M", "b = x.copy()\na = b[::2]"),
    "every other column 3 4": Layout("M", "b = np.zeros((3, 4))\nb[...] = x\na = b[:, ::2]"),
    "left columns": Layout("M", "b = x.copy()\na = b[:, :2]"),
    "rows upside down": Layout("M", "b = x.copy()\na = b[::-1]"),
    "columns from the right 3 4": Layout("M", "b = np.zeros((3, 4))\nb[...] = x\na = b[:, ::-1]"),
    "row": Layout("M", "b = x.copy()\na = b[1]", 1),
    "column": Layout("M", "b = x.copy()\na = b[:, 1]", 1),
    "column 3 4": Layout("M", "b = np.zeros((3, 4))\nb[...] = x\na = b[:, 1]", 1),
    "every other": Layout("V", "b = x.copy()\na = b[::2]", 1),
    "every other of 12": Layout("V", "b = np.zeros(12)\nb[...] = x\na = b[::2]", 1),
    "backwards": Layout("V", "b = x.copy()\na = b[::-1]", 1),
    "behind the first": Layout("V", "b = x.copy()\na = b[1:]", 1),
    "broadcast": Layout("V", "b = x[:3].copy()\na = np.broadcast_to(b, (2, 3))"),
    "either": Layout("M", "b = x.copy()\nc = x * 2.0\na = b if x[0, 0] > 0.0 else c.T.copy().T"),
    "from a helper": Layout("M", "a = _made(x)"),
    "in a list": Layout("M", "b = [x.copy(), x.T.copy()]\na = b[0]"),
    "sum of two orders": Layout("M", "b = x.copy()\nc = x.T.copy().T\na = b + c"),
    "product": Layout("M", "a = x @ np.eye(4)"),
    "made of items": Layout("M", "a = np.array([[x[0, 0], x[0, 1]], [2.0, x[1, 0]]])"),
    "repeated": Layout("M", "a = np.repeat(x, 2, axis=1)"),
    "bound in a loop": Layout("M", "a = x.copy()\nfor k in range(2):\n    a = a * 0.5"),
    "bound in a loop, of F": Layout(
        "M", "b = x.copy()\na = b.T\nfor k in range(2):\n    a = a * 0.5"
    ),
    "filled like F": Layout("M", "b = np.zeros((4, 3))\na = np.zeros_like(b.T)\na += x"),
}  # fmt: skip

HELPERS = """
def _made(x: M) -> M:
    return x.copy()
"""

# What is made of ``a``, by rank; the rank of the result. ``k`` is the number of its items.
OPERATIONS = {
    2: {
        "a.ravel()": 1, "np.ravel(a)": 1, "a.flatten()": 1, "a.reshape(-1)": 1, "a.flat": 1,
        "a.reshape(a.shape)": 2, "a.reshape(a.shape[1], a.shape[0])": 2, "a.reshape(-1, 1)": 2,
        "a.reshape(1, -1)": 2, "a.reshape(a.shape[0], 1, a.shape[1])": 3,
        "np.reshape(a, (a.shape[0], a.shape[1], 1))": 3, "a.reshape(2, -1)": 2,
        "a[None].reshape(a.shape)": 2, "a[:, :, None].reshape(-1)": 1, "a[:, :2].reshape(-1)": 1,
        "a.reshape(-1)[1:]": 1, "a.ravel()[::2]": 1, "a.T.reshape(-1)": 1, "a.T.ravel()": 1,
        "a[:, 1].reshape(-1, 1)": 2, "a[:, 1].ravel()": 1, "a[1].ravel()": 1,
        "a.flat[1:3]": 1, "np.ascontiguousarray(a)": 2, "np.ascontiguousarray(a[:, 0])": 1,
        "np.ascontiguousarray(a.T)": 2, "np.asfortranarray(a)": 2, "np.require(a, None, 'C')": 2,
        "np.asarray(a)": 2, "np.asarray(a, dtype=np.float64)": 2, "np.asanyarray(a)": 2,
        "np.array(a)": 2, "np.array(a, copy=False)": 2, "np.array(a, copy=None)": 2,
        "a.astype(np.float64)": 2, "a.astype(np.float64, copy=False)": 2, "a.copy()": 2,
        "np.copy(a)": 2, "np.copy(a).ravel()": 1, "a * 1.0": 2, "+a": 2, "a.T": 2,
        "np.transpose(a)": 2, "np.swapaxes(a, 0, 1)": 2, "np.moveaxis(a, 0, 1)": 2,
        "np.rollaxis(a, 1)": 2, "np.permute_dims(a, (1, 0))": 2, "a.mT": 2, "a[...]": 2,
        "a[:]": 2, "a[None]": 3, "a[:, None]": 3, "a[1:, 1:]": 2, "a[::-1]": 2, "a[0, ...]": 1,
        "a[[0, 1]]": 2, "a[:, [0, 1]]": 2, "a[a > 0.0]": 1, "np.expand_dims(a, 1)": 3,
        "np.squeeze(a[:1], 0)": 1, "a[:, :1].squeeze(1)": 1, "np.atleast_2d(a)": 2,
        "np.atleast_3d(a)": 3, "np.split(a, [1])[1]": 2, "np.vsplit(a, [1])[0]": 2,
        "np.hsplit(a, [1])[1]": 2, "np.array_split(a, 2)[0]": 2, "np.unstack(a)[0]": 1,
        "np.flip(a)": 2, "np.fliplr(a)": 2, "np.flipud(a)": 2, "np.rot90(a)": 2,
        "np.rot90(a, 2)": 2, "a.real": 2, "np.real(a)": 2, "a.conj()": 2, "np.conj(a)": 2,
        "np.nan_to_num(a, copy=False)": 2, "np.nan_to_num(a)": 2, "np.einsum('ij->ji', a)": 2,
        "np.diagonal(a)": 1, "np.diag(a)": 1, "np.einsum('ii->i', a[:3, :3])": 1,
        "np.broadcast_to(a, (2, *a.shape))": 3, "np.broadcast_arrays(a, 1.0)[0]": 2,
        "np.concatenate([a])": 2, "np.stack([a])": 3, "np.vstack([a])": 2, "np.tril(a)": 2,
        "np.roll(a, 0)": 2, "np.tile(a, 1)": 2, "np.sort(a)": 2, "np.where(a > 0.0, a, a)": 2,
        "a.T.T.reshape(-1)": 1, "(a * 2.0).ravel()": 1, "(a * 2.0).T.ravel()": 1,
        "np.squeeze(a[:1, :1], (0, 1))": 0, "a[0, 0, ...]": 0, "a[:1, :1].reshape(())": 0,
        "a.transpose(1, 0).reshape(-1)": 1, "a.swapaxes(0, 1).ravel()": 1,
        "a[:1].reshape(-1)": 1, "a[1:2].ravel()": 1, "a[::1].ravel()": 1,
        "[row for row in a][0]": 1, "next(iter(a))": 1, "list(a)[1]": 1, "tuple(a)[0]": 1,
        "np.linalg.diagonal(a)": 1, "np.real_if_close(a)": 2, "a.take([0, 1], axis=0)": 2,
        "np.repeat(a, 1, axis=0)": 2, "np.select([a > 0.0], [a])": 2, "np.atleast_1d(a)": 2,
        "np.matrix_transpose(a)": 2, "np.asarray_chkfinite(a)": 2, "np.positive(a)": 2,
        "np.maximum(a, 0.0)": 2, "np.cumsum(a, axis=0)": 2, "np.sum(a, axis=0, keepdims=True)": 2,
        "np.copy(a.T).T.ravel()": 1, "(a + a.T.T).ravel()": 1, "np.full_like(a, 2.0).ravel()": 1,
        "a[0:2][1]": 1, "_same(a)": 2, "_flat(a)": 1,
        "np.meshgrid(a[0], a[0], copy=False)[0]": 2, "a.view()": 2,
    },
    1: {
        "a.ravel()": 1, "a.reshape(-1)": 1, "a.flatten()": 1, "a.flat": 1, "a.reshape(-1, 1)": 2,
        "a.reshape(a.size)": 1, "a.reshape(len(a), 1)": 2, "a[:, None].reshape(-1)": 1,
        "a[None, :].ravel()": 1, "a.reshape(1, 1, -1)": 3, "a[:2].reshape(2, 1)": 2,
        "a[:2].reshape(1, 2)": 2, "a[:2].reshape(2)": 1, "a[:2].ravel()": 1,
        "np.ascontiguousarray(a)": 1, "np.asarray(a)": 1, "np.array(a, copy=None)": 1,
        "np.array(a)": 1, "a.astype(np.float64, copy=False)": 1, "np.copy(a)": 1, "a.copy()": 1,
        "a[None]": 2, "a[:, None]": 2, "a[1:]": 1, "a[::-1]": 1, "np.expand_dims(a, 0)": 2,
        "np.atleast_2d(a)": 2, "np.squeeze(a)": 1, "a.T": 1, "np.flip(a)": 1, "a[[0, 1]]": 1,
        "np.split(a, [1])[1]": 1, "a.real": 1, "a.conj()": 1, "np.trim_zeros(a)": 1,
        "np.broadcast_to(a, (2, len(a)))": 2, "a[0, ...]": 0, "np.squeeze(a[:1], 0)": 0,
        "a.flat[:2]": 1, "a * 1.0": 1, "np.ravel(a)[1:]": 1, "np.unwrap(a)": 1,
        "np.asfortranarray(a)": 1, "a[:2].reshape(2, 1).reshape(-1)": 1, "_flat(a)": 1,
        "np.lib.stride_tricks.sliding_window_view(a, 2)": 2, "np.ix_(a)[0]": 1,
    },
}  # fmt: skip

HELPERS += """
def _same(y):
    return y

def _flat(y):
    return y.reshape(-1)
"""

WRITES = {
    "an item of the result": "r[{last}] = 5.0 * {first}",
    "the result": "r *= 1.5",
    "an item of the base": "a[{a_last}] = 5.0 * {first}",
    "the base": "a *= 1.5",
    "both": "r[{last}] = 5.0 * {first}\na[{a_last}] = 7.0 * {first}",
    "the base in a loop": "for k in range(2):\n    a[{a_last}] += 2.0 * {first} * np.sum(r)",
    "the result, bound in a loop": (
        "s = 0.0\nfor k in range(2):\n    q = {operation}\n    q[{last}] *= 2.0\n"
        "    s += np.sum(a) * (k + 1.0)\na[{a_last}] += s"
    ),
    "through .flat": "r.flat[1] = 5.0 * {first}\na.flat[0] += 2.0",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Program:
    name: str
    source: str
    rank: int  # of the argument


def programs() -> Iterator[Program]:
    """Every operation, layout and way to write."""
    for layout, made in LAYOUTS.items():
        for operation, rank in OPERATIONS[made.rank].items():
            for what, write in WRITES.items():
                if operation == "a.flat" and what == "through .flat":
                    continue  # which has no such attribute
                if rank == 0 and ("r[" in write or "r *=" in write or "r.flat" in write):
                    continue
                yield _program(f"{operation}; {layout}; {what}", made, operation, rank, write)


def _program(name: str, made: Layout, operation: str, rank: int, write: str) -> Program:
    first = "x[0]" if made.x == "V" else "x[0, 0]"
    last = ", ".join(["-1"] * max(rank, 1))
    a_last = ", ".join(["-1"] * made.rank)
    written = write.format(first=first, last=last, a_last=a_last, operation=operation)
    lines = [
        *made.lines.split("\n"), f"r = {operation}", *written.split("\n"),
        f"return {_read('r', rank, operation)} + 3.0 * {_read('a', made.rank)}",
    ]  # fmt: skip
    body = "\n".join("    " + line for line in lines)
    text = f"{HEADER}{HELPERS}\ndef f(x: {made.x}) -> float:\n{body}\n"
    return Program(name, text, 1 if made.x == "V" else 2)


def _read(name: str, rank: int, operation: str = "") -> str:
    """A number that tells what is in an array."""
    if operation == "a.flat":
        return f"sum({name})"
    return f"np.sum({name} * {name})" if rank else f"{name}"


def arguments(rank: int) -> Sequence[np.ndarray]:
    """The same numbers in the layouts that an argument may have."""
    numbers = np.random.default_rng(5).uniform(0.5, 1.5, 12)
    if rank == 1:
        wide = np.zeros(24)
        wide[::2] = numbers
        return numbers, wide[::2], numbers[::-1].copy()[::-1]
    matrix = numbers.reshape(3, 4)
    large = np.zeros((6, 8))
    large[::2, ::2] = matrix
    return matrix, np.asfortranarray(matrix), large[::2, ::2], matrix[::-1].copy()[::-1]
