"""Classes that programs of other modules use; one is called like another one there."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    x: float
    y: float


@dataclass
class Part:
    mass: float
    name: str = "part"
