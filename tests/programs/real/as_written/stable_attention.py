from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Cube = Annotated[NDArray[np.float64], "_ _ _"]


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    x_max = np.max(x, axis=axis, keepdims=True)
    e_x = np.exp(x - x_max)
    sum = np.sum(e_x, axis=axis, keepdims=True)
    return e_x / sum


def attention(q: Cube, k: Cube, v: Cube, causal: bool) -> Cube:
    d = q.shape[-1]
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(d)
    if causal:
        n = scores.shape[-1]
        mask = np.triu(np.ones((n, n)), k=1).astype(bool)
        scores = np.where(mask, -1e9, scores)
    return np.matmul(softmax(scores), v)
