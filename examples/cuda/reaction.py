"""Two substances that react and diffuse (Gray and Scott), and how far they are from an observation.

`programs/reaction.py` and `cuda/reaction.py` are the same text but for the two lines that say whose
arrays these are.
"""

from __future__ import annotations

from typing import Annotated

import cupy as xp

Number = Annotated[xp.typing.NDArray[xp.float64], ""]
Field = Annotated[xp.typing.NDArray[xp.float64], "n m"]


def laplacian(u: Field) -> Field:
    """Differences to the four neighbours, on a torus."""
    rows = xp.roll(u, 1, 0) + xp.roll(u, -1, 0)
    columns = xp.roll(u, 1, 1) + xp.roll(u, -1, 1)
    return rows + columns - 4 * u


# mooncake: skip
def pattern(
    u: Field,
    v: Field,
    feed: float,
    kill: float,
    steps: int,
) -> Field:
    """What there is of the second substance after some steps."""
    for _ in range(steps):
        reaction = u * v * v
        change = 0.16 * laplacian(u) - reaction + feed * (1 - u)
        v = v + 0.08 * laplacian(v) + reaction - (feed + kill) * v
        u = u + change
    return v


# mooncake: wrt=feed,kill
def misfit(
    u: Field,
    v: Field,
    feed: float,
    kill: float,
    steps: int,
    observed: Field,
) -> Number:
    """The mean square of the difference to ``observed``."""
    return xp.sum((pattern(u, v, feed, kill, steps) - observed) ** 2) / u.size
