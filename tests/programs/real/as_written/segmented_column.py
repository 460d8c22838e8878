from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


def stiffnesses(length: float, E: float, I: float, n_seg: int) -> tuple[Mat, Mat]:
    seg_len = length / n_seg
    n_nodes = n_seg + 1
    n_dof_total = n_nodes * 2
    constrained = {0}
    constrained.add(n_nodes * 2 - 2)
    free = [d for d in range(n_dof_total) if d not in constrained]
    n_dof = len(free)

    def elastic(L, E, I):
        return np.array(
            [
                [12 * E * I / L**3, 6 * E * I / L**2, -12 * E * I / L**3, 6 * E * I / L**2],
                [6 * E * I / L**2, 4 * E * I / L, -6 * E * I / L**2, 2 * E * I / L],
                [-12 * E * I / L**3, -6 * E * I / L**2, 12 * E * I / L**3, -6 * E * I / L**2],
                [6 * E * I / L**2, 2 * E * I / L, -6 * E * I / L**2, 4 * E * I / L],
            ]
        )

    def geometric(L):
        return (1.0 / (30 * L)) * np.array(
            [
                [36, 3 * L, -36, 3 * L],
                [3 * L, 4 * L**2, -3 * L, -(L**2)],
                [-36, -3 * L, 36, -3 * L],
                [3 * L, -(L**2), -3 * L, 4 * L**2],
            ]
        )

    def reduced(raw):
        return [free.index(d) if d in free else -1 for d in raw]

    K = np.zeros((n_dof, n_dof))
    Kg = np.zeros((n_dof, n_dof))
    for s in range(n_seg):
        ke = elastic(seg_len, E, I)
        kg = geometric(seg_len)
        dofs = reduced([2 * s, 2 * s + 1, 2 * s + 2, 2 * s + 3])
        for i, gi in enumerate(dofs):
            if gi < 0:
                continue
            for j, gj in enumerate(dofs):
                if gj < 0:
                    continue
                K[gi, gj] += ke[i, j]
                Kg[gi, gj] += kg[i, j]
    return K, Kg
