"""Lists over something of unknown length: filled into arrays by a loop.

[f(x[i]) for i in range(n)]     becomes     out = np.empty(n)
                                            for i in range(n):
                                                out[i] = f(x[i])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import aliasing, delayed
from mooncake_transpiler.frontend.lower.container import iterables
from mooncake_transpiler.frontend.lower.container.scoped import (
    ENUMERATE,
    ITERABLE,
    OUT,
    Comprehension,
    OfItems,
    block,
    call,
    clauses_of,
    lowered,
)
from mooncake_transpiler.frontend.lower.failure.numbers import as_index
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.row import items_later, pooled, replacing, rows
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import atoms
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    IntRange,
    Items,
    Native,
    Operand,
)
from mooncake_transpiler.frontend.lower.state.syntax import Hidden, target_names, walk
from mooncake_transpiler.types import SPANS, Array


def filled(ctx: Context, node: OfItems, over: Operand, *, stacked: bool = False) -> Operand | None:
    """A list whose items are computed by a loop and stored into arrays.

    None if arrays in it have shapes of their own: unless ``stacked``, where those must be one.
    """
    counts = _counts(ctx, node, over)
    total = counts[0]
    for other in counts[1:]:
        total = scalars.compute(ctx, node, "mul", (total, other))
    is_none = isinstance(node.elt, cst.Name) and node.elt.value == "None"
    if is_none and isinstance(over, IntRange) and len(counts) == 1:
        return rows.filled(ctx, node, NOTHING, total)
    model, shows = _model(ctx, node, over, stacked)
    if model is None:
        return None
    if scalars.is_scalar(model):
        model = items_later.widened(ctx, node, model)
    else:
        items_later.are_inside(ctx, list(walk(node.elt)))
    target = rows.like(ctx, node, model, total)

    def put(numbers: Sequence[ir.Atom], value: Operand) -> None:
        at = numbers[0]
        for number, count in zip(numbers[1:], counts[1:], strict=True):
            row = scalars.compute(ctx, node, "mul", (at, count))
            at = scalars.compute(ctx, node, "add", (row, number))
        rows.put(ctx, node, target, at, value)

    _fill(ctx, node, over, put)
    if shows:
        ctx.memory.shown.update(dict.fromkeys(_arrays(target), shows))
        ctx.memory.shared.update(_arrays(target))
    ref = rows.new(ctx, target)
    ctx.heap.made_at[ref.key] = node
    return ref


def _count(ctx: Context, node: cst.CSTNode, over: Operand) -> ir.Atom:
    count = iterables.as_sequence(ctx, node, over).count
    return count if replacing.is_rows(ctx, node, over) else rows.at_least_none(ctx, node, count)


def _counts(ctx: Context, node: Comprehension, over: Operand) -> list[ir.Atom]:
    """The lengths of what the loops run over, if they are the same in each iteration."""
    clauses = clauses_of(node.for_in)
    if any(clause.ifs for clause in clauses):
        message = "the length of this list is not known ahead of time: it depends on `if`"
        help_ = "count and store in a loop, or use a mask: x[x > 0]"
        raise ctx.refuse(node, "MK330", message, help_)
    first = _count(ctx, node, over)
    if not is_grid(node):
        message = "the length of this list is not known ahead of time: its loops are not a grid"
        raise ctx.refuse(node, "MK330", message, "count and store in a loop")
    return [first, *(_count(ctx, node, ctx.lower.expression(ctx, c.iter)) for c in clauses[1:])]


def is_grid(node: Comprehension) -> bool:
    """True if the loops run over the same in each iteration, and nothing is left out."""
    bound: set[str] = set()
    for clause in clauses_of(node.for_in):
        names = {n.value for n in walk(clause.iter) if isinstance(n, cst.Name)}
        if clause.ifs or names & bound:
            return False
        bound |= set(target_names(clause.target))
    return True


Put = Callable[[Sequence[ir.Atom], Operand], None]


def _fill(ctx: Context, node: OfItems, over: Operand, put: Put) -> None:
    """Run the loops; ``put`` gets the numbers of the iterations, and the element."""

    def run(args: tuple[Operand, ...]) -> Operand:
        *numbers, value = args
        put([as_index(ctx, node, n, "a number") for n in numbers], value)
        return NOTHING

    clauses = clauses_of(node.for_in)
    numbers = [Hidden(f"%{k}:") for k in range(len(clauses))]
    inner: cst.Expr | cst.For = call(OUT, *numbers, node.elt)
    for k in reversed(range(len(clauses))):
        iterable = clauses[k].iter if k else ITERABLE
        target = cst.Tuple([cst.Element(numbers[k]), cst.Element(clauses[k].target)])
        inner = cst.For(target, cst.Call(ENUMERATE, [cst.Arg(iterable)]), block(inner))
    assert isinstance(inner, cst.For)
    lowered(ctx, node, inner, {ITERABLE.value: over, OUT.value: Native(run)})


def _model(
    ctx: Context, node: OfItems, over: Operand, stacked: bool
) -> tuple[Operand | None, frozenset[object]]:
    """An example of an element, and the arrays that it may show, found by a trial.

    None if it holds arrays of any shape, and no lists.
    """
    seen = _Element(ctx, node, ctx.temporaries)
    before = ctx.mark()
    trial = ctx.in_child(partial(branches.closed, ctx, lambda: _fill(ctx, node, over, seen.look)))
    ctx.reset(before)
    if seen.is_pooled:
        return None, frozenset()
    if seen.model is None:
        raise ctx.refuse(node, "MK335", "this list certainly has no items")
    body = trial.block()
    model = seen.model  # the first item, where it is asked for its shape, is another one
    arrays = _arrays(model)
    sizes = _sizes_made(ctx, node, body, arrays)
    if sizes and not stacked and not seen.holds_lists:
        return None, frozenset()
    rows.keep(ctx, seen.lists)
    if sizes:
        if seen.holds_lists and not stacked:
            _check_even(ctx, node, body, sizes)
        _check_first(ctx, node, trial.stmts, ir.bound_in(body), sizes)
        shapes = _first_shapes(ctx, node, over, seen)
        ctx.sizes.shapes.update(zip(arrays, shapes, strict=True))
    return model, _arrays_shown(ctx, node, body, arrays).union(seen.lists)


@dataclass(slots=True)
class _Element:
    """The element that a trial of the loops has made, and the lists in it.

    ``lists`` are those that others hold, too, or that were there before temporary ``new``.
    """

    ctx: Context
    node: OfItems
    new: int
    model: Operand | None = None
    lists: set[str] = field(default_factory=set)
    holds_lists: bool = False
    is_pooled: bool = False

    def look(self, _: Sequence[ir.Atom], value: Operand) -> None:
        ctx, node = self.ctx, self.node
        value = delayed.settle(ctx, value)
        if containers.is_dict(value):
            pooled.note_record(ctx, value)
        inner = list(rows.lists_in(ctx, node, value))
        if inner or pooled.is_searched(ctx, value):
            ctx.heap.plan.has_inner_lists = True
            if ctx.heap.plan.is_pooling:
                self.is_pooled = True
                return
        held = objects.holders(ctx, ctx.frame.values.items())
        twice = {ref.key for ref in inner if sum(other is ref for other in inner) > 1}
        others = twice | held.keys()
        self.lists.update(ref.key for ref in inner if ref.number <= self.new or ref.key in others)
        self.holds_lists |= bool(inner)
        self.model = rows.plain(ctx, node, value)
        for array in _arrays(self.model):
            ctx.sizes.shapes[array] = storage.shape(ctx, array)

    def shapes(self) -> list[tuple[ir.Atom, ...]]:
        """The shapes of the arrays in the model."""
        assert self.model is not None
        return [self.ctx.sizes.shapes[array] for array in _arrays(self.model)]


def _sizes_made(
    ctx: Context, node: cst.CSTNode, body: ir.Block, arrays: Sequence[ir.Value]
) -> set[ir.Value]:
    """The sizes of ``arrays`` that only ``body`` knows; others are stated in front of it."""
    for array in arrays:
        if array not in ctx.sizes.shapes:
            ctx.sizes.shapes[array] = storage.shape(ctx, array)
    inside = ir.bound_in(body)
    sizes = inside & {size for array in arrays for size in ctx.sizes.shapes[array]}
    known = _known_before(ctx, node, body, inside, sizes)
    for array in arrays:
        shape = ctx.sizes.shapes[array]
        ctx.sizes.shapes[array] = tuple(known.get(size, size) for size in shape)
    return {size for size in sizes if size not in known}


def _arrays_shown(
    ctx: Context, node: cst.CSTNode, body: ir.Block, arrays: Sequence[ir.Value]
) -> frozenset[object]:
    """The memory that ``arrays``, made by ``body``, may show; refused if ``body`` writes it."""
    inside = ir.bound_in(body)
    shows: frozenset[object] = frozenset()
    for array in arrays:
        shows |= ctx.memory.shown.get(array, ctx.memory.roots(array) - inside)
    seen = ctx.memory.roots(*(root for root in shows if isinstance(root, ir.Value)))
    written = ctx.memory.roots(*aliasing.written_in(ctx, body.stmts))
    if ctx.memory.meet(seen, written):
        message = "the array is written while the list that holds it is made"
        raise ctx.refuse(node, "MK312", message, "let its item be a copy: x.copy()")
    return shows


def _known_before(
    ctx: Context, node: cst.CSTNode, body: ir.Block, inside: set[ir.Value], sizes: set[ir.Value]
) -> dict[ir.Atom, ir.Atom]:
    """The ``sizes`` that follow from values before the loop, where they are computed now.

    Where there are no iterations it does not matter that they are negative.
    """
    found: dict[ir.Value, ir.Compute] = {}
    for stmt in ir.walk(body):
        if not isinstance(stmt, ir.Compute) or stmt.op not in _HARMLESS:
            continue
        if all(arg not in inside or arg in found for arg in stmt.args):
            found[stmt.out] = stmt
    wanted = sizes & found.keys()
    for out in reversed(found):
        if out in wanted:
            wanted.update(arg for arg in found[out].args if arg in found)
    for out, stmt in found.items():
        if out in wanted:
            ctx.builder.add(stmt)
    sure: dict[ir.Atom, ir.Atom] = {}
    zero = ir.ZERO
    for out, made in found.items():
        if out not in sizes:
            continue
        sure[out] = out
        if made.op != "select" or made.args[1] != zero:  # as `rows.at_least_none` gives it
            negative = scalars.compute(ctx, node, "lt", (out, zero))
            sure[out] = scalars.select(ctx, negative, zero, out)
    return sure


_HARMLESS = frozenset({"add", "sub", "mul", "neg", "select", "lt", "le", "gt", "ge", "np.maximum"})


def _check_even(ctx: Context, node: OfItems, body: ir.Block, sizes: set[ir.Value]) -> None:
    """Refuse lists that may be of several lengths, unless the plan is that they are not."""
    inside = ir.bound_in(body)
    of_others = {s.out for s in ir.walk(body) if isinstance(s, ir.Dim) and s.array not in inside}
    if sizes - of_others and not ctx.heap.plan.is_even:
        ctx.heap.plan.has_inner_lists = True
        message = "the lengths of the lists in this list may differ"
        raise ctx.refuse(node, "MK335", message, "make an array of it: np.array([...])")


def _check_first(
    ctx: Context,
    node: OfItems,
    trial: Sequence[ir.Stmt],
    inside: set[ir.Value],
    sizes: set[ir.Value],
) -> None:
    """Refuse where the first element can't tell the shape of all; ``sizes`` are made inside."""
    stmts = list(ir.walk(ir.Block(tuple(trial))))
    asked = {stmt.out for stmt in stmts if isinstance(stmt, ir.Dim)}
    asked |= {s.out for s in stmts if isinstance(s, ir.Load) and s.base.type == SPANS}
    acts = any(_acts(ctx, stmt, inside) for stmt in trial)
    if acts or sizes - asked or len(clauses_of(node.for_in)) > 1:
        message = "the shape of the items is not known before the loop"
        help_ = "allocate an array of the right shape, and store into it in a loop"
        raise ctx.refuse(node, "MK335", message, help_)


