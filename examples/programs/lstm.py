"""Loss of a character-level LSTM with elementwise gates (ADBench's LSTM).

Of ``main_params`` row 2i holds the weights of layer i and row 2i+1 its biases, each as four blocks
of width b: forget, input and output gate, and change. The rows of ``extra_params`` scale the input,
scale the output and shift the output. Of ``state`` row 2i holds the hidden values of layer i and
row 2i+1 its cells.
"""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


# mooncake: wrt=main_params,extra_params
def lstm_objective(
    main_params: Annotated[NDArray[np.float64], "_ _"],
    extra_params: Annotated[NDArray[np.float64], "3 b"],
    state: Annotated[NDArray[np.float64], "_ b"],
    sequence: Annotated[NDArray[np.float64], "c b"],
) -> float:
    """Mean negative log likelihood of each item of ``sequence`` given those before it."""
    layers = main_params.shape[0] // 2
    steps, b = sequence.shape
    hidden = np.empty((layers, b))
    cell = np.empty((layers, b))
    for i in range(layers):
        for j in range(b):
            hidden[i, j] = state[2 * i, j]
            cell[i, j] = state[2 * i + 1, j]

    x = np.empty(b)
    total = 0.0
    for t in range(steps - 1):
        for j in range(b):
            x[j] = sequence[t, j] * extra_params[0, j]
        for i in range(layers):
            _advance_layer(main_params, hidden, cell, x, i)
        total_exp = 2.0
        for j in range(b):
            x[j] = x[j] * extra_params[1, j] + extra_params[2, j]
            total_exp += math.exp(x[j])
        log_norm = math.log(total_exp)
        for j in range(b):
            total += sequence[t + 1, j] * (x[j] - log_norm)
    return -total / ((steps - 1) * b)


def _advance_layer(
    main_params: Annotated[NDArray[np.float64], "_ _"],
    hidden: Annotated[NDArray[np.float64], "l b"],
    cell: Annotated[NDArray[np.float64], "l b"],
    x: Annotated[NDArray[np.float64], "b"],
    i: int,
) -> None:
    """Update layer ``i`` in place; ``x`` is its input and becomes its output."""
    b = x.shape[0]
    for j in range(b):
        w, v = 2 * i, 2 * i + 1
        forget = _sigmoid(x[j] * main_params[w, j] + main_params[v, j])
        ingate = _sigmoid(hidden[i, j] * main_params[w, b + j] + main_params[v, b + j])
        outgate = _sigmoid(x[j] * main_params[w, 2 * b + j] + main_params[v, 2 * b + j])
        change = math.tanh(hidden[i, j] * main_params[w, 3 * b + j] + main_params[v, 3 * b + j])
        cell[i, j] = cell[i, j] * forget + ingate * change
        hidden[i, j] = outgate * math.tanh(cell[i, j])
        x[j] = hidden[i, j]


def _sigmoid(v: float) -> float:
    return 1.0 / (1.0 + math.exp(-v))
