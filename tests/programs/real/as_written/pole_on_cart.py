from copy import deepcopy
from functools import partial
from math import ceil, cos, pi, sin
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def rk4(t, dt, x, f):
    k1 = f(t, x)
    k2 = f(t + 0.5 * dt, x + 0.5 * dt * k1)
    k3 = f(t + 0.5 * dt, x + 0.5 * dt * k2)
    k4 = f(t + dt, x + dt * k3)
    x_next = x + (dt / 6) * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return t + dt, x_next


class CartPole(object):
    def __init__(self, x0, g=9.81, l=0.5, mp=0.1, mc=1.0, dt=0.01, cd=0.2, pd=0.2):
        self.dt = dt
        self.params = {}
        self.params["g"] = g
        self.params["l"] = l
        self.params["mp"] = mp
        self.params["mc"] = mc
        self.params["ip"] = mp * l * l
        self.params["cd"] = cd
        self.params["pd"] = pd
        self.reset(x0)

    @staticmethod
    def state_dim():
        return 4

    def step(self, u=0):
        x = self.sensors.copy()
        self.sensors = self.transition(x, u, self.dt, self.t, self.params)
        self.t = self.t + self.dt
        x = self.sensors.copy()
        self.states.append(x)
        self.controls.append(u)
        self.times.append(self.t)
        return x

    @staticmethod
    def transition(x, u, dt, t, params):
        num_int_steps = 5
        dt_int = dt / float(num_int_steps)
        min_dt_int = 1e-3
        if dt_int > min_dt_int:
            num_int_steps = int(ceil(dt / min_dt_int))
            dt_int = dt / float(num_int_steps)
        dynamics = partial(CartPole._f, u=u, params=params)
        for step in range(num_int_steps):
            t, x = rk4(t, dt_int, x, dynamics)
        while x[2] > 8.0 * pi:
            x[2] -= 2.0 * pi
        while x[2] < -8.0 * pi:
            x[2] += 2.0 * pi
        return x

    def reset(self, x0):
        self.t = 0.0
        self.sensors = deepcopy(x0)
        if not isinstance(self.sensors, np.ndarray):
            self.sensors = np.array(self.sensors).astype(float)
        else:
            self.sensors = self.sensors.astype(float)
        self.states = [deepcopy(self.sensors)]
        self.controls = []
        self.times = [self.t]

    def get_states(self):
        return np.vstack(self.states)

    @staticmethod
    def _f(t, x, u, params):
        xdot = np.zeros(4)
        s = sin(x[2])
        c = cos(x[2])
        mp = params["mp"]
        mc = params["mc"]
        l = params["l"]
        cd = params["cd"]
        pd = params["pd"]
        g = params["g"]
        xdot[0] = x[1]
        xdot[1] = (
            mp * l * s * x[3] * x[3] - mp * g * s * c - cd * x[1] - pd * mp * c * x[3] + u
        ) / (mp + mc - mp * c * c)
        xdot[2] = x[3]
        xdot[3] = (
            -mp * l * s * c * x[3] * x[3]
            + (mp + mc) * g * s
            - cd * l * c * x[1]
            - pd * (mp + mc) * x[3]
            + c * u
        ) / (mp * l + mc * l - mp * l * c * c)
        return xdot


def cost(x0: Vec, length: float, forces: Vec) -> float:
    env = CartPole(x0, l=length)
    for u in forces:
        env.step(u)
    states = env.get_states()
    return np.sum(states[:, 2] ** 2) + 0.1 * np.sum(np.array(env.controls) ** 2)
