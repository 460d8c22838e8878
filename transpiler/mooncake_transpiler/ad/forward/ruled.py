"""The pushforward of a function with one number as its result, by its pullback.

    y_dot = <pullback(1), x_dot>

Its rule may be right where the derivative of its body is not: a function whose rule a user has
written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.ruled_functions import Library
from mooncake_transpiler.ir import cloning
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.ir.function_names import is_of_library
from mooncake_transpiler.types import INT, Array, Scalar, Tuple, is_differentiable, leaves


def goes_by_pullback(func: ir.Func) -> bool:
    """True if the pushforward of ``func`` is made from its pullback."""
    results = tuple(leaves(func.result))
    public = func.public(results)
    floats = [v.type for v in func.inputs if is_differentiable(v.type)]
    own = not is_of_library(func.name)
    return (
        own
        and len(public) == 1
        and all(map(_is_real, (*public, *floats)))
        and (isinstance(public[0], Scalar))
    )


def _is_real(type_: object) -> bool:
    return isinstance(type_, Scalar | Array) and type_.dtype.is_float


def by_pullback(
    func: ir.Func, name: str, active: Sequence[int], library: Library, lanes: int
) -> ir.Func:
    """``y, y_dot`` of ``func`` from its inputs and the tangents of those at ``active``.

    With several ``lanes`` there are as many of each tangent.
    """
    b = Builder(func.origin, free=True)
    inputs = tuple(map(ir.fresh, func.inputs))
    dots = {
        k: [ir.Value(f"{inputs[k].hint}_dot", inputs[k].type) for _ in range(lanes)] for k in active
    }
    outs = tuple(ir.Value("", type_) for type_ in leaves(func.result))
    call = ir.Call(outs, func.name, inputs, func.origin)
    wanted: set[ir.Atom] = {outs[0], *(inputs[k] for k in active)}
    rule = library.rule(call, lambda atom: atom in wanted)
    b.add(call)
    given: dict[ir.Value, ir.Atom] = dict(
        zip((*rule.args, *rule.outs), (*inputs, *outs), strict=True)
    )
    seed = rule.seeds[0]
    assert isinstance(seed.type, Scalar)
    given[seed] = ir.Const(1.0, seed.type)
    for k, bar in rule.shadows.items():
        given[bar] = _zeros(inputs[k], b)
    body = cloning.block(rule.body, given, origin=func.origin)
    b.stmts += body.stmts
    asks = any(isinstance(s, ir.Compute) and s.op == "strong" for s in rule.body.stmts)
    op = "strong" if asks else "mul"  # a helper's partial may be infinite
    totals: list[ir.Atom] = []
    for lane in range(lanes):
        terms = [_inner_product(given[bar], dots[k][lane], b) for k, bar in rule.shadows.items()]
        bars = zip(rule.bars, body.yields, strict=True)
        terms += [_times(dots[k][lane], bar, b, op) for k, bar in bars]
        totals.append(_total(terms, seed.type, b))
    taken = (*inputs, *(dot for of in dots.values() for dot in of))
    params = tuple(ir.Param(f"p{k}", v.type, (v,)) for k, v in enumerate(taken))
    types = (*(out.type for out in outs), *(seed.type for _ in totals))
    made = ir.Func(name, params, Tuple(types), b.block((*outs, *totals)), "", func.origin)
    return replace(made, kept=func.kept)


def _zeros(array: ir.Value, b: Builder) -> ir.Value:
    assert isinstance(array.type, Array)
    shape = b.shape(array)
    return b.alloc(array.type, shape, ir.zero(Scalar(array.type.dtype)))


def _times(x: ir.Atom, y: ir.Atom, b: Builder, op: str = "mul") -> ir.Atom:
    assert isinstance(x.type, Scalar)
    return b.compute(op, (x, y), x.type)


def _total(terms: Sequence[ir.Atom], type_: Scalar, b: Builder) -> ir.Atom:
    total: ir.Atom = ir.zero(type_)
    for term in terms:
        total = b.compute("add", (total, term), type_)
    return total


def _inner_product(x: ir.Atom, y: ir.Atom, b: Builder) -> ir.Atom:
    """The sum of the products of the elements of two arrays of the same shape."""
    assert isinstance(x.type, Array)
    sizes = b.shape(x)
    type_ = Scalar(x.type.dtype)

    def level(index: tuple[ir.Value, ...], start: ir.Atom, b: Builder) -> ir.Atom:
        if len(index) == len(sizes):
            term = _times(b.load(x, index), b.load(y, index), b)
            return b.compute("radd", (start, term), type_)
        at, so_far, out = ir.Value("", INT), ir.Value("", type_), ir.Value("", type_)
        c = b.child()
        last = level((*index, at), so_far, c)
        lo, step = ir.ZERO, ir.ONE
        body = c.block((last,))
        b.add(ir.For((out,), at, lo, sizes[len(index)], step, (so_far,), (start,), body, False,
                     b.origin))  # fmt: skip
        return out

    return level((), ir.zero(type_), b)
