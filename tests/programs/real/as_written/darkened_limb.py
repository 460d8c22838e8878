import sys
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


class Star:
    def __init__(self, law, q1, q2):
        self.law = law
        self.q1 = q1
        self.q2 = q2

    def darkening(self, amu):
        if self.law == "linear":
            mu = 1 - self.q1 * (1 - amu)
        elif self.law == "quadratic":
            a = 2 * np.sqrt(self.q1) * self.q2
            b = np.sqrt(self.q1) * (1 - 2 * self.q2)
            mu = 1 - a * (1 - amu) - b * (1 - amu) ** 2
        elif self.law == "sqrt":
            a = np.sqrt(self.q1) * (1 - 2 * self.q2)
            b = 2 * np.sqrt(self.q1) * self.q2
            mu = 1 - a * (1 - amu) - b * (1 - np.sqrt(amu))
        elif self.law == "log":
            a = self.q2 * self.q1**2 + 1
            b = self.q1**2 - 1
            mu = 1 - a * (1 - amu) - b * amu * (1 - np.log(amu))
        else:
            sys.exit("Error in limb darkening law")
        return mu


def brightness(law: str, q1: float, q2: float, amu: Vec) -> float:
    star = Star(law, q1, q2)
    return star.darkening(amu).mean()
