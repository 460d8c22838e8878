"""Checks of derivatives: of generated modules (``check_gradients``) and of rules (``check_rule``).

    check_gradients(loss, loss_module_grad, (x, 0.5))

raises an AssertionError that says what differs from what, and by how much.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from mooncake_runtime import tangents
from mooncake_runtime.case import Case
from mooncake_runtime.differences import Vector, complex_step, richardson
from mooncake_runtime.plain import plain_module
from mooncake_runtime.tangents import Tree


def check_gradients(
    primal: Callable[..., Tree],
    generated: ModuleType,
    args: Sequence[Tree],
    *,
    wrt: Sequence[str] | None = None,
    rtol: float = 1e-7,
    coordinates: int = 32,
    analytic: bool = False,
    layouts: bool = False,
    plain: bool = False,
    seed: int = 0,
) -> None:
    """Check all derivatives of ``primal`` that ``generated`` has, at ``args``.

    Value and mutations equal the primal's; the gradient agrees with differences along random
    directions, and along each coordinate of parameters with at most ``coordinates`` numbers; the
    generated functions agree with each other; arguments are restored; a pullback of a function
    that does not mutate its arguments can be repeated. ``wrt``: the parameters that must have a
    gradient. ``analytic``: the primal takes complex numbers, so take complex steps rather than
    differences (except where numbers are complex anyway: their parts are moved one by one).
    ``layouts``: strided and read-only arrays, too (numba compiles again for each). ``plain``: once
    more without numba. Arrays among ``args`` may overlap: where only read, their gradients add up.
    """
    case = Case.of(primal, generated, tuple(args), rtol, analytic, seed)
    if wrt is not None and case.wrt != tuple(wrt):
        case.fail(f"has gradients with respect to {case.wrt}, expected {tuple(wrt)}")
    if not case.wrt:
        case.fail("the pullback gives no gradient at all")
    _check_value(case)
    _check_pullback(case)
    _check_differences(case, coordinates)
    _check_agreement(case)
    _check_forward_mode(case)
    _check_second_order(case)
    if layouts:
        _check_layouts(case)
    if plain:
        other = replace(case, generated=plain_module(generated))
        _check_value(other)
        _check_agreement(other)


def check_rule(
    function: Callable[..., float],
    partials: Sequence[Callable[..., float] | None],
    *points: tuple[float, ...],
    rtol: float = 1e-7,
) -> None:
    """Check the partials of a function of scalars against differences at ``points``.

    ``partials[i]`` takes the arguments of ``function``; None is a zero derivative.
    """
    name = getattr(function, "__name__", "function")
    for point in points:
        for i, partial in enumerate(partials):

            def along(t: float, i: int = i, point: tuple[float, ...] = point) -> Vector:
                return np.array([function(*(a + t * (k == i) for k, a in enumerate(point)))])

            expected, error = (float(r[0]) for r in richardson(along))
            got = 0.0 if partial is None else float(partial(*point))
            if not abs(got - expected) <= rtol * max(1.0, abs(expected)) + 4 * error:
                raise AssertionError(
                    f"{name}{point}: the partial with respect to argument {i} is {got!r}, "
                    f"by differences it is {expected!r} (± {error:.1e})"
                )


# ---- the checks ---------------------------------------------------------------------------------


def _check_value(case: Case) -> None:
    forward = case.function("fwd")
    assert forward is not None
    args = tangents.copy(case.args)
    y, _ = forward(*args)
    case.same(y, case.value, "the value of the forward function")
    case.same(args, case.after, "what the forward function leaves in the arguments")


def _check_pullback(case: Case) -> None:
    """Arguments restored, cotangent unchanged, repeatable."""
    forward, pullback = case.function("fwd"), case.function("pullback")
    assert forward is not None
    assert pullback is not None
    args, y_bar = tangents.copy(case.args), tangents.copy(case.y_bar)
    _, residuals = forward(*args)
    first = tangents.copy(pullback(residuals, y_bar))
    case.untouched(args, "the pullback")
    case.same(y_bar, case.y_bar, "the pullback changed the cotangent it was given", rtol=0.0)
    if not case.mutates:
        case.same(pullback(residuals, y_bar), first, "the pullback, called again")


def _check_differences(case: Case, coordinates: int) -> None:
    rng = np.random.default_rng(case.seed + 1)
    for _ in range(2):
        drawn = _directions(case, rng)
        products = tangents.products(drawn, case.slots)
        _compare(case, drawn, float(products.sum()), "along a random direction", abs(products))
    start = 0
    for name, arg, slot in zip(case.names, case.args, case.slots, strict=True):
        size, gradient = tangents.flat(arg).size, tangents.flat(slot)
        step = 1e-2 * tangents.magnitude(arg)
        for i in range(size if 0 < gradient.size <= coordinates else 0):
            drawn = _restricted(case, tangents.unit(case.args, start + i))
            what = f"with respect to number {i} of {name!r}"
            _compare(case, drawn, tangents.dot(drawn, case.slots), what, gradient, step)
        start += size


def _directions(case: Case, rng: np.random.Generator) -> tuple[Tree, ...]:
    """A random direction for each parameter that has a gradient, of the size of its values."""
    return _restricted(case, tangents.direction(case.args, rng))


def _restricted(case: Case, drawn: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Directions of the arguments, None for parameters without gradient."""
    pairs = zip(drawn, case.slots, strict=True)
    return tuple(None if slot is None else direction for direction, slot in pairs)


