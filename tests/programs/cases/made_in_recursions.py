"""Objects that recursive functions make: trees, chains and expressions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from kinds import Vec


@dataclass
class Tree:
    value: float
    left: Tree | None = None
    right: Tree | None = None

    def by_depth(self, k: int = 0) -> float:
        s = self.value * k
        if self.left is not None:
            s += self.left.by_depth(k + 1)
        if self.right is not None:
            s += self.right.by_depth(k + 2)
        return s


def _product(t: Tree | None) -> float:
    if t is None:
        return 1.0
    return np.sin(t.value) + _product(t.left) * _product(t.right)


def _grown(depth: int, x: float) -> Tree:
    if depth == 0:
        return Tree(x)
    return Tree(x, _grown(depth - 1, x * 0.5), _grown(depth - 1, x + 1.0))


def made_in_a_recursion(x: float, n: int) -> float:
    return _product(_grown(n, x)) + _grown(2, x * x).by_depth()


def _balanced(points: Vec, lo: int, hi: int) -> Tree | None:
    if lo >= hi:
        return None
    mid = (lo + hi) // 2
    node = Tree(points[mid])
    node.left = _balanced(points, lo, mid)
    node.right = _balanced(points, mid + 1, hi)
    return node


def searched_in_a_balanced_tree(x: Vec, y: float) -> float:
    root = _balanced(x, 0, len(x))
    best, node = 1e9, root
    while node is not None:
        best = min(best, (node.value - y) ** 2)
        node = node.left if y < node.value else node.right
    return best + _product(root)


def _chain(k, x):
    if k == 0:
        return None
    return Tree(x, _chain(k - 1, x * 0.9))


def chained_without_annotations(x: float, n: int) -> float:
    total, node = 0.0, _chain(n, x)
    while node:
        total += node.value**2
        node = node.left
    return total


@dataclass
class Expr:
    op: int
    value: float = 0.0
    a: Expr | None = None
    b: Expr | None = None


def _evaluated(e: Expr, x: float) -> float:
    if e.op == 0:
        return e.value
    if e.op == 1:
        return x
    if e.op == 2:
        return _evaluated(e.a, x) + _evaluated(e.b, x)
    return _evaluated(e.a, x) * _evaluated(e.b, x)


def _differentiated(e: Expr) -> Expr:
    if e.op == 0:
        return Expr(0, 0.0)
    if e.op == 1:
        return Expr(0, 1.0)
    if e.op == 2:
        return Expr(2, 0.0, _differentiated(e.a), _differentiated(e.b))
    left = Expr(3, 0.0, _differentiated(e.a), e.b)
    return Expr(2, 0.0, left, Expr(3, 0.0, e.a, _differentiated(e.b)))


def _powered(n: int, c: float) -> Expr:
    if n == 0:
        return Expr(0, c)
    return Expr(3, 0.0, Expr(1), _powered(n - 1, c))


def of_expressions(x: float, c: float, n: int) -> float:
    e = _powered(n, c)
    return _evaluated(e, x) + 3.0 * _evaluated(_differentiated(e), x)


def grown_by_a_nested_function(x: float, n: int) -> float:
    def grow(k):
        if k == 0:
            return Tree(x)
        return Tree(x * k, grow(k - 1))

    return _product(grow(n))


def _put(node: Tree | None, x: float) -> Tree:
    if node is None:
        return Tree(x)
    if x < node.value:
        node.left = _put(node.left, x)
    else:
        node.right = _put(node.right, x)
    return node


def _put_all(root: Tree | None, x: Vec, k: int) -> Tree | None:
    return root if k == len(x) else _put_all(_put(root, x[k]), x, k + 1)


def put_one_by_one(x: Vec) -> float:
    return _put_all(None, x, 0).by_depth() + _product(_put(_put(None, x[0]), x[1] * x[1]))


@dataclass
class Branch:
    value: float
    less: Branch | None = None
    more: Branch | None = None


def _inserted(tree: Branch | None, value: float) -> Branch:
    if tree is None:
        return Branch(value)
    if value < tree.value:
        tree.less = _inserted(tree.less, value)
    else:
        tree.more = _inserted(tree.more, value)
    return tree


def _all_inserted(tree: Branch | None, x: Vec, i: int) -> Branch | None:
    if i == len(x):
        return tree
    return _all_inserted(_inserted(tree, x[i]), x, i + 1)


def _more_inserted(tree: Branch, x: Vec, i: int) -> Branch:
    if i == len(x):
        return tree
    return _more_inserted(_inserted(tree, x[i]), x, i + 1)


def _by_depth(tree: Branch | None, depth: int) -> float:
    if tree is None:
        return 0.0
    below = _by_depth(tree.less, depth + 1) + _by_depth(tree.more, depth + 1)
    return tree.value**2 * depth + below


def sorted_into_a_tree(x: Vec) -> float:
    return _by_depth(_all_inserted(None, x, 0), 1)


def sorted_below_a_root(x: Vec, root: float) -> float:
    return _by_depth(_more_inserted(Branch(root), x, 0), 1)


@dataclass
class Linked:
    weight: float
    first: Linked | None = None
    next: Linked | None = None


def _with_children(weight: float, n: int) -> Linked:
    node = Linked(weight)
    if n > 0:
        node.first = _siblings(weight, n, 0)
    return node


def _siblings(weight: float, n: int, k: int) -> Linked | None:
    if k == n:
        return None
    child = _with_children(weight / (k + 2), n - 1)
    child.next = _siblings(weight, n, k + 1)
    return child


def _below(node: Linked | None) -> float:
    if node is None:
        return 0.0
    return node.weight**2 + 0.5 * _below(node.first) + _below(node.next)


def children_by_links(weight: float, n: int) -> float:
    return _below(_with_children(weight, n))
