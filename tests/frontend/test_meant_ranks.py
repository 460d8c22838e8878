"""Ranks that are meant, of several that fit: by steps nobody writes, by names and by docstrings."""

from __future__ import annotations

import re

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import gradient_text, transpiled

HEAD = "from dataclasses import dataclass\nimport numpy as np\n\n"
# Functions, and the ranks of their arrays.
MEANT = {
    # a number is not subtracted from an array, nor an array from a number
    "def f(y, X1, beta): return np.sum((y - X1 @ beta) ** 2)": "121",
    "def f(obs, design, beta): return np.sum((obs - design @ beta) ** 2)": "121",
    "def f(x, w, b): return np.sum(np.tanh(w @ x + b))": "121",
    # vectors need no ``.T`` behind ``@``, and what a product is subtracted from has its rank
    "def f(v, w, h):\n    for _ in range(3):\n        h = h * (w.T @ v) / (w.T @ w @ h)\n"
    "        w = w * (v @ h.T) / (w @ h @ h.T)\n    return np.sum((v - w @ h) ** 2)": "222",
    # the left side of a sum has as many axes as the right one
    "def f(r, k):\n    q = r + 2.0 * np.stack([k, k * k], axis=1)\n    return np.sum(q**2)": "21",
    # but not where an axis was made for it on purpose
    "def f(x, mu, p):\n    z = x[:, None] - mu\n    return np.sum(p - 0.5 * z**2)": "111",
    # a mean is subtracted from rows
    "def f(x, mean, cov):\n    z = np.linalg.solve(np.linalg.cholesky(cov), (x - mean).T)\n"
    "    return np.sum(z**2, axis=0)[0] + mean[0]": "212",
    # data has the rank of a prediction, and rows of it that of rows
    "def f(xs, w, ts):\n    s = 0.0\n    for x, t in zip(xs, ts):\n        r = w @ x - t\n"
    "        s += np.sum(r**2)\n    return s + w[0, 0]": "222",
    "def f(grid, centers):\n    s = 0.0\n    for c in centers:\n"
    "        s += np.sum(np.exp(-((grid - c) ** 2)))\n    return s": "11",
    # rows are apart from rows
    "def f(x, centers):\n    n, d = x.shape\n    s = 0.0\n    for i in range(n):\n"
    "        s += min(np.sum((x[i] - c) ** 2) for c in centers)\n    return s / d": "22",
    "def f(x, mu):\n    s = 0.0\n    for v in x:\n        for k in range(len(mu)):\n"
    "            s += np.exp(-((v - mu[k]) ** 2))\n    return s": "11",
    # arrays of one rank
    "def f(p, q): return -np.mean(np.sum(p * np.log(q), axis=1))": "22",
    "def f(a, b): return np.sum(np.sum((a[:, None] - b[None]) ** 2, axis=2))": "22",
    # as few axes as that needs
    "def f(x): return x[0].sum(axis=0)": "2",
    "def f(m, action):\n    idx = np.where(action == 1)[0]\n    return np.sum(m[idx] ** 2)": "11",
    "def f(m, lab):\n    own = m[lab == 1]\n    return np.sum((own - own.mean(axis=0)) ** 2)": "21",
    "def f(x, bonds):\n    a, b = bonds[:, 0], bonds[:, 1]\n"
    "    return np.sum(np.linalg.norm(x[a] - x[b], axis=1))": "22",
    # layers have one rank
    "def f(x, w1, b1, w2, b2, w3, b3):\n    h = np.tanh(x[:, :] @ w1 + b1)\n"
    "    h = np.tanh(h @ w2 + b2)\n    return np.sum(h @ w3 + b3)": "2212121",
    # what fills an array has as many axes, where all of these are written
    "def f(x0, m):\n    m[:] = x0\n    return np.sum(m[:, 0] * m[:, 1])": "12",
    "def f(x, m):\n    m[:, :, :, :] = x - np.max(x, axis=-1, keepdims=True)\n"
    "    return np.sum(m)": "44",
    # matrices are between vectors
    "def f(u, m, v): return u @ m @ v + np.sum(u * v)": "121",
    # columns
    "def f(m, s): return np.sum(m * s[:, None])": "21",
    "def f(t, rates): return np.sum(np.cos(t[:, None] * rates))": "11",
    "def f(x, c): return np.sum(np.exp(-np.abs(x - c[:, None])))": "11",
    # names
    "def f(positions, k): return k * np.sum(positions**2)": "2",
    "def f(A, B, Q, x):\n    return x @ (Q + A.T @ (A + B @ B.T)) @ x": "2221",
    "def f(q, k, v):\n    return np.sum(np.exp(np.einsum('id,jd->ij', q, k)) @ v)": "222",
    "def f(x, wq, wk, wv):\n    q, c = x @ wq, x @ wk\n    s = np.exp(q @ c.T)\n"
    "    return np.sum((s / s.sum(axis=1, keepdims=True)) @ (x @ wv))": "2222",
    # layers: weights with biases
    "def f(w1, b1, w2, b2, x, y):\n    h = np.tanh(x @ w1 + b1)\n"
    "    return np.mean((h @ w2 + b2 - y) ** 2)": "212122",
    "def f(w1, b1, w2, b2, x):\n    h = np.tanh(w1 * x + b1)\n"
    "    return h @ w2 + np.sum(b2)": "11111",
    # an item of data is not subtracted from a prediction of more axes
    "def f(z, F, H, x):\n    s = 0.0\n    for k in range(len(z)):\n        x = F @ x\n"
    "        e = z[k] - H @ x\n        s += np.sum(e**2)\n    return s": "2221",
    "def f(xs, ys, W, V, b):\n    s = 0.0\n    for t in range(len(xs)):\n"
    "        out = V @ np.tanh(W @ xs[t]) + b\n        s += np.sum((out - ys[t]) ** 2)\n"
    "    return s": "22221",
    # text
    'def f(x, s):\n    """Sum.\n\n    x : ndarray of shape (n, m)\n    s : array_like, shape (m,)\n'
    '    """\n    return np.sum(x * s)': "21",
    'def f(x):\n    """Sum of x (n, m) squared."""\n    return np.sum(x**2)': "2",
    'def f(x):\n    """Sum.\n\n    Args:\n        x: (n, m).\n    """\n    return x[0, 0, 1]': "3",
    'def f(x):\n    """x : shape (n, m)"""\n    return x[0] * 2.0': "1",
    'def f(x, m, r):\n    """x is an N x 3 matrix\n    m : 3x3 array\n    r is an n x 1 vector"""\n'
    "    return np.sum(x) + np.sum(m) + np.sum(r)": "222",
    'def f(x):\n    """x in (0, 1)\n\n    x : of (0, 1)\n    """\n    return np.sum(x**2)': "1",
}


