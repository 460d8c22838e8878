"""Branches, loops and indices that library functions ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_rules.arrays import Num, Stage, as_size

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.types import Scalar

Atoms = Sequence[ir.Atom]


def converted(ctx: Context, atoms: Atoms, like: Atoms) -> tuple[ir.Atom, ...]:
    """``atoms`` with the types of those in ``like``."""
    return tuple(
        scalars.cast(ctx, atom, Scalar(scalars.dtype(model)))
        for atom, model in zip(atoms, like, strict=True)
    )


def choose(
    ctx: Context, cond: ir.Atom, then: Callable[[], Atoms], orelse: Callable[[], Atoms]
) -> tuple[ir.Value, ...]:
    """The values of one of two arms, of which only that one runs."""
    found = list[Atoms]()
    arms = [ctx.in_child(lambda arm=arm: found.append(arm()))  # type: ignore[misc]
            for arm in (then, orelse)]  # fmt: skip
    types = [Scalar(scalars.promote(pair)) for pair in zip(*found, strict=True)]
    blocks = []
    for builder, atoms in zip(arms, found, strict=True):
        outer, ctx.builder = ctx.builder, builder
        blocks.append(builder.block([scalars.cast(ctx, a, t)
                                     for a, t in zip(atoms, types, strict=True)]))  # fmt: skip
        ctx.builder = outer
    outs = tuple(ir.Value("", type_) for type_ in types)
    ctx.builder.add(ir.If(outs, cond, blocks[0], blocks[1], ctx.builder.origin))
    return outs


def loop(
    ctx: Context,
    starts: tuple[ir.Atom, ...],
    cond: Callable[[Sequence[ir.Value]], ir.Atom],
    body: Callable[[Sequence[ir.Value]], Atoms],
) -> tuple[ir.Value, ...]:
    """``while cond(values): values = body(values)``."""
    params = tuple(ir.Value("", start.type) for start in starts)
    tests: list[ir.Atom] = []
    yields: list[ir.Atom] = []
    test = ctx.in_child(lambda: tests.append(cond(params)))
    step = ctx.in_child(lambda: yields.extend(converted(ctx, body(params), params)))
    outs = tuple(ir.Value("", start.type) for start in starts)
    ctx.builder.add(
        ir.While(outs, params, starts, test.block(tests), step.block(yields), False,
                 ctx.builder.origin)
    )  # fmt: skip
    return outs


def coarse(
    stage: Stage, shape: Sequence[Num | int], groups: Sequence[int], index: Sequence[Num | int]
) -> list[Num | int]:
    """``index`` of a finer array, as one of the array whose axes are ``groups`` of its axes."""
    found: list[Num | int] = []
    k = 0
    for count in groups:
        at = index[k]
        for axis in range(k + 1, k + count):
            at = as_size(stage.op("mul", at, shape[axis]))
            at = as_size(stage.op("add", at, index[axis]))
        found.append(at)
        k += count
    return found
