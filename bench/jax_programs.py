"""Contenders in jax: array programs where there are some, scans for the recurrences."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.scipy.linalg import solve_triangular

from bench import array_programs
from bench.array_programs import ArrayProgram, lstm_step


def branchy(x: Any, a: Any) -> Any:
    def step(s: Any, v: Any) -> Any:
        return jnp.where(v > 0.0, s * a + v * v, s + jnp.sin(v) * s * 0.01), None

    return jax.lax.scan(step, 0.0, x)[0]


def stencil(u: Any, c: Any, steps: int) -> Any:
    def update(left: Any, pair: Any) -> Any:
        v, right = pair
        new = v + c * (left - 2.0 * v + right) - c * v * v * v
        return new, new

    def sweep(u: Any, _: None) -> Any:
        inner = jax.lax.scan(update, u[0], (u[1:-1], u[2:]))[1]
        return jnp.concatenate([u[:1], inner, u[-1:]]), None

    return jnp.sum(jax.lax.scan(sweep, u, None, length=steps)[0] ** 2)


def lstm_objective(params: Any, extra: Any, state: Any, sequence: Any) -> Any:
    def step(carry: Any, pair: Any) -> Any:
        return lstm_step(jnp, params, extra, carry, *pair)

    start = [(state[2 * i], state[2 * i + 1]) for i in range(state.shape[0] // 2)]
    likelihoods = jax.lax.scan(step, start, (sequence[:-1], sequence[1:]))[1]
    return -jnp.sum(likelihoods) / sequence[1:].size


PROGRAMS: dict[str, ArrayProgram] = {
    "sum_loop": array_programs.sum_loop(jnp),
    "sum_sin_loop": array_programs.sum_sin_loop(jnp),
    "naive_map": array_programs.naive_map(jnp),
    "block": array_programs.block(jnp),
    "sum_all": array_programs.sum_loop(jnp),
    "sum_sin": array_programs.sum_sin_loop(jnp),
    "kron_sum": array_programs.kron_sum(jnp),
    "kron_view_sum": array_programs.kron_view_sum(jnp),
    "map_sin_cos_exp": array_programs.naive_map(jnp),
    "simple_mlp": array_programs.simple_mlp(jnp),
    "gp_lml": array_programs.gp_lml(jnp, solve_triangular),
    "turing_broadcast": array_programs.turing_broadcast(jnp),
    "branchy": branchy,
    "stencil": stencil,
    "gmm_objective": array_programs.gmm_objective(jnp),
    "lstm_objective": lstm_objective,
}  # reverse mode through a loop of unknown length (fixed_point) is not defined there


def pair(name: str, wrt: tuple[int, ...], static: tuple[int, ...]) -> tuple[Any, Any]:
    """The compiled primal and the compiled value and gradient."""
    program = PROGRAMS[name]
    gradient = jax.value_and_grad(program, argnums=wrt)
    return jax.jit(program, static_argnums=static), jax.jit(gradient, static_argnums=static)


def hessian_of_rosenbrock() -> Any:
    """The compiled Hessian."""

    def rosenbrock(x: Any) -> Any:
        return jnp.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    return jax.jit(jax.hessian(rosenbrock))


def wait(result: Any) -> Any:
    return jax.block_until_ready(result)
