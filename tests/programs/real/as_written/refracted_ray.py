from typing import Annotated

import numba as nb
import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


@nb.njit
def length(v):
    return np.sqrt(v.dot(v))


@nb.njit
def normalize(v):
    return v / length(v)


@nb.njit
def refract(incident, normal, n1, n2):
    eta = n1 / n2
    cos1 = -incident.dot(normal)
    eta_cos1 = eta * cos1
    cos2sq = 1 + eta_cos1 * eta_cos1 - eta * eta
    if cos2sq > 1.0 or cos2sq < 0:
        return False, incident
    else:
        refracted = eta * incident + (eta_cos1 - np.sqrt(cos2sq)) * normal
        return True, refracted


@nb.njit
def through(direction: Vec, normal: Vec, n1: float, n2: float) -> Vec:
    normal = normalize(normal)
    ray = normalize(direction)
    ok, ray = refract(ray, normal, n1, n2)
    if not ok:
        ray = ray - 2.0 * ray.dot(normal) * normal
    return ray
