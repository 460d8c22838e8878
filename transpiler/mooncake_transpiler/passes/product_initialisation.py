"""Products added to zeros: the array of zeros is the product instead.

    before                                    after
    w_bar: float64[:, :] = alloc (n, m) ...   w_bar: float64[:, :] = call rt:strong_matmul(y_bar, t)
    t = view x transposed                     t = view x transposed
    call rt:matmul_add(y_bar, t, w_bar)

Also where it is added to the transpose: ``w.T += a @ b`` is ``w += b.T @ a.T``. Only sums that
are free (0 + x is x but for the sign of a zero), and only if nothing in between looks at the zeros.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions, definitions_of
from mooncake_transpiler.ir.function_names import primitive_name
from mooncake_transpiler.types import Array

Stmts = tuple[ir.Stmt, ...]

_ADDING, _STRONG = primitive_name("matmul_add"), primitive_name("strong_matmul")


def product_initialisation(func: ir.Func) -> ir.Func:
    """Bind products to what would be filled with zeros for them to be added to."""
    body = _Products(definitions_of(func)).block(func.body)
    return ir.with_body(func, body)


@dataclass(frozen=True, slots=True)
class _Found:
    """The statement at ``at`` adds a product; ``aside`` only name or measure what it adds to."""

    at: int
    aside: frozenset[int]


class _Products:
    def __init__(self, defs: Definitions) -> None:
        self._defs = defs

    def block(self, block: ir.Block) -> ir.Block:
        stmts = tuple([ir.mapped(stmt, self.block) for stmt in block.stmts])
        k = 0
        while k < len(stmts):
            bound = self._bound(stmts, k)
            stmts, k = (stmts, k + 1) if bound is None else (bound, k)
        return ir.with_stmts(block, stmts)

    def _bound(self, stmts: Stmts, k: int) -> Stmts | None:
        """``stmts`` without the zeros at ``k``, if they are there for a product."""
        zeros = stmts[k]
        if not isinstance(zeros, ir.Alloc) or zeros.fill is None or zeros.fill.value != 0:
            return None
        found = self._added(stmts, k, zeros.out)
        product = None if found is None else self._product(stmts[found.at], zeros.out)
        if found is None or product is None:
            return None
        return (
            *stmts[:k],
            *(s for m, s in enumerate(stmts[k + 1 : found.at], k + 1) if m not in found.aside),
            *product,
            *(stmts[m] for m in sorted(found.aside)),
            *stmts[found.at + 1 :],
        )

    def _added(self, stmts: Stmts, k: int, array: ir.Value) -> _Found | None:
        """The statement that adds a product to ``array`` as its first use, if there is one."""
        names: set[ir.Atom] = {array}
        aside: set[int] = set()
        for at, stmt in enumerate(stmts[k + 1 :], k + 1):
            if names.isdisjoint(_atoms(stmt)):
                continue
            if isinstance(stmt, ir.View | ir.Dim):
                names.add(stmt.out)
                aside.add(at)
                continue
            adds = isinstance(stmt, ir.Call) and stmt.func == _ADDING and stmt.free
            apart = adds and names.isdisjoint(ir.operands(stmt)[:2])
            return _Found(at, frozenset(aside)) if apart else None
        return None

    def _product(self, stmt: ir.Stmt, array: ir.Value) -> Stmts | None:
        """The statements that bind ``array`` to the product that ``stmt`` adds to it."""
        assert isinstance(stmt, ir.Call)
        a, b, c = stmt.args
        if _rank(a) == _rank(b) == 1:
            return None  # an outer product
        views: list[ir.Stmt] = []
        if c is not array:
            if not self._is_transpose(c) or self._base(c) is not array:
                return None
            a, b = self._transposed(b, views), self._transposed(a, views)
        return (*views, ir.Call((array,), _STRONG, (a, b), stmt.origin, stmt.free))

    def _transposed(self, matrix: ir.Atom, views: list[ir.Stmt]) -> ir.Atom:
        """The transpose of ``matrix``: what it is one of, or a new view."""
        if self._is_transpose(matrix):
            return self._base(matrix)
        out = ir.Value("", matrix.type)
        views.append(ir.View(out, matrix, (), axes=(1, 0)))
        return out

    def _is_transpose(self, atom: ir.Atom) -> bool:
        view = self._defs.stmt.get(atom)
        return (
            isinstance(view, ir.View)
            and view.axes == (1, 0)
            and all(item == ir.Slice() for item in view.index)
        )

    def _base(self, atom: ir.Atom) -> ir.Atom:
        view = self._defs.stmt[atom] if isinstance(atom, ir.Value) else None
        assert isinstance(view, ir.View)
        return view.base


def _atoms(stmt: ir.Stmt) -> Iterator[ir.Atom]:
    """The atoms that ``stmt`` uses, blocks included."""
    for inner in ir.within(stmt):
        yield from ir.operands(inner)
        for block in ir.blocks(inner):
            yield from block.yields


def _rank(atom: ir.Atom) -> int:
    assert isinstance(atom.type, Array)
    return atom.type.ndim
