"""The numbers of ``scipy.constants`` that are defined, not measured: the same in every release."""

from __future__ import annotations

from collections.abc import Mapping

UNITS_AND_CONSTANTS: Mapping[str, float] = {
    # mathematics
    "pi": 3.141592653589793, "golden": 1.618033988749895, "golden_ratio": 1.618033988749895,
    # prefixes
    "quetta": 1e+30, "ronna": 1e+27, "yotta": 1e+24, "zetta": 1e+21, "exa": 1e+18,
    "peta": 1000000000000000.0, "tera": 1000000000000.0, "giga": 1000000000.0, "mega": 1000000.0,
    "kilo": 1000.0, "hecto": 100.0, "deka": 10.0, "deci": 0.1, "centi": 0.01, "milli": 0.001,
    "micro": 1e-06, "nano": 1e-09, "pico": 1e-12, "femto": 1e-15, "atto": 1e-18, "zepto": 1e-21,
    "yocto": 1e-24, "ronto": 1e-27, "quecto": 1e-30, "kibi": 1024, "mebi": 1048576,
    "gibi": 1073741824, "tebi": 1099511627776, "pebi": 1125899906842624,
    "exbi": 1152921504606846976,
    # physics, exact since 2019
    "c": 299792458.0, "speed_of_light": 299792458.0, "h": 6.62607015e-34, "Planck": 6.62607015e-34,
    "hbar": 1.0545718176461565e-34, "g": 9.80665, "e": 1.602176634e-19,
    "elementary_charge": 1.602176634e-19, "R": 8.31446261815324, "gas_constant": 8.31446261815324,
    "N_A": 6.02214076e+23, "Avogadro": 6.02214076e+23, "k": 1.380649e-23,
    "Boltzmann": 1.380649e-23, "sigma": 5.6703744191844314e-08,
    "Stefan_Boltzmann": 5.6703744191844314e-08, "Wien": 0.0028977719551851727,
    # mass
    "gram": 0.001, "metric_ton": 1000.0, "grain": 6.479891e-05, "lb": 0.45359236999999997,
    "pound": 0.45359236999999997, "blob": 175.12683524647636, "slinch": 175.12683524647636,
    "slug": 14.593902937206364, "oz": 0.028349523124999998, "ounce": 0.028349523124999998,
    "stone": 6.3502931799999995, "long_ton": 1016.0469088, "short_ton": 907.1847399999999,
    "troy_ounce": 0.031103476799999998, "troy_pound": 0.37324172159999996, "carat": 0.0002,
    # angle
    "degree": 0.017453292519943295, "arcmin": 0.0002908882086657216,
    "arcminute": 0.0002908882086657216, "arcsec": 4.84813681109536e-06,
    "arcsecond": 4.84813681109536e-06,
    # time
    "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0, "year": 31536000.0,
    "Julian_year": 31557600.0,
    # length
    "inch": 0.0254, "foot": 0.30479999999999996, "yard": 0.9143999999999999,
    "mile": 1609.3439999999998, "mil": 2.5399999999999997e-05, "pt": 0.00035277777777777776,
    "point": 0.00035277777777777776, "survey_foot": 0.3048006096012192,
    "survey_mile": 1609.3472186944373, "nautical_mile": 1852.0, "fermi": 1e-15, "angstrom": 1e-10,
    "micron": 1e-06, "au": 149597870700.0, "astronomical_unit": 149597870700.0,
    "light_year": 9460730472580800.0, "parsec": 3.085677581491367e+16,
    # pressure
    "atm": 101325.0, "atmosphere": 101325.0, "bar": 100000.0, "torr": 133.32236842105263,
    "mmHg": 133.32236842105263, "psi": 6894.757293168361,
    # area and volume
    "hectare": 10000.0, "acre": 4046.8564223999992, "liter": 0.001, "litre": 0.001,
    "gallon": 0.0037854117839999997, "gallon_US": 0.0037854117839999997, "gallon_imp": 0.00454609,
    "fluid_ounce": 2.9573529562499998e-05, "fluid_ounce_US": 2.9573529562499998e-05,
    "fluid_ounce_imp": 2.84130625e-05, "bbl": 0.15898729492799998, "barrel": 0.15898729492799998,
    # speed, temperature
    "kmh": 0.2777777777777778, "mph": 0.44703999999999994, "mach": 340.5, "speed_of_sound": 340.5,
    "knot": 0.5144444444444445, "zero_Celsius": 273.15, "degree_Fahrenheit": 0.5555555555555556,
    # energy, power, force
    "eV": 1.602176634e-19, "electron_volt": 1.602176634e-19, "calorie": 4.184, "calorie_th": 4.184,
    "calorie_IT": 4.1868, "erg": 1e-07, "Btu": 1055.05585262, "Btu_IT": 1055.05585262,
    "Btu_th": 1054.3502644888888, "ton_TNT": 4184000000.0, "hp": 745.6998715822701,
    "horsepower": 745.6998715822701, "dyn": 1e-05, "dyne": 1e-05, "lbf": 4.4482216152605,
    "pound_force": 4.4482216152605, "kgf": 9.80665, "kilogram_force": 9.80665,
}  # fmt: skip