def _compare(
    case: Case, drawn: Tree, got: float, what: str, terms: Vector, step: float = 1e-2
) -> None:
    """Compare a directional derivative with that of ``<y_bar, primal>`` by differences.

    ``terms`` are the numbers that ``got`` is about: their size is the scale of what is small.
    """
    expected, error = _reference(case, drawn, step)
    size = max(abs(got), abs(expected))
    noise = 1e-3 * float(np.max(abs(terms), initial=0.0))
    if not error <= 1e-3 * max(size, noise, 1e-6):
        case.fail(
            f"differences {what} do not converge ({expected!r} ± {error:.1e}): does the primal "
            "have a kink or a jump here? Check at another point."
        )
    if not abs(got - expected) <= case.rtol * (size + noise) + 4 * error:
        case.fail(
            f"the derivative {what} is {got!r}, by differences it is {expected!r} "
            f"(± {error:.1e}); cotangent of the result: {case.y_bar!r}"
        )


def _reference(case: Case, drawn: Tree, step: float) -> tuple[float, float]:
    """The directional derivative of ``<y_bar, primal>`` and its error."""

    def value(t: complex) -> Tree:
        with np.errstate(all="ignore"):
            return case.primal(*tangents.moved(case.args, drawn, t))

    def along(t: float) -> Vector:
        return np.array([tangents.dot(case.y_bar, value(t))])

    def imaginary(t: complex) -> NDArray[np.complex128]:
        parts = tangents.map_leaves(lambda leaf: leaf.imag, value(t))
        return np.array([1j * tangents.dot(case.y_bar, parts)])

    if case.analytic and not _has_complex((case.args, case.value)):
        with warnings.catch_warnings():  # a primal that drops the imaginary part is not analytic
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            return float(complex_step(imaginary)[0]), 0.0
    expected, error = richardson(along, step)
    return float(expected[0]), float(error[0])


def _has_complex(tree: Tree) -> bool:
    return any(np.iscomplexobj(leaf) for _, leaf in tangents.leaves(tree))


