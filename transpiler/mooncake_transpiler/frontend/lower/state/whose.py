"""The kinds of numbers: Python's or NumPy's scalars, whose operators differ."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mooncake_transpiler.types import DType


class Kind(Enum):
    """The kind of a number: a scalar of Python's or of NumPy's, or not known."""

    PYTHON = "Python's"
    NUMPY = "NumPy's"
    EITHER = "Python's or NumPy's"
    ARRAY = "NumPy's, in an array without axes"
    ANY = "Python's or NumPy's, perhaps in an array without axes"


@dataclass(frozen=True, slots=True)
class Of:
    """Python's if all of these arguments of the function are (leaves, by number).

    If one of them is NumPy's, it is NumPy's; or not known, where it is one of several numbers.
    """

    leaves: frozenset[int]
    is_one: bool = False  # of several


@dataclass(frozen=True, slots=True)
class Narrow:
    """Anybody's, and on some path one of NumPy's integers of these types, not of the type it has.

    Then it computes in that type with Python's integers: ``uint8`` wraps around at 256.
    """

    dtypes: frozenset[DType]


Whose = Kind | Of | Narrow
KNOWN = (Kind.PYTHON, Kind.NUMPY)
