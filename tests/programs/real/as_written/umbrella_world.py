from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]

states = ("rain", "no rain")


def forward_backward(obs: list[Mat], transition: Mat) -> Mat:
    end = -1

    def normalize(x):
        return x / sum(x.reshape(-1))

    f = [np.array([[0.5] for _ in states])]
    for x in obs:
        f.append(normalize(np.dot(np.dot(x, transition.transpose()), f[end])))
    b = [np.array([[1.0] for _ in states])]
    for x in reversed(obs):
        b.append(normalize(np.dot(np.dot(transition, x), b[end])))
    gamma = [normalize(i_f * i_b) for i_f, i_b in zip(f, reversed(b))]
    return gamma[1]
