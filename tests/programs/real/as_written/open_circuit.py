R0 = 0.225
Q = 1.1


def voltage(soc: float) -> float:
    a, b, c, d, e, f = [3.4, -1.8, 4.4, -5.8, 2.2, 2.5]
    return a * soc**5 + b * soc**4 + c * soc**3 + d * soc**2 + e * soc + f


def efficiency(i):
    return 1 if i <= 0 else 0.9995


def terminal(current: float, soc: float, dt: float) -> float:
    soc = soc - efficiency(current) * current * dt / (3600 * Q)
    return voltage(soc) - R0 * current
