import numpy as np

FARADAY = 96485.33
GAS = 8.314


class Settings:
    TEMPERATURE = 298.15
    ROUGHNESS = 1.2
    ANODE_CURRENT = 10.0
    CATHODE_CURRENT = 2.0


class Electrolyser:
    def __init__(self, parameters=None):
        self.params = parameters or self._default_parameters()
        self.results = None

    def _default_parameters(self):
        return {
            "temperature": Settings.TEMPERATURE,
            "anode_i0": Settings.ANODE_CURRENT,
            "cathode_i0": Settings.CATHODE_CURRENT,
            "roughness": Settings.ROUGHNESS,
        }

    def butler_volmer(self, overpotential, i0, alpha, n=1):
        f_rt = FARADAY / (GAS * self.params["temperature"])
        anodic = np.exp(alpha * n * f_rt * overpotential)
        cathodic = np.exp(-(1 - alpha) * n * f_rt * overpotential)
        return i0 * self.params["roughness"] * (anodic - cathodic)


def net_current(eta_a: float, eta_c: float, alpha: float) -> float:
    cell = Electrolyser()
    anode = cell.butler_volmer(eta_a, cell.params["anode_i0"], alpha)
    cathode = cell.butler_volmer(eta_c, cell.params["cathode_i0"], alpha, n=2)
    return anode - cathode
