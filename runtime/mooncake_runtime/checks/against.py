"""The gradient against differences of the primal."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mooncake_runtime import tangents
from mooncake_runtime.case import (
    DOUBLE_PRECISION,
    SINGLE,
    SINGLE_PRECISION,
    Case,
    Unclear,
    precision_of,
)
from mooncake_runtime.differences import Vector, complex_step, noise_of, one_sided, richardson
from mooncake_runtime.tangents import Tree
from mooncake_runtime.tangents.memory import arrays_of, overlapping


def check_differences(case: Case) -> None:
    """Along random directions, and along each coordinate of parameters with few numbers."""
    if case.detached:
        return
    case = in_double(case)
    rng = np.random.default_rng(case.seed + 1)
    for _ in range(2):
        drawn = directions(case, rng)
        products = tangents.products(drawn, case.slots)
        _compare(case, drawn, float(products.sum()), "along a random direction", abs(products))
    start = 0
    for name, arg, slot in zip(case.names, case.args, case.slots, strict=True):
        size, gradient = tangents.flat(arg).size, tangents.flat(slot)
        steps = 1e-2 * tangents.magnitudes(arg)
        for i in range(size if 0 < gradient.size <= case.coordinates else 0):
            drawn = _restricted(case, tangents.unit(case.args, start + i))
            what = f"with respect to number {i} of {name!r}"
            _compare(case, drawn, tangents.dot(drawn, case.slots), what, gradient, float(steps[i]))
        start += size


def in_double(case: Case) -> Case:
    """``case`` at arguments of double precision, if its primal computes with these as it is given.

    Differences of numbers with seven digits say little.
    """
    if not _has_single(case.args) or overlapping(arrays_of(case.args)):
        return case
    args = tuple(tangents.map_leaves(_widened, arg) for arg in case.args)
    precision = replace(case.precision, noise=DOUBLE_PRECISION.noise)
    wide = replace(case, args=args, precision=precision)
    try:
        value = wide.primal(*tangents.copy(args))
        if _has_single(value) or tangents.flat(value).shape != tangents.flat(case.value).shape:
            return case
        return wide if _is_precise(wide) else case
    except Exception:  # it asks for single precision
        return case


def _is_precise(case: Case) -> bool:
    """True if quotients of small differences agree: numbers inside have the digits for them."""
    along = _along(case, directions(case, np.random.default_rng(case.seed)))
    quotients = [float((along(h) - along(-h))[0]) / h for h in (1e-6, 1e-7)]
    scale = max(map(abs, quotients))
    return abs(quotients[0] - quotients[1]) <= 1e-4 * max(scale, _size(case))


def _widened(leaf: Tree) -> Tree:
    """``leaf`` with the digits of double precision, if it is of single precision."""
    if not isinstance(leaf, np.ndarray | np.generic) or leaf.dtype.type not in SINGLE:
        return leaf
    return leaf.astype(np.result_type(leaf.dtype, np.float64))


def _has_single(tree: Tree) -> bool:
    return precision_of(tree) is SINGLE_PRECISION


def directions(case: Case, rng: np.random.Generator) -> tuple[Tree, ...]:
    """A random direction for each parameter that has a gradient, of the size of its values."""
    return _restricted(case, tangents.direction(case.args, rng))


def bare(gradient: Sequence[Tree]) -> Tree:
    """As functions return it: with one parameter, that of this alone."""
    return gradient if len(gradient) > 1 else gradient[0]


def _restricted(case: Case, drawn: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Directions of the arguments, None for parameters without gradient."""
    pairs = zip(drawn, case.slots, strict=True)
    return tuple(None if slot is None else direction for direction, slot in pairs)


