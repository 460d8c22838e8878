"""One program checked: what the transpiler makes of it against the program itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import ModuleType

import numpy as np
from mooncake_runtime import tangents
from mooncake_runtime.differences import Vector, richardson
from mooncake_runtime.tangents import Tree
from mooncake_transpiler.compilation import Crashed
from mooncake_transpiler.verify.deadline import deadline

from tests.helpers.transpile import Refusal, gradient_text, module
from tests.property.generator import arguments
from tests.property.leaves import arrays, memory, nearly_equal, same_leaves, sharing
from tests.property.primal import (
    PATIENCE,
    ROUNDING,
    RTOL,
    Arguments,
    Discarded,
    Primal,
    discarding,
    kink_of,
)
from tests.property.reference import reference


@dataclass(frozen=True, slots=True)
class Failure:
    """``kind``: a word for the kind of failure, kept while a program is reduced."""

    kind: str
    message: str


class Mismatch(Exception):
    """The derivatives are not those of the program."""


def check(source: str, seed: int, jit: bool = False) -> Failure | None:
    """The failure of the derivatives of ``f`` at the arguments of ``seed``, or None."""
    with discarding():
        made = reference(source)
        args = arguments(made, seed)
    primal = Primal(made.f, args)
    try:
        with deadline(20 * PATIENCE):
            text = gradient_text(source)
    except Refusal as refusal:
        return Failure(f"refused {refusal.diagnostics[0].code}", str(refusal))
    except Crashed as crashed:
        return Failure(f"crash {crashed.crash.error[:60]}", crashed.crash.traceback)
    except AssertionError as nothing:  # to differentiate, as parameters are left out
        raise Discarded(repr(nothing)) from nothing
    except Exception as error:
        return Failure(f"crash {type(error).__name__}", f"{error!r}")
    return compared(primal, lambda: module(text, "program_grad", jit=jit))


def compared(primal: Primal, made: Callable[[], ModuleType]) -> Failure | None:
    """The failure of the derivatives in the module that is ``made``, or None if they are right.

    Where there are no differences, all but the gradient is compared, and then ``Discarded`` raised.
    Kernels of the runtime are compiled when first called, by plain modules too: that takes seconds.
    """
    try:
        with deadline(20 * PATIENCE), np.errstate(all="ignore"):
            generated = made()
            if primal.value is None:
                primal.show(_written(primal, generated))
        primal.differentiate()
        with deadline(20 * PATIENCE), np.errstate(all="ignore"):
            _compare(primal, generated)
    except Mismatch as wrong:
        if primal.is_large and primal.is_rounding():
            raise Discarded(f"rounding decides: {wrong.args}") from wrong
        return Failure(*wrong.args)
    except Exception as error:
        return Failure(f"error {type(error).__name__}", f"{error!r}")
    if primal.unclear:
        raise Discarded(primal.unclear)
    return None


def _written(primal: Primal, generated: ModuleType) -> Sequence[int]:
    """The places of the arguments that hold the result of a function that returns None.

    Those with derivatives that it changes, and others of which derivatives say that it may.
    """
    found, _ = primal.of(generated, "fwd")(*tangents.copy(primal.args))
    parts = found if isinstance(found, tuple) else (found,)
    args = enumerate(primal.args)
    places = [k for k, arg in args if isinstance(arg, np.ndarray) and tangents.has_tangent(arg)]
    changed = primal.changed() & {*places}
    fitting = [some for some in combinations(places, len(parts)) if changed <= {*some}]
    for some in fitting:
        if same_leaves(tuple(primal.after[k] for k in some), parts, primal.precision):
            return some
    raise Mismatch("value", f"{parts} are shown, expected {primal.after}")


def _compare(primal: Primal, generated: ModuleType) -> None:
    """Raise ``Mismatch`` where the generated functions are not the derivatives of ``primal``."""
    if primal.raised:
        _compare_raised(primal, generated)
        return
    args, given = tangents.copy(primal.args), tangents.copy(primal.args)
    before = [memory(tree) for tree in (args, given)]
    again, split = primal.of(generated, "vjp")(*args, tangents.copy(primal.y_bar))
    value, gradient = again, split
    if value_and_grad := primal.find(generated, "value_and_grad"):
        value, gradient = value_and_grad(*args)
    value_fwd, residuals = primal.of(generated, "fwd")(*given)
    _expect_same("fwd leaves", given, primal.after, "mutation", primal.precision)
    slots = primal.of(generated, "pullback")(residuals, tangents.copy(primal.y_bar))
    for tree, places in zip((args, given), before, strict=True):
        _expect_same("the gradient leaves", tree, primal.args, "restore", 0.0)
        if memory(tree) != places:
            raise Mismatch("restore", f"other arrays are in the arguments: {tree}")
    for found in (value, again, value_fwd):
        _expect_value(primal, found)
    kept = primal.differentiated(slots)
    single = len(kept) == 1
    gradient, split = ((gradient,), (split,)) if single else (tuple(gradient), tuple(split))
    for name, found in (("value_and_grad", gradient), ("vjp", split), ("pullback", kept)):
        _expect_gradient(primal, name, found)
    if jvp := primal.find(generated, "jvp"):
        _compare_forward(primal, jvp, gradient)
    if hvp := primal.find(generated, "hvp"):
        _compare_second(primal, hvp, primal.of(generated, "grad"), gradient)


def _compare_raised(primal: Primal, generated: ModuleType) -> None:
    """The derivatives raise what the program raises, and leave what it leaves.

    Fields are of one moment: some programs leave in all of them what they held before the call.
    """
    dots = primal.differentiated(tangents.copy(primal.direction))
    for name, more in (("value_and_grad", ()), ("fwd", ()), ("jvp", dots)):
        function = primal.find(generated, name)
        if function is None:
            continue
        args = tangents.copy(primal.args)
        held = arrays(args)
        try:
            function(*args, *more)
        except Exception as raised:
            if not primal.same_exception(raised):
                message = f"{name}: {raised!r}, expected {primal.raised!r}"
                raise Mismatch("raise", message) from None
        else:
            raise Mismatch("raise", f"{name} does not raise {primal.raised!r}")
        kind, precision = "mutation", primal.precision
        _expect_same(f"{name} raises and leaves", held, primal.arrays, kind, precision)
        if not any(_same_numbers(args, left) for left in (primal.after, primal.args)):
            raise Mismatch(kind, f"{name} raises and leaves {args}, not {primal.after}")


def _compare_forward(primal: Primal, jvp: Callable[..., Tree], gradient: Arguments) -> None:
    """``f_jvp`` agrees with the gradient to rounding, and does what ``f`` does."""
    given, drawn = tangents.copy((primal.args, primal.direction))
    value, dot = jvp(*given, *primal.differentiated(drawn))
    _expect_same("jvp leaves", given, primal.after, "mutation", primal.precision)
    _expect_value(primal, value)
    terms = tangents.products(gradient, primal.differentiated(primal.direction))
    forward = tangents.dot(primal.y_bar, dot)
    if primal.derivative is None and not np.isfinite([*terms, forward]).all():
        return  # there is none
    size = max(1.0, float(abs(terms).sum()))
    if not abs(forward - terms.sum()) <= primal.precision * size:
        raise Mismatch("tangent", f"{forward!r}, by the gradient it is {terms.sum()!r}")


def _compare_second(
    primal: Primal, hvp: Callable[..., Tree], grad: Callable[..., Tree], gradient: Arguments
) -> None:
    """``f_hvp`` gives the gradient, and its derivative; that is known by differences."""
    given, dots = tangents.copy((primal.args, primal.differentiated(primal.direction)))
    found, product = hvp(*given, *dots)
    _expect_same("hvp leaves", given, primal.args, "restore", 0.0)
    if primal.derivative is None:
        return
    _expect_gradient(primal, "hvp", (found,) if len(gradient) == 1 else tuple(found))

    def along(t: float) -> Vector:
        return tangents.flat(grad(*tangents.moved(primal.args, primal.direction, t)))

    got = tangents.flat(product)
    expected, error = richardson(along)
    size = max(1.0, tangents.magnitude(expected), tangents.magnitude(got))
    smooth = (error <= 1e-6 * size) & (kink_of(along) <= 1e-6 * size)
    away = abs(got - expected)[smooth]
    if not np.all(away <= max(RTOL, 10 * primal.precision) * size + 4 * error[smooth]):
        raise Mismatch("second", f"hvp: {got}, expected {expected} ± {error}")


# ---- what is expected ---------------------------------------------------------------------------


def _expect_value(primal: Primal, found: Tree) -> None:
    if not same_leaves(primal.value, found, primal.precision):
        raise Mismatch("value", f"{found!r}, expected {primal.value!r}")


def _expect_gradient(primal: Primal, name: str, found: Arguments) -> None:
    if primal.derivative is None:
        return
    got = tangents.dot(found, primal.differentiated(primal.direction))
    size = max(1.0, abs(primal.derivative), tangents.magnitude(found))
    bound = max(RTOL, 10 * primal.precision) * size + 4 * primal.error
    if not abs(got - primal.derivative) <= bound:
        expected = f"{primal.derivative!r} ± {primal.error:.1e}"
        raise Mismatch("gradient", f"{name}: {got!r}, expected {expected}: {found}")


def _expect_same(what: str, found: Tree, expected: Tree, kind: str, precision: float) -> None:
    """Equal numbers in equally shared memory."""
    pairs = [(a, b) for _, a, b in tangents.leaves(expected, found)]
    shared = sharing([a for a, _ in pairs]) == sharing([b for _, b in pairs])
    if not shared or not all(nearly_equal(a, b, precision) for a, b in pairs):
        raise Mismatch(kind, f"{what} {found}, expected {expected}")


def _same_numbers(found: Tree, expected: Tree) -> bool:
    """True if all numbers outside of arrays are equal."""
    lists = [
        [leaf for _, leaf in tangents.leaves(tree) if not isinstance(leaf, np.ndarray)]
        for tree in (found, expected)
    ]
    pairs = zip(*lists, strict=False)
    return len(lists[0]) == len(lists[1]) and all(nearly_equal(a, b, ROUNDING) for a, b in pairs)
