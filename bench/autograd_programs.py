"""Contenders in autograd: array programs where there are some, Python loops for recurrences."""

from __future__ import annotations

from typing import Any

import autograd.numpy as anp
from autograd import value_and_grad
from autograd.scipy.linalg import solve_triangular

from bench import array_programs
from bench.array_programs import ArrayProgram, lstm_step


def branchy(x: Any, a: Any) -> Any:
    s = 0.0
    for i in range(x.shape[0]):
        v = x[i]
        s = s * a + v * v if v > 0.0 else s + anp.sin(v) * s * 0.01
    return s


def fixed_point(x: Any) -> Any:
    total = 0.0
    for j in range(x.shape[0]):
        y, r = 1.0, 1.0
        while abs(r) > 1e-10:
            r = anp.cos(y * x[j]) - y
            y = y + 0.7 * r
        total = total + y
    return total


def lstm_objective(params: Any, extra: Any, state: Any, sequence: Any) -> Any:
    carry: Any = [(state[2 * i], state[2 * i + 1]) for i in range(state.shape[0] // 2)]
    total = 0.0
    for t in range(sequence.shape[0] - 1):
        carry, likelihood = lstm_step(anp, params, extra, carry, sequence[t], sequence[t + 1])
        total = total + likelihood
    return -total / sequence[1:].size


PROGRAMS: dict[str, ArrayProgram] = {
    "sum_loop": array_programs.sum_loop(anp),
    "sum_sin_loop": array_programs.sum_sin_loop(anp),
    "naive_map": array_programs.naive_map(anp),
    "block": array_programs.block(anp),
    "sum_all": array_programs.sum_loop(anp),
    "sum_sin": array_programs.sum_sin_loop(anp),
    "kron_sum": array_programs.kron_sum(anp),
    "kron_view_sum": array_programs.kron_view_sum(anp),
    "map_sin_cos_exp": array_programs.naive_map(anp),
    "simple_mlp": array_programs.simple_mlp(anp),
    "gp_lml": array_programs.gp_lml(anp, solve_triangular),
    "turing_broadcast": array_programs.turing_broadcast(anp),
    "branchy": branchy,
    "fixed_point": fixed_point,
    "gmm_objective": array_programs.gmm_objective(anp),
    "lstm_objective": lstm_objective,
}  # it has no assignment to elements, so the stencil cannot be written


def pair(name: str, wrt: tuple[int, ...]) -> tuple[Any, Any]:
    """The primal, and value and gradient."""
    program = PROGRAMS[name]
    return program, value_and_grad(program, argnum=wrt if len(wrt) > 1 else wrt[0])
