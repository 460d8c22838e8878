from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


def softmaxT(logits, temperature=1):
    return np.exp(logits / temperature) / np.sum(np.exp(logits / temperature), axis=0)


def attention(q: Mat, k: Mat, temp: float = 1) -> Mat:
    return softmaxT(np.dot(q, k.T), temperature=temp)
