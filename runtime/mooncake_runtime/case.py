"""A primal at a point with what its gradient module says there: what checks of it are about."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import get_args

import numpy as np

from mooncake_runtime import tangents
from mooncake_runtime.tangents import Tree

ROUNDING = 1e-10  # what may differ between two orders of the same sums, relative


@dataclass(frozen=True, slots=True)
class Case:
    """A primal at a point, and what its pullback gives there for one random cotangent."""

    primal: Callable[..., Tree]
    generated: ModuleType
    args: tuple[Tree, ...]
    after: tuple[Tree, ...]  # the arguments as the primal leaves them
    value: Tree
    y_bar: Tree
    slots: tuple[Tree, ...]
    names: tuple[str, ...]
    rtol: float
    analytic: bool
    seed: int

    @classmethod
    def of(
        cls,
        primal: Callable[..., Tree],
        generated: ModuleType,
        args: tuple[Tree, ...],
        rtol: float,
        analytic: bool,
        seed: int,
    ) -> Case:
        name = primal.__name__
        after = tangents.copy(args)
        value = tangents.copy(primal(*after))
        y, residuals = getattr(generated, f"{name}_fwd")(*tangents.copy(args))
        y_bar = tangents.cotangent(y, np.random.default_rng(seed))
        slots = getattr(generated, f"{name}_pullback")(residuals, y_bar)
        if not isinstance(slots, tuple) or len(slots) != len(args):
            raise AssertionError(f"{name}_pullback: one slot per parameter expected, got {slots!r}")
        slots = tangents.copy(slots)
        names = tuple(inspect.signature(primal).parameters)[: len(args)]
        return cls(primal, generated, args, after, value, y_bar, slots, names, rtol, analytic, seed)

    @property
    def wrt(self) -> tuple[str, ...]:
        """The parameters that have a gradient; that of an argument that is None is None."""
        pullback = inspect.unwrap(getattr(self.generated, f"{self.primal.__name__}_pullback"))
        declared = get_args(inspect.get_annotations(pullback).get("return"))
        kinds = declared if len(declared) == len(self.slots) else self.slots
        return tuple(n for n, kind in zip(self.names, kinds, strict=True) if kind is not None)

    @property
    def gradient(self) -> tuple[Tree, ...]:
        return self.differentiated(self.slots)

    def differentiated(self, values: Sequence[Tree]) -> tuple[Tree, ...]:
        """Those of ``values``, one per parameter, for parameters that have a gradient."""
        wrt = self.wrt
        return tuple(v for name, v in zip(self.names, values, strict=True) if name in wrt)

    @property
    def mutates(self) -> bool:
        """Whether the primal changes its arguments."""
        try:
            pairs = tangents.leaves(self.args, self.after)
        except (TypeError, ValueError):
            return True
        return not all(_close(after, before, 0.0, 0.0) for _, before, after in pairs)

    def function(self, suffix: str) -> Callable[..., Tree] | None:
        """The generated function, if there is one of this kind."""
        found: Callable[..., Tree] | None = getattr(
            self.generated, f"{self.primal.__name__}_{suffix}", None
        )
        return found

    def fail(self, message: str) -> None:
        raise AssertionError(f"{self.primal.__name__}: {message}")

    def same(self, got: Tree, expected: Tree, what: str, rtol: float = ROUNDING) -> None:
        """Fail unless two trees have the same structure and (nearly) the same numbers."""
        try:
            pairs = tangents.leaves(expected, got)
        except (TypeError, ValueError) as error:
            self.fail(f"{what}: the structure differs: {error}")
        sizes = [float(np.max(abs(np.asarray(b)), initial=0.0)) for _, b, _ in pairs if _number(b)]
        scale = max(sizes, default=0.0)
        atol = rtol * scale if np.isfinite(scale) else 0.0
        for path, b, a in pairs:
            if not _close(a, b, rtol, atol):
                self.fail(f"{what}{path}: {a!r}, expected {b!r}")

    def untouched(self, args: Sequence[Tree], who: str) -> None:
        """Fail unless ``args`` are as they were on entry, bit by bit."""
        self.same(tuple(args), self.args, f"{who} did not restore the argument", rtol=0.0)


def _number(leaf: Tree) -> bool:
    return isinstance(leaf, int | float | complex | np.generic | np.ndarray)


def _close(got: Tree, expected: Tree, rtol: float, atol: float) -> bool:
    """Whether two leaves are of the same shape and nearly equal."""
    if not (_number(got) and _number(expected)):
        return got is expected or bool(got == expected)
    same_shape = np.shape(got) == np.shape(expected)
    return same_shape and np.allclose(got, expected, rtol=rtol, atol=atol, equal_nan=True)
