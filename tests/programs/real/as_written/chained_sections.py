from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class Section:
    def __init__(self, _fir, _iir):
        self.fir = _fir
        self.iir = _iir
        self.buffer1 = 0
        self.buffer2 = 0

    def filter(self, v):
        inp = 0.0
        out = 0.0
        inp = v
        inp = inp - (self.iir[1] * self.buffer1)
        inp = inp - (self.iir[2] * self.buffer2)
        out = self.fir[1] * self.buffer1
        out = out + (self.fir[2] * self.buffer2)
        out = out + inp * self.fir[0]
        self.buffer2 = self.buffer1
        self.buffer1 = inp
        return out


class Chain:
    def __init__(self, sos):
        self.sections = []
        for row in sos:
            self.sections.append(Section(row[:3], row[3:]))

    def filter(self, v):
        intermediate = v
        for f in self.sections:
            intermediate = f.filter(intermediate)
        return intermediate


def filtered(signal: Vec, sos: Mat) -> Vec:
    chain = Chain(sos)
    y = np.zeros(len(signal))
    for i in range(len(signal)):
        y[i] = chain.filter(signal[i])
    return y
