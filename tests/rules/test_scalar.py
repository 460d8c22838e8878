"""Every rule against differences on its own domain, and at the points with a convention."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import scipy.constants
from mooncake_rules.elementary import ELEMENTARY
from mooncake_rules.expr import SEED, Arg, Number, Term, fold
from mooncake_rules.expr import sqrt as np_sqrt
from mooncake_rules.op import Interval, ScalarOp, Special
from mooncake_rules.scalar import CONSTANTS, OPS, resolve, table
from mooncake_rules.units import UNITS_AND_CONSTANTS
from mooncake_runtime import inner, jit_enabled, scalar_kernels
from mooncake_runtime.differences import complex_step, richardson

NAMES = {"np": np, "math": math, "rt": scalar_kernels}
SMOOTH = [op for op in OPS.values() if op.partials is not None and op.domain]
ANALYTIC = {"add", "sub", "mul", "div", "pow", "neg", "pos", "np.sinc"} | {
    op.name for op in ELEMENTARY if op.name.startswith("np.")
}


def python(op: ScalarOp) -> Callable[..., float]:
    """The op as its template prints it."""
    args = [f"a{i}" for i in range(op.arity)]
    return eval(f"lambda {', '.join(args)}: {op.template.format(*args)}", NAMES)


def value(term: Term, env: dict[int, Number]) -> float:
    def leaf(t: Arg | Number) -> Number:
        return env[t.index] if isinstance(t, Arg) else t

    def node(op: str, args: tuple[Number, ...]) -> Number:
        return python(OPS[op])(*args)

    return float(fold(term, leaf, node))


def partials_at(op: ScalarOp, *given: Number) -> list[float]:
    """The partials at a point; 0 for None."""
    args = [np.float64(a) if isinstance(a, float) else a for a in given]
    with np.errstate(all="ignore"):
        env = dict(enumerate(args)) | {-1: python(op)(*args)}
        terms = [None if op.is_unknown(i) else op.partial(i) for i in range(op.arity)]
        return [0.0 if term is None else value(term, env) for term in terms]


def difference(op: ScalarOp, args: tuple[Number, ...], index: int) -> float:
    function = python(op)

    def along(t: float) -> np.ndarray:
        moved = [np.asarray(a + t)[()] if i == index else a for i, a in enumerate(args)]
        return np.array([function(*moved)])

    if op.name in ANALYTIC:
        try:
            return float(complex_step(along)[0])
        except TypeError:  # NumPy does not know the function for complex numbers
            pass
    return float(richardson(along)[0][0])


def draw(interval: Interval, rng: np.random.Generator) -> Number:
    match interval:
        case int() as lo, int() as hi:
            return int(rng.integers(lo, hi + 1))
        case lo, hi:
            return float(rng.uniform(lo, hi))


@pytest.mark.parametrize("op", SMOOTH, ids=lambda op: op.name)
def test_partials_agree_with_differences(op: ScalarOp) -> None:
    rng = np.random.default_rng(1)
    assert len(op.domain) == op.arity
    for _ in range(20):
        args = tuple(draw(interval, rng) for interval in op.domain)
        for i, partial in enumerate(partials_at(op, *args)):
            if isinstance(args[i], float) and not op.is_unknown(i):
                assert partial == pytest.approx(difference(op, args, i), rel=1e-7, abs=1e-9), args


@pytest.mark.parametrize(
    ("op", "special"),
    [(op, special) for op in OPS.values() for special in op.special],
    ids=lambda x: x.name if isinstance(x, ScalarOp) else str(x.args),
)
def test_conventions(op: ScalarOp, special: Special) -> None:
    for got, want in zip(partials_at(op, *special.args), special.partials, strict=True):
        assert want is None or got == pytest.approx(want, rel=1e-15)


def test_where_never_leaks() -> None:
    product = OPS["select"].product(1)
    assert product is not None
    assert value(product, {0: False, 1: math.nan, 2: 1.0, -1: 1.0, -2: math.inf}) == 0.0


def test_every_argument_of_a_rule_has_a_partial_and_an_interval() -> None:
    for op in OPS.values():
        if op.partials is not None:
            assert len(op.partials) == op.arity, op.name
            assert op.domain or op.name in ("select", "where"), op.name
        for special in op.special:
            assert len(special.args) == len(special.partials) == op.arity, op.name


def test_terms_are_made_of_known_ops() -> None:
    def node(op: str, args: tuple[None, ...]) -> None:
        assert OPS[op].arity == len(args), op

    for op in OPS.values():
        for i in range(op.arity):
            product = op.product(i)
            if product is not None and not op.is_unknown(i):
                fold(product, lambda _: None, node)


def test_every_op_compiles() -> None:
    """One function that calls all ops, jitted and plain."""
    floats = [op for op in OPS.values() if op.domain and op.name not in ("cast", "select", "where")]
    lines = [f"    y{k} = {_call(op)}" for k, op in enumerate(floats)]
    results = ", ".join(f"y{k}" for k in range(len(floats)))
    text = "\n".join(["def all_ops(x):", *lines, f"    return np.array([{results}])"])
    exec(text, scope := dict(NAMES))
    with np.errstate(all="ignore"):
        plain = scope["all_ops"](np.float64(0.9))
    if jit_enabled():
        compiled = inner(scope["all_ops"])(0.9)
        for op, got, want in zip(floats, compiled, plain, strict=True):
            assert got == pytest.approx(want, rel=1e-13), op.name


def _call(op: ScalarOp) -> str:
    args = (f"{lo}" if isinstance(lo, int) else f"(x + {lo})" for lo, _ in op.domain)
    return op.template.format(*args)


INTEGER_POINTS = {
    "math.isqrt": (17,), "math.factorial": (5,), "math.comb": (7, 3), "math.perm": (7, 3),
    "math.gcd": (12, 18), "math.lcm": (4, 6), "np.gcd": (12, 18), "np.lcm": (4, 6),
    "bitand": (6, 3), "bitor": (6, 3), "bitxor": (6, 3), "lshift": (3, 2), "rshift": (12, 2),
    "invert": (5,), "and": (True, False), "or": (True, False), "not": (True,),
    "np.round_to": (1.26, 1), "round_to": (1.26, 1), "select": (True, 1.5, 2.5),
    "where": (True, 1.5, 2.5),
}  # fmt: skip


@pytest.mark.parametrize("op", [o for o in OPS.values() if not o.domain], ids=lambda op: op.name)
def test_ops_without_derivative_compile(op: ScalarOp) -> None:
    args = INTEGER_POINTS.get(op.name, (1.75, 0.5)[: op.arity])
    if jit_enabled():
        assert inner(python(op))(*args) == python(op)(*args)


def test_names() -> None:
    assert resolve("numpy.sin") == "np.sin"
    assert resolve("math.sin") == "math.sin"
    assert resolve("numpy.absolute") == resolve("numpy.abs") == "np.abs"
    assert resolve("builtins.abs") == "abs"
    assert resolve("numpy.where") == "where"
    assert resolve("math.log", 1) == "math.log"
    assert resolve("math.log", 2) == "math.log_base"
    assert resolve("numpy.zeros") is None
    assert CONSTANTS["math.pi"] == CONSTANTS["numpy.pi"] == math.pi


def test_units_are_those_of_scipy() -> None:
    for name, value in UNITS_AND_CONSTANTS.items():
        scipys = getattr(scipy.constants, name)
        assert (value, type(value)) == (scipys, type(scipys)), name


def test_literal_exponents_are_simplified() -> None:
    x = Arg(0)
    power = OPS["pow"]
    assert power.partial(0, {1: 2}) == 2 * x
    assert power.partial(0, {1: 1}) == 1
    assert power.partial(0, {1: 0}) is None
    assert power.partial(0, {1: 3.0}) == 3 * x**2
    assert power.product(0, {1: 2}) == SEED * (2 * x)
    assert power.product(0, {1: 0.5}) == SEED * (0.5 / np_sqrt(x))
    assert not power.is_expensive({1: 2})
    assert power.is_expensive()


def test_two_rules_for_one_op_are_an_error() -> None:
    with pytest.raises(ValueError, match=r"two rules for the scalar op 'np\.sin'"):
        table([ELEMENTARY, [OPS["np.sin"]]])
