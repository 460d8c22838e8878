"""Functions of matrices, of stacks of them: in a loop nest over the leading axes.

The rules are those of single matrices; what is applied to views in a loop has derivatives, of any
order, like whatever else is in loops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_rules.arrays import Arr, Num, Stage
from mooncake_rules.arrays.elementwise import broadcast_shape

Sizes = tuple["Num | int", ...]
Item = Arr | Num | complex


def for_each(
    s: Stage,
    one: Callable[..., Sequence[object]],
    results: Sequence[tuple[str, Sizes]],
    *operands: tuple[Arr, int],
    what: str,
) -> tuple[Item, ...]:
    """The results of ``one`` for each item of the operands, whose leading axes are broadcast.

    An operand is an array and the rank of its items: 2 of matrices. ``results`` are the dtypes and
    shapes of what ``one`` returns; without leading axes that is the result.
    """
    batch = broadcast_shape(s, [array.shape[: array.ndim - rank] for array, rank in operands], what)
    if not batch:
        found = one(*(array for array, _ in operands))
        return tuple(_shaped(s, x, shape) for x, (_, shape) in zip(found, results, strict=True))
    kept = [(s.keep(array), rank) for array, rank in operands]
    outs = [s.new((*batch, *shape), dtype) for dtype, shape in results]

    def step(*index: Num | int) -> None:
        found = one(*(_item(s, array, rank, index) for array, rank in kept))
        for out, item, (_, shape) in zip(outs, found, results, strict=True):
            _store(s, out, index, _shaped(s, item, shape))

    s.nest(batch, step)
    return tuple(outs)


def arrays(found: Sequence[Item]) -> list[Arr]:
    assert all(isinstance(item, Arr) for item in found)
    return [item for item in found if isinstance(item, Arr)]


def _item(s: Stage, array: Arr, rank: int, index: Sequence[Num | int]) -> Arr:
    """The item of ``array`` at ``index`` of all leading axes, to which it is stretched."""
    own = array.ndim - rank
    if not own:
        return array
    places = zip(array.shape[:own], index[len(index) - own :], strict=True)
    at = [0 if s.same(size, 1) else i for size, i in places]
    return s.shaped(s.view(array, at), array.shape[own:])


def _shaped(s: Stage, item: object, shape: Sizes) -> Item:
    assert isinstance(item, Item)
    if isinstance(item, Arr) and item.memory is not None:
        return s.shaped(item, shape)
    return item


def _store(s: Stage, out: Arr, index: Sequence[Num | int], item: Item) -> None:
    if isinstance(item, Arr):
        found = item
        s.nest(found.shape, lambda *rest: s.store(out, (*index, *rest), found.at(*rest)))
    else:
        s.store(out, index, item)
