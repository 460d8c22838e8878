from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]
Image = Annotated[NDArray[np.float64], "_ _ _"]


def bilinear_interpolate(img: Image, coords: Mat) -> Mat:
    int_coords = np.int32(coords)
    x0, y0 = int_coords
    dx, dy = coords - int_coords
    q11 = img[y0, x0]
    q21 = img[y0, x0 + 1]
    q12 = img[y0 + 1, x0]
    q22 = img[y0 + 1, x0 + 1]
    btm = q21.T * dx + q11.T * (1 - dx)
    top = q22.T * dx + q12.T * (1 - dx)
    inter_pixel = top * dy + btm * (1 - dy)
    return inter_pixel.T
