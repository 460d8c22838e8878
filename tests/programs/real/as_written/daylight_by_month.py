import math

_DAYS = (31, 28, 31, 30)


def check_latitude(latitude):
    if not -math.pi / 2 <= latitude <= math.pi / 2:
        raise ValueError(
            "latitude outside valid range {0!r} to {1!r}: {2!r}".format(
                -math.pi / 2, math.pi / 2, latitude
            )
        )


def declination(day):
    return 0.409 * math.sin(((2.0 * math.pi / 365.0) * day - 1.39))


def sunset(latitude, sol_dec):
    cos_sha = -math.tan(latitude) * math.tan(sol_dec)
    return math.acos(min(max(cos_sha, -1.0), 1.0))


def mean_hours(latitude: float) -> list[float]:
    check_latitude(latitude)
    hours = []
    doy = 1
    for mdays in _DAYS:
        dlh = 0.0
        for daynum in range(1, mdays + 1):
            sd = declination(doy)
            sha = sunset(latitude, sd)
            dlh += (24.0 / math.pi) * sha
            doy += 1
        hours.append(dlh / mdays)
    return hours
