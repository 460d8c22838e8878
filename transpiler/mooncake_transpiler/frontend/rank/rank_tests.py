"""Tests of ``x.ndim``: more than one rank is meant, and what stands under one tells no rank.

def f(atoms: np.ndarray):
    if atoms.ndim == 1:
        atoms = atoms.reshape(-1, 3)    # says nothing
    return atoms[:, 0]                  # the rest: two axes
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler.frontend.rank.rank_syntax import integer, raises
from mooncake_transpiler.frontend.text.trees import children, is_name, walk

MAX_TESTED = 4  # axes that a test may be about


@dataclass(frozen=True, slots=True)
class RankTest:
    """A test that asks for the number of axes of ``array``; those of ``ranks`` are special."""

    array: cst.BaseExpression
    ranks: frozenset[int]


def rank_test(test: cst.BaseExpression) -> RankTest | None:
    """The test of a rank that ``test`` is, or begins with."""
    match test:
        case cst.BooleanOperation(left=left, right=right):
            return rank_test(left) or rank_test(right)
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            return rank_test(inner)
        case cst.Comparison(
            left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=right)]
        ):
            array, rank = ranked(left), integer(right)
            return None if array is None or rank is None else _compared(array, operator, rank)
        case _:
            return None


def ranked(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """``x`` of ``x.ndim``, ``np.ndim(x)`` and ``len(x.shape)``."""
    match node:
        case cst.Attribute(value=value, attr=cst.Name(value="ndim")):
            return value
        case cst.Call(
            func=cst.Name(value="ndim") | cst.Attribute(attr=cst.Name(value="ndim")),
            args=[cst.Arg(value=value)],
        ):
            return value
        case cst.Call(
            func=cst.Name(value="len"),
            args=[cst.Arg(value=cst.Attribute(value=value, attr=cst.Name(value="shape")))],
        ):
            return value
        case _:
            return None


def _compared(array: cst.BaseExpression, operator: cst.BaseCompOp, rank: int) -> RankTest | None:
    every = range(1, MAX_TESTED)
    match operator:
        case cst.Equal():
            ranks = {rank}
        case cst.NotEqual():
            ranks = {one for one in every if one != rank}
        case cst.LessThan():
            ranks = {one for one in every if one < rank}
        case cst.LessThanEqual():
            ranks = {one for one in every if one <= rank}
        case cst.GreaterThan():
            ranks = {one for one in every if one > rank}
        case cst.GreaterThanEqual():
            ranks = {one for one in every if one >= rank}
        case _:
            return None
    return RankTest(array, frozenset(ranks))


def tests(nodes: Sequence[cst.CSTNode]) -> Iterator[RankTest]:
    """The tests of ranks that choose among ``nodes``, but for those that only raise."""
    for node in nodes:
        if (found := _chosen_by(node)) is not None:
            yield found


def untested(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """``node`` and what is below it, but for the arms that tests of ranks choose."""
    return walk(node, _untested_parts)


def _untested_parts(node: cst.CSTNode) -> list[cst.CSTNode]:
    below = list(children(node))
    if _chosen_by(node) is not None:
        assert isinstance(node, cst.If | cst.IfExp)
        return [one for one in below if one not in (node.body, node.orelse)]
    if _keeps(node):
        return []
    if isinstance(node, cst.BooleanOperation) and _asks_for_shape(node.right):
        below.remove(node.right)  # it may be about an array of more axes than this one
    return below


def _asks_for_shape(node: cst.CSTNode) -> bool:
    return any(isinstance(one, cst.Attribute) and one.attr.value == "shape" for one in walk(node))


def _chosen_by(node: cst.CSTNode) -> RankTest | None:
    match node:
        case cst.If(body=cst.IndentedBlock(body=[first, *_])) if raises(first):
            return None
        case cst.If(test=test) | cst.IfExp(test=test):
            return rank_test(test)
        case _:
            return None


def _keeps(node: cst.CSTNode) -> bool:
    """True for ``x = x[None] if x.ndim == 1 else x``, which is about another rank of ``x``."""
    match node:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Name(value=name))], value=cst.IfExp() as value
        ):
            found = _chosen_by(value)
            array = None if found is None else found.array
            return is_name(array, name)
        case _:
            return False
