"""``f(*xs)`` where ``xs`` is as long as the run makes it: its items become arguments.

def f(a, b, c=0.0): ...

f(*xs)                      if len(xs) > 3: raise TypeError("f() takes from 2 to 3 positional ...")
                            if len(xs) < 2: raise TypeError("f() missing ...")
                            f(xs[0], xs[1], xs[2] if len(xs) > 2 else 0.0)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.container import iterables
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.arguments import Signature
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Spread
from mooncake_transpiler.frontend.lower.state.operands import Elements, Items, Operand, Static
from mooncake_transpiler.frontend.lower.state.syntax import Hint


@dataclass(frozen=True, slots=True)
class _Open:
    """Arguments of which ``before`` are known, and then those that ``items`` has.

    ``end``: the number of parameters that are left for these, counted from the first of all.
    """

    before: Sequence[Operand]
    items: Elements
    end: int

    @property
    def first(self) -> int:
        """The number of the parameter that the first item is for."""
        return len(self.before)

    @property
    def room(self) -> int:
        """The number of parameters that have a place for one of the items."""
        return self.end - self.first


def bound(
    ctx: Context,
    node: cst.CSTNode,
    of: Signature,
    args: Sequence[Operand],
    keywords: Mapping[str, Operand],
) -> tuple[dict[str, Operand], Operand]:
    """The parameters that ``args`` are for, one of which is spread, and what is left for a star."""
    k = next(k for k, arg in enumerate(args) if isinstance(arg, Spread))
    spread, before, behind = args[k], args[:k], args[k + 1 :]
    assert isinstance(spread, Spread)
    end = next((j for j in range(of.positional) if of.names[j] in keywords), of.positional)
    is_open = of.star is not None or any(name in of.defaults for name in of.names[k:end])
    early = () if of.star is None else before[of.positional :]
    items = spread.items
    if early or (behind and is_open) or any(isinstance(arg, Spread) for arg in behind):
        items, behind = joined(ctx, node, (*early, spread, *behind)), ()
    given = _Open(before[: k - len(early)], items, end - len(behind))
    if given.room < 0:
        raise spread.refusal
    _check_most(ctx, node, of, given, len(behind))
    _check_least(ctx, node, of, given, len(behind))
    open_ = (_item(ctx, node, of, given, k) for k in range(given.room))
    found = dict(zip(of.names, [*given.before, *open_, *behind], strict=False))
    return found, Items(()) if of.star is None else _left(ctx, node, of, given)


def _item(ctx: Context, node: cst.CSTNode, of: Signature, given: _Open, k: int) -> Operand:
    """The item with number ``k``; the default of the parameter that it is for, if there is none."""
    place, name = ir.int_const(k), of.names[given.first + k]
    if name not in of.defaults:
        return given.items.at(place, name)
    there = scalars.compute(ctx, node, "gt", (given.items.count, place))
    item, default = partial(given.items.at, place, name), of.defaults[name]
    return branches.choose(ctx, node, there, item, lambda: default, name)


def _left(ctx: Context, node: cst.CSTNode, of: Signature, given: _Open) -> Operand:
    """A tuple of the items behind those for parameters that have a place."""
    room = ir.int_const(given.room)
    some = scalars.compute(ctx, node, "gt", (given.items.count, room))
    rest = scalars.compute(ctx, node, "sub", (given.items.count, room))
    count = scalars.select(ctx, some, rest, ir.ZERO)

    def at(k: ir.Atom, hint: Hint) -> Operand:
        return given.items.at(scalars.compute(ctx, node, "add", (k, room)), "")

    call, make = cst.Call(cst.Name("_")), Static(External("builtins.tuple"))
    return ctx.lower.call(ctx, call, make, (Elements(count, at),), hint=of.star or "")


def _check_most(ctx: Context, node: cst.CSTNode, of: Signature, given: _Open, behind: int) -> None:
    """Python's errors where there are more than there is room for."""
    if of.star is not None and given.end == of.positional:
        return
    fits = scalars.compute(ctx, node, "le", (given.items.count, ir.int_const(given.room)))
    if given.end + behind < of.positional:
        message = f"{_name(of)}() got multiple values for argument {of.names[given.end]!r}"
        failing.require(ctx, node, fits, message, "TypeError")
        return
    own = bool(of.maker)
    others = ir.int_const(given.first + behind + own)
    count = scalars.compute(ctx, node, "add", (given.items.count, others))
    left_out = sum(name in of.defaults for name in of.names[: of.positional])
    least, most = of.positional - left_out + own, of.positional + own
    takes = f"{most} positional argument{'s' * (most != 1)}"
    takes = f"from {least} to {takes}" if left_out else takes
    message = f"{_name(of)}() takes {takes} but {{}} were given"
    failing.require(ctx, node, fits, message, "TypeError", (count,))


def _check_least(ctx: Context, node: cst.CSTNode, of: Signature, given: _Open, behind: int) -> None:
    """Python's errors where parameters without a default are left over."""
    names = of.names[given.first : max(given.end + behind, given.first)]
    needed = [name for name in names if name not in of.defaults]
    for k in range(len(needed) - behind):
        enough = scalars.compute(ctx, node, "gt", (given.items.count, ir.int_const(k)))
        lacking = [repr(name) for name in needed[k + behind :]]
        *first, last = lacking
        comma = "," * (len(first) > 1)
        shown = f"{', '.join(first)}{comma} and {last}" if first else last
        message = f"{_name(of)}() missing {len(lacking)} required positional"
        message = f"{message} argument{'s' * bool(first)}: {shown}"
        failing.require(ctx, node, enough, message, "TypeError")


def _name(of: Signature) -> str:
    return f"{of.name}.{of.maker}" if of.maker else of.name


def joined(ctx: Context, node: cst.CSTNode, args: Sequence[Operand]) -> Elements:
    """All of ``args``, some of which are spread, one by one."""
    chain = Static(External("itertools.chain"))
    parts = tuple(arg.items if isinstance(arg, Spread) else Items((arg,)) for arg in args)
    call = cst.Call(cst.Name("_"))
    return iterables.as_sequence(ctx, node, ctx.lower.call(ctx, call, chain, parts))
