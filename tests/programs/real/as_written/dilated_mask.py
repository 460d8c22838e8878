from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mask = Annotated[NDArray[np.bool_], "_ _"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def dilate(mask: Mask, radius: int) -> Mask:
    if radius <= 0:
        return mask
    h, w = mask.shape
    padded = np.pad(mask, radius, mode="constant", constant_values=False)
    out = np.zeros_like(mask, dtype=bool)
    for dy in range(radius * 2 + 1):
        for dx in range(radius * 2 + 1):
            out |= padded[dy : dy + h, dx : dx + w]
    return out


def erode(mask: Mask, radius: int) -> Mask:
    if radius <= 0:
        return mask
    h, w = mask.shape
    padded = np.pad(mask, radius, mode="constant", constant_values=True)
    out = np.ones_like(mask, dtype=bool)
    for dy in range(radius * 2 + 1):
        for dx in range(radius * 2 + 1):
            out &= padded[dy : dy + h, dx : dx + w]
    return out


def brightness(image: Mat, level: float, radius: int) -> float:
    mask = erode(dilate(image > level, radius), radius)
    return image[mask].mean()
