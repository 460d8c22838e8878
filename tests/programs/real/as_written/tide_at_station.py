from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


@dataclass
class Constituent:
    name: str
    amplitude: float
    phase: float
    speed: float

    def evaluate(self, hours):
        return self.amplitude * np.cos(np.radians(self.speed * hours - self.phase))


@dataclass
class Station:
    station_id: str
    latitude: float
    state: str = ""
    has_currents: bool = False
    datums: dict[str, float] = field(default_factory=dict)
    harmonics: list[Constituent] = field(default_factory=list)

    def predict(self, hours: np.ndarray, datum: str = "MSL") -> np.ndarray:
        if not self.harmonics:
            raise ValueError(f"No constituents available for station {self.station_id}")
        prediction = np.zeros_like(hours, dtype=np.float64)
        for constituent in self.harmonics:
            prediction += constituent.evaluate(hours)
        if datum in self.datums and "MSL" in self.datums:
            prediction += self.datums["MSL"] - self.datums.get(datum, 0)
        return prediction


def level(hours: Vec, amplitudes: Vec, phases: Vec) -> Vec:
    station = Station("8443970", 42.35)
    station.datums = {"MSL": 1.6, "MLLW": 0.1}
    speeds = {"M2": 28.984104, "S2": 30.0, "K1": 15.041069}
    for i, (name, speed) in enumerate(speeds.items()):
        station.harmonics.append(Constituent(name, amplitudes[i], phases[i], speed))
    return station.predict(hours, "MLLW")
