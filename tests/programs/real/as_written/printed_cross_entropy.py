from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


def cross_entropy(predictions: Mat, targets: Mat, epsilon: float = 1e-12) -> float:
    predictions = np.clip(predictions, epsilon, 1.0 - epsilon)
    N = predictions.shape[0]
    ce = -np.sum(targets * np.log(predictions)) / N
    print(ce)
    return ce
