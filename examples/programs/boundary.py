"""How far the network is from solving  -u'' = f,  u(0) = u(1) = 0."""

from typing import Annotated

import numpy as np
from network import Theta, network
from numpy.typing import NDArray
from slope_grad import slope_grad

Points = Annotated[NDArray[np.float64], "n"]


# mooncake: wrt=theta
def residual(theta: Theta, points: Points, forces: Points) -> float:
    """The mean square of  u'' + f  at the points, and of u at both ends."""
    total = 0.0
    for i in range(points.shape[0]):
        total += (slope_grad(points[i], theta) + forces[i]) ** 2
    ends = network(0.0, theta) ** 2 + network(1.0, theta) ** 2
    return float(total / points.shape[0] + 100.0 * ends)
