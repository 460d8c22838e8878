"""A classifier with one hidden layer."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray


# mooncake: skip
def scores(
    w1: Annotated[NDArray[np.float64], "d h"],
    b1: Annotated[NDArray[np.float64], "h"],
    w2: Annotated[NDArray[np.float64], "h k"],
    b2: Annotated[NDArray[np.float64], "k"],
    x: Annotated[NDArray[np.float64], "n d"],
) -> Annotated[NDArray[np.float64], "n k"]:
    """For each row of ``x`` the unnormalised log probabilities of the classes."""
    return np.tanh(x @ w1 + b1) @ w2 + b2


# mooncake: wrt=w1,b1,w2,b2
def cross_entropy(
    w1: Annotated[NDArray[np.float64], "d h"],
    b1: Annotated[NDArray[np.float64], "h"],
    w2: Annotated[NDArray[np.float64], "h k"],
    b2: Annotated[NDArray[np.float64], "k"],
    x: Annotated[NDArray[np.float64], "n d"],
    labels: Annotated[NDArray[np.int64], "n"],
    decay: float,
) -> float:
    """Mean of minus the log probabilities of the ``labels``, and decay of the weights."""
    z = scores(w1, b1, w2, b2, x)
    z -= np.max(z, axis=1, keepdims=True)
    log_p = z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))
    loss = -np.mean(log_p[np.arange(x.shape[0]), labels])
    return float(loss + decay * (np.sum(w1**2) + np.sum(w2**2)))
