import math


def heat_index(temperature: float, percentHumidity: float) -> float:
    hi = 0.5 * (temperature + 16.1111 + ((temperature - 20) * 1.2) + (percentHumidity * 0.094))
    if hi > 27:
        hi = math.fsum(
            [
                -8.784695,
                1.61139411 * temperature,
                2.338549 * percentHumidity,
                -0.14611605 * temperature * percentHumidity,
                -0.012308094 * (temperature**2),
                -0.016424828 * (percentHumidity**2),
                0.002211732 * (temperature**2) * percentHumidity,
                0.00072546 * temperature * (percentHumidity**2),
                -0.000003582 * (temperature**2) * (percentHumidity**2),
            ]
        )
    return hi
