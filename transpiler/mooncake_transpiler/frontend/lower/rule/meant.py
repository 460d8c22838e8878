"""Functions and parameters of the library that were probably meant."""

from __future__ import annotations

import cmath
import math
import re
import sys
from collections.abc import Iterable, Mapping

import numpy as np
from mooncake_rules.catalogue import names

from mooncake_transpiler.diagnostic.suggestions import closest, did_you_mean
from mooncake_transpiler.frontend.class_text.classes import is_exception

# What these hold themselves is spelt right, whether it has a derivative or not.
_HOMES: Mapping[str, object] = {
    "math": math, "cmath": cmath, "numpy": np, "numpy.linalg": np.linalg, "numpy.fft": np.fft,
    "ndarray": np.ndarray,
}  # fmt: skip
_LIBRARIES = ("math.", "numpy.", "scipy.")
# What a program does besides computing: functions, and modules of them.
_AROUND = frozenset({
    "open", "input", "csv", "datetime", "io", "json", "logging", "os", "pathlib", "pickle",
    "shutil", "subprocess", "sys", "tempfile", "threading", "time", "numpy.fromfile",
    "numpy.genfromtxt", "numpy.load", "numpy.loadtxt", "numpy.memmap", "numpy.save",
    "numpy.savetxt", "numpy.savez",
})  # fmt: skip
OUTSIDE = "do it where the function is called, and pass what it gives as an argument"
_UNEXPECTED = re.compile(r"unexpected keyword argument '(?P<name>\w+)'")


def meant(qualname: str) -> str:
    """``": did you mean np.sin?"`` for a name that there is not; nothing for others."""
    home, _, name = qualname.rpartition(".")
    if home not in _HOMES or name in dir(_HOMES[home]):
        return ""
    inside = {known.rpartition(".")[2] for known in names() if known.rpartition(".")[0] == home}
    found = closest(name, inside)
    return f": did you mean {home.replace('numpy', 'np', 1)}.{found}?" if found else ""


def way_out(qualname: str, shown: str) -> str:
    """The help for a call of a function without a rule, which users write as ``shown``."""
    if qualname.startswith(("random.", "numpy.random.")):
        return "draw from np.random.default_rng(seed), or pass the random numbers as an argument"
    if is_exception(qualname):
        return f"make it where it is raised: raise {shown}(...)"
    qualname = qualname.removeprefix("builtins.")
    if not _AROUND.isdisjoint((qualname, qualname.partition(".")[0])):
        return OUTSIDE
    home, _, name = qualname.rpartition(".")
    exists = home not in _HOMES or name in dir(_HOMES[home])
    if not (qualname.startswith(_LIBRARIES) and exists):
        help_ = "write it in the module, from functions that are supported"
        root = qualname.partition(".")[0]
        if not home or root in (*sys.stdlib_module_names, "numpy", "scipy"):
            return help_
        return f"{help_}; if {root} is yours, let SRC be the folder that it is in"
    return (
        f"write it from functions that are supported; above `def {name}(...)`, @overlay({shown}) "
        f"reads that for {shown}, and @rule_for({shown}) takes a rule of your own "
        "(from mooncake_runtime import overlay, rule_for)"
    )


def meant_parameter(message: str, params: Iterable[str]) -> str:
    """The like for the parameter that ``message`` of a TypeError is about."""
    found = _UNEXPECTED.search(message)
    return did_you_mean(found["name"], params) if found else ""
