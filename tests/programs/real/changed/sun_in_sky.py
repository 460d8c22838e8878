import math

DEG_TO_RAD = math.pi / 180.0
RAD_TO_DEG = 180.0 / math.pi


def d2r(a):
    return a * DEG_TO_RAD


def r2d(a):
    return a * RAD_TO_DEG


def solar_position(
    n: int, LCT: float, latitude: float, lambda_std: float, lambda_lcl: float
) -> dict[str, float]:
    delta_deg = 23.45 * math.sin(d2r(360.0 * (284 + n) / 365.0))
    B_rad = d2r(360.0 * (n - 1) / 365.0)
    EoT = 229.2 * (
        0.000075
        + 0.001868 * math.cos(B_rad)
        - 0.032077 * math.sin(B_rad)
        - 0.014615 * math.cos(2 * B_rad)
        - 0.04089 * math.sin(2 * B_rad)
    )
    LST = LCT + (4.0 * (lambda_std - lambda_lcl) + EoT) / 60.0
    omega_deg = 15.0 * (LST - 12.0)
    phi_rad, delta_rad, omega_rad = d2r(latitude), d2r(delta_deg), d2r(omega_deg)
    cos_z = max(
        -1.0,
        min(
            1.0,
            math.sin(phi_rad) * math.sin(delta_rad)
            + math.cos(phi_rad) * math.cos(delta_rad) * math.cos(omega_rad),
        ),
    )
    theta_z = r2d(math.acos(cos_z))
    return {
        "n": n,
        "delta": delta_deg,
        "EoT": EoT,
        "LST": LST,
        "omega": omega_deg,
        "cos_z": cos_z,
        "theta_z": theta_z,
        "alpha_s": 90.0 - theta_z,
    }
