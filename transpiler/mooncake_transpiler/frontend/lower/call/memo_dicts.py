"""Recursive functions that keep what they give in a dict of their own: as such with a cache.

    memo = {}                                       @cache
    def go(i, j):                                   def go(i, j):
        if (i, j) in memo:                              if False:
            return memo[i, j]              ->               return kept
        ...                                             ...
        memo[i, j] = r                                  kept = r
        return r                                        return r

Nothing else may use the dict, which is empty at first. Its keys must be all parameters, and what is
kept must be what is returned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import libcst as cst

from mooncake_transpiler.frontend.entities import Directive, FunctionDecl
from mooncake_transpiler.frontend.lower.call import decorating, lifted
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Closure
from mooncake_transpiler.frontend.text.trees import (
    bindings,
    bound_names,
    is_name,
    parameters,
    statements,
    walk,
)


def nested(ctx: Context, of: Closure) -> FunctionDecl | None:
    """The function ``of`` without its dict; None if it has none."""
    around = of.frame.node
    if not isinstance(of.node, cst.FunctionDef) or not isinstance(around, cst.FunctionDef):
        return None
    module = ctx.source.modules[of.frame.module.name]
    for name in _dicts(around, of.node):
        moving = _Keeping(module.positions, of.node, name)
        made = moving.made(of.node)
        if made is not None and decorating.sees_what_stays(of, made):
            ctx.source.modules[module.name] = module.with_positions(moving.ranges)
            return FunctionDecl(module.name, of.name, made, (), None, Directive(), is_lifted=True)
    return None


def _dicts(around: cst.FunctionDef, own: cst.FunctionDef) -> Iterator[str]:
    """The names of dicts that ``around`` begins empty, and that it leaves to ``own``."""
    inside, nodes = list(walk(own)), list(walk(around.body))
    for one in bindings(nodes):
        if isinstance(one.target, cst.Name) and one.value is not None and _is_empty(one.value):
            name = one.target.value
            uses = sum(is_name(part, name) for part in nodes)
            if uses == 1 + sum(is_name(part, name) for part in inside):
                yield name


def _is_empty(value: cst.BaseExpression) -> bool:
    match value:
        case cst.Dict(elements=[]):
            return True
        case cst.Call(func=cst.Name(value="dict"), args=[]):
            return True
        case _:
            return False


class _Keeping(lifted.Moving):
    """Puts a variable in the place of ``memo[key]``; it is not there before."""

    def __init__(self, positions: lifted.Positions, own: cst.FunctionDef, memo: str) -> None:
        super().__init__(positions)
        nodes = list(walk(own.body))
        inside = {one.value for one in walk(own) if isinstance(one, cst.Name)}
        params = {one.name.value for one in parameters(own.params)}
        self._memo, self._kept = memo, lifted.unused(f"_{memo}", inside)
        self._params = params if params.isdisjoint(bound_names(nodes)) else set[str]()
        bound = [(one.target.value, one.value) for one in bindings(nodes)
                 if isinstance(one.target, cst.Name)]  # fmt: skip
        times = Counter(name for name, _ in bound)
        self._values = {name: value for name, value in bound if times[name] == 1}
        self._key: list[str] | None = None

    def made(self, own: cst.FunctionDef) -> cst.FunctionDef | None:
        """``own`` without its dict; None if it does more with it than a cache."""
        if own.decorators or not self._is_cache(own):
            return None
        body = own.body.visit(self)
        assert isinstance(body, cst.BaseSuite)
        is_left = any(is_name(one, self._memo) for one in walk(body))
        return None if is_left else own.with_changes(body=body)

    def moved(self, node: cst.CSTNode) -> cst.CSTNode:
        if self._is_item(node):
            return cst.Name(self._kept)
        if (found := self._asks(node)) is not None:
            return cst.Name(str(not found))
        return node

    def _is_item(self, node: cst.CSTNode | None) -> bool:
        """True for ``memo[key]``."""
        match node:
            case cst.Subscript(value=value, slice=parts) if is_name(value, self._memo):
                items = [one.slice.value for one in parts if isinstance(one.slice, cst.Index)]
                key = items[0] if len(items) == 1 else cst.Tuple([*map(cst.Element, items)])
                return len(items) == len(parts) and self._is_key(key)
            case _:
                return False

    def _asks(self, node: cst.CSTNode) -> bool | None:
        """True for ``key in memo``, False for ``key not in memo``, None for anything else."""
        match node:
            case cst.Comparison(left=key, comparisons=[cst.ComparisonTarget() as to]):
                is_one = is_name(to.comparator, self._memo) and self._is_key(key)
                return isinstance(to.operator, cst.In) if is_one else None
            case _:
                return None

    def _is_key(self, node: cst.BaseExpression) -> bool:
        """True for the key of the dict: all parameters, in the same order everywhere."""
        if isinstance(node, cst.Name):
            node = self._values.get(node.value) or node
        parts = [one.value for one in node.elements] if isinstance(node, cst.Tuple) else [node]
        names = [one.value for one in parts if isinstance(one, cst.Name)]
        if len(names) < len(parts) or {*names} != self._params:
            return False
        self._key = names if self._key is None else self._key
        return names == self._key

    def _is_cache(self, own: cst.FunctionDef) -> bool:
        """True if what is found in the dict is what is returned where it is put there."""
        blocks = [[*statements(one)] for one in walk(own) if isinstance(one, cst.BaseSuite)]
        loops = (one for one in walk(own) if isinstance(one, cst.For | cst.While))
        if any(self._puts(one) for loop in loops for one in walk(loop)):
            return False
        behind = {id(stmt): next_ for block in blocks for stmt, next_ in pairwise(block)}
        before = {id(next_): stmt for block in blocks for stmt, next_ in pairwise(block)}
        is_put = False
        for stmt in walk(own):
            is_put = is_put or bool(self._puts(stmt))
            match stmt:
                case cst.If(test=test, body=body) if self._asks(test):
                    if not self._gives([*statements(body)]):
                        return False
                case cst.If(test=test, orelse=orelse) if self._asks(test) is False:
                    if orelse is not None or not self._gives([behind.get(id(stmt))]):
                        return False
                case cst.Return(value=value) if is_put and not self._is_item(value):
                    if not is_name(value, *self._puts(before.get(id(stmt)))):
                        return False
                case _:
                    pass
        return is_put

    def _gives(self, block: Sequence[cst.CSTNode | None]) -> bool:
        """True for ``return memo[key]`` alone."""
        match block:
            case [cst.Return(value=value)]:
                return self._is_item(value)
            case _:
                return False

    def _puts(self, stmt: cst.CSTNode | None) -> list[str]:
        """The names of what ``memo[key] = name`` and the like put into the dict."""
        match stmt:
            case cst.Assign(targets=targets, value=value):
                named = [*(one.target for one in targets), value]
                names = [one.value for one in named if isinstance(one, cst.Name)]
                return [*names, ""] if any(map(self._is_item, named[:-1])) else []
            case _:
                return []
