"""Steps that nobody writes: of ranks that all fit, those are meant in which there are none.

y - X @ beta        X is a matrix: a number for each item of y, not one for all of them
w @ x + b           so is w, where b is an array
seen - model(p)     seen has the rank of the model, and so has ``model(p) - seen``
v @ h.T             so has h: vectors need no ``.T``
out[:, :] = v       v has no fewer axes than what it fills
X[i] - c            nor has an item that a loop finds in C than one of X
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.lower.fitting_ranks import inferred_ranks
from mooncake_transpiler.frontend.rank.rank_syntax import (
    is_capital,
    is_centre,
    not_transposed,
    product,
    terms,
)
from mooncake_transpiler.frontend.rank.rank_tables import REDUCING
from mooncake_transpiler.frontend.text.trees import bindings, children, is_name, walk

Sides = Mapping[cst.CSTNode, tuple[int, int]]  # operations, and the ranks of what they join


def odd_steps(decl: FunctionDecl, functions: Iterable[Sides]) -> list[cst.CSTNode]:
    """The operations of ``functions`` that nobody writes, where ``decl`` is asked for."""
    given = frozenset(param.name for param in decl.params)
    about = _rows(decl), _spread(decl), _unsure(decl), inferred_ranks(decl), _products(decl)
    each = (_OddSteps(sides, given, *about) for sides in functions)
    return [node for odd in each for node in odd.sides if odd.is_odd(node)]


def dots(functions: Iterable[Sides]) -> list[cst.CSTNode]:
    """The products that are numbers."""
    pairs = (pair for sides in functions for pair in sides.items())
    return [node for node, ranks in pairs if ranks == (1, 1) and product(node) is not None]


def short_calls(functions: Iterable[Sides]) -> list[cst.CSTNode]:
    """The calls with arrays of fewer axes than what they call is seen to take: ``softmax(x)``."""
    calls = (
        (node, ranks) for sides in functions for node, ranks in sides.items()
        if isinstance(node, cst.Call) and product(node) is None
    )  # fmt: skip
    return [node for node, ranks in calls if _is_short(ranks)]


def _is_short(ranks: tuple[int, int]) -> bool:
    return 0 < ranks[0] < ranks[1]


@dataclass(frozen=True, slots=True)
class _OddSteps:
    """``rows``: names of items of parameters; ``spread``: names of arrays that
    an axis was given to on purpose; ``unsure``: parameters that nothing tells the ranks of;
    ``inferred``: those whose ranks no annotation tells; ``products``: names of sums of products."""

    sides: Sides
    given: frozenset[str]
    rows: Mapping[str, frozenset[str]]
    spread: frozenset[str]
    unsure: frozenset[str]
    inferred: Collection[str]
    products: frozenset[str]

    def is_odd(self, node: cst.CSTNode) -> bool:
        if (pair := product(node)) is not None:
            return self.sides[node][1] == 1 and not_transposed(pair[1]) is not pair[1]
        match node:
            case cst.BinaryOperation(operator=cst.Add() | cst.Subtract()):
                return self._is_odd_sum(node)
            case cst.Subscript(slice=axes):
                return _is_short(self.sides[node]) and len(axes) == self.sides[node][1]
            case _:
                return False

    def _is_odd_sum(self, node: cst.BinaryOperation) -> bool:
        left, right = self.sides[node]
        if left and right:
            one, other = (node.left, node.right) if left < right else (node.right, node.left)
            if left == right:
                return False
            if _has_new_axis(node.left) and _has_new_axis(node.right):
                return True
            if self._is_spread(other):
                return False
            return not is_centre(_root(one)) if left < right else self._takes_over(node, one)
        if left or right:
            number, other = (node.right, node.left) if left else (node.left, node.right)
            is_less = isinstance(node.operator, cst.Subtract)
            is_dot = any(map(self._is_number, terms(number)))
            is_seen = self._is_beside_product(other, number) or self._is_made_beside(other, number)
            is_seen |= self._is_item(number) and self._is_item(other)
            return is_dot or (is_less and is_seen)
        return False

    def _takes_over(self, node: cst.BinaryOperation, right: cst.BaseExpression) -> bool:
        """True for ``seen`` of ``model(p) - seen``; a bias is added as a vector."""
        name = _root(right)
        if name not in self.unsure:
            return False
        if isinstance(node.operator, cst.Add):
            return is_capital(right)
        return _root(node.left) not in self.given and not is_centre(name)  # no x - center

    def _is_beside_product(self, made: cst.BaseExpression, item: cst.BaseExpression) -> bool:
        """True for ``z[k] - h @ x`` where no annotation tells the rank of ``z``."""
        is_item = isinstance(item, cst.Subscript) and _root(item) in self.inferred
        is_named = isinstance(made, cst.Name) and made.value in self.products
        return is_item and (is_named or _has_product(made))

    def _is_made_beside(self, made: cst.BaseExpression, row: cst.BaseExpression) -> bool:
        """True for ``f(x) - t`` where both ``x`` and ``t`` are rows that a loop runs over."""
        beside = self.rows.get(row.value) if isinstance(row, cst.Name) else None
        if beside is None:
            return False
        return any(isinstance(one, cst.Name) and one.value in beside for one in walk(made))

    def _is_item(self, node: cst.BaseExpression) -> bool:
        """True for ``X[i]`` where no annotation tells ranks, and for what a loop binds to it."""
        match node:
            case cst.Subscript(slice=[cst.SubscriptElement(cst.Index())]):
                return _root(node) in self.inferred
            case cst.Name(value=name):
                return name in self.rows
            case _:
                return False

    def _is_number(self, node: cst.BaseExpression) -> bool:
        """True for a product of vectors."""
        return product(node) is not None and self.sides.get(node) == (1, 1)

    def _is_spread(self, node: cst.BaseExpression) -> bool:
        return any(
            _has_new_axis(one) or (isinstance(one, cst.Name) and one.value in self.spread)
            for one in walk(node, _not_reduced)
        )


def _not_reduced(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The parts of ``node``; none for a sum along an axis, which has lost it again."""
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))) if name in REDUCING:
            return []
        case _:
            return list(children(node))