def _check_agreement(case: Case) -> None:
    """The other reverse-mode functions give what forward and pullback give."""
    gradient = case.gradient if len(case.gradient) > 1 else case.gradient[0]
    vjp = case.function("vjp")
    if vjp is not None:
        args = tangents.copy(case.args)
        y, found = vjp(*args, tangents.copy(case.y_bar))
        case.same(y, case.value, "the value of vjp")
        case.same(found, gradient, "the gradient of vjp")
        case.untouched(args, "vjp")
    value_and_grad, grad = case.function("value_and_grad"), case.function("grad")
    if value_and_grad is None or grad is None:
        return
    scaled = tangents.map_leaves(lambda leaf: leaf / case.y_bar, gradient)
    args = tangents.copy(case.args)
    y, found = value_and_grad(*args)
    case.same(y, case.value, "the value of value_and_grad")
    case.same(found, scaled, "the gradient of value_and_grad")
    case.untouched(args, "value_and_grad")
    case.same(grad(*args), scaled, "grad")
    case.untouched(args, "grad")


def _check_forward_mode(case: Case) -> None:
    """``<y_bar, J v> == <J^T y_bar, v>``, and the primal's value and mutations."""
    jvp = case.function("jvp")
    if jvp is None:
        return
    drawn = _directions(case, np.random.default_rng(case.seed + 2))
    vs = list(case.differentiated(drawn))
    args, dots = tangents.copy(case.args), tangents.copy(vs)
    y, y_dot = jvp(*args, *dots)
    case.same(y, case.value, "the value of jvp")
    case.same(args, case.after, "what jvp leaves in the arguments")
    if case.mutates:
        _check_written_tangents(case, drawn, dots)
    else:
        case.same(dots, vs, "the tangent that jvp was given", rtol=0.0)
    forward = tangents.dot(case.y_bar, y_dot)
    products = tangents.products(vs, case.gradient)
    if not abs(forward - products.sum()) <= 1e-12 * max(float(abs(products).sum()), abs(forward)):
        case.fail(f"<y_bar, jvp(v)> is {forward!r}, <pullback(y_bar), v> is {products.sum()!r}")


def _check_written_tangents(case: Case, drawn: Sequence[Tree], dots: Sequence[Tree]) -> None:
    """What jvp leaves in the tangents is the derivative of what it leaves in the arguments."""

    def along(t: complex) -> Vector:
        args = tangents.moved(case.args, drawn, t)
        with np.errstate(all="ignore"):
            case.primal(*args)
        kept = zip(args, case.slots, strict=True)
        return tangents.flat([arg for arg, slot in kept if slot is not None])

    expected, error = richardson(along)
    found = tangents.flat(dots)
    scale = float(np.max(abs(expected), initial=0.0))
    if not np.all(abs(found - expected) <= case.rtol * scale + 4 * error):
        case.fail(f"jvp leaves the tangents {found!r}, by differences they are {expected!r}")


def _check_second_order(case: Case) -> None:
    """``hvp`` and ``hessian`` against differences of ``grad``, ``jacobian`` against ``vjp``."""
    drawn = _directions(case, np.random.default_rng(case.seed + 3))
    vs = list(case.differentiated(drawn))
    grad, hvp, hessian = (case.function(name) for name in ("grad", "hvp", "hessian"))
    if grad is not None and (hvp is not None or hessian is not None):
        gradient = grad

        def along(t: complex) -> Vector:
            return tangents.flat(gradient(*tangents.moved(case.args, drawn, t)))

        expected, error = richardson(along)
        # Where the gradient is constant all that is left is its rounding.
        noise = 1e-3 * float(np.max(abs(tangents.flat(case.gradient)), initial=0.0))
        scale = max(float(np.max(abs(expected), initial=0.0)), noise)
        bound = 10 * case.rtol * scale + 4 * float(np.max(error, initial=0.0))
        if hvp is not None:
            args, dots = tangents.copy(case.args), tangents.copy(vs)
            found, product = hvp(*args, *dots)
            case.same(found, gradient(*tangents.copy(case.args)), "the gradient of hvp")
            _expect_near(case, tangents.flat(product), expected, bound, "hvp")
            case.untouched(args, "hvp")
            case.same(dots, vs, "the direction that hvp was given", rtol=0.0)
            _check_symmetry(case, hvp, vs, product)
        if hessian is not None:
            args = tangents.copy(case.args)
            dense = np.asarray(hessian(*args))
            case.untouched(args, "hessian")
            product = np.tensordot(dense, vs[0], axes=np.ndim(vs[0]))
            _expect_near(case, np.ravel(product), expected, bound, "hessian times a direction")
            square = dense.reshape([np.size(vs[0])] * 2)
            case.same(square.T, square, "the hessian, transposed", rtol=1e-10)
    jacobian = case.function("jacobian")
    if jacobian is not None:
        args = tangents.copy(case.args)
        dense = jacobian(*args)
        case.untouched(args, "jacobian")
        case.same(_contracted(case.y_bar, dense), case.gradient[0], "a cotangent of the jacobian")


