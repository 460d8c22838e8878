"""Values to draw for the laws of tangents, and their numbers read off by other means."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

Tree = Any


class Colour(enum.Enum):
    RED = 0.5


class Pair(NamedTuple):
    first: Tree
    n: int
    second: Tree


@dataclass(frozen=True)
class Frozen:
    value: Tree
    label: str
    other: Tree = None

    def __post_init__(self) -> None:
        assert self.label  # which no tangent has: it is made without a call


@dataclass(slots=True)
class Node:
    """A struct that can be changed, in graphs of any form; ``late`` may be unset."""

    x: Tree
    left: Node | None = None
    right: Node | None = None
    _private: float = 2.0
    late: Tree = None


SCALARS = [1.5, np.float32(0.25), np.float64(-2.0), 1.0 - 2.0j, np.complex64(0.5j)]
CONSTANTS = [None, 3, True, "name", Colour.RED, np.int32(4), np.bool_(False), slice(1), np.sin]
VIEWS = [np.s_[:], np.s_[2:9], np.s_[::2], np.s_[1::2], np.s_[::-1], np.s_[4:4], np.s_[7:8]]
PLANES = [np.s_[:], np.s_[1:], np.s_[:, 1], np.s_[:, ::2], np.s_[0, 2]]


class Memory:
    """The memory that the parts of one value may share."""

    def __init__(self) -> None:
        self.line = np.arange(1.0, 13.0) / 4
        self.plane = np.arange(12.0).reshape(3, 4) * (0.25 + 0.5j)
        self.list = [0.5, self.line]
        self.node = Node(np.float32(0.5), None, Node(self.line[:6]))


Recipe = Callable[[Memory], Tree]
Recipes = st.SearchStrategy[Recipe]


def new_array(shape: tuple[int, ...], dtype: type) -> Recipe:
    return lambda memory: np.resize(np.arange(1.0, 7.0), shape).astype(dtype)


LEAVES: Recipes = st.one_of(
    st.sampled_from(SCALARS + CONSTANTS).map(lambda value: lambda memory: value),
    st.builds(
        new_array,
        st.sampled_from([(), (0,), (3,), (2, 3), (1, 2, 1)]),
        st.sampled_from([np.float64, np.float32, np.complex128, np.int64]),
    ),
    st.sampled_from(VIEWS).map(lambda at: lambda memory: memory.line[at]),
    st.sampled_from(PLANES).map(lambda at: lambda memory: np.asarray(memory.plane[at])),
    st.sampled_from(PLANES).map(lambda at: lambda memory: np.asarray(memory.plane.real[at])),
    st.sampled_from(["list", "node"]).map(lambda name: lambda memory: getattr(memory, name)),
)


def node(x: Recipe, left: Recipe | None, cyclic: bool) -> Recipe:
    """A node that has another one twice, or itself and an unset field."""

    def build(memory: Memory) -> Node:
        made = Node(x(memory), None if left is None else Node(left(memory)), late=x(memory))
        made.right = made if cyclic else made.left
        if cyclic:
            del made.late
        return made

    return build


def grown(parts: Recipes) -> Recipes:
    several = st.lists(parts, max_size=3)
    return st.one_of(
        several.map(lambda ps: lambda memory: [p(memory) for p in ps]),
        several.map(lambda ps: lambda memory: tuple(p(memory) for p in ps)),
        several.map(lambda ps: lambda memory: {str(i): p(memory) for i, p in enumerate(ps)}),
        st.builds(lambda p, q: lambda memory: Pair(p(memory), 2, q(memory)), parts, parts),
        st.builds(lambda p, q: lambda memory: Frozen(p(memory), "f", q(memory)), parts, parts),
        st.builds(node, parts, st.none() | parts, st.booleans()),
    )


# Trees of all kinds of values; arrays and structs may be shared, views may overlap.
trees = st.recursive(LEAVES, grown, max_leaves=8).map(lambda recipe: recipe(Memory()))


def parts(tree: Tree) -> Iterator[Tree]:
    """All parts of a tree or tangent: what can be changed in place once, the rest where it is."""
    seen: set[int] = set()
    stack = [tree]
    while stack:
        part = stack.pop()
        if isinstance(part, np.ndarray | list | dict | Node):
            if id(part) in seen:
                continue
            seen.add(id(part))
        yield part
        match part:
            case tuple() | list():
                stack.extend(reversed(part))
            case dict():
                stack.extend(reversed(part.values()))
            case Node() | Frozen():
                names = [f.name for f in fields(part) if hasattr(part, f.name)]
                stack.extend(getattr(part, name) for name in reversed(names))


def numbers(tree: Tree) -> np.ndarray:
    """The numbers of a tree or tangent, read without the package: memory that arrays share once,
    complex numbers as two.
    """
    places: set[int] = set()
    found: list[float] = []
    for part in parts(tree):
        match part:
            case np.ndarray():
                for real in (part.real, part.imag) if part.dtype.kind == "c" else (part,):
                    found.extend(unseen(real, places))
            case complex() | np.complexfloating():
                found += [float(part.real), float(part.imag)]
            case float() | np.floating():
                found.append(float(part))
    return np.array(found)


def unseen(array: np.ndarray, places: set[int]) -> Iterator[float]:
    """The numbers of a real array whose addresses are not among ``places`` yet."""
    start = array.__array_interface__["data"][0]
    for index in np.ndindex(array.shape) if array.dtype.kind == "f" else ():
        place = start + sum(i * stride for i, stride in zip(index, array.strides, strict=True))
        if place not in places:
            places.add(place)
            yield float(array[index])
