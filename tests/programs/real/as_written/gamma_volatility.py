from typing import Annotated

import numpy as np
import scipy.stats as st
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


class Parameters:
    def __init__(self, theta: Vec):
        self.scale, self.rho, self.delta = theta


def likelihood(theta: Vec, vol: Vec) -> float:
    assert vol.shape[0] > 1, "The series is too short!"
    if theta.min() <= 0:
        return 1e10
    param = Parameters(theta=theta)
    degrees = param.delta * 2
    centre = param.rho * vol[:-1] / param.scale * 2
    logf = -st.ncx2.logpdf(vol[1:], degrees, centre, scale=param.scale / 2)
    return logf[~np.isnan(logf)].mean()
