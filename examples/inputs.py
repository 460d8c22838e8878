"""Arguments of examples that can't be drawn: for ``mooncake-transpile verify --inputs``."""

import numpy as np


def inputs_lstm_objective() -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(1)
    layers, b, steps = 2, 3, 4
    shapes = ((2 * layers, 4 * b), (3, b), (2 * layers, b), (steps, b))
    return tuple(rng.normal(size=shape) for shape in shapes)
