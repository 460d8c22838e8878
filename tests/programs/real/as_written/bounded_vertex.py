from numba import jit


@jit(nopython=True, fastmath=True)
def kept_inside(
    pos: tuple[float, float], size: tuple[float, float], radius: float
) -> tuple[float, float]:
    x, y = pos
    if y + radius >= size[1]:
        y = size[1] - radius

    if y - radius <= 0:
        y = radius

    if x + radius >= size[0]:
        x = size[0] - radius

    if x - radius <= 0:
        x = radius

    output = (x, y)
    return output
