"""Objects that may not be there, and whose fields are assigned: what a caller finds in them."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import transpiled

SOURCE = """
from dataclasses import dataclass

@dataclass
class Clock:
    t: float

@dataclass
class Watch:
    u: float

@dataclass
class State:
    clock: Clock | None
    m: float

def moved(clock: Clock | None, x: float) -> float:
    if clock is not None:
        clock.t += 1.0 + x
    return x if clock is None else x * clock.t

def inside(state: State | None, x: float) -> float:
    if state is None:
        return x
    state.m *= x
    if state.clock is not None:
        state.clock.t += x
    return x * state.m if state.clock is None else x * state.clock.t

def watched(one: Clock | Watch, x: float) -> float:
    if isinstance(one, Watch):
        one.u *= x
        return one.u * x
    return x * x

def two(a: Clock | None, b: Clock | None, x: float) -> float:
    if a is not None:
        a.t = x
    return x if b is None else b.t

def listed(state: State | None, clocks: list[Clock]) -> float:
    if state is not None and state.clock is not None:
        state.clock.t *= 2.0
    return clocks[0].t * clocks[1].t
"""


@pytest.mark.parametrize("jit", [False, True])
def test_of_what_is_not_there_nothing_is_assigned(jit: bool) -> None:
    program, made = transpiled(SOURCE, jit=jit)
    value, residuals = made.moved_fwd(None, 1.5)
    assert (value, made.moved_pullback(residuals, 2.0)) == (1.5, (None, 2.0))
    assert made.moved_jvp(None, 1.5, None, 3.0) == (1.5, 3.0)
    clock = program.Clock(2.0)
    value, residuals = made.moved_fwd(clock, 1.5)
    assert (value, clock.t) == (6.75, 4.5)
    assert made.moved_pullback(residuals, 1.0) == ((1.5,), 6.0)
    assert clock.t == 2.0
    for state, end in ((program.State(None, 2.0), 3.0), (None, None)):
        value, residuals = made.inside_fwd(state, 1.5)
        assert getattr(state, "m", None) == end
        made.inside_pullback(residuals, 1.0)
        assert getattr(state, "m", None) == (None if end is None else 2.0)
    one = program.Clock(2.0)
    assert made.watched_fwd(one, 1.5)[0] == 2.25
    assert made.watched_jvp(one, 1.5, program.Clock(1.0), 1.0) == (2.25, 3.0)
    assert vars(one) == {"t": 2.0}


def test_one_object_for_two_is_told() -> None:
    program, made = transpiled(SOURCE)
    one = program.Clock(2.0)
    assert made.two_value_and_grad(None, None, 3.0)[0] == 3.0
    assert made.two_value_and_grad(one, program.Clock(5.0), 3.0)[0] == 5.0
    with pytest.raises(ValueError, match="a and b are one object"):
        made.two_value_and_grad(one, one, 3.0)
    assert made.listed_value_and_grad(None, [one, one])[0] == 4.0
    with pytest.raises(ValueError, match=r"state\.clock, which is written, is also clocks\[1\]"):
        made.listed_value_and_grad(program.State(one, 1.0), [program.Clock(1.0), one])
