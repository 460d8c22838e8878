"""Value, arguments, and the generated functions of first order against one another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mooncake_runtime import tangents
from mooncake_runtime.case import Case
from mooncake_runtime.checks.against import bare, directions, in_double
from mooncake_runtime.differences import Vector, richardson
from mooncake_runtime.tangents import Tree


def check_parameters(case: Case) -> None:
    """The parameters that should have a gradient have one."""
    if case.declared is not None and case.wrt != case.declared:
        case.fail(f"has gradients with respect to {case.wrt}, expected {case.declared}")
    if not case.wrt:
        case.fail("the pullback gives no gradient at all")
    for name, arg, slot in zip(case.names, case.args, case.slots, strict=True):
        if name in case.wrt and slot is None and tangents.flat(arg).size:
            case.fail(f"the pullback gives no gradient with respect to {name}")


def check_value(case: Case) -> None:
    forward = case.function("fwd")
    if forward is None:
        return
    args = tangents.copy(case.args)
    y, _ = forward(*args)
    case.same(y, case.value, "the value of the forward function")
    case.same(args, case.after, "what the forward function leaves in the arguments")


def check_kinds(case: Case) -> None:
    """Gradients have shape and dtype of their parameters, values the dtype of the primal's."""
    for name, arg, slot in zip(case.names, case.args, case.slots, strict=True):
        for path, x, bar in tangents.leaves(arg, slot):
            if bar is not None and not _same_kind(x, bar):
                case.fail(f"the gradient with respect to {name}{path} is {_kind(bar)}, "
                          f"the parameter {_kind(x)}")  # fmt: skip
    forward, jvp = case.function("fwd"), case.function("jvp")
    if forward is not None:
        y, _ = forward(*tangents.copy(case.args))
    elif jvp is not None:
        y, _ = jvp(*tangents.copy(case.args), *tangents.zero_tangent(case.gradient))
    else:
        return
    for path, expected, got in tangents.leaves(case.value, y):
        if not _fits(expected, got):
            case.fail(f"the value{path} is {_kind(got)}, that of the primal {_kind(expected)}")


def _same_kind(x: Tree, bar: Tree) -> bool:
    """True if ``bar`` has the type, dtype and shape of a gradient with respect to ``x``."""
    if isinstance(x, np.ndarray):
        return isinstance(bar, np.ndarray) and (x.dtype, x.shape) == (bar.dtype, bar.shape)
    is_number = isinstance(bar, float | complex | np.inexact)
    return is_number and np.iscomplexobj(bar) <= np.iscomplexobj(x)


def _fits(expected: Tree, got: Tree) -> bool:
    """True if ``got`` is of the kind of ``expected``; a float may stand for an int.

    A wider float does for arrays, where a float beside float32 counts as float64.
    """
    if not isinstance(expected, np.ndarray | np.number | int | float | complex):
        return True
    a, b = np.asarray(expected).dtype, np.asarray(got).dtype
    order = "biufc"
    if isinstance(expected, np.ndarray) != isinstance(got, np.ndarray) and np.ndim(expected):
        return False
    if a.kind == b.kind:
        return a.itemsize <= b.itemsize or not np.ndim(expected)
    return a.kind in order and b.kind in order and order.index(a.kind) < order.index(b.kind)


def _kind(leaf: Tree) -> str:
    if isinstance(leaf, np.ndarray):
        return f"a {leaf.dtype} array of shape {leaf.shape}"
    return f"a {type(leaf).__name__}"


def check_pullback(case: Case) -> None:
    """Arguments restored, cotangent unchanged, repeatable."""
    forward, pullback = case.function("fwd"), case.function("pullback")
    if forward is None or pullback is None:
        return
    args, y_bar = tangents.copy(case.args), tangents.copy(case.y_bar)
    _, residuals = forward(*args)
    first = tangents.copy(pullback(residuals, y_bar))
    case.untouched(args, "the pullback")
    case.same(y_bar, case.y_bar, "the pullback changed the cotangent it was given", rtol=0.0)
    case.same(first, case.slots, "the pullback of another call")
    if not case.mutates:
        case.same(pullback(residuals, y_bar), first, "the pullback, called again")


