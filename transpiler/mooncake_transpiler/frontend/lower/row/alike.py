"""One representation of a list at a join: if it is in a pool after one arm, so it is after both.

g = gs[k] if c else [1.0]       [1.0] is put into the pool of gs[k]: g is a number either way
while c: gs[k] = xs             xs is put there before the loop, and the body is lowered again
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import pooled
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import field_of, hint_of, owner_of
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand, State
from mooncake_transpiler.ir.builder import Builder

Values = Mapping[str, Operand]


def level(
    ctx: Context,
    builders: Sequence[Builder],
    states: Sequence[State],
    is_live: Callable[[str], bool],
) -> None:
    """Let lists be in pools after both arms where one of them leaves these there.

    Two lists of which a variable holds the one or the other are such, too.
    """
    if not ctx.heap.plan.is_pooling or any(state.raised for state in states):
        return
    first, second = (state.values for state in states)
    both = [name for name in first if name in second]
    joined = ((first[name], second[name]) for name in filter(is_live, both))
    pairs = [pair for one, other in joined for pair in _lists(first, one, second, other)]
    pairs += [(ref, ref) for ref in map(_described, both) if ref is not None]
    for pair in pairs:
        for arm in (0, 1):
            of = states[1 - arm].values.get(containers.variable(pair[1 - arm]))
            if containers.is_pooled(of):
                _join(ctx, builders[arm], states[arm], pair[arm], of)


def start(ctx: Context, entry: State, latch: State) -> list[str]:
    """Put lists into pools before a loop whose body leaves these there.

    Gives the keys of the objects that are others then.
    """
    if not ctx.heap.plan.is_pooling or latch.raised:
        return []
    found = []
    for ref in filter(None, map(_described, list(entry.values))):
        of = latch.values.get(containers.variable(ref))
        if containers.is_pooled(of) and _join(ctx, ctx.builder, entry, ref, of):
            found += [ref.key, ctx.heap.pools[containers.items_of(of)].key]
    return found


def _described(name: str) -> Ref | None:
    """The list of which the variable ``name`` says what there is to say."""
    is_about = field_of(name) == containers.ITEMS
    return Ref(owner_of(name), containers.LIST, hint_of(name)) if is_about else None


def _lists(first: Values, a: Operand, second: Values, b: Operand) -> Iterator[tuple[Ref, Ref]]:
    """The pairs of lists in two operands that become one; of dicts those of their items."""
    if isinstance(a, Items) and isinstance(b, Items) and a.is_like(b):
        for one, other in zip(a.items, b.items, strict=True):
            yield from _lists(first, one, second, other)
    if containers.is_dict(a) and containers.is_dict(b) and a.key != b.key:
        mine, others = first.get(containers.variable(a)), second.get(containers.variable(b))
        if containers.is_of_pairs(mine) and containers.is_of_pairs(others):
            yield from _lists(first, mine.items[0], second, others.items[0])
    if containers.is_list(a) and containers.is_list(b) and a.key != b.key:
        yield a, b


def _join(ctx: Context, builder: Builder, state: State, ref: Ref, of: Items) -> bool:
    """Let ``ref`` be in the pool of ``of`` at the end of ``builder``; True if that is new."""
    about = state.values.get(containers.variable(ref))
    if not isinstance(about, Items) or about.cls == of.cls:
        return False
    frame, before = ctx.frame, ctx.frame.save()
    frame.restore(state)
    is_new = ctx.at(builder, lambda: pooled.join(ctx, ref, of))
    state.values.clear()
    state.values.update(frame.values)
    frame.restore(before)
    return is_new
