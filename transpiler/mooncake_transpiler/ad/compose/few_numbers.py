"""Gradients with respect to a few numbers by forward mode, where reverse mode keeps a tape.

    y = x0                                y, y_dot0, y_dot1 = x0, 0.0, 1.0
    for _ in range(n):                    for _ in range(n):
      y = y + a * y * y                     y_dot0 = ...; y_dot1 = ...; y = ...

As many tangents as there are numbers move through the function at once, and nothing is saved. That
takes the place of ``f_vjp``, scaled by ``y_bar``, where all of this holds:

* it differentiates with respect to real numbers, at most ``FEW``, and returns one;
* the function works on numbers, and only reads arrays: there is nothing to undo;
* its gradient in reverse mode takes memory: values of iterations are saved;
* no derivative in it is infinite where the result is not, as that of a root at 0 is: what a zero
  cotangent masks in reverse mode, forward mode would have to carry as an infinite tangent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.forward.along_units import along_units, is_of_numbers, masks
from mooncake_transpiler.ad.forward.call_tangents import Pushforwards
from mooncake_transpiler.ad.forward.push import TangentWriter
from mooncake_transpiler.ad.subject import Derived, Subject
from mooncake_transpiler.interface.last_values import has_gradient
from mooncake_transpiler.interface.reverse_mode import ReverseInterface
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Scalar, Type

FEW = 4  # numbers: with more, reverse mode was faster here and there


def few_numbers(subject: Subject, reverse: Derived) -> Derived:
    """``reverse``, with a gradient of ``subject`` by forward mode if that is the cheaper one."""
    func = subject.func
    if not (has_gradient(func) and is_of_numbers(func)):
        return reverse
    subject = replace(subject, program=ir.Program({func.name: func}))
    callees = subject.callees()
    inputs = ReverseInterface.of(func, subject.wrt, callees.changes).wrt_leaves
    fused = next(made for made in reverse.funcs if made.name == f"{func.name}_vjp")
    if not (_are_few(inputs) and _takes_memory(fused)):
        return reverse
    pushes = Pushforwards(callees, subject, len(inputs))
    alone = subject.alone().func
    push = pushes.push(alone, inputs, of_caller=False)
    if masks(alone, push):
        return reverse
    names = ReverseInterface.of(alone, subject.wrt, callees.changes)
    vjp = _vjp(alone, names, push)
    made = subject.derived([names.value_and_grad(vjp, forward=True), vjp], (), callees)
    own = {f.name: f for f in made.funcs}
    return replace(reverse, funcs=tuple(own.get(f.name, f) for f in reverse.funcs))


def _vjp(func: ir.Func, names: ReverseInterface, push: TangentWriter) -> ir.Func:
    """The body of ``f_vjp``: the value, and the tangents for all unit vectors, scaled."""
    b = Builder(func.origin, free=True)
    y, *dots = along_units(func, names.wrt_leaves, push, b).yields
    (y_bar,) = y_bars = names.result_bars()
    assert y_bar is not None
    bars = [_times(y_bar, dot, x.type, b) for dot, x in zip(dots, names.wrt_leaves, strict=True)]
    return names.vjp(y_bars, b.block([y, *bars]), forward=True)


def _times(y_bar: ir.Value, dot: ir.Atom, type_: Type, b: Builder) -> ir.Atom:
    """The cotangent of a number of this type."""
    assert isinstance(y_bar.type, Scalar)
    assert isinstance(type_, Scalar)
    bar = b.compute("strong", (y_bar, dot), y_bar.type)
    return bar if bar.type == type_ else b.compute("cast", (bar,), type_)


# ---- where it is the cheaper one, and the same ---------------------------------------------------


def _are_few(inputs: Sequence[ir.Value]) -> bool:
    types = [value.type for value in inputs]
    return 0 < len(types) <= FEW and all(isinstance(t, Scalar) and t.dtype.is_float for t in types)


def _takes_memory(func: ir.Func) -> bool:
    return any(isinstance(s, ir.Alloc | ir.Grow) for s in ir.walk(func.body))
