"""Each pass keeps what random functions compute, and keeps them in the normal form."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.ir.printer import format_func
from mooncake_transpiler.ir.verifier import verify
from mooncake_transpiler.passes.bounds import bounds
from mooncake_transpiler.passes.code_sinking import code_sinking
from mooncake_transpiler.passes.cse import cse
from mooncake_transpiler.passes.dce import dce
from mooncake_transpiler.passes.fold import fold
from mooncake_transpiler.passes.hoist import hoist
from mooncake_transpiler.passes.induction import induction
from mooncake_transpiler.passes.inline import inline
from mooncake_transpiler.passes.invariants import invariants
from mooncake_transpiler.passes.load_forwarding import load_forwarding
from mooncake_transpiler.passes.loop_fusion import loop_fusion
from mooncake_transpiler.passes.loop_reversal import loop_reversal
from mooncake_transpiler.passes.simplify import simplify
from mooncake_transpiler.passes.while_to_for import while_to_for
from mooncake_transpiler.passes.zero_initialisation import zero_initialisation
from mooncake_transpiler.types import BOOL, FLOAT, INT

from tests.emit.interp import Interpreter
from tests.emit.random_func import ARRAY, RESULT, Generator

ERRORS = (ValueError, ZeroDivisionError, IndexError, OverflowError)
SEEDS = 60


class Counting(Generator):
    """Draws loops that count, with inductions, and arrays made inside of them."""

    def compute_(self, b: Builder) -> None:
        match self.rng.randrange(6 if self.depth > 0 else 2):
            case 0:
                self.dim(b)
            case 2:
                self.while_counting(b)
            case 3:
                self.for_counting(b)
            case 4 if self.depth < 3:
                self.work_array(b)
            case _:
                super().compute_(b)

    def dim(self, b: Builder) -> None:
        size = b.dim(self.pick(ARRAY), 0, self.hint())
        self.visible.append(size)
        if self.rng.random() < 0.5:
            other = self.rng.choice((b.dim(self.pick(ARRAY), 0), self.pick(INT)))
            self.check(b, *self.rng.sample((size, other), 2))

    def check(self, b: Builder, one: ir.Atom, other: ir.Atom) -> None:
        """They are equal from here on."""
        fails = b.child()
        fails.add(ir.Raise("ValueError", None))
        cond = b.compute("ne", (one, other), BOOL)
        b.add(ir.If((), cond, fails.block(), ir.Block(())))

    def work_array(self, b: Builder) -> None:
        size = b.dim(self.pick(ARRAY), 0)
        array = ir.Value(self.hint(), ARRAY)
        fill = self.rng.choice((ir.Const(0.5, FLOAT), None))
        b.add(ir.Alloc(array, (size,), fill))
        if fill is None:
            b.add(ir.Assign(array, self.pick(FLOAT)))
        self.visible.append(array)

    def step(self, b: Builder, count: ir.Value, by: ir.Atom) -> ir.Value:
        more = b.compute("add", self.rng.choice(((count, by), (by, count))), INT)
        if self.rng.random() < 0.7:
            return more
        out = ir.Value(self.hint(), INT)
        arms = []
        for _ in range(2):
            arm = b.child()
            arms.append(arm.block((arm.compute("add", (count, by), INT),)))
        b.add(ir.If((out,), self.pick(BOOL), *arms))
        return out

    def while_counting(self, b: Builder) -> None:
        up = self.rng.random() < 0.5
        by = ir.int_const(self.rng.choice((1, 2)) * (1 if up else -1))
        count, start = ir.Value("k", INT), ir.int_const(self.rng.randrange(4))
        params, inits, types = (count,), (start,), (INT,)
        other, first = ir.Value("s", FLOAT), self.pick(FLOAT)
        test = b.child()
        bound = b.compute("mod", (self.pick(INT), ir.int_const(4)), INT)
        op = self.rng.choice(("lt", "le") if up else ("gt", "ge"))
        args = (count, bound)
        if self.rng.random() < 0.3:
            op, args = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}[op], (bound, count)
        cond = test.block((test.compute(op, args, BOOL),))
        known = len(self.visible)
        child = self.inner(b, self.rng.randrange(3), (count, other))
        last = (self.step(child, count, by), self.pick(FLOAT))
        leaves = self.rng.random() < 0.4
        if leaves:
            last = self.leave(child, count, last)
            params, inits, types = (ir.Value("", BOOL), *params), (FALSE, *inits), (BOOL, *types)
        del self.visible[known:]
        outs = tuple(ir.Value(self.hint(), t) for t in (*types, FLOAT))
        body = child.block(last)
        b.add(ir.While(outs, (*params, other), (*inits, first), cond, body, leaves))
        self.visible += outs

    def leave(self, b: Builder, count: ir.Value, last: tuple[ir.Atom, ...]) -> tuple[ir.Atom, ...]:
        """An exit flag, and a counter that stands still where the loop is left."""
        outs = (ir.Value("", BOOL), ir.Value("", INT))
        then = ir.Block((), (TRUE, self.rng.choice((count, last[0]))))
        b.add(ir.If(outs, self.pick(BOOL), then, ir.Block((), (FALSE, last[0]))))
        return (*outs, *last[1:])

    def for_counting(self, b: Builder) -> None:
        lo, hi, by = self.rng.choice(((0, 3, 1), (1, 4, 1), (3, -1, -1), (0, 5, 2), (2, -3, -3)))
        amount: ir.Atom = self.rng.choice((ir.int_const(by), ir.int_const(3), self.pick(INT)))
        index, count = ir.Value("i", INT), ir.Value("k", INT)
        start = self.rng.choice((ir.int_const(lo), self.pick(INT)))
        top = b.compute("mod", (self.pick(INT), ir.int_const(5)), INT)
        known = len(self.visible)
        child = self.inner(b, self.rng.randrange(4), (index, count))
        body = child.block((self.step(child, count, amount),))
        del self.visible[known:]
        out = ir.Value(self.hint(), INT)
        bound = self.rng.choice((top, ir.int_const(hi)))
        b.add(
            ir.For(
                (out,), index, ir.int_const(lo), bound, ir.int_const(by), (count,), (start,), body
            )
        )
        small = b.compute("mod", (out, ir.int_const(97)), INT)
        self.visible += (out, small)


TRUE, FALSE = ir.Const(True, BOOL), ir.Const(False, BOOL)


def draw(seed: int) -> ir.Program:
    funcs: dict[str, ir.Func] = {}
    for name in ("m:g", "m:f"):
        x, a, n = ir.Value("x", ARRAY), ir.Value("a", FLOAT), ir.Value("n", INT)
        rng = random.Random(f"{seed}{name}")
        generator = Counting(rng, callee=funcs.get("m:g"), visible=[x, a, n], budget=40)
        generator.turns = seed % 2 == 1
        b = Builder()
        generator.block(10, b)
        results = [generator.pick(type_) for type_ in (FLOAT, INT, BOOL)]
        params = tuple(ir.Param(v.hint, v.type, (v,)) for v in (x, a, n))
        funcs[name] = ir.Func(name, params, RESULT, b.block(results))
    return ir.Program(funcs)


def outcome(program: ir.Program, n: int) -> object:
    """The results, what the array argument holds then, or the name of the exception."""
    x = np.array([0.5, -1.25, 2.0, 0.75])
    try:
        with np.errstate(all="ignore"):
            real, count, flag = Interpreter(program.funcs).call(program.funcs["m:f"], (x, 1.5, n))
    except ERRORS as error:
        return type(error).__name__
    return repr((float(real), count, flag, x.tolist()))


def check(program: ir.Program, after: ir.Program) -> None:
    for func in after.funcs.values():
        verify(func, after, ir.Form.EMITTED)
    for n in (-2, 0, 3):
        if outcome(program, n) != outcome(after, n):
            before, now = (format_func(p.funcs["m:f"]) for p in (program, after))
            raise AssertionError(f"{before}\nbecame\n{now}")


def mapped(program: ir.Program, *passes: Callable[[ir.Func], ir.Func]) -> ir.Program:
    funcs = dict(program.funcs)
    for one in passes:
        funcs = {name: one(func) for name, func in funcs.items()}
    return ir.Program(funcs)


@pytest.mark.parametrize(
    "one",
    [
        bounds,
        fold,
        invariants,
        cse,
        loop_reversal,
        dce,
        while_to_for,
        induction,
        hoist,
        zero_initialisation,
        loop_fusion,
        load_forwarding,
        simplify,
        code_sinking,
    ],
    ids=lambda p: p.__name__,
)
def test_pass_keeps_meaning(one: Callable[[ir.Func], ir.Func]) -> None:
    for seed in range(SEEDS):
        program = draw(seed)
        after = mapped(program, one)
        check(program, after)
        again = mapped(after, one)
        check(program, again)


def test_inline_keeps_meaning() -> None:
    for seed in range(SEEDS):
        program = draw(seed)
        after = inline(program)
        assert not any(isinstance(s, ir.Call) for s in ir.walk(after.funcs["m:f"].body))
        check(program, after)


def test_all_passes_keep_meaning() -> None:
    for seed in range(SEEDS):
        program = draw(seed)
        after = mapped(
            inline(program), simplify, while_to_for, simplify, induction, simplify, hoist, simplify
        )
        check(program, after)


def test_simplify_reaches_a_fixpoint() -> None:
    for seed in range(SEEDS):
        func = simplify(draw(seed).funcs["m:f"])
        assert simplify(func) is func
