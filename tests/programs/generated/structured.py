"""Functions that call derivatives with respect to objects."""

import numpy as np
from structs import Box, Kind, Params, State, Vec
from structs_grad import (
    bounded_grad,
    boxed_grad,
    energy_grad,
    maybe_grad,
    stepped_grad,
    weighted_grad,
)


def loss_energy(state: State, params: Params) -> float:
    g = energy_grad(state, params)
    return float(np.sum(g.state.pos**2)) + g.params.k * g.state.t + float(np.sum(g.state.vel))


def loss_stepped(state: State, h: float) -> float:
    g = stepped_grad(state, h)
    return float(np.sum(g.state.pos * state.vel)) + g.h + g.state.t


def loss_boxed(box: Box, a: float) -> float:
    g = boxed_grad(box, a)
    return float(g.box.lo @ box.lo) * g.box.width + g.a


def loss_maybe(x: float, y: float) -> float:
    g = maybe_grad(x, y, "cos", Kind.HARD)
    h = maybe_grad(x, None, "sin")
    return g.x * g.y + h.x


def loss_weighted(x: Vec) -> float:
    return float(np.sum(weighted_grad(x) ** 2))


def loss_bounded(state: State, h: float) -> float:
    return bounded_grad(state, h).h


def loss_recovered(state: State, h: float) -> float:
    try:
        return bounded_grad(state, 10.0 * h).h
    except ValueError:  # the gradient leaves in `t` what the function does
        return state.t**2 * h
