import numpy as np


class Gate:
    alpha, beta, state = 0, 0, 0

    def update(self, deltaTms):
        opening = self.alpha * (1 - self.state)
        closing = self.beta * self.state
        self.state += deltaTms * (opening - closing)


class Model:
    ENa, EK, EKleak = 115, -12, 10.6
    gNa, gK, gKleak = 120, 36, 0.3
    m, n, h = Gate(), Gate(), Gate()
    Cm, Vm = 1, 0

    def iterate(self, stimulus=0, deltaTms=0.05):
        self.n.alpha = 0.01 * ((10 - self.Vm) / (np.exp((10 - self.Vm) / 10) - 1))
        self.n.beta = 0.125 * np.exp(-self.Vm / 80)
        self.m.alpha = 0.1 * ((25 - self.Vm) / (np.exp((25 - self.Vm) / 10) - 1))
        self.m.beta = 4 * np.exp(-self.Vm / 18)
        self.h.alpha = 0.07 * np.exp(-self.Vm / 20)
        self.h.beta = 1 / (np.exp((30 - self.Vm) / 10) + 1)
        INa = np.power(self.m.state, 3) * self.gNa * self.h.state * (self.Vm - self.ENa)
        IK = np.power(self.n.state, 4) * self.gK * (self.Vm - self.EK)
        IKleak = self.gKleak * (self.Vm - self.EKleak)
        Isum = stimulus - INa - IK - IKleak
        self.Vm += deltaTms * Isum / self.Cm
        self.n.update(deltaTms)
        self.m.update(deltaTms)
        self.h.update(deltaTms)


def voltage(stimulus: float, steps: int) -> float:
    model = Model()
    model.m, model.n, model.h = Gate(), Gate(), Gate()
    for i in range(steps):
        model.iterate(stimulus, 0.05)
    return model.Vm
