"""Bundle adjustment: residuals of cameras, points and observation weights (ADBench's BA).

A camera is eleven numbers: rotation vector (3), centre (3), focal length, principal point (2) and
radial distortion (2).
"""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


# mooncake: wrt=camera,point,weight
def reprojection_error(
    camera: Annotated[NDArray[np.float64], "11"],
    point: Annotated[NDArray[np.float64], "3"],
    weight: float,
    feature: Annotated[NDArray[np.float64], "2"],
) -> tuple[float, float]:
    """Weighted distance, in the image, of the projected ``point`` from where it was seen."""
    x, y, z = _rotate(
        camera[0],
        camera[1],
        camera[2],
        point[0] - camera[3],
        point[1] - camera[4],
        point[2] - camera[5],
    )
    px = x / z
    py = y / z
    radius2 = px * px + py * py
    scale = camera[6] * (1.0 + camera[9] * radius2 + camera[10] * radius2 * radius2)
    ex = weight * (scale * px + camera[7] - feature[0])
    ey = weight * (scale * py + camera[8] - feature[1])
    return ex, ey


def weight_error(weight: float) -> float:
    """Residual that holds a weight near one."""
    return 1.0 - weight * weight


# mooncake: wrt=cameras,points,weights
def ba_residuals(
    cameras: Annotated[NDArray[np.float64], "n 11"],
    points: Annotated[NDArray[np.float64], "m 3"],
    weights: Annotated[NDArray[np.float64], "p"],
    seen: Annotated[NDArray[np.int64], "p 2"],
    features: Annotated[NDArray[np.float64], "p 2"],
) -> Annotated[NDArray[np.float64], "p 3"]:
    """Both reprojection errors and the weight error of every observation.

    Observation i saw point ``seen[i, 1]`` through camera ``seen[i, 0]``.
    """
    count = weights.shape[0]
    errors = np.empty((count, 3))
    for i in range(count):
        camera = cameras[seen[i, 0]]
        point = points[seen[i, 1]]
        ex, ey = reprojection_error(camera, point, weights[i], features[i])
        errors[i, 0] = ex
        errors[i, 1] = ey
        errors[i, 2] = weight_error(weights[i])
    return errors


# mooncake: wrt=cameras,points,weights
def ba_cost(
    cameras: Annotated[NDArray[np.float64], "n 11"],
    points: Annotated[NDArray[np.float64], "m 3"],
    weights: Annotated[NDArray[np.float64], "p"],
    seen: Annotated[NDArray[np.int64], "p 2"],
    features: Annotated[NDArray[np.float64], "p 2"],
) -> float:
    """Half the sum of the squares of all residuals."""
    errors = ba_residuals(cameras, points, weights, seen, features)
    cost = 0.0
    for i in range(errors.shape[0]):
        for j in range(3):
            cost += 0.5 * errors[i, j] * errors[i, j]
    return cost


def _rotate(
    rx: float, ry: float, rz: float, vx: float, vy: float, vz: float
) -> tuple[float, float, float]:
    """Rotate ``v`` about the axis ``r`` by the angle ``|r|`` (Rodrigues' formula)."""
    theta2 = rx * rx + ry * ry + rz * rz
    if theta2 == 0.0:
        return vx + ry * vz - rz * vy, vy + rz * vx - rx * vz, vz + rx * vy - ry * vx
    theta = math.sqrt(theta2)
    cos = math.cos(theta)
    sin = math.sin(theta)
    ux, uy, uz = rx / theta, ry / theta, rz / theta
    along = (ux * vx + uy * vy + uz * vz) * (1.0 - cos)
    x = vx * cos + (uy * vz - uz * vy) * sin + ux * along
    y = vy * cos + (uz * vx - ux * vz) * sin + uy * along
    z = vz * cos + (ux * vy - uy * vx) * sin + uz * along
    return x, y, z
