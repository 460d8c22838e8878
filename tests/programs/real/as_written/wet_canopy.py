import math


def interception(
    s0: float,
    rain: float,
    plant_area: float,
    cap_per_area: float,
    alpha_liq: float,
    stem_fraction: float,
    wet_potential: float,
    canopy_temperature: float = 295.0,
) -> dict[str, float]:
    if canopy_temperature < 273.15:
        raise ValueError("subfreezing liquid interception")
    smax = cap_per_area * plant_area
    intercepted = rain * alpha_liq * math.tanh(plant_area) if plant_area else 0.0
    direct = rain - intercepted
    stem = stem_fraction * direct
    through = direct - stem
    pre = s0 + intercepted
    drainage = max(0.0, pre - smax)
    stored = pre - drainage
    if wet_potential >= 0.0:
        evap = min(wet_potential, stored)
        s1 = stored - evap
    else:
        evap = wet_potential
        post = stored - evap
        second = max(0.0, post - smax)
        drainage += second
        s1 = post - second
    closure = s0 + rain - s1 - evap - through - stem - drainage
    return {"s1": s1, "evap": evap, "through": through, "stem": stem, "drainage": drainage}
