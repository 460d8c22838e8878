from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def bootstrap(cash_flows: np.ndarray[tuple[int, int], np.dtype[np.float64]], prices: Vec) -> Vec:
    assert cash_flows.shape[1] == prices.shape[0], "Check shapes of the matrices."
    discounts = np.linalg.inv(cash_flows) @ prices
    n = len(discounts)
    spots = np.array([(1 / discounts[t]) ** (1 / (t + 1)) - 1 for t in range(n)])
    return spots
