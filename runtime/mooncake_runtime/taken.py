"""The parameters of entry functions, and conversions of the arguments given for them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, get_args, get_type_hints

import numpy as np

from mooncake_runtime.exact_values import OPEN, ParamRole, convert, is_such, lacks
from mooncake_runtime.spec import Specs, specs_of

_ROLES = {
    "pullback": ParamRole.COTANGENT,
    "vjp": ParamRole.COTANGENT,
    "jvp": ParamRole.TANGENT,
    "hvp": ParamRole.TANGENT,
}


@dataclass(frozen=True, slots=True)
class Taken:
    """The parameters of an entry function, by what messages call them.

    ``roles`` has those that are cotangents or tangents; ``likes`` the parameter of each tangent.
    """

    function: Callable[..., Any]
    name: str
    specs: Specs
    roles: Mapping[str, ParamRole]
    likes: Mapping[str, str]

    @classmethod
    def by(cls, function: Callable[..., Any], labels: Sequence[str]) -> Taken:
        specs = specs_of(function, labels)
        # Compiled functions behind plain ones begin with ``_``.
        name = function.__name__.strip("_")
        roles = _roles(name, list(specs), function.__globals__)
        likes = {
            label: _primal(label) for label, role in roles.items() if role is ParamRole.TANGENT
        }
        return cls(function, name, specs, roles, likes)

    def one(self, label: str, value: object) -> object:
        """``value`` converted; None where an array is a direction stays."""
        return self._converted(label, value, OPEN)

    def all(self, args: Sequence[object]) -> list[object]:
        """``args`` converted, None for tangents to zeros; None for an array of ``y_bar`` stays.

        It stays if the function can be called ``by_sweeps``; else it is a TypeError.
        """
        found: dict[str, object] = {}
        for (label, spec), value in zip(self.specs.items(), args, strict=True):
            found[label] = value if is_such(spec, value) else self._whole(label, value, found)
        for label, value in zip(self.specs, args, strict=True) if self.likes else ():
            if label in self.likes and lacks(self.specs[label], value):
                self._check_apart(label, found)
        return list(found.values())

    def _whole(self, label: str, value: object, before: Mapping[str, object]) -> object:
        """``value`` converted, after what is in front of it."""
        match self.roles.get(label):
            case ParamRole.COTANGENT if self._sweeps() is not None:
                return self._converted(label, value, OPEN)
            case ParamRole.TANGENT:
                return self._converted(label, value, before.get(self.likes[label]))
            case _:
                return self._converted(label, value, None)

    def _converted(self, label: str, value: object, like: object) -> object:
        role = self.roles.get(label, ParamRole.ARGUMENT)
        return convert(self.name, label, self.specs[label], value, role, like)

    def _check_apart(self, label: str, found: Mapping[str, object]) -> None:
        """Raise TypeError if two arguments overlap: zeros for a tangent would not."""
        args = (arg for name, arg in found.items() if name not in self.roles)
        arrays = [leaf for arg in args for leaf in _arrays(arg)]
        if any(np.may_share_memory(one, other) for one, other in combinations(arrays, 2)):
            raise TypeError(
                f"{self.name}: parameter {label!r} is None, but arguments share memory, as their "
                "tangents have to: pass arrays"
            )

    # ---- cotangents without a shape -------------------------------------------------------------

    def lacks_shape(self, args: Sequence[object]) -> bool:
        """True if None stands for an array, whose shape is to be found."""
        return bool(self.roles) and any(map(lacks, self.specs.values(), args))

    def by_sweeps(self, *args: object) -> tuple[object, object]:
        """The result of an ``f_vjp`` where ``f_fwd`` has to tell the shapes of cotangents."""
        sweeps = self._sweeps()
        assert sweeps is not None
        fwd, pullback = sweeps
        (label,) = self.roles
        given = dict(zip(self.specs, args, strict=True))
        y_bar = given.pop(label)
        y, residuals = fwd(*given.values())
        slots = pullback(residuals, self._converted(label, y_bar, y))
        bars = [bar for bar in slots if bar is not None]
        _, grad = get_args(get_type_hints(self.function)["return"])
        return y, grad(*bars) if len(bars) > 1 else bars[0]

    def _sweeps(self) -> tuple[Callable[..., Any], Callable[..., Any]] | None:
        """``f_fwd`` and ``f_pullback``, if this is the ``f_vjp`` of a function without objects."""
        own = self.function.__name__
        if not own.endswith("_vjp") or not all(map(str.isidentifier, self.specs)):
            return None
        scope = self.function.__globals__
        fwd = scope.get(f"{own[:-3]}fwd")
        # That of a function with keywords has none itself.
        pullback = scope.get(f"{own[:-3]}pullback") or scope.get(f"{self.name[:-3]}pullback")
        return (fwd, pullback) if fwd and pullback and len(self.roles) == 1 else None


def _roles(name: str, labels: Sequence[str], scope: Mapping[str, Any]) -> dict[str, ParamRole]:
    """The roles of those of ``labels`` that are no parameters of the program."""
    base, _, kind = name.rpartition("_")
    role = _ROLES.get(kind)
    if role is None:
        return {}
    if kind == "pullback":
        return dict.fromkeys(labels[1:], role)
    roots = list(dict.fromkeys(map(_root, labels)))
    fwd = scope.get(f"{base}_fwd")
    own = set(_last_dots(roots) if role is ParamRole.TANGENT else ())
    if fwd is not None:
        own = set(roots) - set(inspect.signature(getattr(fwd, "py_func", fwd)).parameters)
    return {label: role for label in labels if _root(label) in own}


def _last_dots(roots: Sequence[str]) -> Sequence[str]:
    """The last of ``roots``, at most half, that are called like tangents of the others."""
    for start in range((len(roots) + 1) // 2, len(roots)):
        if all(_primal(root) in roots[:start] for root in roots[start:]):
            return roots[start:]
    return []


def _arrays(value: object) -> Iterator[np.ndarray]:
    if isinstance(value, tuple):
        for item in value:
            yield from _arrays(item)
    elif isinstance(value, np.ndarray):
        yield value


def _root(label: str) -> str:
    """The parameter that ``label`` is a part of: ``p`` of ``p.ends[0].x``."""
    return re.split(r"[.\[]", label, maxsplit=1)[0]


def _primal(label: str) -> str:
    """The parameter of the tangent ``label``: ``p.x`` for ``p_dot.x``."""
    root = _root(label)
    return root.rstrip("_").removesuffix("_dot") + label.removeprefix(root)
