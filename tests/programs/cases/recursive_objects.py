"""Functions and methods that call themselves on objects that the run makes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from kinds import Vec


@dataclass
class Tree:
    value: float
    left: Tree | None = None
    right: Tree | None = None
    count: int = 1

    def by_depth(self, k: int = 0) -> float:
        s = self.value * k
        if self.left is not None:
            s += self.left.by_depth(k + 1)
        if self.right is not None:
            s += self.right.by_depth(k + 2)
        return s


def _put(root: Tree, x: float) -> None:
    p = root
    while True:
        p.count += 1
        if x < p.value:
            if p.left is None:
                p.left = Tree(x)
                break
            p = p.left
        else:
            if p.right is None:
                p.right = Tree(x)
                break
            p = p.right


def _made(x: Vec) -> Tree:
    root = Tree(x[0])
    for v in x[1:]:
        _put(root, v)
    return root


def _product(t: Tree | None) -> float:
    if t is None:
        return 1.0
    return np.sin(t.value) + _product(t.left) * _product(t.right)


def products(x: Vec) -> float:
    return _product(_made(x))


def _largest(t):
    if t is None:
        return -1e3
    return max(t.value, _largest(t.left), _largest(t.right))


def largest_without_annotations(x: Vec) -> float:
    return _largest(_made(x * x)) ** 2


def by_method(x: Vec) -> float:
    return _made(x).by_depth() ** 2


def _scale(t: Tree | None, a: float) -> None:
    if t is not None:
        t.value *= a
        _scale(t.left, 0.5 * a)
        _scale(t.right, a + 1.0)


def changed_on_the_way(x: Vec, a: float) -> float:
    root = _made(x)
    before = root.value
    _scale(root, a)
    return _product(root) + before * root.value


def changed_in_a_loop(x: Vec, a: float) -> float:
    root = _made(x)
    s = 0.0
    for k in range(3):
        _scale(root, a / (k + 1))
        s += _product(root)
    return s


def _height(t: Tree | None) -> int:
    return 0 if t is None else 1 + max(_height(t.left), _height(t.right))


def height_and_counts(x: Vec) -> float:
    root = _made(x)
    return _height(root) * _product(root) + root.count * x[0]


def _even(t):
    return 0.0 if t is None else t.value + _odd(t.left) + _odd(t.right)


def _odd(t):
    return 0.0 if t is None else _even(t.left) * _even(t.right) + t.value**2


def each_other(x: Vec) -> float:
    return _even(_made(x))


class Node:
    def __init__(self, x: float) -> None:
        self.x = x
        self.children: list[Node] = []

    def add(self, x: float) -> Node:
        made = Node(x)
        self.children.append(made)
        return made


def _total(n: Node, depth: int) -> float:
    s = n.x**2 / (1 + depth)
    for c in n.children:
        s += 0.5 * _total(c, depth + 1)
    return s


def with_children(x: Vec) -> float:
    root = Node(x[0])
    p = root
    for v in x:
        p.add(v + 1.0)
        p = p.add(v * x[0])
    return _total(root, 0)


@dataclass
class Cell:
    mass: float
    pos: Vec
    inner: Cell | None = None


def _energy(c: Cell | None) -> float:
    if c is None:
        return 0.0
    return c.mass * np.sum(c.pos**2) + _energy(c.inner)


def with_arrays(x: Vec, n: int) -> float:
    head: Cell | None = None
    for i in range(n):
        head = Cell(x[0] * (i + 1), x * i, head)
    return _energy(head)


class Op(Enum):
    LEAF = 0
    SUM = 1
    PRODUCT = 2


@dataclass
class Term:
    op: Op
    value: float
    a: Term | None = None
    b: Term | None = None


def _evaluated(t: Term) -> float:
    if t.op is Op.LEAF or t.a is None or t.b is None:
        return t.value
    if t.op is Op.SUM:
        return _evaluated(t.a) + _evaluated(t.b)
    return _evaluated(t.a) * _evaluated(t.b)


def expression(x: Vec) -> float:
    stack = [Term(Op.LEAF, v) for v in x]
    k = 0
    while len(stack) > 1:
        b = stack.pop()
        a = stack.pop()
        stack.append(Term(Op.SUM if k % 2 == 0 else Op.PRODUCT, 0.0, a, b))
        k += 1
    return _evaluated(stack[0])


@dataclass
class Body:
    x: float
    m: float


@dataclass
class Quad:
    center: float
    width: float
    bodies: list[Body] = field(default_factory=list)
    lower: Quad | None = None
    upper: Quad | None = None


def _mass(q: Quad | None) -> float:
    if q is None:
        return 0.0
    return sum(b.m * (b.x - q.center) ** 2 for b in q.bodies) + _mass(q.lower) + _mass(q.upper)


def two_classes(x: Vec, m: Vec) -> float:
    root = Quad(0.0, 4.0)
    root.lower = Quad(-2.0, 2.0)
    root.upper = Quad(2.0, 2.0)
    for k in range(len(x)):
        b = Body(x[k], m[k])
        if x[k] < 0.0:
            root.lower.bodies.append(b)
        elif x[k] > 0.5:
            root.upper.bodies.append(b)
        else:
            root.bodies.append(b)
    return _mass(root)


def _length(t: Tree | None, s: float) -> float:
    return s if t is None else _length(t.left, s + t.value * t.value)


def tail_call(x: Vec) -> float:
    return _length(_made(x), 0.0)


def with_an_array_beside(x: Vec, w: Vec) -> float:
    return _weighted(_made(x), w, 0)


def _weighted(t: Tree | None, w: Vec, k: int) -> float:
    if t is None or k >= len(w):
        return 0.0
    return w[k] * t.value + _weighted(t.left, w, k + 1) + _weighted(t.right, w, k + 1)


def _chain(x: Vec, n: int) -> Cell | None:
    head: Cell | None = None
    for i in range(n):
        head = Cell(x[0] * (i + 1), x * i, head)
    return head


def _cut(c: Cell | None, depth: int) -> None:
    if c is None:
        return
    if depth == 1:
        c.inner = None
    else:
        _cut(c.inner, depth - 1)


def links_change(x: Vec, n: int) -> float:
    head = _chain(x, n)
    before = _energy(head)
    _cut(head, 2)
    return before + 3.0 * _energy(head)


def _turned(c: Cell | None, before: Cell | None) -> float:
    if c is None:
        return 0.0 if before is None else before.mass * _energy(before)
    after = c.inner
    c.inner = before
    return _turned(after, c)


def turned_round(x: Vec, n: int) -> float:
    return _turned(_chain(x, n), None)


def _counted(t: Tree | None, k: int) -> int:
    if t is None:
        return 0
    t.count = k
    return 1 + _counted(t.left, k + 1) + _counted(t.right, k + 2)


def integers_change(x: Vec) -> float:
    root = _made(x)
    size = _counted(root, 5)
    return size * _product(root) + (0 if root.left is None else root.left.count) * x[1]


def _found(t: Tree | None, x: float) -> Tree | None:
    if t is None or t.value == x:
        return t
    return _found(t.left if x < t.value else t.right, x)


def _first(t: Tree) -> Tree:
    return t if t.left is None else _first(t.left)


def gives_an_object(x: Vec) -> float:
    root = _made(x)
    t = _found(root, x[2])
    first = _first(root)
    first.value += 1.0
    s = first.value**2 + _product(root)
    return s if t is None else s * t.value + (1.0 if t is root else 2.0)


def _visited(t: Tree | None, c: float) -> float:
    if t is None:
        return c
    t.count += 1
    return np.sin(t.value) * t.count + _visited(t.left, 0.5 * c) * _visited(t.right, c)


def integers_change_in_a_loop(x: Vec, c: float) -> float:
    root = _made(x)
    s = 0.0
    for k in range(3):
        s += _visited(root, c + k)
    return s
