"""Comprehensions and generator expressions: the loops that they stand for.

    [f(x) for x in xs if x > 0]     becomes     out = []
                                                for x in xs:
                                                    if x > 0:
                                                        out.append(f(x))

A list over something of unknown length is filled into arrays of that length (``filling``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.container import (
    iterables,
    keyed,
    lists,
    pairs,
    selecting,
    views,
)
from mooncake_transpiler.frontend.lower.container.filling import filled, is_grid
from mooncake_transpiler.frontend.lower.container.scoped import (
    ITERABLE,
    OUT,
    SEEN,
    STEP,
    Comprehension,
    OfItems,
    block,
    call,
    clauses_of,
    lowered,
)
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.context import Context, MustUnroll
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Generator,
    Items,
    Native,
    Operand,
)
from mooncake_transpiler.frontend.lower.state.syntax import Hidden, assign

Kept = Callable[[Context, cst.GeneratorExp], Operand]
LONG = 16  # a range of more numbers is filled into an array, not taken apart


def as_list(ctx: Context, node: OfItems) -> Operand:
    """``[element for ...]``."""
    return listed(ctx, node, _iterable(ctx, node))


def listed(ctx: Context, node: OfItems, over: Operand) -> Operand:
    """``[element for ... in over ...]``."""
    if isinstance(over, Generator):
        return _grown(ctx, node, over)
    selects = any(clause.ifs for clause in clauses_of(node.for_in))
    if not _is_short(ctx, node, over):
        return _at_run_time(ctx, node, over)
    before = ctx.mark()
    try:
        return _appended(ctx, node, over)
    except MustUnroll:
        if selects and ctx.unrollable:
            raise
        ctx.reset(before)
    return _at_run_time(ctx, node, over)


def _at_run_time(ctx: Context, node: OfItems, over: Operand) -> Operand:
    """A list of a length that only the run knows."""
    found = filled(ctx, node, over) if is_grid(node) else None
    return _grown(ctx, node, over) if found is None else found


def _grown(ctx: Context, node: OfItems, over: Operand) -> Operand:
    """A list that grows with each item."""
    add = call(cst.Attribute(OUT, cst.Name("append")), node.elt)
    return _run(ctx, node, over, add, containers.owned(ctx, Items((), is_list=True)))


def _appended(ctx: Context, node: OfItems, over: Operand) -> Items:
    """A list whose items are told apart."""
    add = call(cst.Attribute(OUT, cst.Name("append")), node.elt)
    start = containers.owned(ctx, Items((), is_list=True))
    found = _run(ctx, node, over, add, start)
    return Items(lists.items(ctx, node, found), is_list=True)


def as_dict(ctx: Context, node: cst.DictComp) -> Operand:
    """``{key: value for ...}``."""
    over = pairs.all_named(ctx, node, _iterable(ctx, node))

    def put(args: tuple[Operand, ...]) -> Operand:
        held, key, value = args
        assert isinstance(held, Ref)
        keyed.write(ctx, node, held, key, value)
        return NOTHING

    add = call(STEP, OUT, node.key, node.value)
    return _run(ctx, node, over, add, keyed.new(ctx, node, {}), {STEP.value: Native(put)})


def generator(ctx: Context, node: cst.GeneratorExp, kept: Kept) -> Generator:
    """``(element for ...)``, which runs when somebody asks for its items."""
    return Generator(
        node, partial(_known, ctx, node), partial(as_list, ctx, node), partial(kept, ctx, node)
    )


def _known(ctx: Context, node: cst.GeneratorExp) -> tuple[Operand, ...] | None:
    """The items of a generator expression, if they can be told apart."""
    return known(ctx, node, _iterable(ctx, node))


def known(ctx: Context, node: cst.GeneratorExp, over: Operand) -> tuple[Operand, ...] | None:
    """The items of ``(element for ... in over ...)``, if they can be told apart."""
    if isinstance(over, Generator):
        return _yielded(ctx, node, over)
    if not _is_short(ctx, node, over):
        return None
    before = ctx.mark()
    try:
        return _appended(ctx, node, over).items
    except MustUnroll:
        ctx.reset(before)
        return None


def _yielded(ctx: Context, node: cst.GeneratorExp, over: Generator) -> tuple[Operand, ...] | None:
    """The items that a generator function yields, if their number is known ahead of time."""
    before = ctx.mark()
    found = _grown(ctx, node, over)
    if isinstance(found, Ref) and not lists.is_run_time(ctx, found):
        return lists.items(ctx, node, found)
    ctx.reset(before)
    return None


def collected(ctx: Context, over: Operand) -> Operand:
    """``list(over)`` for something of a length that is known at run time."""
    item = Hidden("%item:")
    return _at_run_time(ctx, cst.ListComp(item, cst.CompFor(item, ITERABLE)), over)


Step = Callable[[Operand, Operand], Operand]


def fold(
    ctx: Context,
    of: Generator,
    first: Operand | None,
    step: Step,
    name: str,
    default: Operand | None = None,
) -> Operand:
    """``step(... step(first, x0) ...)``: a loop; without ``first`` it begins with ``x0``.

    ``default``: what it is if there are no items then.
    """

    def run(args: tuple[Operand, ...]) -> Operand:
        return step(args[0], args[1])

    add = assign(OUT, cst.Call(STEP, [cst.Arg(OUT), cst.Arg(of.node.elt)]))
    over = _source(ctx, of)
    if first is not None:
        return _run(ctx, of.node, over, add, first, {STEP.value: Native(run)})
    begin = cst.IndentedBlock(
        [cst.SimpleStatementLine([assign(OUT, of.node.elt), assign(SEEN, cst.Name("True"))])]
    )
    inner = cst.If(SEEN, block(add), cst.Else(begin))
    total, seen = _seen(ctx, of, over, inner, ir.ZERO, {STEP.value: Native(run)})
    if default is not None:
        return branches.choose(ctx, of.node, seen, lambda: total, lambda: default, "")
    message = f"{name}() iterable argument is empty"
    selecting.require(ctx, of.node, seen, "ValueError", message)
    return total


def _seen(
    ctx: Context, of: Generator, over: Operand, inner: cst.If, out: Operand,
    given: Mapping[str, Operand],
) -> tuple[Operand, ir.Atom]:  # fmt: skip
    """``OUT`` after the loops around ``inner``, and ``SEEN``, which says if there was an item."""
    pair = cst.Tuple([cst.Element(OUT), cst.Element(SEEN)])
    given = {**given, SEEN.value: scalars.constant(False)}
    found = _run(ctx, of.node, over, inner, out, given, pair)
    assert isinstance(found, Items)
    value, seen = found.items
    return value, atom_of(seen)


def first(ctx: Context, of: Generator, default: Operand | None) -> Operand:
    """The first item, or ``default``."""
    if default is not None:
        return _first(ctx, of, default)[0]
    before = ctx.mark()
    try:
        item, seen = _first(ctx, of, scalars.constant(0))
    except Refused as refused:
        if refused.diagnostic.code != "MK212":
            raise
        ctx.reset(before)  # items are no numbers
        item, seen = _first(ctx, of, NOTHING)
    selecting.require(ctx, of.node, seen, "StopIteration", "")
    return item


def _first(ctx: Context, of: Generator, start: Operand) -> tuple[Operand, ir.Atom]:
    """The first item, or ``start``, and a bool: there is one."""
    end: list[cst.BaseSmallStatement] = [assign(OUT, of.node.elt), assign(SEEN, cst.Name("True"))]
    if len(clauses_of(of.node.for_in)) == 1:
        end.append(cst.Break())
    body = cst.IndentedBlock([cst.SimpleStatementLine(end)])
    inner = cst.If(cst.UnaryOperation(cst.Not(), SEEN), body)
    return _seen(ctx, of, _source(ctx, of), inner, start, {})


def any_of(ctx: Context, of: Generator, wanted: bool) -> ir.Atom:
    """A bool: an element is true (``wanted``), or false."""
    test = of.node.elt if wanted else cst.UnaryOperation(cst.Not(), of.node.elt)
    end: list[cst.BaseSmallStatement] = [assign(OUT, cst.Name("True"))]
    if len(clauses_of(of.node.for_in)) == 1:
        end.append(cst.Break())
    inner = cst.If(test, cst.IndentedBlock([cst.SimpleStatementLine(end)]))
    return atom_of(_run(ctx, of.node, _source(ctx, of), inner, scalars.constant(False)))


def _source(ctx: Context, of: Generator) -> Operand:
    """The iterable of the first ``for`` of a generator expression."""
    return _iterable(ctx, of.node) if of.call is None else of


def _iterable(ctx: Context, node: Comprehension) -> Operand:
    """The iterable of the first ``for``, evaluated in the scope around."""
    over = ctx.lower.expression(ctx, node.for_in.iter)
    found = delayed.settle(ctx, protocols.iterable(ctx, node, over))  # once: it may be an iterator
    if isinstance(found, Generator) and found.call is None:
        return views.view(ctx, node, found)
    return found


def _is_short(ctx: Context, node: Comprehension, over: Operand) -> bool:
    """True if the items can be told apart one by one, and are not many."""
    of = iterables.as_sequence(ctx, node, over)
    known = of.count.value if isinstance(of.count, ir.Const) else None
    return of.limit is not None or (isinstance(known, int) and known <= LONG)


def _run(
    ctx: Context,
    node: Comprehension,
    over: Operand,
    inner: cst.BaseSmallStatement | cst.BaseCompoundStatement,
    out: Operand,
    given: Mapping[str, Operand] | None = None,
    result: cst.BaseExpression = OUT,
) -> Operand:
    """``result`` after the loops with ``inner`` as their body, in a scope of their own."""
    loop = loops(node.for_in, inner, ITERABLE)
    if isinstance(out, Ref) and isinstance(node, OfItems):
        ctx.growing.add(loop)
    names = {ITERABLE.value: over, OUT.value: out} | dict(given or {})
    return lowered(ctx, node, loop, names, result)


def loops(
    node: cst.CompFor,
    inner: cst.BaseSmallStatement | cst.BaseCompoundStatement,
    iterable: cst.BaseExpression,
) -> cst.For:
    """The nest of loops with ``inner`` inside."""
    if node.inner_for_in is not None:
        inner = loops(node.inner_for_in, inner, node.inner_for_in.iter)
    for test in reversed(node.ifs):
        inner = cst.If(test.test, block(inner))
    return cst.For(node.target, iterable, block(inner))
