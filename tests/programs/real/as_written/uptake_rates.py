def michaelis_menten(c: float, vmax: float, km: float) -> float:
    if c <= 0:
        v = 0
    else:
        v = -vmax * c / (km + c)
    return v


def total_uptake(concentrations: list[float], vmax: float, km: float) -> float:
    total = 0
    for c in concentrations:
        rate = michaelis_menten(c, vmax, km)
        if rate != 0:
            total += rate
    return total
