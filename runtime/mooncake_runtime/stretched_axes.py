"""Arguments with axes of size 1 that are stretched, as NumPy does it, before a compiled function.

Compiled code has one size for all axes that have to agree. Where such a one turns out to be 1 and
the function uses its array for nothing else (``analysis/stretching.py`` of the transpiler), the
front gives it the array with the items repeated, and adds up the cotangent of that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Axis = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Together:
    """Axes that are stretched to one size.

    Each set of ``fixed`` axes and numbers comes to that, stretched, before anything is.
    """

    axes: tuple[Axis, ...]
    fixed: tuple[tuple[Axis | int, ...], ...]

    @classmethod
    def read(cls, text: str) -> Together:
        """``"b.0 =x.0"``, ``"w.1 =3"``, ``"x.0 y.0 z.0 =x.0*y.0 =x.0*z.0"``."""
        parts = text.split()
        own = tuple(_axis(part) for part in parts if part[0] != "=")
        return cls(own, tuple(_members(part[1:]) for part in parts if part[0] == "="))

    def size(self, shapes: Mapping[str, tuple[int, ...]]) -> int | None:
        """The size that all have once they are stretched; None if there is none."""
        every = [_common(one, shapes) for one in (self.axes, *self.fixed)]
        size = _common([n for n in every if n is not None], shapes)
        return size if all(n == size for n in every[1:]) and every[0] is not None else None


def _members(text: str) -> tuple[Axis | int, ...]:
    return tuple(int(one) if one.isdecimal() else _axis(one) for one in text.split("*"))


def _axis(text: str) -> Axis:
    name, _, axis = text.rpartition(".")
    return name, int(axis)


def _common(members: Sequence[Axis | int], shapes: Mapping[str, tuple[int, ...]]) -> int | None:
    """The one size of ``members``, stretched; None if there is none."""
    sizes = {one if isinstance(one, int) else shapes[one[0]][one[1]] for one in members}
    wide = sizes - {1} or {1}
    return min(wide) if len(wide) == 1 else None


@dataclass(frozen=True, slots=True)
class Stretching:
    """The axes of the arguments of a function that may be stretched.

    ``params`` are all that it has; ``grad`` those whose cotangents are in its result, one for each,
    or ``along`` those whose tangents are its last parameters, in this order.
    """

    params: tuple[str, ...]
    groups: tuple[Together, ...]
    grad: tuple[str, ...] = ()
    along: tuple[str, ...] = ()

    def axes(self, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, dict[int, int]]:
        """By parameter the new sizes of axes; an empty dict if nothing is to be stretched."""
        found: dict[str, dict[int, int]] = {}
        for group in self.groups:
            size = group.size(shapes)
            for name, axis in group.axes:
                if size is not None and shapes[name][axis] != size:
                    found.setdefault(name, {})[axis] = size
        return found

    def call(self, function: Any, args: Sequence[object]) -> tuple[object] | None:
        """The result of ``function`` for ``args`` once these are stretched, alone in a tuple.

        None if they need not be.
        """
        given = dict(zip(self.params, args, strict=True))
        shapes = {n: a.shape for n, a in given.items() if isinstance(a, np.ndarray)}
        axes = self.axes(shapes)
        if not axes:
            return None
        last = self.params[len(self.params) - len(self.along) :]
        tangents = dict(zip(self.along, last, strict=True))
        for name, sizes in axes.items():
            for one in (name, tangents.get(name)):
                array = None if one is None else given[one]
                if one is not None and isinstance(array, np.ndarray):
                    if array.shape != shapes[name]:
                        return None  # a tangent of another shape: the function says so
                    wide = tuple((dict(enumerate(array.shape)) | dict(sizes)).values())
                    given[one] = np.broadcast_to(array, wide).copy()
        return (self.summed(function(*given.values()), axes),)

    def summed(self, result: Any, axes: Mapping[str, Mapping[int, int]]) -> object:
        """``result`` with the cotangents of what was stretched added up."""
        if not axes.keys() & set(self.grad):
            return result
        if type(result) is tuple:  # the value, and the gradient
            return (*result[:-1], self.summed(result[-1], axes))
        if len(self.grad) == 1:
            return _sum(result, axes[self.grad[0]])
        pairs = zip(self.grad, result, strict=True)
        return result._make([_sum(bar, axes.get(name, {})) for name, bar in pairs])


def _sum(bar: Any, axes: Mapping[int, int]) -> object:
    return np.sum(bar, axis=tuple(axes), keepdims=True) if axes else bar