def _annotated(text: str) -> str:
    """The function with annotations: numbers are called ``k``."""
    head, rest = text.split("):", 1)
    names = head.removeprefix("def f(").split(", ")
    is_number = "k * np.sum" in text
    notes = (f"{n}: float" if n == "k" and is_number else f"{n}: np.ndarray" for n in names)
    return f"def f({', '.join(notes)}) -> float:{rest}\n"


def _ranks(text: str) -> str:
    found = re.search(r"def f_value_and_grad\((.*?)\) ->", text, re.DOTALL)
    assert found is not None
    ranks = {"Vector": "1", "Matrix": "2", "Array3": "3", "Array4": "4"}
    return "".join(ranks[kind] for kind in re.findall(r": \w*?(Vector|Matrix|Array\d)\b", found[1]))


@pytest.mark.parametrize("text", MEANT)
def test_ranks_are_those_that_are_meant(text: str) -> None:
    assert _ranks(gradient_text(HEAD + _annotated(text))) == MEANT[text]


CALLING = """
def softmax(x: np.ndarray) -> np.ndarray:
    z = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return z / np.sum(z, axis=-1, keepdims=True)

def f(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    return softmax(x @ w)
"""


def test_calls_give_as_many_axes_as_functions_take() -> None:
    """But not where names tell otherwise."""
    head = gradient_text(HEAD + CALLING).partition("def f_vjp")[2].partition("->")[0]
    assert "x: Matrix, w: Matrix" in " ".join(head.split())
    head = gradient_text(HEAD + CALLING.replace("w", "A").replace("x @ A", "A @ x"))
    assert "x: Vector, A: Matrix" in " ".join(head.partition("def f_vjp")[2].split())


FIELDS = """
@dataclass
class Data:
    \"\"\"Samples.

    Attributes
    ----------
    x : ndarray of shape (n, m)
    \"\"\"
    x: np.ndarray
    w: np.ndarray  # (n, m, k)

def f(d: Data,
      a: np.ndarray,  # (n, m)
      b: np.ndarray  # shape (n, m)
) -> float:
    return np.sum(d.x**2) + np.sum(d.w**2) + np.sum(a) + np.sum(b)
"""


def test_texts_of_classes_and_comments_of_signatures() -> None:
    head = gradient_text(HEAD + FIELDS).partition("def f_value_and_grad")[2].partition("->")[0]
    assert "a: Matrix, b: Matrix" in " ".join(head.split())
    module, made = transpiled(HEAD + FIELDS)
    data = module.Data(np.ones((2, 3)), np.ones((2, 3, 4)))
    check_gradients(module.f, made, (data, np.ones((2, 3)), np.ones((3, 2))))


COLUMNS = '''
def pull(places: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """places is an n x 3 matrix, mass is an n x 1 vector"""
    return np.tanh(places * mass + mass.T @ places)

def f(mass: np.ndarray, places: np.ndarray) -> float:
    return np.sum(mass * pull(places, mass))
'''


def test_columns_are_stretched() -> None:
    """Text tells of an axis that it has size 1."""
    module, made = transpiled(HEAD + COLUMNS)
    args = np.linspace(0.5, 2.0, 4)[:, None], np.linspace(-1.0, 1.0, 12).reshape(4, 3)
    check_gradients(module.f, made, args)
    check_gradients(module.pull, made, args[::-1])


def test_code_counts_before_text() -> None:
    """Of a docstring that the code can't follow, nothing is left."""
    text = '''
def f(x: np.ndarray) -> float:
    """Sum of x (n, m)."""
    total = 0.0
    for one in x:
        total += one**2
    return total
'''
    assert "x: Vector" in gradient_text(HEAD + text)


CALLED = """
GRID = np.linspace(0.0, 1.0, 5)

def energy(u: np.ndarray, k: np.ndarray) -> float:
    return np.sum(u**2 * k)

def main() -> None:
    rng = np.random.default_rng(0)
    u = np.exp(rng.normal(size=(4, 5)))
    print(energy(u, k=GRID))

if __name__ == "__main__":
    main()
"""


def test_calls_of_a_module_that_runs() -> None:
    assert "u: Matrix, k: Vector" in gradient_text(HEAD + CALLED)
