"""Comprehensions and generator expressions: the loops that they stand for.

    [f(x) for x in xs if x > 0]     becomes     out = []
                                                for x in xs:
                                                    if x > 0:
                                                        out.append(f(x))

A list over something of unknown length is filled into arrays of that length (``rows``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower import (
    branches,
    containers,
    dicts,
    expressions,
    iterables,
    lists,
    memory,
    objects,
    rows,
    scalars,
    selecting,
    statements,
    whole,
)
from mooncake_transpiler.frontend.lower.context import Context, MustUnroll
from mooncake_transpiler.frontend.lower.flow import written
from mooncake_transpiler.frontend.lower.frame import OBJECT, Frame
from mooncake_transpiler.frontend.lower.operands import (
    NOTHING,
    Generator,
    Items,
    Native,
    Operand,
    Static,
    atoms,
)
from mooncake_transpiler.frontend.lower.syntax import target_names, walk
from mooncake_transpiler.types import Array


class Hidden(cst.Name):
    """A variable that no program can have."""

    def _validate(self) -> None:
        return


ITERABLE, OUT, STEP, SEEN, ENUMERATE = (
    Hidden(f"%{name}:") for name in ("iterable", "made", "step", "seen", "enumerate")
)
LONG = 16  # a range of more numbers is filled into an array, not taken apart

Comprehension = cst.ListComp | cst.GeneratorExp | cst.DictComp


def as_list(ctx: Context, node: cst.ListComp | cst.GeneratorExp, hint: str = "") -> Operand:
    """``[element for ...]``."""
    over = _iterable(ctx, node)
    if not _is_short(ctx, node, over):
        return _filled(ctx, node, over)
    before = ctx.mark()
    try:
        return _appended(ctx, node, over)
    except MustUnroll:
        if any(clause.ifs for clause in _clauses(node.for_in)):
            raise
        ctx.reset(before)
    return _filled(ctx, node, over)


def _appended(ctx: Context, node: cst.ListComp | cst.GeneratorExp, over: Operand) -> Items:
    """A list whose items are told apart."""
    add = _call(cst.Attribute(OUT, cst.Name("append")), node.elt)
    start = containers.owned(ctx, Items((), is_list=True))
    found = _run(ctx, node, over, add, start)
    return Items(lists.items(ctx, node, found), is_list=True)


def as_dict(ctx: Context, node: cst.DictComp) -> Operand:
    """``{key: value for ...}``."""
    over = _iterable(ctx, node)
    target = cst.Subscript(OUT, [cst.SubscriptElement(cst.Index(node.key))])
    add = cst.Assign([cst.AssignTarget(target)], node.value)
    return _run(ctx, node, over, add, dicts.new(ctx, {}))


def known(ctx: Context, of: Generator) -> tuple[Operand, ...] | None:
    """The items of a generator expression, if they can be told apart."""
    over = _iterable(ctx, of.node)
    if not _is_short(ctx, of.node, over):
        return None
    before = ctx.mark()
    try:
        return _appended(ctx, of.node, over).items
    except MustUnroll:
        ctx.reset(before)
        return None


def collected(ctx: Context, node: cst.CSTNode, over: Operand) -> Operand:
    """``list(over)`` for something of a length that is known at run time."""
    item = Hidden("%item:")
    return _filled(ctx, cst.ListComp(item, cst.CompFor(item, ITERABLE)), over)


Step = Callable[[Operand, Operand], Operand]


def fold(ctx: Context, of: Generator, first: Operand | None, step: Step, name: str) -> Operand:
    """``step(... step(first, x0) ...)``: a loop; without ``first`` it begins with ``x0``."""

    def run(_: Context, args: tuple[Operand, ...]) -> Operand:
        return step(args[0], args[1])

    add = _assign(OUT, cst.Call(STEP, [cst.Arg(OUT), cst.Arg(of.node.elt)]))
    over = _iterable(ctx, of.node)
    if first is not None:
        return _run(ctx, of.node, over, add, first, {STEP.value: Native(run)})
    begin = cst.IndentedBlock(
        [cst.SimpleStatementLine([_assign(OUT, of.node.elt), _assign(SEEN, cst.Name("True"))])]
    )
    inner = cst.If(SEEN, _block(add), cst.Else(begin))
    given = {STEP.value: Native(run), SEEN.value: scalars.constant(False)}
    pair = cst.Tuple([cst.Element(OUT), cst.Element(SEEN)])
    found = _run(ctx, of.node, over, inner, ir.int_const(0), given, pair)
    assert isinstance(found, Items)
    total, seen = found.items
    assert isinstance(seen, ir.Value | ir.Const)
    message = f"{name}() iterable argument is empty"
    selecting.require(ctx, of.node, seen, "ValueError", message)
    return total


def any_of(ctx: Context, of: Generator, wanted: bool) -> ir.Atom:
    """Whether an element is true (``wanted``), or false."""
    test = of.node.elt if wanted else cst.UnaryOperation(cst.Not(), of.node.elt)
    end: list[cst.BaseSmallStatement] = [_assign(OUT, cst.Name("True"))]
    if len(_clauses(of.node.for_in)) == 1:
        end.append(cst.Break())
    inner = cst.If(test, cst.IndentedBlock([cst.SimpleStatementLine(end)]))
    found = _run(ctx, of.node, _iterable(ctx, of.node), inner, scalars.constant(False))
    assert isinstance(found, ir.Value | ir.Const)
    return found


def _assign(target: cst.Name, value: cst.BaseExpression) -> cst.Assign:
    return cst.Assign([cst.AssignTarget(target)], value)


def _iterable(ctx: Context, node: Comprehension) -> Operand:
    """What the first ``for`` runs over: evaluated in the scope around."""
    found = whole.settle(ctx, expressions.lower(ctx, node.for_in.iter))
    if isinstance(found, Generator):
        return lists.view(ctx, node, found)
    return found


def _is_short(ctx: Context, node: Comprehension, over: Operand) -> bool:
    """Whether the items can be told apart one by one, and are not many."""
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
    loop = _loops(node.for_in, inner, ITERABLE)
    return _lowered(ctx, node, loop, {ITERABLE.value: over, OUT.value: out, **(given or {})}, result)


def _lowered(
    ctx: Context,
    node: Comprehension,
    loop: cst.For,
    given: Mapping[str, Operand],
    result: cst.BaseExpression = OUT,
) -> Operand:
    for stmt in walk(loop):
        if isinstance(stmt, cst.NamedExpr):
            raise ctx.refuse(node, "MK110", "`:=` in a comprehension is not supported")
    names = [*written([loop]), *given, ENUMERATE.value]
    frame = Frame(ctx.frame.module, [loop], names, ctx.frame)
    ctx.temporaries += 1
    frame.share(f"{OBJECT}{ctx.temporaries}")
    origin = ctx.builder.origin
    with ctx.inside(frame):
        for name, value in given.items():
            frame.bind(name, value)
        frame.bind(ENUMERATE.value, Static(External("builtins.enumerate")))
        statements.lower_list(ctx, [loop], frozenset(given), False)
        ctx.builder.origin = origin
        found = NOTHING if frame.raised else expressions.lower(ctx, result)
    if frame.raised:
        ctx.frame.bound, ctx.frame.raised = None, True
    objects.forget(ctx, frame, found)
    return found


def _loops(
    node: cst.CompFor,
    inner: cst.BaseSmallStatement | cst.BaseCompoundStatement,
    iterable: cst.BaseExpression,
) -> cst.For:
    """The nest of loops with ``inner`` inside."""
    if node.inner_for_in is not None:
        inner = _loops(node.inner_for_in, inner, node.inner_for_in.iter)
    for test in reversed(node.ifs):
        inner = cst.If(test.test, _block(inner))
    return cst.For(node.target, iterable, _block(inner))


def _block(inner: cst.BaseSmallStatement | cst.BaseCompoundStatement) -> cst.IndentedBlock:
    if isinstance(inner, cst.BaseSmallStatement):
        return cst.IndentedBlock([cst.SimpleStatementLine([inner])])
    return cst.IndentedBlock([inner])


def _call(function: cst.BaseExpression, *args: cst.BaseExpression) -> cst.Expr:
    return cst.Expr(cst.Call(function, [cst.Arg(arg) for arg in args]))


# ---- lists of a length that is known at run time -------------------------------------------------


def _clauses(node: cst.CompFor) -> list[cst.CompFor]:
    found = [node]
    while found[-1].inner_for_in is not None:
        found.append(found[-1].inner_for_in)
    return found


def _filled(ctx: Context, node: cst.ListComp | cst.GeneratorExp, over: Operand) -> Operand:
    """A list whose items are computed by a loop and stored into arrays."""
    clauses = _clauses(node.for_in)
    if any(clause.ifs for clause in clauses):
        message = "the length of this list is not known ahead of time: it depends on `if`"
        help_ = "count and store in a loop, or use a mask: x[x > 0]"
        raise ctx.refuse(node, "MK330", message, help_)
    counts = [_count(ctx, node, over), *_inner_counts(ctx, node, clauses)]
    total = counts[0]
    for other in counts[1:]:
        total = scalars.compute(ctx, node, "mul", (total, other))
    model, shows = _model(ctx, node, over)
    target = rows.like(ctx, node, model, total)

    def put(numbers: Sequence[ir.Atom], value: Operand) -> None:
        at = numbers[0]
        for number, count in zip(numbers[1:], counts[1:], strict=True):
            row = scalars.compute(ctx, node, "mul", (at, count))
            at = scalars.compute(ctx, node, "add", (row, number))
        rows.put(ctx, node, target, at, value)

    _fill(ctx, node, over, put)
    if shows:
        ctx.shown |= {array: shows for array in _arrays(target)}
    return rows.new(ctx, total, target)


def _count(ctx: Context, node: cst.CSTNode, over: Operand) -> ir.Atom:
    return rows.at_least_none(ctx, node, iterables.as_sequence(ctx, node, over).count)


def _inner_counts(
    ctx: Context, node: Comprehension, clauses: Sequence[cst.CompFor]
) -> list[ir.Atom]:
    """The lengths of what the inner loops run over, if they are the same in each iteration."""
    bound = set(target_names(clauses[0].target))
    found = []
    for clause in clauses[1:]:
        names = {n.value for n in walk(clause.iter) if isinstance(n, cst.Name)}
        if names & bound:
            message = "the length of this list is not known ahead of time: its loops are not a grid"
            raise ctx.refuse(node, "MK330", message, "count and store in a loop")
        found.append(_count(ctx, node, expressions.lower(ctx, clause.iter)))
        bound |= set(target_names(clause.target))
    return found


Put = Callable[[Sequence[ir.Atom], Operand], None]


def _fill(ctx: Context, node: cst.ListComp | cst.GeneratorExp, over: Operand, put: Put) -> None:
    """Run the loops; ``put`` gets the numbers of the iterations, and the element."""

    def run(_: Context, args: tuple[Operand, ...]) -> Operand:
        *numbers, value = args
        put([expressions.as_index(ctx, node, n, "a number") for n in numbers], value)
        return NOTHING

    clauses = _clauses(node.for_in)
    numbers = [Hidden(f"%{k}:") for k in range(len(clauses))]
    inner: cst.Expr | cst.For = _call(OUT, *numbers, node.elt)
    for k in reversed(range(len(clauses))):
        iterable = clauses[k].iter if k else ITERABLE
        target = cst.Tuple([cst.Element(numbers[k]), cst.Element(clauses[k].target)])
        inner = cst.For(target, cst.Call(ENUMERATE, [cst.Arg(iterable)]), _block(inner))
    assert isinstance(inner, cst.For)
    _lowered(ctx, node, inner, {ITERABLE.value: over, OUT.value: Native(run)})


def _model(
    ctx: Context, node: cst.ListComp | cst.GeneratorExp, over: Operand
) -> tuple[Operand, frozenset[object]]:
    """What an element is like, and the arrays that it may show, found by a trial."""
    found: list[Operand] = []

    def look(_: Sequence[ir.Atom], value: Operand) -> None:
        found[:] = [rows.plain(ctx, node, whole.settle(ctx, value))]
        for array in _arrays(found[0]):
            memory.shape(ctx, array)

    before = ctx.mark()
    trial = ctx.in_child(lambda: _fill(ctx, node, over, look))
    ctx.reset(before)
    if not found:
        raise ctx.refuse(node, "MK335", "this list certainly has no items")
    inside = {value for stmt in trial.stmts for value in _bound_in(stmt)}
    shows: frozenset[object] = frozenset()
    arrays = _arrays(found[0])
    if any(inside & set(ctx.sizes.shapes[array]) for array in arrays):
        if len(_clauses(node.for_in)) > 1 or any(_acts(ctx, stmt, inside) for stmt in trial.stmts):
            message = "the shape of the items is not known before the loop"
            help_ = "allocate an array of the right shape, and store into it in a loop"
            raise ctx.refuse(node, "MK335", message, help_)
        shapes = _first_shapes(ctx, node, over, look, found)
        for array, shape in zip(arrays, shapes, strict=True):
            ctx.sizes.shapes[array] = shape
    for array in arrays:
        root = ctx.base(array)
        shows |= ctx.shown.get(array, frozenset() if root in inside else frozenset({root}))
    return found[0], shows


def _first_shapes(
    ctx: Context,
    node: cst.ListComp | cst.GeneratorExp,
    over: Operand,
    look: Put,
    found: list[Operand],
) -> list[tuple[ir.Atom, ...]]:
    """The shapes of the arrays in the first element; zeros if there is none."""
    of = iterables.as_sequence(ctx, node, over)
    ranks = [ctx.sizes.shapes[array] for array in _arrays(found[0])]

    def first() -> Operand:
        _fill(ctx, node, replace(of, count=ir.int_const(1), limit=1), look)
        shapes = [ctx.sizes.shapes[array] for array in _arrays(found[0])]
        return Items(tuple(Items(shape) for shape in shapes))

    def nothing() -> Operand:
        return Items(tuple(Items((ir.int_const(0),) * len(shape)) for shape in ranks))

    some = scalars.compute(ctx, node, "gt", (of.count, ir.int_const(0)))
    shapes = branches.choose(ctx, node, some, first, nothing, "")
    assert isinstance(shapes, Items)
    return [tuple(atoms(shape)) for shape in shapes.items]


def _acts(ctx: Context, stmt: ir.Stmt, inside: set[ir.Value]) -> bool:
    """Whether ``stmt`` does what may not be done twice."""
    match stmt:
        case ir.Store(base=base) | ir.Accum(base=base) | ir.Assign(dst=base) | ir.AddTo(dst=base):
            return ctx.base(base) not in inside
        case ir.Call(func=func):
            return not func.startswith("rt:")
        case ir.Print():
            return True
        case _:
            return any(_acts(ctx, s, inside) for block in ir.blocks(stmt) for s in block.stmts)


def _arrays(operand: Operand) -> list[ir.Value]:
    return [a for a in atoms(operand) if isinstance(a, ir.Value) and isinstance(a.type, Array)]


def _bound_in(stmt: ir.Stmt) -> Iterator[ir.Value]:
    """All values that ``stmt`` binds, those of its blocks included."""
    yield from ir.outs(stmt)
    match stmt:
        case ir.For(index=index, params=params):
            yield from (index, *params)
        case ir.While(params=params):
            yield from params
        case _:
            pass
    for block in ir.blocks(stmt):
        for inner in block.stmts:
            yield from _bound_in(inner)
