"""Arguments, results and cotangents as trees: scalars and arrays in tuples, structs and lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tree = Any
Vector = NDArray[np.float64]


def children(tree: Tree) -> list[Tree] | None:
    """The parts of a tuple, list or struct; None for a leaf."""
    if isinstance(tree, tuple | list):
        return list(tree)
    if is_dataclass(tree) and not isinstance(tree, type):
        return [getattr(tree, f.name) for f in fields(tree)]
    return None


def leaves(tree: Tree, path: str = "") -> Iterator[tuple[str, Tree]]:
    """The leaves that are not None with their paths (``p[0]``, ``p.x``), left to right."""
    parts = children(tree)
    if parts is None:
        if tree is not None:
            yield path, tree
        return
    names = getattr(tree, "_fields", None) or [
        f.name for f in (fields(tree) if is_dataclass(tree) else ())
    ]
    for i, part in enumerate(parts):
        yield from leaves(part, f"{path}.{names[i]}" if names else f"{path}[{i}]")


def has_tangent(leaf: Tree) -> bool:
    """Whether a leaf is of floats."""
    return np.asarray(leaf).dtype.kind in "fc"


def rebuild(tree: Tree, parts: list[Tree]) -> Tree:
    """A tree of the kind of ``tree`` with other parts."""
    if hasattr(tree, "_make"):
        return tree._make(parts)
    if is_dataclass(tree) and not isinstance(tree, type):
        return type(tree)(*parts)
    return type(tree)(parts)


def map_leaves(function: Callable[[Tree], Tree], tree: Tree) -> Tree:
    """``function`` applied to each leaf that is not None."""
    parts = children(tree)
    if parts is not None:
        return rebuild(tree, [map_leaves(function, part) for part in parts])
    return None if tree is None else function(tree)


def copy(tree: Tree) -> Tree:
    """A deep copy; an array that occurs twice is one array in the copy, too."""
    return deepcopy(tree)


def magnitude(tree: Tree) -> float:
    """The largest absolute value of the float leaves; 1 where all are 0."""
    return float(np.max(abs(flat(tree)), initial=0.0)) or 1.0


def direction(tree: Tree, rng: np.random.Generator, relative: bool = False) -> Tree:
    """A random tangent or cotangent of ``tree``: None where there are no floats.

    ``relative``: of the magnitude of each leaf.
    """

    def draw(leaf: Tree) -> Tree:
        if not has_tangent(leaf):
            return None
        shape, dtype = np.shape(leaf), np.asarray(leaf).dtype
        drawn = _signed(rng, shape)
        if dtype.kind == "c":
            drawn = drawn + 1j * _signed(rng, shape)
        drawn = drawn * magnitude(leaf) if relative else drawn
        return drawn.astype(dtype) if isinstance(leaf, np.ndarray) else type(leaf)(drawn)

    return map_leaves(draw, tree)


def _signed(rng: np.random.Generator, shape: tuple[int, ...]) -> Tree:
    """Numbers of both signs, none near 0."""
    return rng.uniform(0.2, 1.0, shape) * rng.choice([-1.0, 1.0], shape)


def moved(tree: Tree, tangent: Tree, step: complex) -> Tree:
    """``tree + step * tangent`` in new memory; complex if the step is."""
    parts, directions = children(tree), children(tangent)
    if parts is not None and directions is not None:
        return rebuild(tree, [moved(p, d, step) for p, d in zip(parts, directions, strict=True)])
    if tangent is None:
        return copy(tree)
    if isinstance(step, complex):
        return tree + step * tangent
    result = tree + np.asarray(step).astype(np.asarray(tree).dtype) * tangent
    return result if isinstance(tree, np.ndarray) else type(tree)(result)


def flat(tree: Tree) -> Vector:
    """All numbers of the float leaves; a complex one is two."""
    found = [np.ravel(leaf) for _, leaf in leaves(tree) if has_tangent(leaf)]
    real = [part.view(part.real.dtype) if part.dtype.kind == "c" else part for part in found]
    return np.concatenate([np.zeros(0), *real]).astype(np.float64)


def inner_product(y_bar: Tree, y: Tree) -> complex:
    """The sum over all float leaves of ``y_bar * y``; complex after a complex step.

    For complex leaves it is the real part of ``conj(y_bar) * y``.
    """
    pairs = zip(leaves(y_bar), [y for y in leaves(y) if has_tangent(y[1])], strict=True)
    total: complex = 0.0
    for (_, a), (_, b) in pairs:
        if np.iscomplexobj(a):
            total += np.sum(np.real(a) * np.real(b) + np.imag(a) * np.imag(b))
        else:
            total += np.sum(a * b)
    return total
