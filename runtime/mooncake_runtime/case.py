"""A primal at a point, and its derivatives there by its gradient module: the subject of checks."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial, wraps
from types import ModuleType
from typing import NoReturn, get_args

import numpy as np

from mooncake_runtime import tangents
from mooncake_runtime.lines_run import lines_run
from mooncake_runtime.numerical import pulled_back, slots_of
from mooncake_runtime.tangents import Tree

SINGLE = (np.float32, np.complex64)
LARGEST = 1e-3  # relative error that many roundings are taken to make


class Mismatch(AssertionError):
    """The derivatives are not those of the primal; ``error`` says by how much, relatively."""

    def __init__(self, message: str, error: float = np.inf) -> None:
        super().__init__(message)
        self.error = error


class Unclear(AssertionError):
    """Nothing can be said at this point: differences do not converge, or there is a kink."""


@dataclass(frozen=True, slots=True)
class Precision:
    """Relative tolerances: ``rounding`` between two orders of the same sums, ``identity`` between
    the two sides of the dot-product identity, ``differences`` the least one between a derivative
    and differences.

    ``noise`` is the relative error of values of the primal, ``unit`` that of one operation.
    """

    rounding: float
    identity: float
    differences: float
    noise: float
    unit: float = 2.0**-53


DOUBLE_PRECISION = Precision(1e-10, 1e-12, 0.0, 4e-16)
SINGLE_PRECISION = Precision(1e-4, 1e-5, 1e-3, 3e-7, 2.0**-24)
DIFFERENCES = Precision(1e-6, 1e-6, 1e-6, 1e-10)  # of primals that are by differences


@dataclass(frozen=True, slots=True)
class Figure:
    """The relative error of one check of equal results, and its limit."""

    what: str
    error: float
    limit: float


@dataclass(frozen=True, slots=True)
class Case:
    """A primal at a point, and what its pullback gives there for one random cotangent.

    Without a pullback ``slots`` are what ``jvp``, or without it differences, give along each
    coordinate. ``declared`` are the parameters that should have a gradient, if that is known.
    """

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
    precision: Precision
    declared: tuple[str, ...] | None = None
    detached: bool = (
        False  # something counts as constant on purpose: differences know no such thing
    )
    coordinates: int = 32  # along which differences are taken, at most, for a parameter
    figures: list[Figure] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        primal: Callable[..., Tree],
        generated: ModuleType,
        args: tuple[Tree, ...],
        rtol: float = 1e-7,
        analytic: bool = False,
        seed: int = 0,
        declared: tuple[str, ...] | None = None,
        coordinates: int = 32,
        precision: Precision | None = None,
        detached: bool = False,
    ) -> Case:
        after = tangents.copy(args)
        value = tangents.copy(primal(*after))
        names = tuple(inspect.signature(primal).parameters)[: len(args)]
        y_bar = tangents.cotangent(value, np.random.default_rng(seed))
        precision = precision or precision_of((args, value))
        case = cls(primal, generated, args, after, value, y_bar, (), names,
                   max(rtol, precision.differences), analytic, seed, precision, declared,
                   detached, coordinates)  # fmt: skip
        return case.filled()

    def of_module(self, generated: ModuleType) -> Case:
        """The same point for another module of generated functions."""
        return replace(self, generated=generated).filled()

    def filled(self) -> Case:
        """With the cotangent and the slots that the generated functions give."""
        forward, pullback = self.function("fwd"), self.function("pullback")
        if forward is None or pullback is None:
            exact = self.function("jvp") is not None
            slots = self._slots_without_pullback()
            return replace(self, slots=slots, precision=self.precision if exact else DIFFERENCES)
        y, residuals = forward(*tangents.copy(self.args))
        self.same(y, self.value, "the value of the forward function")
        primal, value = self.primal, _with_floats(self.value, y)
        if value is not self.value:
            primal = wraps(self.primal)(lambda *args: _with_floats(self.primal(*args), y))
        y_bar = tangents.cotangent(y, np.random.default_rng(self.seed))
        slots = pullback(residuals, tangents.copy(y_bar))
        if not isinstance(slots, tuple) or len(slots) != len(self.args):
            self.fail(f"the pullback gives not one slot per parameter, but {slots!r}")
        slots = tangents.copy(slots)
        return replace(self, primal=primal, value=value, y_bar=y_bar, slots=slots)

    def _slots_without_pullback(self) -> tuple[Tree, ...]:
        """By forward mode, number by number; or else by differences."""
        if self.declared is None:
            self.fail("there is no pullback, and no telling which parameters have a gradient")
        chosen = [name in self.declared for name in self.names]
        jvp = self.function("jvp")
        if jvp is None and self.detached:
            raise Unclear("all that could be compared with is differences of what is detached")
        if jvp is None:
            return pulled_back(self.primal, self.args, chosen, self.y_bar)

        def share(unit: Tree) -> float:
            dots = tangents.copy(self.differentiated(unit))  # it writes to those of what it writes
            _, y_dot = jvp(*tangents.copy(self.args), *dots)
            return tangents.dot(self.y_bar, y_dot)

        return slots_of(self.args, chosen, share)

    @property
    def wrt(self) -> tuple[str, ...]:
        """The parameters that have a gradient; that of an argument that is None is None."""
        pullback = getattr(self.generated, f"{self.primal.__name__}_pullback", None)
        if pullback is None and self.declared is not None:
            return self.declared
        pullback = inspect.unwrap(pullback) if callable(pullback) else None
        declared = get_args(inspect.get_annotations(pullback).get("return")) if pullback else ()
        kinds = declared if len(declared) == len(self.names) else self.slots
        return tuple(n for n, kind in zip(self.names, kinds, strict=True) if kind is not None)

    @property
    def gradient(self) -> tuple[Tree, ...]:
        return self.differentiated(self.slots)

    def differentiated(self, values: Sequence[Tree]) -> tuple[Tree, ...]:
        """The items of ``values``, one per parameter, for parameters that have a gradient."""
        wrt = self.wrt
        return tuple(v for name, v in zip(self.names, values, strict=True) if name in wrt)

    @property
    def mutates(self) -> bool:
        """True if the primal changes its arguments."""
        try:
            pairs = tangents.leaves(self.args, self.after)
        except (TypeError, ValueError):
            return True
        return any(_error(after, before, 0.0) > 0.0 for _, before, after in pairs)

    def function(self, suffix: str) -> Callable[..., Tree] | None:
        """The generated function, if there is one of this kind."""
        found = getattr(self.generated, f"{self.primal.__name__}_{suffix}", None)
        if not callable(found) or suffix == "pullback":
            return found
        return by_position(found, self.names)

    def fail(self, message: str, error: float = np.inf) -> NoReturn:
        raise Mismatch(f"{self.primal.__name__}: {message}", error)

    def limit(self, error: float, rtol: float) -> float:
        """The largest error that is taken for rounding: ``rtol``, and more in a long computation.

        A sum of so many terms, one after the other, is off by less than a unit for each of them,
        relative to the sum of their magnitudes. They are counted where the answer matters only.
        """
        if not rtol < error < LARGEST:
            return rtol
        args = tangents.copy(self.args)
        numbers = sum(np.size(leaf) for _, leaf in tangents.leaves((self.args, self.value)))
        steps = lines_run(lambda: self.primal(*args)) + numbers
        return max(rtol, steps * self.precision.unit)

    def note(self, what: str, error: float, limit: float) -> None:
        """Keep how well two results agree."""
        self.figures.append(Figure(what, float(error), float(limit)))

    def same(self, got: Tree, expected: Tree, what: str, rtol: float | None = None) -> None:
        """Fail unless two trees have the same structure and (nearly) the same numbers."""
        rtol = self.precision.rounding if rtol is None else rtol
        try:
            pairs = tangents.leaves(expected, got)
        except (TypeError, ValueError) as problem:
            self.fail(f"{what}: the structure differs: {problem}")
        numbers = [x for _, b, a in pairs for x in (a, b) if _number(x)]
        sizes = [float(np.max(abs(np.asarray(x)), initial=0.0)) for x in numbers]
        scale = max(sizes, default=0.0)
        scale = scale if np.isfinite(scale) else 0.0
        for path, b, a in pairs:
            error = _error(a, b, scale if rtol else 0.0)
            limit = self.limit(error, rtol) if rtol else 0.0
            self.note(what, error, limit)
            if not error <= limit:
                self.fail(f"{what}{path}: {a!r}, expected {b!r}", error)

    def untouched(self, args: Sequence[Tree], who: str) -> None:
        """Fail unless ``args`` are as they were on entry, bit by bit."""
        self.same(tuple(args), self.args, f"{who} did not restore the argument", rtol=0.0)


def _with_floats(value: Tree, declared: Tree) -> Tree:
    """``value``, with floats for integers where derivatives know that floats are declared.

    It is ``value`` itself where there are none.
    """
    if isinstance(declared, float | np.floating) and isinstance(value, int | np.integer | np.bool_):
        return float(value)
    if type(value) in (tuple, list) and type(declared) is type(value):
        items = list(map(_with_floats, value, declared)) if len(value) == len(declared) else value
        return value if all(map(operator.is_, items, value)) else type(value)(items)
    if type(value) is dict and type(declared) is dict and value.keys() == declared.keys():
        found = {key: _with_floats(item, declared[key]) for key, item in value.items()}
        return value if all(item is value[key] for key, item in found.items()) else found
    return value


def by_position(function: Callable[..., Tree], names: Sequence[str]) -> Callable[..., Tree]:
    """``function`` for arguments ``names``, then all others, by position.

    Where it has parameters that are given by keyword only, these are not the last ones.
    """
    parameters = inspect.signature(function).parameters.values()
    if not any(p.kind is p.KEYWORD_ONLY for p in parameters):
        return function
    others = [p.name for p in parameters if p.name not in names]
    positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    return partial(_given_by_name, function, (*names, *others), positional)


def _given_by_name(
    function: Callable[..., Tree], names: Sequence[str], positional: Sequence[str], *args: Tree
) -> Tree:
    given = dict(zip(names, args, strict=False))
    first = [given.pop(name) for name in positional if name in given]
    return function(*first, **given)


def precision_of(tree: Tree) -> Precision:
    """The lower one of the precisions of numbers in ``tree``."""
    is_single = any(np.asarray(leaf).dtype.type in SINGLE for _, leaf in tangents.leaves(tree))
    return SINGLE_PRECISION if is_single else DOUBLE_PRECISION


def _number(leaf: Tree) -> bool:
    return isinstance(leaf, int | float | complex | np.generic | np.ndarray)


def _alike(got: Tree, expected: Tree) -> bool:
    """True for one member of an enumeration that was imported twice."""
    if not (isinstance(got, Enum) and isinstance(expected, Enum)):
        return False
    kinds = [(type(m).__module__, type(m).__qualname__, m.name) for m in (got, expected)]
    return kinds[0] == kinds[1]


def _error(got: Tree, expected: Tree, scale: float) -> float:
    """The distance of two leaves relative to them and to ``scale``; inf if their shapes differ."""
    if not (_number(got) and _number(expected)):
        if isinstance(got, np.ndarray) or isinstance(expected, np.ndarray):
            return np.inf  # nothing else is equal to an array
        return 0.0 if got is expected or bool(got == expected) or _alike(got, expected) else np.inf
    a, b = np.asarray(got), np.asarray(expected)
    if a.shape != b.shape:
        return np.inf
    with np.errstate(all="ignore"):
        equal = (a == b) | ((a != a) & (b != b))
        if np.all(equal):
            return 0.0
        if not (a.dtype.kind in "biufc" and b.dtype.kind in "biufc"):
            return np.inf
        a, b = (x.astype(np.result_type(x, np.float64)) for x in (a, b))
        errors = np.where(equal, 0.0, abs(a - b) / (abs(b) + scale))
    return float(np.max(np.where(np.isnan(errors), np.inf, errors), initial=0.0))
