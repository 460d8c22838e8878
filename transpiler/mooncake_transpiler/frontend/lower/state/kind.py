"""Whose number a scalar is: Python's or NumPy's."""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """Whose number it is."""

    PYTHON = "Python's"
    NUMPY = "NumPy's"
    EITHER = "Python's or NumPy's"