def _check_symmetry(
    case: Case, hvp: Callable[..., tuple[Tree, Tree]], vs: Sequence[Tree], product: Tree
) -> None:
    """``<u, H v> == <v, H u>``."""
    us = list(case.differentiated(_directions(case, np.random.default_rng(case.seed + 4))))
    _, other = hvp(*tangents.copy(case.args), *tangents.copy(us))
    one = tangents.flat(us) * tangents.flat(product)
    two = tangents.flat(vs) * tangents.flat(other)
    # Where the gradient is constant all that is left is its rounding.
    noise = 1e-3 * float(np.max(abs(tangents.flat(case.gradient)), initial=0.0))
    size = max(float(abs(one).sum()), float(abs(two).sum()), noise)
    if not abs(float(one.sum() - two.sum())) <= 1e-10 * size:
        case.fail(f"<u, hvp(v)> is {one.sum()!r}, <v, hvp(u)> is {two.sum()!r}")


def _expect_near(case: Case, got: Vector, expected: Vector, bound: float, what: str) -> None:
    if got.shape != expected.shape or not np.all(abs(got - expected) <= bound):
        case.fail(f"{what}: {got!r}, expected {expected!r}")


def _contracted(y_bar: Tree, dense: Tree) -> Tree:
    """The cotangent times the jacobian, summed over the items of tuples."""
    if dense is None:
        return 0.0
    if isinstance(y_bar, tuple):
        terms = [_contracted(*pair) for pair in zip(y_bar, dense, strict=True)]
        return sum(terms[1:], start=terms[0])
    return np.tensordot(y_bar, np.asarray(dense), axes=np.ndim(y_bar))


def _check_layouts(case: Case) -> None:
    """Strided arrays, and read-only ones where nothing is written."""
    vjp = case.function("vjp")
    if vjp is None:
        return
    gradient = case.gradient if len(case.gradient) > 1 else case.gradient[0]
    variants = [("strided", _strided)]
    if not case.mutates:
        variants.append(("read-only", _read_only))
    for name, variant in variants:
        args = tangents.map_leaves(variant, case.args)
        y, found = vjp(*args, case.y_bar)
        case.same(y, case.value, f"the value for {name} arrays")
        case.same(found, gradient, f"the gradient for {name} arrays")
        case.untouched(args, f"vjp of {name} arrays")


def _strided(leaf: Tree) -> Tree:
    """The same numbers, every other one of a larger array along each axis."""
    if not isinstance(leaf, np.ndarray):
        return leaf
    large = np.full([2 * n for n in leaf.shape], np.ones((), leaf.dtype))
    view: NDArray[np.generic] = large[(slice(None, None, 2),) * leaf.ndim]
    view[...] = leaf
    return view


def _read_only(leaf: Tree) -> Tree:
    if isinstance(leaf, np.ndarray):
        leaf = leaf.copy()
        leaf.flags.writeable = False
    return leaf
