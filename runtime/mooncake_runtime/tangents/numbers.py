"""The numbers of trees, for checks: as a vector, drawn at random, moved along a direction."""

from __future__ import annotations

import numpy as np

from mooncake_runtime.tangents.algebra import Vector, increment, like, scale, zero_tangent
from mooncake_runtime.tangents.memory import arrays_of, copy, in_new_memory, overlapping
from mooncake_runtime.tangents.trees import (
    Path,
    Tree,
    has_address,
    has_tangent,
    in_place,
    is_container,
    leaves,
    rebuild,
)


def flat(tree: Tree) -> Vector:
    """All numbers of the leaves with a tangent, left to right; a complex one is two."""
    found = [np.ravel(leaf) for _, leaf in leaves(tree) if has_tangent(leaf)]
    real = [part.view(part.real.dtype) if part.dtype.kind == "c" else part for part in found]
    return np.concatenate([np.zeros(0), *real]).astype(np.float64)


def magnitude(tree: Tree) -> float:
    """The largest absolute value of the numbers; 1 where all are 0."""
    return float(np.max(abs(flat(tree)), initial=0.0)) or 1.0


def magnitudes(tree: Tree) -> Vector:
    """For each number of ``flat(tree)`` that of its leaf; of all for a leaf of zeros."""
    whole = magnitude(tree)
    sizes = [flat(leaf) for _, leaf in leaves(tree) if has_tangent(leaf)]
    largest = [float(np.max(abs(numbers), initial=0.0)) or whole for numbers in sizes]
    return np.repeat(largest, np.array([len(numbers) for numbers in sizes], np.int64))


def unit(tree: Tree, index: int) -> Tree:
    """The tangent of ``tree`` with a 1 at number ``index`` of ``flat(tree)`` and zeros elsewhere.

    Where that number's memory is reached by other ways, too, the 1 is seen there as well.
    """
    left = index

    def draw(path: Path, leaf: Tree) -> Tree:
        nonlocal left
        if leaf is None:
            return None
        size = np.size(leaf) * (1 + np.iscomplexobj(leaf))
        at, left = left, left - size
        if not 0 <= at < size:
            return leaf
        if not isinstance(leaf, np.ndarray):
            return type(leaf)(1j if at else 1)
        numbers = leaf
        if np.iscomplexobj(leaf):
            at, imaginary = divmod(at, 2)
            numbers = leaf.imag if imaginary else leaf.real
        numbers[np.unravel_index(at, leaf.shape)] = 1.0
        return leaf

    return rebuild(draw, zero_tangent(tree), shell=in_place)


def direction(tree: Tree, rng: np.random.Generator) -> Tree:
    """A random tangent of ``tree``: numbers of both signs, none near 0, as large as their leaf."""

    def draw(path: Path, leaf: Tree) -> Tree:
        return like(leaf, _signed(leaf, rng) * magnitude(leaf)) if has_tangent(leaf) else None

    return in_new_memory(draw, tree)


def cotangent(tree: Tree, rng: np.random.Generator) -> Tree:
    """A random cotangent of a result: numbers of both signs, none near 0.

    No arrays of it share memory: a result that is returned twice has two cotangents.
    """

    def draw(path: Path, leaf: Tree) -> Tree:
        return like(leaf, _signed(leaf, rng)) if has_tangent(leaf) else None

    return rebuild(draw, tree, once=lambda part: has_address(part) and is_container(part))


def _signed(leaf: Tree, rng: np.random.Generator) -> Tree:
    def real() -> Tree:
        return rng.uniform(0.2, 1.0, np.shape(leaf)) * rng.choice([-1.0, 1.0], np.shape(leaf))

    return real() + 1j * real() if np.iscomplexobj(leaf) else real()


def moved(tree: Tree, tangent: Tree, step: complex) -> Tree:
    """``tree + step * tangent`` in new memory; complex, where the tangent is not None, if the
    step is. ValueError for a complex step where arrays overlap.
    """
    if not isinstance(step, complex):
        return increment(copy(tree), scale(step, tangent))
    if overlapping(arrays_of(tree)):
        raise ValueError("complex steps are for arrays that do not overlap")

    def move(path: Path, x: Tree, t: Tree) -> Tree:
        if t is None:
            return copy(x)
        return np.asarray(x + step * t) if isinstance(x, np.ndarray) else x + step * t

    return rebuild(move, tree, tangent)
