"""Branches, loops and indices that library functions ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mooncake_rules.arrays import Num

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.types import Scalar

if TYPE_CHECKING:
    from mooncake_transpiler.frontend.lower.rule.stage import LoweringStage

Number = Num | complex


def choose(
    stage: LoweringStage,
    cond: Num | bool,
    then: Callable[[], Sequence[Number]],
    orelse: Callable[[], Sequence[Number]],
) -> tuple[Number, ...]:
    if not isinstance(cond, Num):
        return tuple((then if cond else orelse)())
    ctx, found = stage.ctx, list[tuple[ir.Atom, ...]]()
    arms = [ctx.in_child(lambda arm=arm: found.append(stage.atoms(arm())))  # type: ignore[misc]
            for arm in (then, orelse)]  # fmt: skip
    types = [Scalar(scalars.promote(pair)) for pair in zip(*found, strict=True)]
    blocks = []
    for builder, atoms in zip(arms, found, strict=True):
        outer, ctx.builder = ctx.builder, builder
        blocks.append(builder.block([scalars.cast(ctx, a, t)
                                     for a, t in zip(atoms, types, strict=True)]))  # fmt: skip
        ctx.builder = outer
    outs = tuple(ir.Value("", type_) for type_ in types)
    ctx.builder.add(ir.If(outs, stage.atom(cond), blocks[0], blocks[1], ctx.builder.origin))
    return tuple(map(stage.number, outs))


def loop(
    stage: LoweringStage,
    inits: Sequence[Number],
    cond: Callable[..., Num | bool],
    body: Callable[..., Sequence[Number]],
) -> tuple[Number, ...]:
    ctx, starts = stage.ctx, stage.atoms(inits)
    params = tuple(ir.Value("", start.type) for start in starts)
    values = tuple(map(stage.number, params))
    tests: list[ir.Atom] = []
    yields: list[ir.Atom] = []
    test = ctx.in_child(lambda: tests.append(stage.atom(cond(*values))))
    step = ctx.in_child(lambda: yields.extend(stage.converted(stage.atoms(body(*values)), params)))
    outs = tuple(ir.Value("", start.type) for start in starts)
    ctx.builder.add(
        ir.While(outs, params, starts, test.block(tests), step.block(yields), False,
                 ctx.builder.origin)
    )  # fmt: skip
    return tuple(map(stage.number, outs))


def coarse(
    stage: LoweringStage,
    shape: Sequence[Num | int],
    groups: Sequence[int],
    index: Sequence[Num | int],
) -> list[Num | int]:
    """``index`` of a finer array, as one of the array whose axes are ``groups`` of its axes."""
    found: list[Num | int] = []
    k = 0
    for count in groups:
        at = index[k]
        for axis in range(k + 1, k + count):
            at = stage.size(stage.atom(stage.op("mul", at, shape[axis])))
            at = stage.size(stage.atom(stage.op("add", at, index[axis])))
        found.append(at)
        k += count
    return found
