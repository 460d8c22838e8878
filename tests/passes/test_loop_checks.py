"""Checks of what a loop does not change stand in front of it, for the case that it runs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.loop_checks import loop_checks

from tests.passes.programs import (
    BOOL,
    INT,
    ONE,
    VECTOR,
    ZERO,
    Builder,
    branch,
    function,
    loop,
    real,
    text,
    variable,
)

X, N, M = variable("x", VECTOR), variable("n", INT), variable("m", INT)
FLAG = variable("flag", BOOL)
DOWN = ir.int_const(-1)


def looped(
    before: Callable[[Builder, ir.Value], object],
    cond: Callable[[Builder, ir.Value], ir.Atom],
    lo: ir.Atom = ZERO,
    hi: ir.Atom = N,
    step: ir.Atom = ONE,
) -> ir.Func:
    """``for i in range(lo, hi, step): ...; if cond: raise; x[i] = 2.0``."""
    b, body, i = Builder(), Builder(), variable("i", INT)
    before(body, i)
    branch(body, cond(body, i), ir.Block((ir.Raise("ValueError", "wrong"),)), ir.Block(()))
    body.store(X, (i,), real(2.0))
    loop(b, i, hi, ir.Block(tuple(body.stmts)), lo=lo, step=step)
    return function((X, N, M, FLAG), b)


def nothing(b: Builder, i: ir.Value) -> None:
    pass


def read(b: Builder, i: ir.Value) -> None:
    b.load(X, (i,))


def write(b: Builder, i: ir.Value) -> None:
    b.store(X, (i,), real(1.0))


def print_(b: Builder, i: ir.Value) -> None:
    b.add(ir.Print((i,)))


def flag(b: Builder, i: ir.Value) -> ir.Atom:
    return FLAG


def moved(func: ir.Func) -> bool:
    """True if the check stands in front of the loop."""
    lines = text(func).splitlines()
    check = next(k for k, line in enumerate(lines) if "wrong" in line)
    return check < next(k for k, line in enumerate(lines) if " for " in f" {line}")


@pytest.mark.parametrize("before", [nothing, read])
def test_a_check_moves_out(before: Callable[[Builder, ir.Value], None]) -> None:
    func = loop_checks(looped(before, flag))
    assert moved(func)
    assert "gt n, 0" in text(func)


def test_a_loop_that_counts_down_runs_where_it_starts_above_its_end() -> None:
    func = loop_checks(looped(nothing, flag, lo=N, hi=ZERO, step=DOWN))
    assert moved(func)
    assert "gt n, 0" in text(func)


@pytest.mark.parametrize("before", [write, print_])
def test_a_check_stays_behind_what_others_notice(
    before: Callable[[Builder, ir.Value], None],
) -> None:
    func = looped(before, flag)
    assert loop_checks(func) is func


def test_a_check_of_the_iteration_stays() -> None:
    func = looped(nothing, lambda b, i: b.compute("lt", (M, i), BOOL))
    assert loop_checks(func) is func


def test_a_check_stays_where_the_sign_of_the_step_is_not_known() -> None:
    func = looped(nothing, flag, step=M)
    assert loop_checks(func) is func