def _first_shapes(
    ctx: Context, node: OfItems, over: Operand, seen: _Element
) -> list[tuple[ir.Atom, ...]]:
    """The shapes of the arrays in the first element; zeros if there is none."""
    of = iterables.as_sequence(ctx, node, over)
    ranks = seen.shapes()

    def first() -> Operand:
        _fill(ctx, node, replace(of, count=ir.ONE, limit=1), seen.look)
        return Items(tuple(Items(shape) for shape in seen.shapes()))

    def nothing() -> Operand:
        return Items(tuple(Items((ir.ZERO,) * len(shape)) for shape in ranks))

    some = scalars.compute(ctx, node, "gt", (of.count, ir.ZERO))
    shapes = branches.choose(ctx, node, some, first, nothing, "")
    assert isinstance(shapes, Items)
    return [tuple(atoms(shape)) for shape in shapes.items]


def _acts(ctx: Context, stmt: ir.Stmt, inside: set[ir.Value]) -> bool:
    """True if ``stmt`` does what may not be done twice."""
    if ir.acts(stmt) and not isinstance(stmt, ir.Raise):
        return True
    if any(ctx.memory.base(base) not in inside for base in ir.written(stmt)):
        return True
    return any(_acts(ctx, s, inside) for block in ir.blocks(stmt) for s in block.stmts)


def _arrays(operand: Operand) -> list[ir.Value]:
    return [a for a in atoms(operand) if isinstance(a, ir.Value) and isinstance(a.type, Array)]
