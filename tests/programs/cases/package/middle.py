"""Reaches a sibling, and its own package."""

from . import cube
from .deep import inner


def through(x):
    return cube(x) + inner.negated(x)
