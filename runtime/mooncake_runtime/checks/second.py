"""Derivatives of second order and dense ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from mooncake_runtime import tangents
from mooncake_runtime.case import Case, Unclear
from mooncake_runtime.checks.against import bare, directions
from mooncake_runtime.differences import Vector, richardson
from mooncake_runtime.numerical import pulled_back
from mooncake_runtime.tangents import Tree

SYMMETRY = 1e-10


def check_second_order(case: Case) -> None:
    """``hvp`` and ``hessian`` against differences of ``grad``, ``jacobian`` against ``vjp``."""
    hvp, hessian = case.function("hvp"), case.function("hessian")
    if hvp is not None or hessian is not None:
        grad = case.function("grad") or _gradient(case, hvp)
        drawn = directions(case, np.random.default_rng(case.seed + 3))
        vs = list(case.differentiated(drawn))
        expected, bound = _along_gradient(case, grad, drawn)
        if hvp is not None:
            _check_hvp(case, hvp, vs, expected, bound)
        if hessian is not None:
            _check_hessian(case, hessian, vs, expected, bound)
    for what, jacobian in _jacobians(case):
        args = tangents.copy(case.args)
        dense = jacobian(*args)
        case.untouched(args, what)
        found = np.ravel(_contracted(case.y_bar, dense))
        case.same(found, tangents.flat(case.gradient), f"a cotangent of the {what}")


def _gradient(case: Case, hvp: Callable[..., Tree] | None) -> Callable[..., Tree]:
    """The gradient where there is no ``grad``: what ``hvp`` gives, or by differences."""
    if hvp is not None:
        zeros = tangents.zero_tangent(case.gradient)
        return lambda *args: hvp(*args, *tangents.copy(zeros))[0]
    chosen = [name in case.wrt for name in case.names]

    def grad(*args: Tree) -> Tree:
        return case.differentiated(pulled_back(case.primal, args, chosen, 1.0))

    return grad


def _along_gradient(case: Case, grad: Callable[..., Tree], drawn: Tree) -> tuple[Vector, float]:
    """The derivative of the gradient in a direction by differences, and what it may differ."""

    def along(t: complex) -> Vector:
        return tangents.flat(grad(*tangents.moved(case.args, drawn, t)))

    expected, error = richardson(along)
    scale = max(float(np.max(abs(expected), initial=0.0)), _noise(case))
    worst = float(np.max(error, initial=0.0))
    if not worst <= 1e-3 * max(scale, 1e-6):
        raise Unclear(f"{case.primal.__name__}: differences of grad do not converge")
    return expected, 10 * case.rtol * scale + 4 * worst


def _noise(case: Case) -> float:
    """The rounding error of the gradient, which is all there is where it is constant."""
    return 1e-3 * float(np.max(abs(tangents.flat(case.gradient)), initial=0.0))


def _check_hvp(
    case: Case, hvp: Callable[..., tuple[Tree, Tree]],
    vs: Sequence[Tree], expected: Vector, bound: float,
) -> None:  # fmt: skip
    args, dots = tangents.copy(case.args), tangents.copy(vs)
    found, product = hvp(*args, *dots)
    scaled = tangents.map_leaves(lambda leaf: leaf / case.y_bar, case.gradient)
    case.same(found, bare(scaled), "the gradient of hvp")
    _expect_near(case, tangents.flat(product), expected, bound, "hvp")
    case.untouched(args, "hvp")
    case.same(dots, vs, "the direction that hvp was given", rtol=0.0)
    _check_symmetry(case, hvp, vs, product)


def _check_symmetry(
    case: Case, hvp: Callable[..., tuple[Tree, Tree]], vs: Sequence[Tree], product: Tree
) -> None:
    """``<u, H v> == <v, H u>``."""
    us = list(case.differentiated(directions(case, np.random.default_rng(case.seed + 4))))
    _, other = hvp(*tangents.copy(case.args), *tangents.copy(us))
    one = tangents.flat(us) * tangents.flat(product)
    two = tangents.flat(vs) * tangents.flat(other)
    size = max(float(abs(one).sum()), float(abs(two).sum()), _noise(case))
    limit = max(SYMMETRY, case.precision.rounding)
    error = abs(float(one.sum() - two.sum())) / size if size else 0.0
    case.note("the symmetry of hvp", error, limit)
    if not error <= limit:
        case.fail(f"<u, hvp(v)> is {one.sum()!r}, <v, hvp(u)> is {two.sum()!r}", error)


def _check_hessian(
    case: Case, hessian: Callable[..., Tree], vs: Sequence[Tree], expected: Vector, bound: float
) -> None:
    args = tangents.copy(case.args)
    dense = np.asarray(hessian(*args))
    case.untouched(args, "hessian")
    v = tangents.flat(vs)
    square = dense.reshape(v.size, v.size)
    _expect_near(case, square @ v, expected, bound, "hessian times a direction")
    case.same(square.T, square, "the hessian, transposed")


def _expect_near(case: Case, got: Vector, expected: Vector, bound: float, what: str) -> None:
    same_shape = got.shape == expected.shape
    away = float(np.max(abs(got - expected), initial=0.0)) if same_shape else np.inf
    scale = float(np.max(abs(expected), initial=0.0)) or 1.0
    case.note(what, away / scale, bound / scale)
    if not away <= bound:
        case.fail(f"{what}: {got!r}, expected {expected!r}", away / scale)


def _jacobians(case: Case) -> Iterator[tuple[str, Callable[..., Tree]]]:
    """The jacobian, in each mode that it can be made in."""
    jacobian = case.function("jacobian")
    if jacobian is None:
        return
    yield "jacobian", jacobian
    if "mode" in inspect.signature(jacobian).parameters and "mode" not in case.names:
        for mode in ("forward", "reverse"):
            yield f"jacobian in {mode} mode", lambda *args, m=mode: jacobian(*args, mode=m)


def _contracted(y_bar: Tree, dense: Tree) -> Tree:
    """The cotangent times the jacobian, summed over the items of tuples."""
    if dense is None:
        return 0.0
    if isinstance(y_bar, tuple):
        terms = [_contracted(*pair) for pair in zip(y_bar, dense, strict=True)]
        return sum(terms[1:], start=terms[0])
    return np.tensordot(y_bar, np.asarray(dense), axes=np.ndim(y_bar))
