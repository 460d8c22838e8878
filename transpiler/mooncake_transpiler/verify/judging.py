"""Judging the derivatives of one function at one point: right, wrong, or undecided."""

from __future__ import annotations

import inspect
import re
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial, wraps

import numpy as np
from mooncake_runtime import tangents
from mooncake_runtime.case import DIFFERENCES, Case, Figure, Mismatch, Unclear, by_position
from mooncake_runtime.checks import CHECKS, check_plain
from mooncake_runtime.compiling import jit_enabled
from mooncake_runtime.differences import Vector
from mooncake_runtime.tangents import Tree

from mooncake_transpiler.verify.deadline import TooSlow, deadline
from mooncake_transpiler.verify.failing_points import computed_instead
from mooncake_transpiler.verify.references import reference, unassigned
from mooncake_transpiler.verify.rounding import rounding_decides
from mooncake_transpiler.verify.stop_gradients import calls_one_of
from mooncake_transpiler.verify.subjects import MAIN, Loaded, VerifiedFunction

ORDERS = ("grad", "vjp", "jvp")  # the generated functions that others are derivatives of
PATIENCE = 10.0  # seconds for one call of the primal
SLOW = 0.05  # seconds for a call of the primal, from which on few differences are taken
HUGE = 1e60  # numbers that are larger say nothing about derivatives
COORDINATES = 12
LINES = 4  # of what an exception says


class Outcome(Enum):
    """The outcome at a point."""

    RIGHT = "agrees"
    WRONG = "differs"
    UNCLEAR = "not checked"  # no differences there, or too much rounding
    UNFIT = "not run"  # the function itself raises, or has no finite value


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome at a point; ``messages`` give the errors, or why nothing can be said."""

    kind: Outcome
    messages: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()


class _Unfit(Exception):
    """Raised where a point says nothing about derivatives, as the function fails there."""


def examine(made: Loaded, subject: VerifiedFunction, args: tuple[Tree, ...], seed: int) -> Finding:
    """The finding for all derivatives of a function at ``args``."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            seconds, value = _tried(made.primal, args, subject.is_real)
        except _Unfit as unfit:
            error = unfit.__cause__
            if isinstance(error, Exception) and (wrong := computed_instead(made, args, error)):
                return Finding(Outcome.WRONG, tuple(wrong))
            return Finding(Outcome.UNFIT, (str(unfit),))
        point = _Point(made, seed, 0 if seconds > SLOW else COORDINATES)
        point.detached = calls_one_of(subject.constant, made.primal, tangents.copy(args))
        point.check(_guarded(made.primal, _form(value)), args, subject.wrt)
        return point.finding()


def _tried(
    primal: Callable[..., Tree], args: tuple[Tree, ...], is_real: bool
) -> tuple[float, Tree]:
    """The seconds that the primal takes, and its result; ``_Unfit`` where that is of no use."""
    results = []
    start = time.perf_counter()
    try:
        for _ in range(2):
            given = tangents.copy(args)
            with deadline(PATIENCE):
                value = primal(*given)
            results.append(tangents.flat((value, given)))
    except TooSlow:
        raise _Unfit(f"takes more than {PATIENCE:.0f} s") from None
    except Exception as error:
        raise _Unfit(f"raises {_shown(error)}") from error
    if value is None:
        raise _Unfit("gives None")
    if is_real and any(np.iscomplexobj(leaf) for _, leaf in tangents.leaves(value)):
        raise _Unfit("gives a complex number, against its annotation")
    _check_numbers(*results)
    return (time.perf_counter() - start) / 2, value


def _check_numbers(first: Vector, again: Vector) -> None:
    if not np.all(np.isfinite(first)):
        raise _Unfit("gives inf or nan")
    if np.max(abs(first), initial=0.0) > HUGE:
        raise _Unfit("gives huge numbers")
    if first.shape != again.shape or not np.allclose(first, again, rtol=1e-12, atol=0.0):
        raise _Unfit("gives something else when it is called again")


Form = list[tuple[tuple[int, ...], bool]]  # shapes of results, and whether they are of floats


def _form(value: Tree) -> Form:
    leaves = (np.asarray(leaf) for _, leaf in tangents.leaves(value))
    return [(leaf.shape, leaf.dtype.kind in "fc") for leaf in leaves]


def _guarded(primal: Callable[..., Tree], form: Form) -> Callable[..., Tree]:
    """``primal``, raising ``Unclear`` where there are no differences.

    It fails nearby, or its results do not have the ``form`` that they have at the point.
    """

    @wraps(primal)
    def call(*args: Tree) -> Tree:
        try:
            with deadline(PATIENCE):
                value = primal(*args)
        except Exception as error:
            raise Unclear(f"nearby the function raises {_shown(error)}") from error
        if _form(value) != form:
            raise Unclear("nearby the function gives results of other shapes, or integers")
        return value

    return call


def _shown(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines[:LINES])}" if lines else type(error).__name__


