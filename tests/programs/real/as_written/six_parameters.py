from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


class Curve(object):
    def __init__(self, b=None, tau=None):
        self.params = np.hstack((b, tau))

    def _func(self, params, m):
        b, tau = params[:4], params[4:]
        result = b[0]
        result += b[1] * (tau[0] / m) * (1 - np.exp(-m / tau[0]))
        result += b[2] * ((tau[0] / m) * (1 - np.exp(-m / tau[0])) - np.exp(-m / tau[0]))
        result += b[3] * ((tau[1] / m) * (1 - np.exp(-m / tau[1])) - np.exp(-m / tau[1]))
        return result

    def get(self, m):
        return self._func(self.params, m)


def yields(b: Vec, tau: Vec, m: Vec) -> Vec:
    curve = Curve(b, tau)
    return curve.get(m)
