import math

a = 6378137.0
f = 1 / 298.257223563
b = (1 - f) * a


def vincenty_distance(lat1: float, lon1: float, lat2: float, lon2: float) -> float | None:
    if lat1 == lat2 and lon1 == lon2:
        return 0.0

    φ1 = math.radians(lat1)
    φ2 = math.radians(lat2)
    L = math.radians(lon2 - lon1)
    U1 = math.atan((1 - f) * math.tan(φ1))
    U2 = math.atan((1 - f) * math.tan(φ2))
    sinU1 = math.sin(U1)
    cosU1 = math.cos(U1)
    sinU2 = math.sin(U2)
    cosU2 = math.cos(U2)
    λ = L

    for _ in range(200):
        sinλ = math.sin(λ)
        cosλ = math.cos(λ)
        sinσ = math.sqrt((cosU2 * sinλ) ** 2 + (cosU1 * sinU2 - sinU1 * cosU2 * cosλ) ** 2)
        if sinσ == 0:
            return 0.0
        cosσ = sinU1 * sinU2 + cosU1 * cosU2 * cosλ
        σ = math.atan2(sinσ, cosσ)
        sinα = cosU1 * cosU2 * sinλ / sinσ
        cos2α = 1 - sinα**2
        if cos2α == 0:
            cos2σm = 0
        else:
            cos2σm = cosσ - 2 * sinU1 * sinU2 / cos2α
        C = f / 16 * cos2α * (4 + f * (4 - 3 * cos2α))
        λ_prev = λ
        λ = L + (1 - C) * f * sinα * (σ + C * sinσ * (cos2σm + C * cosσ * (-1 + 2 * cos2σm**2)))
        if abs(λ - λ_prev) < 1e-12:
            break
    else:
        return None

    u2 = cos2α * (a**2 - b**2) / b**2
    A = 1 + u2 / 16384 * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)))
    B = u2 / 1024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
    Δσ = (
        B
        * sinσ
        * (
            cos2σm
            + B
            / 4
            * (
                cosσ * (-1 + 2 * cos2σm**2)
                - B / 6 * cos2σm * (-3 + 4 * sinσ**2) * (-3 + 4 * cos2σm**2)
            )
        )
    )
    return b * A * (σ - Δσ)