def _compare(
    case: Case, drawn: Tree, got: float, what: str, terms: Vector, step: float = 1e-2
) -> None:
    """Compare a directional derivative with that of ``<y_bar, primal>`` by differences.

    ``terms`` are the numbers that ``got`` is about: their size is the scale of what is small. Where
    they differ, the errors of the primal's values are looked at: what it cancels, it has lost.
    """
    assumed = case.precision.noise * _size(case)
    found = _disagreement(case, drawn, got, what, terms, _reference(case, drawn, step, assumed))
    if found is None:
        return
    measured = float(noise_of(_along(case, drawn))[0])
    if measured > assumed:
        again = _reference(case, drawn, step, measured)
        found = _disagreement(case, drawn, got, what, terms, again)
    if found is not None:
        _check_smooth(case, drawn, step, got, found[0])
        case.fail(*found)


def _disagreement(
    case: Case, drawn: Tree, got: float, what: str, terms: Vector, reference: tuple[float, float]
) -> tuple[str, float] | None:
    """The complaint that ``got`` is not the ``reference``, and its size; None if it is."""
    expected, error = reference
    size = max(abs(got), abs(expected)) if np.isfinite(got) else abs(expected)
    noise = 1e-3 * float(np.max(abs(terms), initial=0.0, where=np.isfinite(terms)))
    known = max(abs(expected), min(noise, _size(case)), 1e-6)  # however wrong the terms may be
    if not error <= 1e-3 * known:
        raise Unclear(
            f"{case.primal.__name__}: differences {what} do not converge ({expected!r} ± "
            f"{error:.1e}): does the primal have a kink or a jump here? Check at another point."
        )
    away, allowed = abs(got - expected), case.rtol * (size + noise) + 4 * error
    scale = size + noise or 1.0
    if away <= allowed:
        case.note("differences", max(0.0, away - 4 * error) / scale, case.rtol)
        return None
    message = (
        f"the derivative {what} is {got!r}, by differences it is {expected!r} "
        f"(± {error:.1e}); cotangent of the result: {case.y_bar!r}"
    )
    return message, away / scale


def _check_smooth(case: Case, drawn: Tree, step: float, got: float, message: str) -> None:
    """``Unclear`` at a kink, where ``got`` is between the derivatives towards both sides."""
    along, noise = _along(case, drawn), case.precision.noise * _size(case)
    sides = [
        [float(part[0]) for part in one_sided(along, side, step, noise=noise)] for side in (1, -1)
    ]
    (right, error), (left, other) = sides
    bound = 10 * (error + other) + 1e-3 * max(abs(left), abs(right))
    slack = error + other + case.rtol * max(abs(left), abs(right))
    if abs(right - left) > bound and min(left, right) - slack <= got <= max(left, right) + slack:
        raise Unclear(f"there is a kink: {message}; towards the sides {left!r} and {right!r}")


def _along(case: Case, drawn: Tree) -> Callable[[float], Vector]:
    """``<y_bar, primal>`` along a direction."""
    return lambda t: np.array([tangents.dot(case.y_bar, _value(case, drawn, t))])


def _value(case: Case, drawn: Tree, t: complex) -> Tree:
    with np.errstate(all="ignore"):
        return case.primal(*tangents.moved(case.args, drawn, t))


def _reference(case: Case, drawn: Tree, step: float, noise: float) -> tuple[float, float]:
    """The directional derivative of ``<y_bar, primal>`` and its error."""

    def imaginary(t: complex) -> NDArray[np.complex128]:
        parts = tangents.map_leaves(lambda leaf: leaf.imag, _value(case, drawn, t))
        return np.array([1j * tangents.dot(case.y_bar, parts)])

    if case.analytic and not _has_complex((case.args, case.value)):
        with warnings.catch_warnings():  # a primal that drops the imaginary part is not analytic
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            return float(complex_step(imaginary)[0]), 0.0
    expected, error = richardson(_along(case, drawn), step, noise=noise)
    return float(expected[0]), float(error[0])


def _size(case: Case) -> float:
    """The sum of the absolute values of the terms of ``<y_bar, primal>``."""
    return float(abs(tangents.products(case.y_bar, case.value)).sum())


def _has_complex(tree: Tree) -> bool:
    return any(np.iscomplexobj(leaf) for _, leaf in tangents.leaves(tree))
