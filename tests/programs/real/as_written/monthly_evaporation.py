import calendar

_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LEAP_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def evaporation(
    temperatures: list[float], hours: list[float], year: int | None = None
) -> list[float]:
    if len(temperatures) != 12:
        raise ValueError("twelve temperatures are needed, not {0}.".format(len(temperatures)))
    if len(hours) != 12:
        raise ValueError("twelve numbers of hours are needed, not {0}.".format(len(hours)))
    if year is None or not calendar.isleap(year):
        days = _DAYS
    else:
        days = _LEAP_DAYS
    adjusted = [t * (t >= 0) for t in temperatures]
    I = 0.0
    for Tai in adjusted:
        if Tai / 5.0 > 0.0:
            I += (Tai / 5.0) ** 1.514
    a = (6.75e-07 * I**3) - (7.71e-05 * I**2) + (1.792e-02 * I) + 0.49239
    pet = []
    for Ta, L, N in zip(adjusted, hours, days):
        pet.append(1.6 * (L / 12.0) * (N / 30.0) * ((10.0 * Ta / I) ** a) * 10.0)
    return pet
