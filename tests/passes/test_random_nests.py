"""Random loop nests over local arrays compute the same after the passes that fuse and forward.

Memory that is not set holds NaN here. All numbers are whole, so that sums may change their order.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from mooncake_runtime import scalar_kernels
from mooncake_transpiler import ir
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.ir.printer import format_func
from mooncake_transpiler.ir.verifier import verify
from mooncake_transpiler.passes.dead_zeros import dead_zeros
from mooncake_transpiler.passes.load_forwarding import arrays, load_forwarding
from mooncake_transpiler.passes.loop_fusion import fuse_over, loop_fusion
from mooncake_transpiler.passes.merged_clears import merged_clears
from mooncake_transpiler.passes.reassociate import reassociate
from mooncake_transpiler.passes.scalar_replacement import scalar_replacement
from mooncake_transpiler.passes.unread_zeros import unread_zeros
from mooncake_transpiler.passes.zero_initialisation import zero_initialisation
from mooncake_transpiler.types import Array

from tests.emit.interp import Env, Interpreter
from tests.passes.programs import (
    BOOL,
    FLOAT,
    INT,
    MATRIX,
    ONE,
    TWO,
    VECTOR,
    ZERO,
    function,
    loop,
    real,
    variable,
)

SEEDS = 120
DOWN = ir.int_const(-1)


class Unset(Interpreter):
    """Memory that is not set is not a number."""

    def result(self, stmt: ir.Stmt, env: Env) -> object:
        made = super().result(stmt, env)
        if isinstance(stmt, ir.Alloc) and stmt.fill is None:
            assert isinstance(made, np.ndarray)
            made[...] = np.nan
        return made


class Nests:
    """Draws a function of a vector ``x``, a matrix ``w`` and the length of their axes."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.b = Builder(free=True)
        self.x, self.w = variable("x", VECTOR), variable("w", MATRIX)
        self.n = self.b.dim(self.x, 0, "n")
        self.last = self.b.compute("sub", (self.n, ONE), INT)
        self.vectors = [self.alloc(VECTOR, name) for name in "ab"]
        self.matrices = [self.alloc(MATRIX, name) for name in "d"]
        self.sums: list[ir.Atom] = [real(1.0)]

    def alloc(self, type_: Array, name: str) -> ir.Value:
        return self.b.alloc(type_, (self.n,) * type_.ndim, real(0.0), name)

    def draw(self) -> ir.Func:
        for _ in range(self.rng.randrange(2, 6)):
            self.top()
        results = [self.rng.choice(self.sums)]
        for array in self.rng.sample([*self.vectors, *self.matrices], self.rng.randrange(3)):
            total = variable("", FLOAT)
            self.b.add(ir.Sum(total, array))
            results.append(total)
        return function((self.x, self.w), self.b, results)

    def top(self) -> None:
        rng = self.rng
        match rng.randrange(8):
            case 0:
                self.b.add_to(rng.choice(self.vectors), self.vector())
            case 1:
                self.b.assign(rng.choice(self.vectors), real(0.0))
            case 2 | 3:
                self.steps()
            case _:
                self.loop(self.b, (), rng.choice((1, 1, 2)))

    def steps(self) -> None:
        """A loop around others, which often clear at the end what they begin with sums into."""
        rng, body = self.rng, Builder(free=True)
        array, seen = rng.choice(self.vectors), list(self.sums)
        for sums in (True, *(rng.random() < 0.5 for _ in range(rng.randrange(2))), False):
            if rng.random() < 0.2:
                self.loop(body, (), 1)
                continue
            index, nest = variable("i", INT), Builder(free=True)
            if sums:
                nest.accum(array, (index,), real(3.0))
            else:
                nest.accum(rng.choice(self.vectors), (index,), nest.load(array, (index,)))
                nest.store(array, (index,), real(0.0))
            loop(body, index, self.n, nest.block())
        self.sums = seen  # what is bound inside is not seen outside
        loop(self.b, variable("t", INT), rng.choice((ZERO, ONE, TWO)), body.block())

    def vector(self) -> ir.Value:
        return self.rng.choice((*self.vectors, *self.vectors, self.x))

    def loop(self, b: Builder, outer: tuple[ir.Value, ...], depth: int) -> None:
        rng = self.rng
        index, total = variable("ijk"[len(outer)], INT), variable("s", FLOAT)
        indices = (*outer, index)
        body = Builder(free=True)
        found: list[ir.Atom] = [real(2.0), total]
        if depth == 2 and rng.random() < 0.3:
            self.statement(body, indices, found)
        if depth == 2:
            self.loop(body, indices, 1)
        else:
            for _ in range(rng.randrange(1, 5)):
                self.statement(body, indices, found)
        lo, hi, step = rng.choice(
            ((ZERO, self.n, ONE),) * 8
            + ((self.last, DOWN, DOWN),) * 2
            + ((ONE, self.n, ONE), (ZERO, self.last, ONE))
        )
        if rng.random() < 0.3:
            out = variable("s", FLOAT)
            last = body.compute("add", (total, rng.choice(found)), FLOAT)
            b.add(
                ir.For(
                    (out,), index, lo, hi, step, (total,), (self.sums[-1],), body.block((last,)),
                )
            )  # fmt: skip
            if not outer:
                self.sums.append(out)
        else:
            known = ir.Compute(total, "add", (real(1.0), real(2.0)), free=True)
            inner = ir.Block((known, *body.stmts))
            b.add(ir.For((), index, lo, hi, step, (), (), inner))

    def place(
        self, b: Builder, indices: tuple[ir.Value, ...]
    ) -> tuple[ir.Value, tuple[ir.Atom, ...]]:
        """An array and an element of it, mostly that of the iteration."""
        rng = self.rng
        if rng.random() < 0.1:
            return self.x, (rng.choice(indices),)
        if len(indices) == 2 and rng.random() < 0.7:
            array = rng.choice(self.matrices)
            if rng.random() < 0.2:
                return _row(b, array, indices[0]), (indices[1],)
            return array, indices if rng.random() < 0.8 else indices[::-1]
        position: ir.Atom = rng.choice(indices)
        match rng.randrange(8):
            case 0:
                position = ZERO
            case 1:
                position = b.compute("sub", (self.last, position), INT)
            case _:
                pass
        return rng.choice(self.vectors), (position,)

    def statement(self, b: Builder, indices: tuple[ir.Value, ...], found: list[ir.Atom]) -> None:
        rng = self.rng
        array, index = self.place(b, indices)
        match rng.randrange(7):
            case 0 | 1:
                found.append(b.load(array, index))
            case 2:
                b.accum(array, index, rng.choice(found))
            case 3 | 4:
                b.store(array, index, rng.choice(found))
            case 5:
                found.append(b.compute("add", (rng.choice(found), rng.choice(found)), FLOAT))
            case _:
                cond = b.compute("lt", (rng.choice(indices), ir.int_const(2)), BOOL)
                arms = [Builder(free=True), Builder(free=True)]
                for arm in arms[: rng.randrange(1, 3)]:
                    arm.accum(array, index, rng.choice(found))
                b.add(ir.If((), cond, arms[0].block(), arms[1].block()))


