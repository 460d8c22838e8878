from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def levinson_durbin(x: Vec, dimension: int) -> tuple[Vec, float]:
    answers = np.zeros(dimension + 1)
    answers[0] = 1
    answers[1] = -x[1] / x[0]
    residual_error = x[0] + answers[1] * x[1]
    for i in range(1, dimension):
        lambda_ = -np.sum(answers[0 : i + 2] * np.flip(x[: i + 2])) / residual_error
        answers[: i + 2] += lambda_ * np.flip(answers[: i + 2])
        residual_error *= 1 - np.power(lambda_, 2)
    return answers, residual_error
