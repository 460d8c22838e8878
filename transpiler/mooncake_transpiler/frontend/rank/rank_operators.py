"""Ranks of operands: what products, sums and columns beside matrices tell.

A @ x               A is a matrix, and x a vector, as they are written
x @ m @ x           so are m and x
m + m.T             a matrix
force / mass[:, None]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler.frontend.rank.rank_parts import ArrayEvidence
from mooncake_transpiler.frontend.rank.rank_syntax import (
    axes,
    factors,
    is_capital,
    names_in,
    not_transposed,
    pairs_of_factors,
)
from mooncake_transpiler.frontend.text.trees import walk


@dataclass(frozen=True, slots=True)
class Operators:
    """A reader of operators, which adds to ``facts``; ``numbers`` are expressions of no arrays."""

    facts: ArrayEvidence
    numbers: Set[cst.CSTNode]

    def binary(self, node: cst.BinaryOperation) -> None:
        left, right = node.left, node.right
        match node.operator:
            case cst.MatrixMultiply():
                self.multiplied(left, right)
                self.number(node, left, right)
                self.form(list(factors(node)))
                return
            case cst.Add() | cst.Subtract():
                self._with_transpose(left, right)
            case _:
                pass
        self._beside_column(node.operator, left, right)

    def rebound(self, names: Collection[str], value: cst.BaseExpression) -> None:
        """``x = np.tanh(w @ x + b)``: usually ``w`` is a matrix, so that ``x`` stays a vector."""
        for one in walk(value):
            for name, factor in pairs_of_factors(one):
                part = self.facts.array(factor) if name in names else None
                if part is not None and not part.dropped:
                    self.facts.about(part).usual.add(2)

    def form(self, product: Sequence[cst.BaseExpression]) -> None:
        """``x @ m @ x``: a vector on both sides of a matrix, as people write quadratic forms."""
        if not_transposed(product[-1]) is not product[-1]:
            return  # so are products of matrices
        first, *inner, last = (self.facts.array(not_transposed(one)) for one in product)
        if first is None or first != last or not inner or first.dropped:
            return
        for part, rank in ((first, 1), *((one, 2) for one in inner)):
            if part is not None and not part.dropped:
                self.facts.about(part).usual.add(rank)

    def _with_transpose(self, left: cst.BaseExpression, right: cst.BaseExpression) -> None:
        """``m + m.T``: a matrix, as there is no point in it for a vector."""
        for one, other in ((left, right), (right, left)):
            self._aligned(one, other)
            match other:
                case cst.Attribute(value=value, attr=cst.Name(value="T")):
                    part = self.facts.array(value)
                    self.facts.need(part if part == self.facts.array(one) else None, 2)
                case _:
                    pass

    def multiplied(self, left: cst.BaseExpression, right: cst.BaseExpression) -> None:
        """``A @ x``: with names in capitals for matrices, others are those of vectors."""
        capitals = [is_capital(factor) for factor in (left, right)]
        for factor, is_matrix in zip((left, right), capitals, strict=True):
            if (part := self.facts.array(factor)) is not None:
                mine = self.facts.about(part)
                mine.is_multiplied = True
                mine.is_left |= factor is left
                mine.is_right |= factor is right
                self.facts.need(part, 1 if part.dropped else 0)
                if any(capitals):
                    mine.usual.add(part.dropped + (2 if is_matrix else 1))

    def _beside_column(
        self, operator: cst.BaseBinaryOp, left: cst.BaseExpression, right: cst.BaseExpression
    ) -> None:
        """``m / s[:, None]`` and ``c[:, None] + m``: a matrix.

        But not ``x - c[:, None]`` and ``t[:, None] * rates``, which are about two vectors.
        """
        params = self.facts.parts.params
        if isinstance(operator, cst.Multiply | cst.Divide) or not names_in(right) & params:
            self._stretched(left, right)
        if isinstance(operator, cst.Add) and not names_in(left) & params:
            self._stretched(right, left)

    def _stretched(self, whole: cst.BaseExpression, column: cst.BaseExpression) -> None:
        part = self.facts.array(whole)
        if part is None or part.dropped:
            return
        if isinstance(column, cst.Subscript) and part.param not in names_in(column.value):
            fixed, sliced, new = axes(column, self.facts.parts.kept)
            mine = self.facts.about(part)
            if (fixed, sliced, new) == (0, 1, 1) and not mine.exact:
                mine.usual.add(2)

    def _aligned(self, one: cst.BaseExpression, other: cst.BaseExpression) -> None:
        """``x[:, None, :] - c[None]``: as many axes on both sides."""
        match one, other:
            case cst.Subscript(), cst.Subscript(value=value):
                fixed, sliced, new = axes(one, self.facts.parts.kept)
                part = self.facts.array(value)
                is_new = new and axes(other, self.facts.parts.kept) == (0, 0, 1)
                if is_new and not fixed and part is not None:
                    self.facts.about(part).usual.add(part.dropped + sliced + new - 1)
            case _:
                pass

    def number(self, product: cst.CSTNode, *sides: cst.BaseExpression) -> None:
        """``np.dot(a, b)`` that is a number: usually of vectors; ``a.T @ b`` may be of columns.

        Between the vectors of longer ones are matrices.
        """
        inner = [one for given in sides for one in factors(given)]
        if product in self.numbers and all(not_transposed(one) is one for one in inner):
            for k, part in enumerate(map(self.facts.array, inner)):
                is_last = k in (0, len(inner) - 1)
                if part is not None and (is_last or not part.dropped):
                    self.facts.about(part).usual.add(part.dropped + (1 if is_last else 2))
