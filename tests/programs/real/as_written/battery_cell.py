from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


class BatteryCell:
    def __init__(self, capacity_ah=3.0, r_int=0.05, soc_int=1.0):
        self.capacity = capacity_ah
        self.r_int = r_int
        self.soc = soc_int
        self.voltage = self.ocv(self.soc)
        self.temperature = 25.0

    def ocv(self, soc):
        return 3.0 + 1.2 * soc

    def update(self, current, dt):
        self.soc -= (current * dt) / (self.capacity * 3600)
        self.soc = np.clip(self.soc, 0, 1)
        self.voltage = self.ocv(self.soc) - current * self.r_int


def discharge(currents: Vec, dt: float, r: float) -> float:
    cell = BatteryCell(r_int=r)
    for current in currents:
        cell.update(current, dt)
    return cell.voltage