@dataclass(slots=True)
class _Point:
    """The checks of one function at one point, and their findings."""

    loaded: Loaded
    seed: int
    coordinates: int
    wrong: list[str]
    unclear: list[str]
    figures: list[Figure]
    detached: bool

    def __init__(self, loaded: Loaded, seed: int, coordinates: int) -> None:
        self.loaded, self.seed, self.coordinates = loaded, seed, coordinates
        self.wrong, self.unclear, self.figures, self.detached = [], [], [], False

    def finding(self) -> Finding:
        if self.wrong:
            return Finding(Outcome.WRONG, tuple(dict.fromkeys(self.wrong)), tuple(self.figures))
        if not (self.figures or self.unclear):
            return Finding(Outcome.UNFIT, ("there are no derivatives of it in OUT",))
        if self.unclear:
            return Finding(Outcome.UNCLEAR, tuple(dict.fromkeys(self.unclear)))
        return Finding(Outcome.RIGHT, (), tuple(self.figures))

    def check(
        self, primal: Callable[..., Tree], args: tuple[Tree, ...], wrt: tuple[str, ...],
        by_differences: bool = False,
    ) -> None:  # fmt: skip
        """Check the derivatives of ``primal``, and their derivatives in turn."""
        name = primal.__name__
        if any(hasattr(self.loaded.generated, f"{name}_{kind}") for kind in MAIN):
            case = self._case(primal, args, wrt, by_differences)
            if case is None:
                return
            for check in CHECKS:
                self._run(partial(check, case), primal, args, case)
            if jit_enabled():
                self._run(partial(check_plain, case, self.loaded.plain), primal, args, case)
            self.figures += case.figures
        for kind in self._derived(name):
            self._check_derived(kind, primal, args, wrt)

    def _case(
        self, primal: Callable[..., Tree], args: tuple[Tree, ...], wrt: tuple[str, ...],
        by_differences: bool,
    ) -> Case | None:  # fmt: skip
        found: list[Case] = []
        precision = DIFFERENCES if by_differences else None

        def make() -> None:
            found.append(Case.of(primal, self.loaded.generated, args, seed=self.seed, declared=wrt,
                                 coordinates=self.coordinates, precision=precision,
                                 detached=self.detached))  # fmt: skip

        self._run(make, primal, args)
        return found[0] if found else None

    def _run(
        self, check: Callable[[], None], primal: Callable[..., Tree], args: tuple[Tree, ...],
        case: Case | None = None,
    ) -> None:  # fmt: skip
        try:
            check()
        except Unclear as unclear:
            self.unclear.append(str(unclear))
        except Mismatch as mismatch:
            if rounding_decides(primal, args, case, mismatch.error, self.seed):
                self.unclear.append(f"rounding decides: {mismatch}")
            else:
                self.wrong.append(str(mismatch))
        except NotImplementedError as error:  # of a flag that gives another kind of result
            self.unclear.append(str(error))
        except Exception as error:
            self.wrong.append(f"the derivatives raise {_shown(error)}")

    # ---- derivatives of derivatives -------------------------------------------------------------

    def _derived(self, name: str) -> Iterator[str]:
        """The kinds of generated functions of ``name`` that have derivatives, or are to have.

        Those of a function of the user's that is called ``f_grad`` are not of ours.
        """
        for kind in ORDERS:
            if f"{name}_{kind}" in self.loaded.neighbours:
                continue
            further = rf"{name}_{kind}(_({'|'.join(ORDERS)}))*_({'|'.join(MAIN)})"
            if any(re.fullmatch(further, other) for other in vars(self.loaded.generated)):
                yield kind

    def _check_derived(
        self, kind: str, primal: Callable[..., Tree], args: tuple[Tree, ...], wrt: tuple[str, ...]
    ) -> None:
        names = list(inspect.signature(primal).parameters)
        inner = f"{primal.__name__}_{kind}"
        function = getattr(self.loaded.plain, inner, None)
        more = self._more(kind, primal, args, [name in wrt for name in names])
        if function is None:
            made, exact = reference(kind, primal, names, wrt), False
            order = self._order(kind, primal, len(more), wrt)
        else:
            made, exact = by_position(function, names), True
            order = list(inspect.signature(function).parameters)
        others = [name for name in order if name not in names]
        values = dict(zip([*names, *others], [*args, *more], strict=True))

        def derived(*given: Tree) -> Tree:
            by_name = dict(zip(order, given, strict=True))
            with unassigned(given):
                return made(*(by_name[name] for name in (*names, *others)))

        derived.__name__ = inner
        plain = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in order]
        derived.__signature__ = inspect.Signature(plain)  # type: ignore[attr-defined]
        declared = tuple(name for name in order if name in wrt or name in others)
        self.check(derived, tuple(values[name] for name in order), declared, not exact)

    def _order(
        self, kind: str, primal: Callable[..., Tree], more: int, wrt: tuple[str, ...]
    ) -> list[str]:
        """The parameters of a function that is not emitted, found from those of its derivative.

        Behind those of ``primal`` that are positional, and behind the others, are theirs.
        """
        inner = f"{primal.__name__}_{kind}"
        generated = self.loaded.generated
        found = [getattr(generated, f"{inner}_{kind}", None) for kind in ("fwd", "jvp")]
        known = [inspect.signature(function).parameters for function in found if function]
        parameters = inspect.signature(primal).parameters
        if not known:
            return [*parameters, *(f"given_{number}" for number in range(more))]
        keywords = [name for name, p in parameters.items() if p.kind is p.KEYWORD_ONLY]
        behind = sum(name in wrt for name in keywords) if kind == "jvp" else 0
        positional = len(parameters) - len(keywords) + more - behind
        first = [name for name, p in known[0].items() if p.kind is not p.KEYWORD_ONLY]
        others = [name for name, p in known[0].items() if p.kind is p.KEYWORD_ONLY]
        return [*first[:positional], *others[: len(keywords) + behind]]

    def _more(
        self, kind: str, primal: Callable[..., Tree], args: tuple[Tree, ...], chosen: Sequence[bool]
    ) -> list[Tree]:
        """The arguments of a derivative beyond those of ``primal``."""
        rng = np.random.default_rng(self.seed + 5)
        match kind:
            case "vjp":
                return [tangents.cotangent(primal(*tangents.copy(args)), rng)]
            case "jvp":
                dots = tangents.direction(args, rng)
                return [dot for dot, is_chosen in zip(dots, chosen, strict=True) if is_chosen]
            case _:
                return []
