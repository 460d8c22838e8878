"""Functions and parameters of the library that were probably meant."""

from __future__ import annotations

import cmath
import math
import re
from collections.abc import Iterable, Mapping

import numpy as np
from mooncake_rules.catalogue import names

from mooncake_transpiler.suggestions import closest, did_you_mean

# What these hold themselves is spelt right, whether it has a derivative or not.
_HOMES: Mapping[str, object] = {
    "math": math, "cmath": cmath, "numpy": np, "numpy.linalg": np.linalg, "numpy.fft": np.fft,
    "ndarray": np.ndarray,
}  # fmt: skip
_UNEXPECTED = re.compile(r"unexpected keyword argument '(?P<name>\w+)'")


def meant(qualname: str) -> str:
    """``": did you mean np.sin?"`` for a name that there is not; nothing for others."""
    home, _, name = qualname.rpartition(".")
    if home not in _HOMES or name in dir(_HOMES[home]):
        return ""
    inside = {known.rpartition(".")[2] for known in names() if known.rpartition(".")[0] == home}
    found = closest(name, inside)
    return f": did you mean {home.replace('numpy', 'np', 1)}.{found}?" if found else ""


def meant_parameter(message: str, params: Iterable[str]) -> str:
    """The like for the parameter that ``message`` of a TypeError is about."""
    found = _UNEXPECTED.search(message)
    return did_you_mean(found["name"], params) if found else ""
