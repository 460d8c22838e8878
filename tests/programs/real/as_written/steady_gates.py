from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


class Neuron:
    Cm = 1.0
    VNa = 50
    VK = -77
    Vl = -54.4
    gNa = 120
    gK = 36
    gl = 0.3
    restV = -65

    def __init__(self):
        self.n = self.inf_n(self.restV)
        self.m = self.inf_m(self.restV)
        self.h = self.inf_h(self.restV)
        self.v = self.restV

    def alpha_n(self, v):
        return 0.01 * (v + 50) / (1 - np.exp(-(v + 50) / 10))

    def beta_n(self, v):
        return 0.125 * np.exp(-(v + 60) / 80)

    def alpha_m(self, v):
        return 0.1 * (v + 35) / (1 - np.exp(-(v + 35) / 10))

    def beta_m(self, v):
        return 4.0 * np.exp(-0.0556 * (v + 60))

    def alpha_h(self, v):
        return 0.07 * np.exp(-0.05 * (v + 60))

    def beta_h(self, v):
        return 1 / (1 + np.exp(-0.1 * (v + 30)))

    def inf_n(self, v):
        return self.alpha_n(v) / (self.alpha_n(v) + self.beta_n(v))

    def inf_m(self, v):
        return self.alpha_m(v) / (self.alpha_m(v) + self.beta_m(v))

    def inf_h(self, v):
        return self.alpha_h(v) / (self.alpha_h(v) + self.beta_h(v))

    def step(self, current, dt):
        self.n += dt * (self.alpha_n(self.v) * (1 - self.n) - self.beta_n(self.v) * self.n)
        self.m += dt * (self.alpha_m(self.v) * (1 - self.m) - self.beta_m(self.v) * self.m)
        self.h += dt * (self.alpha_h(self.v) * (1 - self.h) - self.beta_h(self.v) * self.h)
        INa = self.gNa * self.m**3 * self.h * (self.v - self.VNa)
        IK = self.gK * self.n**4 * (self.v - self.VK)
        Il = self.gl * (self.v - self.Vl)
        self.v += dt * (current - INa - IK - Il) / self.Cm
        return self.v


def trace(currents: Vec, dt: float) -> Vec:
    cell = Neuron()
    vs = []
    for current in currents:
        vs.append(cell.step(current, dt))
    return np.array(vs)
