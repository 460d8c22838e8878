from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]
Cube = Annotated[NDArray[np.float64], "_ _ _"]


def q_learning(
    num_states: int,
    num_actions: int,
    P: Cube,
    R: Mat,
    terminal_states: list[int],
    alpha: float,
    gamma: float,
    epsilon: float,
    num_episodes: int,
) -> Mat:
    np.random.seed(3)
    S, A = int(num_states), int(num_actions)
    Q = np.zeros((S, A), dtype=float)
    terminal = np.zeros(S, dtype=bool)
    terminal[np.asarray(terminal_states, dtype=int)] = True
    non_terminal_states = np.where(~terminal)[0]
    if non_terminal_states.size == 0:
        return Q
    for _ in range(num_episodes):
        s = np.random.choice(non_terminal_states)
        while not terminal[s]:
            if np.random.rand() < epsilon:
                a = np.random.randint(A)
            else:
                a = int(np.argmax(Q[s]))
            s_next = int(np.argmax(P[s, a]))
            target = R[s, a] + (0.0 if terminal[s_next] else gamma * np.max(Q[s_next]))
            Q[s, a] += alpha * (target - Q[s, a])
            s = s_next
    return Q