def check_zero_cotangent(case: Case) -> None:
    """Check that a zero cotangent of the result gives a gradient of exactly zero."""
    zero = tangents.zero_tangent(case.y_bar)
    forward, pullback, vjp = map(case.function, ("fwd", "pullback", "vjp"))
    if forward is not None and pullback is not None:
        _, residuals = forward(*tangents.copy(case.args))
        _all_zero(case, pullback(residuals, zero), "the gradient for a cotangent of zero")
    if vjp is not None:
        _, found = vjp(*tangents.copy(case.args), zero)
        _all_zero(case, found, "the gradient of vjp for a cotangent of zero")


def _all_zero(case: Case, found: Tree, what: str) -> None:
    flat = tangents.flat(found)
    case.same(flat, np.zeros(flat.size), what, rtol=0.0)


def check_agreement(case: Case) -> None:
    """The other reverse-mode functions give what forward and pullback give."""
    gradient = bare(case.gradient)
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


def check_repetition(case: Case) -> None:
    """Nothing is kept from call to call, and nothing that a call returns is used by another."""
    vjp = case.function("vjp")
    calls = [(vjp, (tangents.copy(case.y_bar),)), (case.function("value_and_grad"), ())]
    for function, more in calls:
        if function is None:
            continue
        first = function(*tangents.copy(case.args), *more)
        kept = tangents.copy(first)
        again = function(*tangents.copy(case.args), *more)
        case.same(again, kept, f"{_short(function)}, called again")
        if _share_memory(first, again):
            case.fail(f"what {_short(function)} gives, another call may overwrite")


def _share_memory(one: Tree, other: Tree) -> bool:
    sides = [[x for _, x in tangents.leaves(t) if isinstance(x, np.ndarray)] for t in (one, other)]
    return any(np.may_share_memory(a, b) for a in sides[0] for b in sides[1])


def _short(function: object) -> str:
    return str(getattr(function, "__name__", "a function"))


def check_forward_mode(case: Case) -> None:
    """``<y_bar, J v> == <J^T y_bar, v>``, and the primal's value and mutations."""
    jvp = case.function("jvp")
    if jvp is None:
        return
    drawn = directions(case, np.random.default_rng(case.seed + 2))
    vs = list(case.differentiated(drawn))
    args, dots = tangents.copy(case.args), tangents.copy(vs)
    y, y_dot = jvp(*args, *dots)
    case.same(y, case.value, "the value of jvp")
    case.same(args, case.after, "what jvp leaves in the arguments")
    # What is written may be what was there, and its tangent another one.
    written = case.mutates or not np.array_equal(tangents.flat(dots), tangents.flat(vs))
    if written and not case.detached:
        _check_written_tangents(case, drawn, dots)
    elif not case.mutates:
        case.same(dots, vs, "the tangent that jvp was given", rtol=0.0)
    forward = tangents.dot(case.y_bar, y_dot)
    products = tangents.products(vs, case.gradient)
    noise = case.precision.noise * float(abs(tangents.products(case.y_bar, case.value)).sum())
    size = max(float(abs(products).sum()), abs(forward), noise / case.precision.identity)
    error = abs(forward - products.sum()) / size if size else 0.0
    limit = case.limit(error, case.precision.identity)
    case.note("the dot product of jvp", error, limit)
    if not error <= limit:
        message = f"<y_bar, jvp(v)> is {forward!r}, <pullback(y_bar), v> is {products.sum()!r}"
        case.fail(message, error)


def _check_written_tangents(case: Case, drawn: Sequence[Tree], dots: Sequence[Tree]) -> None:
    """Check the tangents that jvp writes against differences of the arguments that are written."""

    wide = in_double(case)

    def along(t: complex) -> Vector:
        args = tangents.moved(wide.args, drawn, t)
        with np.errstate(all="ignore"):
            wide.primal(*args)
        kept = zip(args, case.slots, strict=True)
        return tangents.flat([arg for arg, slot in kept if slot is not None])

    expected, error = richardson(along)
    found = tangents.flat(dots)
    scale = float(np.max(abs(expected), initial=0.0))
    if not np.all(abs(found - expected) <= case.rtol * scale + 4 * error):
        case.fail(f"jvp leaves the tangents {found!r}, by differences they are {expected!r}")


def check_layouts(case: Case) -> None:
    """Strided arrays, and read-only ones where nothing is written."""
    vjp = case.function("vjp")
    if vjp is None:
        return
    gradient = bare(case.gradient)
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
