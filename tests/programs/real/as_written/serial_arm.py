from typing import Annotated, Sequence

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class Arm:
    def __init__(self, dh):
        self.dh = dh

    def n(self):
        return len(self.dh)


class Kinematics:
    def __init__(self, model: Arm):
        assert model.n() == len(model.dh)
        self.m = model

    @staticmethod
    def _dh_mat(a, alpha, d, theta):
        ca, sa = np.cos(alpha), np.sin(alpha)
        ct, st = np.cos(theta), np.sin(theta)
        return np.array(
            [
                [ct, -st * ca, st * sa, a * ct],
                [st, ct * ca, -ct * sa, a * st],
                [0, sa, ca, d],
                [0, 0, 0, 1],
            ]
        )

    def fk(self, q):
        T = np.eye(4)
        frames = [T]
        for i in range(self.m.n()):
            a, alpha, d, off = self.m.dh[i]
            T = T @ self._dh_mat(a, alpha, d, q[i] + off)
            frames.append(T)
        return frames

    def jacobian(self, q):
        frames = self.fk(q)
        p_e = frames[-1][:3, 3]
        J = np.zeros((6, self.m.n()))
        for i in range(self.m.n()):
            z = frames[i][:3, 2]
            p = frames[i][:3, 3]
            J[:3, i] = np.cross(z, p_e - p)
            J[3:, i] = z
        return J


def manipulability(q: Vec, dh: Mat) -> float:
    kin = Kinematics(Arm(dh))
    J = kin.jacobian(q)
    return np.sqrt(np.linalg.det(J[:3] @ J[:3].T))
