"""Tangents as vectors: zero, sums, multiples, the inner product; and as differences of values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mooncake_runtime.spec import describe
from mooncake_runtime.tangents.memory import (
    Array,
    arrays_of,
    copy,
    distinct,
    in_new_memory,
    overlapping,
)
from mooncake_runtime.tangents.trees import (
    Path,
    Tree,
    carries,
    has_tangent,
    in_place,
    is_container,
    leaves,
    rebuild,
)

Vector = NDArray[np.float64]


def zero_tangent(x: Tree) -> Tree:
    """The zero tangent of ``x``: 0 for floats and arrays of them, None where there is no tangent.

    Containers, shapes and dtypes are those of ``x``, and so is the aliasing: an array or object
    that is reached twice has one tangent, arrays that overlap have tangents that overlap, cycles
    are cycles. Fields that are not set stay so. TypeError for a value of unknown type.
    """
    return in_new_memory(_zero, x)


def _zero(path: Path, leaf: Tree) -> Tree:
    if not has_tangent(leaf):
        return None
    return np.zeros_like(leaf, subok=False) if isinstance(leaf, np.ndarray) else type(leaf)(0)


def randn_tangent(x: Tree, rng: np.random.Generator) -> Tree:
    """A tangent of ``x`` like ``zero_tangent(x)``, of standard normal numbers.

    Complex ones have independent standard normal parts.
    """

    def draw(path: Path, leaf: Tree) -> Tree:
        if not has_tangent(leaf):
            return None
        drawn = rng.standard_normal(np.shape(leaf))
        if np.iscomplexobj(leaf):
            drawn = drawn + 1j * rng.standard_normal(np.shape(leaf))
        return like(leaf, drawn)

    return in_new_memory(draw, x)


def like(leaf: Tree, numbers: Tree) -> Tree:
    """``numbers`` as an array or scalar of the type of ``leaf``."""
    return np.asarray(numbers, leaf.dtype) if isinstance(leaf, np.ndarray) else type(leaf)(numbers)


def increment(a: Tree, b: Tree) -> Tree:
    """``a + b``, where ``a`` is a tangent or a primal and ``b`` a tangent of its structure.

    What has an address in ``a`` (arrays, lists, dicts, mutable dataclasses) is changed in place,
    so the result consists of the same objects; the rest is new. None in ``b`` adds nothing.
    Numbers keep the precision that they have in ``a``. Memory that ``a`` and ``b`` both reach twice
    is added once; memory that only ``a`` reaches twice gets the sum of both tangents.
    TypeError or ValueError where ``b`` does not fit, and then nothing is changed.
    """
    for path, x, y in leaves(a, b):
        if y is not None:
            _fit(path, x, y, real=not np.iscomplexobj(x))
    pairs: list[tuple[Array, Array]] = []

    def add(path: Path, x: Tree, y: Tree) -> Tree:
        if y is None or not has_tangent(x):
            return x
        if not isinstance(x, np.ndarray):
            return type(x)(x + y)
        pairs.append((x, np.asarray(y)))
        return x

    result = rebuild(add, a, b, shell=in_place)
    _add_in_place(pairs)
    return result


def _add_in_place(pairs: list[tuple[Array, Array]]) -> None:
    """``x += y`` for all pairs, with the ``y`` as they are before any addition."""
    parts = distinct(pairs)
    if overlapping([array for pair in pairs for array in pair]):
        parts = [(x, y.copy(), mask) for x, y, mask in parts]
    for x, y, mask in parts:
        np.add(x, y, out=x, where=True if mask is None else mask)


def scale(c: float, t: Tree) -> Tree:
    """``c * t`` in new memory, aliased as ``t`` is, in the precision of ``t``; ``c`` is real."""
    if isinstance(c, bool) or not isinstance(c, float | int | np.floating | np.integer):
        raise TypeError(f"scale: the factor must be a real number, got {describe(c)}")
    factor = float(c)

    def multiple(path: Path, leaf: Tree) -> Tree:
        if not has_tangent(leaf):
            return None
        if isinstance(leaf, np.ndarray):
            return np.asarray(factor * leaf)  # of rank 0, too
        return type(leaf)(factor * leaf)

    return in_new_memory(multiple, t)


def dot(a: Tree, b: Tree) -> float:
    """The real inner product of two tangents: the sum of ``Re(conj(a) * b)`` over all numbers.

    None is zero. Memory that both reach twice counts once, as for ``increment``; sums are taken in
    double precision. TypeError or ValueError where the structures differ.
    """
    return float(np.sum(products(a, b)))


def products(a: Tree, b: Tree) -> Vector:
    """The summands of ``dot(a, b)``."""
    found: list[Vector] = []
    pairs: list[tuple[Array, Array]] = []
    for path, x, y in leaves(a, b):
        if x is None or y is None or not _fit(path, x, y):
            continue
        if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
            pairs.append((np.asarray(x), np.asarray(y)))
        else:
            found.append(_product(x, y))
    for x, y, mask in distinct(pairs):
        terms = _product(x, y)
        found.append(terms if mask is None else terms[mask])
    return np.concatenate([np.zeros(0), *map(np.ravel, found)])


def _product(x: Tree, y: Tree) -> Vector:
    """``Re(conj(x) * y)``."""
    terms: Vector = np.multiply(x.real, y.real, dtype=np.float64)
    if np.iscomplexobj(x) and np.iscomplexobj(y):
        terms = terms + np.multiply(x.imag, y.imag, dtype=np.float64)
    return terms


def add_to_primal(x: Tree, t: Tree) -> Tree:
    """``x`` moved by the tangent ``t``, in new memory that is aliased as ``x`` is.

    Values without a tangent are copied. Objects are made without calling ``__init__``.
    """
    return increment(copy(x), t)


def difference(x: Tree, y: Tree) -> Tree:
    """The tangent ``t`` with ``add_to_primal(y, t) == x``, for values of the same structure.

    It has the containers of ``x``, and is aliased where both are. What has no tangent is not
    compared. TypeError or ValueError where structures, shapes or the overlaps of arrays differ.
    """
    result = in_new_memory(_subtract, x, y)
    if overlapping(arrays_of(x)):
        for path, t, p, q in leaves(result, x, y):
            if isinstance(t, np.ndarray) and not np.array_equal(t, p - q, equal_nan=True):
                raise ValueError(f"arrays overlap in one of the two values only at {path.place}")
    return result


def _subtract(path: Path, x: Tree, y: Tree) -> Tree:
    if (x is None) != (y is None):
        raise _misfit(path, x, y)
    if not _fit(path, x, y, real=not np.iscomplexobj(x)):
        return None
    return np.asarray(x - y) if isinstance(x, np.ndarray) else type(x)(x - y)


def _fit(path: Path, x: Tree, y: Tree, real: bool = False) -> bool:
    """True if two leaves have tangents; TypeError or ValueError if one has none, or shapes differ.

    An array of rank 0 fits to a scalar. ``real``: ``y`` must not be complex.
    """
    if not has_tangent(x):
        if carries(y):
            raise _misfit(path, x, y)
        return False
    if is_container(y) or not has_tangent(y) or (real and np.iscomplexobj(y)):
        raise _misfit(path, x, y)
    if np.shape(x) != np.shape(y):
        raise ValueError(f"shapes {np.shape(x)} and {np.shape(y)} do not fit at {path.place}")
    return True


def _misfit(path: Path, x: Tree, y: Tree) -> TypeError:
    return TypeError(f"{describe(x)} and {describe(y)} do not fit at {path.place}")
