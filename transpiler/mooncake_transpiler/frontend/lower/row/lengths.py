"""Joins of lists of different lengths: such lists are growable from where the paths part.

if c: xs.append(v)          the items of both arms move to one array that grows
while c: xs.append(v)       those before the loop do, and the body is lowered again
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.row import alike, growable, growing
from mooncake_transpiler.frontend.lower.scalar import told_values
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import hint_of, is_cell_of, owner_of
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import type_of
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand, State
from mooncake_transpiler.frontend.lower.state.own_kinds import Growing
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Array, Type

Values = Mapping[str, Operand]


def level(ctx: Context, builders: Sequence[Builder], states: Sequence[State]) -> None:
    """Make lists that two arms leave with other lengths lists that grow, in both arms."""
    if ctx.unrollable or any(state.raised for state in states):
        return
    made = {v for b in builders for v in ir.bound_in(b.block())}
    for name in _differing(states[0].values, states[1].values):
        ref = _ref(name)
        cls = _common(ctx, ref, [containers.held(s.values, ref) for s in states], made)
        if cls is None:
            continue
        for builder, state in zip(builders, states, strict=True):
            _move(ctx, ref, cls, state, builder)


def start(ctx: Context, entry: State, latch: State, body: Builder) -> list[str]:
    """Make lists that the body of a loop changes in length lists that grow, before the loop.

    Gives the keys of the objects that hold their items.
    """
    found = alike.start(ctx, entry, latch)
    if ctx.unrollable or latch.raised:
        return found
    made = ir.bound_in(body.block())
    for name in _differing(entry.values, latch.values):
        ref = _ref(name)
        cls = _common(ctx, ref, [containers.held(s.values, ref) for s in (latch, entry)], made)
        if cls is not None:
            _move(ctx, ref, cls, entry, ctx.builder)
            found.append(ref.key)
    return found


def joined(
    ctx: Context,
    builders: Sequence[Builder],
    states: Sequence[State],
    refs: tuple[Ref, Ref],
    made: Ref,
) -> list[Items] | None:
    """The descriptions of ``made``, which is the one of two lists after either arm.

    None if the lists are kept in the same way anyway, or if no arrays can hold their items.
    """
    if ctx.unrollable or not all(map(containers.is_list, refs)):
        return None
    pairs = list(zip(refs, states, strict=True))
    if not all(containers.variable(ref) in state.values for ref, state in pairs):
        return None
    contents = [containers.held(state.values, ref) for ref, state in pairs]
    known = [content for content in contents if content is not None]
    if len(known) < len(contents) or known[0].is_like(known[1]):
        return None
    if any(map(containers.is_pooled, known)):
        return None
    inside = {v for b in builders for v in ir.bound_in(b.block())}
    cls = _common(ctx, made, known, inside)
    if cls is None:
        return None
    fill = partial(growing.fill, ctx, cst.Pass(), cls)
    return [ctx.at(b, partial(fill, content)) for b, content in zip(builders, known, strict=True)]


def let_grow(ctx: Context, node: cst.CSTNode, ref: Ref, content: Items) -> bool:
    """Keep ``ref``, whose length is known, as a list that grows; False if no arrays can hold it."""
    if ctx.unrollable or containers.variable(ref) not in ctx.frame.values:
        return False
    cls = _common(ctx, ref, [content], ())
    if cls is None:
        return False
    ctx.frame.bind(containers.variable(ref), growing.fill(ctx, node, cls, content))
    return True


def _differing(one: Values, other: Values) -> Iterator[str]:
    """The lists, by what there is to say about them, that are not kept in the same way."""
    for name in list(one):  # those of lists that have been moved meanwhile are gone
        a, b = one.get(name), other.get(name)
        if not isinstance(a, Items) or not isinstance(b, Items) or a.is_like(b):
            continue
        if containers.is_of_list(a) and containers.is_of_list(b):
            yield name


def _ref(name: str) -> Ref:
    return Ref(owner_of(name), containers.LIST, hint_of(name))


@dataclass(frozen=True, slots=True)
class _Kind:
    """The types of some items, and for each the shapes of the arrays in it as far as known."""

    types: list[Type]
    shapes: list[list[growable.Shape]]


def _common(
    ctx: Context, ref: Ref, contents: Sequence[Items | None], made: Collection[ir.Atom]
) -> Growing | None:
    """New arrays for the items of a list, by its ``contents``; None if no arrays can hold them.

    ``made``: what is not there yet where the arrays are made.
    """
    if any(content is None for content in contents):
        return None
    kinds = [_kind(ctx, content, made) for content in contents if content is not None]
    if any(kind is None for kind in kinds):
        ctx.heap.rigid[ref.key] = "not all of its items are numbers, arrays or tuples of those"
        return None
    known = [kind for kind in kinds if kind is not None]
    types = [type_ for kind in known for type_ in kind.types]
    item = growable.unified(types) if types else None
    plan = ctx.heap.plan
    if item is not None:
        item = growable.several(growable.widened(item, tuple(plan.told)), plan.kinds)
    if item is None or not growable.is_possible(item):
        ctx.heap.rigid[ref.key] = "its items are not of one type"
        return None
    shapes = [shapes for kind in known for shapes in kind.shapes]
    one = [_shape(ctx, each, made) for each in zip(*shapes, strict=True)]
    return growable.new(ctx, item, one, ref.hint)


def _shape(
    ctx: Context, shapes: Sequence[growable.Shape], made: Collection[ir.Atom]
) -> growable.Shape:
    """The one shape of all arrays, by sizes that are not ``made``; None if there is none."""
    known = [shape for shape in shapes if shape is not None]
    same = len(known) == len(shapes) and all(
        all(map(ctx.sizes.same, known[0], shape)) for shape in known
    )
    there = (shape for shape in known if not any(size in made for size in shape))
    return next(there, None) if same else None


def _kind(ctx: Context, content: Items, made: Collection[ir.Atom]) -> _Kind | None:
    if containers.is_arrays(content):
        is_growing = containers.is_growing(content)
        held = ctx.heap.arrays_of(content) if is_growing else content.items[0]
        found = growable.item_type(held)
        return None if found is None else _Kind([found], [_shapes(ctx, held, 1, made)])
    if any(True for _ in objects.refs(content)):  # what can be changed has an identity
        return None
    types = [type_of(told_values.with_told(item)) for item in content.items]
    if None in types:
        return None
    known = [t for t in types if t is not None]
    return _Kind(known, [_shapes(ctx, item, 0, made) for item in content.items])


def _shapes(
    ctx: Context, of: Operand, drop: int, made: Collection[ir.Atom]
) -> list[growable.Shape]:
    """The shapes of the arrays in ``of`` without the first axes, if they can be told here."""
    found: list[growable.Shape] = []
    for leaf in growable.leaves(of):
        if isinstance(leaf, Items):
            found.append(None)
        elif isinstance(leaf.type, Array) and leaf.type.ndim > drop:
            is_known = leaf not in made or leaf in ctx.sizes.shapes
            found.append(storage.shape(ctx, leaf)[drop:] if is_known else None)
    return found


def _move(ctx: Context, ref: Ref, cls: Growing, state: State, builder: Builder) -> None:
    """Let the items of ``ref`` be in the arrays ``cls`` at the end of ``builder``."""
    content = containers.held(state.values, ref)
    assert content is not None
    outer, ctx.builder = ctx.builder, builder
    try:
        about = growing.fill(ctx, cst.Pass(), cls, content)
    finally:
        ctx.builder = outer
    for name in [n for n in state.values if is_cell_of(n, ref.key)]:
        del state.values[name]
    state.values[containers.variable(ref)] = about
