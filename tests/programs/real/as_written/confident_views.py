from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class Views:
    @staticmethod
    def default_omega(cov, P, tau):
        return np.diag(np.diag(tau * P @ cov @ P.T))

    @staticmethod
    def confident(confidences, cov, Q, P, tau):
        view_omegas = []
        for view_idx in range(len(Q)):
            conf = confidences[view_idx]
            if conf < 0 or conf > 1:
                raise ValueError("confidences are between 0 and 1")
            if conf == 0:
                view_omegas.append(1e6)
                continue
            P_view = P[view_idx].reshape(1, -1)
            alpha = (1 - conf) / conf
            omega = tau * alpha * P_view @ cov @ P_view.T
            view_omegas.append(omega.item())
        return np.diag(view_omegas)


def uncertainty(confidences: Vec, cov: Mat, Q: Vec, P: Mat, tau: float) -> Mat:
    return Views.confident(confidences, cov, Q, P, tau) + Views.default_omega(cov, P, tau)