def _row(b: Builder, matrix: ir.Value, row: ir.Value) -> ir.Value:
    """A row of a matrix."""
    out = variable("row", VECTOR)
    b.add(ir.View(out, matrix, (row,)))
    return out


def outcome(func: ir.Func, size: int) -> list[object]:
    """The results, and what the arguments hold then."""
    x, w = np.arange(1.0, size + 1.0), np.arange(float(size * size)).reshape(size, size)
    results = Unset({}, kernels=scalar_kernels).call(func, (x, w))
    return [*map(float, results), x.tolist(), w.tolist()]  # type: ignore[arg-type]


def fuse_all(func: ir.Func) -> ir.Func:
    return fuse_over(func, arrays(func))


@pytest.mark.parametrize(
    "passes",
    [
        (zero_initialisation,),
        (dead_zeros,),
        (unread_zeros,),
        (load_forwarding,),
        (fuse_all,),
        (zero_initialisation, loop_fusion, load_forwarding),
        (zero_initialisation, dead_zeros, fuse_all, load_forwarding),
        (
            merged_clears,
            scalar_replacement,
            zero_initialisation,
            dead_zeros,
            unread_zeros,
            fuse_all,
            load_forwarding,
            reassociate,
        ),
    ],
    ids=lambda passes: "-".join(p.__name__ for p in passes),
)
def test_passes_keep_meaning(passes: tuple[Callable[[ir.Func], ir.Func], ...]) -> None:
    changed = 0
    for seed in range(SEEDS):
        before = after = Nests(seed).draw()
        for one in passes:
            after = one(after)
            verify(after)
        changed += after is not before
        for size in (0, 1, 3):
            if outcome(before, size) != outcome(after, size):
                raise AssertionError(f"{format_func(before)}\nbecame\n{format_func(after)}")
    assert changed > SEEDS // 20
