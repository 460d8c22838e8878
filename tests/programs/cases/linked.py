"""Parameters of classes that refer to themselves: linked lists and trees."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from kinds import Vec


@dataclass
class Node:
    value: float
    rate: float
    next: Node | None = None

    def decayed(self, t: float) -> float:
        return self.value * math.exp(-self.rate * t)


class Tree:
    def __init__(self, x: float, left: Tree | None = None, right: Tree | None = None) -> None:
        self.x = x
        self.left = left
        self.right = right


@dataclass(frozen=True)
class Cell:
    head: float
    rest: Cell | None


@dataclass
class Layer:
    weights: Vec
    slope: float
    name: str = "layer"
    above: Layer | None = None


@dataclass
class Branch:
    length: float
    rate: float
    children: list[Branch]


@dataclass
class Chain:
    first: Node | None
    scale: float


def total(n: Node | None, t: float) -> float:
    s = 0.0
    while n is not None:
        s += n.decayed(t)
        n = n.next
    return s


def weighted_by_place(n: Node, a: float) -> float:
    s, k, at = 0.0, 1.0, n
    while at.next is not None:
        s += at.value * k
        k *= a
        at = at.next
    return s + at.value**2


def horner(c: Cell | None, x: float) -> float:
    s, p = 0.0, 1.0
    while c is not None:
        s += c.head * p
        p *= x
        c = c.rest
    return s


def by_stack(root: Tree | None, a: float) -> float:
    s = 0.0
    stack = [root]
    while stack:
        t = stack.pop()
        if t is not None:
            s += math.sin(t.x + a * s)
            stack.append(t.left)
            stack.append(t.right)
    return s


def by_levels(root: Tree) -> float:
    level, depth, s = [root], 1.0, 0.0
    while level:
        below = []
        for t in level:
            s += t.x * depth
            for other in (t.left, t.right):
                if other is not None:
                    below.append(other)
        level = below
        depth *= 0.5
    return s**2


def searched(root: Tree | None, x: float) -> float:
    nearest = 10.0
    while root is not None:
        nearest = min(nearest, abs(root.x - x))
        root = root.left if x < root.x else root.right
    return nearest**2


def layers(bottom: Layer | None, x: Vec) -> float:
    y = 0.0
    at = bottom
    while at is not None:
        y = np.tanh(at.weights @ x + at.slope * y)
        at = at.above
    return y


def decayed_in_place(n: Node | None, t: float) -> float:
    at = n
    while at is not None:
        at.value *= math.exp(-at.rate * t)
        at = at.next
    s = 0.0
    while n is not None:
        s += n.value * n.rate
        n = n.next
    return s


def reversed_copy(n: Node | None, a: float) -> float:
    made = None
    while n is not None:
        made = Node(n.value * a, n.rate, made)
        n = n.next
    s, k = 0.0, 1.0
    while made is not None:
        s += made.decayed(k)
        k *= 0.5
        made = made.next
    return s


def in_an_object(chain: Chain) -> float:
    s, n = 0.0, chain.first
    while n is not None:
        s += chain.scale * n.value
        n.value = s
        n = n.next
    return s**2


def both(a: Node | None, b: Tree | None) -> float:
    s = 0.0
    while a is not None and b is not None:
        s += a.value * b.x
        a, b = a.next, b.left
    return s


def merged(a: Node | None, b: Node | None) -> float:
    s, k = 0.0, 1.0
    while a is not None or b is not None:
        if b is None or (a is not None and a.value < b.value + 0.05):
            s += a.value * k
            a = a.next
        else:
            s += b.value * k * b.rate
            b = b.next
        k *= 0.7
    return s


def gathered(n: Node | None) -> float:
    values = []
    while n is not None:
        values.append(n.value)
        n = n.next
    return np.sum(np.sort(np.array(values)) * np.arange(1.0, len(values) + 1.0))


def kept_in_a_list(n: Node | None, i: int) -> float:
    seen: list[Node] = []
    while n is not None:
        seen.append(n)
        n = n.next
    return seen[i % len(seen)].value * seen[0].decayed(0.5)


def pruned(root: Branch, a: float) -> float:
    s, waiting = 0.0, [(root, 1.0)]
    while waiting:
        branch, scale = waiting.pop()
        own = scale * math.exp(-branch.rate * branch.length)
        s += own * a if len(branch.children) == 0 else 0.1 * own
        for child in branch.children:
            waiting.append((child, own))
    return s


def shortened(root: Branch, a: float) -> float:
    waiting = [root]
    while waiting:
        branch = waiting.pop()
        branch.length *= a
        waiting.extend(branch.children)
    return sum(child.length * child.rate for child in root.children) + root.length**2


def grafted(root: Branch, a: float) -> float:
    new = Branch(a, 0.5, [root, Branch(a * a, 0.3, [])])
    return sum(child.length * new.rate for child in new.children) * new.length
