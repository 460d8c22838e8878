"""Spans of the results of ops against values; partials that can be infinite have such a span."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from math import inf

import numpy as np
import pytest
from mooncake_rules import spans
from mooncake_rules.expr import SEED, Y
from mooncake_rules.op import ScalarOp
from mooncake_rules.scalar import OPS
from mooncake_rules.spans import FINITE, Span, exactly, of_op, of_term

from tests.rules.test_scalar import python

ENDS = (-inf, -800.0, -2.5, -1.0, -0.5, 0.0, 0.25, 1.0, 3.0, 710.0, inf)
NUMBERS = (-1e3, -800.0, -2.0, -1.0, -0.7, -1e-3, 0.0, 1e-3, 0.4, 1.0, 2.0, 5.0, 709.5, 1e3)
# What has another meaning for one real number, or none.
OTHER = ("select", "where", "complex", "np.real", "np.imag", "np.conj", "floordiv", "np.round_to",
         "round_to")  # fmt: skip
# What has no value for some numbers: these count as not given.
PARTIAL = ("np.sqrt", "math.sqrt", "np.arcsin", "np.arccos", "math.asin", "math.acos", "pow",
           "math.pow", "np.power", "np.float_power", "mod", "np.fmod", "math.fmod",
           "rt.round_to")  # fmt: skip
STATED = [
    op
    for op in OPS.values()
    if op.name.rpartition(".")[2] in spans._BY_NAME and op.name not in OTHER
]


def lies_in(x: float, span: Span) -> bool:
    if not math.isfinite(x):
        return span.nan if math.isnan(x) else span.wild  # infinite with the sign of any zero
    slack = 1e-12 * abs(x)
    return span.lo - slack <= x <= span.hi + slack and (x != 0.0 or span.zero)


def drawn(rng: random.Random) -> Span:
    lo, hi = sorted(rng.choices(ENDS, k=2))
    wild = inf in (hi, -lo) and rng.random() < 0.3
    zero = lo <= 0 <= hi and rng.random() < 0.6
    span = Span(lo, hi, zero, wild, wild and rng.random() < 0.5)
    return span if any(True for _ in members(span)) else Span()


def members(span: Span) -> Iterator[float]:
    yield from (x for x in (*NUMBERS, -inf, inf) if span.lo <= x <= span.hi and lies_in(x, span))
    if span.nan:
        yield math.nan


@pytest.mark.parametrize("op", STATED, ids=lambda op: op.name)
def test_results_lie_there(op: ScalarOp) -> None:
    rng = random.Random(op.name)
    for _ in range(200):
        args = [drawn(rng) for _ in range(op.arity)]
        found = of_op(op.name, args)
        for _ in range(10):
            point = [np.float64(rng.choice(list(members(span)))) for span in args]
            with np.errstate(all="ignore"):
                try:
                    got = float(python(op)(*point))
                except (ValueError, OverflowError, TypeError):  # math outside of its domain
                    continue
            if not (math.isnan(got) and op.name in PARTIAL and not np.isnan(point).any()):
                assert lies_in(got, found), (args, point, got, found)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("np.sqrt", (0.0,)), ("np.cbrt", (0.0,)), ("np.log", (0.0,)), ("np.log2", (0.0,)),
        ("np.log1p", (-1.0,)), ("np.arcsin", (1.0,)), ("np.arccosh", (1.0,)),
        ("np.arctanh", (-1.0,)), ("pow", (0.0, 0.5)), ("pow", (0.0, -1.0)),
        ("np.arctan2", (0.0, 0.0)), ("div", (1.0, 0.0)), ("np.exp", (800.0,)),
        ("np.expm1", (800.0,)), ("np.sinh", (800.0,)), ("np.cosh", (-800.0,)),
        ("np.reciprocal", (0.0,)), ("rt.logit", (1.0,)),
    ],
)  # fmt: skip
def test_infinite_partials_are_seen(name: str, args: tuple[float, ...]) -> None:
    """So a cotangent of 0 gives 0 there, in whatever function that is."""
    op = OPS[name]
    for given in ([exactly(a) for a in args], [FINITE] * len(args)):
        known = dict(enumerate(given)) | {Y.index: of_op(name, given), SEED.index: exactly(1)}
        terms = [op.product(i) for i in range(op.arity)]
        assert all(t is None or of_term(t, known.__getitem__).wild for t in terms)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("np.sin", (FINITE,)), ("np.tanh", (Span(wild=True),)), ("np.arctan", (FINITE,)),
        ("rt.expit", (Span(wild=True),)), ("np.hypot", (FINITE, FINITE)), ("np.square", (FINITE,)),
        ("mul", (FINITE, FINITE)), ("div", (FINITE, Span(1.0, inf, False, True))),
        ("np.sqrt", (Span(1.0, zero=False),)),
        ("np.log", (Span(0.0, zero=False),)), ("np.exp", (Span(hi=0.0),)),
        ("np.log1p", (Span(0.0),)), ("np.arcsinh", (FINITE,)), ("np.maximum", (FINITE, FINITE)),
    ],
)  # fmt: skip
def test_finite_partials_are_seen(name: str, args: tuple[Span, ...]) -> None:
    op = OPS[name]
    known = dict(enumerate(args)) | {Y.index: of_op(name, args), SEED.index: exactly(1)}
    terms = [op.product(i) for i in range(op.arity)]
    assert not any(t is not None and of_term(t, known.__getitem__).wild for t in terms)


def test_complex_numbers_have_no_order() -> None:
    assert of_op("mul", [exactly(2), FINITE], over_complex=True) == FINITE
    assert of_op("np.square", [FINITE], over_complex=True) == FINITE
    assert of_op("np.cosh", [FINITE], over_complex=True).wild
    assert of_op("div", [FINITE, FINITE], over_complex=True).wild


@pytest.mark.parametrize("name", OPS)
def test_every_op_has_a_span_for_its_number_of_arguments(name: str) -> None:
    assert isinstance(of_op(name, [spans.ANY] * OPS[name].arity), Span)


@pytest.mark.parametrize("empty", [Span(0.0, 0.0, zero=False), Span(2.0, -1.0, zero=False)])
def test_spans_of_code_that_never_runs(empty: Span) -> None:
    assert of_op("div", [exactly(1), empty]).wild
    assert of_op("div", [exactly(1), of_op("neg", [empty])]).wild
