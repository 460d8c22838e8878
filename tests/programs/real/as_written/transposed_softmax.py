import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


def softmax(x):
    return (np.exp(x).T / np.sum(np.exp(x), axis=-1)).T


def attention(q: Mat, k: Mat, v: Mat, mask: Mat | None = None) -> tuple[Mat, Mat]:
    d_k = q.shape[-1]
    scaled = np.matmul(q, k.T) / math.sqrt(d_k)
    if mask is not None:
        scaled = scaled + mask
    weights = softmax(scaled)
    out = np.matmul(weights, v)
    return out, weights
