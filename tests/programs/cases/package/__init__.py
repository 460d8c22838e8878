"""A package of programs."""

from .deep.inner import cube as cube