def _unsure(decl: FunctionDecl) -> frozenset[str]:
    return frozenset(p.name for p in decl.params if p.is_guessed or p.alternatives)


def _has_new_axis(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Subscript) and any(
        isinstance(one.slice, cst.Index)
        and (is_name(one.slice.value, "None") or _is_newaxis(one.slice.value))
        for one in node.slice
    )


def _is_newaxis(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Attribute) and node.attr.value == "newaxis"


def _has_product(node: cst.BaseExpression) -> bool:
    return any(product(one) is not None for one in terms(node))


def _products(decl: FunctionDecl) -> frozenset[str]:
    """The names that are bound to sums with products, ``out = w @ h + b``."""
    bound = bindings(walk(decl.node.body))
    return frozenset(
        name for one in bound if one.value is not None and _has_product(one.value)
        for name in one.names
    )  # fmt: skip


def _spread(decl: FunctionDecl) -> frozenset[str]:
    """The names that are bound to arrays with axes of length 1, or to what is made of such."""
    found: set[str] = set()
    for one in bindings(walk(decl.node.body)):
        if one.value is not None and any(
            _has_new_axis(part) or (isinstance(part, cst.Name) and part.value in found)
            for part in walk(one.value, _not_reduced)
        ):
            found |= set(one.names)
    return frozenset(found)


def _root(node: cst.BaseExpression) -> str:
    """``x`` of ``x``, ``x[i]`` and ``x[i][j]``."""
    while isinstance(node, cst.Subscript):
        node = node.value
    return node.value if isinstance(node, cst.Name) else ""


def _rows(decl: FunctionDecl) -> dict[str, frozenset[str]]:
    """Names that loops bind to items of parameters; with each, those that the loop binds beside it.

    What is made of these in the loop is among the latter.
    """
    params, found = {param.name for param in decl.params}, dict[str, frozenset[str]]()
    for loop in walk(decl.node.body):
        if isinstance(loop, cst.For | cst.CompFor):
            rows = {
                target.value
                for target, over in _looped(loop.target, loop.iter)
                if isinstance(target, cst.Name) and _root(over) in params
            }
            body = walk(loop.body) if isinstance(loop, cst.For) else ()
            inner = {name for one in bindings(body) for name in one.names}
            found |= {name: frozenset({*rows, *inner} - {name}) for name in rows}
    return found


def _looped(
    target: cst.CSTNode, over: cst.BaseExpression
) -> Iterator[tuple[cst.CSTNode, cst.BaseExpression]]:
    """The targets of a loop, each with what it runs over."""
    match target, over:
        case cst.Tuple(elements=inner), cst.Call(func=cst.Name(value="zip"), args=args):
            for one, arg in zip(inner, args, strict=False):
                yield from _looped(one.value, arg.value)
        case cst.Tuple(elements=[_, inner]), cst.Call(func=cst.Name(value="enumerate"), args=args):
            yield from _looped(inner.value, args[0].value) if args else ()
        case _:
            yield target, over
