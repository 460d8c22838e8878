"""Arguments for the functions of the golden modules."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

X = np.array((0.3, -0.8, 1.1, 0.6))
M = np.array(((0.4, -0.7, 0.9), (1.2, 0.5, -0.3)))

ARGUMENTS: Mapping[str, Mapping[str, tuple[object, ...]]] = {
    "scalars": {"smooth": (0.7, 1.3), "branchy": (0.7, 2), "powers": (1.4, 2.2)},
    "loops": {"mean_square": (X,), "first_large": (X, 0.9), "newton": (2.3,)},
    "arrays": {
        "scale_rows": (M, 0.8),
        "relax": (X, 0.2, 3),
        "prefix": (X,),
        "descend": (X, 0.1, 3),
    },
    "calls": {"power": (0.9, 3), "both": (0.4, (1.5, 2))},
}
