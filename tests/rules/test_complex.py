"""Every rule for complex numbers: tangents against differences, cotangents as their transpose."""

from __future__ import annotations

import cmath
import itertools
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from mooncake_rules.expr import SEED, Arg, Number, Term, Y, conj, fold, imag, real
from mooncake_rules.op import Result, ScalarOp
from mooncake_rules.scalar import OPS
from mooncake_rules.spans import Span, exactly, of_op, of_term
from mooncake_runtime import inner, jit_enabled, scalar_kernels
from mooncake_runtime.differences import richardson

Point = tuple[complex, ...]
NAMES = {"np": np, "rt": scalar_kernels}
COMPLEX = [op for op in OPS.values() if op.complex is not None]
MOVING = [op for op in COMPLEX if any(t is not None for t in op.complex.push)]  # type: ignore[union-attr]
CONDITIONAL = ("select", "where")


def python(op: ScalarOp) -> Callable[..., complex]:
    args = [f"a{i}" for i in range(op.arity)]
    return eval(f"lambda {', '.join(args)}: {op.template.format(*args)}", dict(NAMES))


def value(term: Term, env: Mapping[int, complex]) -> complex:
    def leaf(t: Arg | Number) -> complex:
        return env[t.index] if isinstance(t, Arg) else t

    def node(name: str, args: tuple[complex, ...]) -> complex:
        return python(OPS[name])(*args)

    with np.errstate(all="ignore"):
        return complex(fold(term, leaf, node))


def environment(op: ScalarOp, args: Point, seed: complex) -> dict[int, complex]:
    with np.errstate(all="ignore"):
        return {**dict(enumerate(args)), -1: python(op)(*args), -2: np.complex128(seed)}


def push(op: ScalarOp, args: Point, index: int, seed: complex) -> complex:
    term = op.push(index, over_complex=True)
    return 0.0 if term is None else value(term, environment(op, args, seed))


def pull(op: ScalarOp, args: Point, index: int, seed: complex) -> complex:
    """The contribution to argument ``index``, real if that is."""
    term = op.pull(index, over_complex=True)
    found = 0.0 if term is None else value(term, environment(op, args, seed))
    return found if np.iscomplexobj(args[index]) else found.real


def drawn(rng: np.random.Generator, is_complex: bool) -> complex:
    """A number away from 0, and off the axes if it is complex: that is where the cuts are."""
    re, im = rng.uniform(0.2, 1.8, 2) * rng.choice([-1.0, 1.0], 2)
    return np.complex128(complex(re, im)) if is_complex else np.float64(abs(re))


def kinds(op: ScalarOp) -> list[tuple[bool, ...]]:
    """The sets of arguments of ``op`` that may be complex at once."""
    if op.result is Result.COMPLEX:
        return [(False,) * op.arity]
    chosen = [k for k in itertools.product((False, True), repeat=op.arity) if any(k)]
    if op.name in ("pow", "np.power", "np.float_power"):  # lowering makes the base complex
        chosen = [k for k in chosen if k[0]]
    return [(False, *k[1:]) for k in chosen if any(k[1:])] if op.name in CONDITIONAL else chosen


def points(op: ScalarOp) -> list[Point]:
    rng = np.random.default_rng(3)
    found = [tuple(drawn(rng, k) for k in kind) for kind in kinds(op) for _ in range(12)]
    if op.name in CONDITIONAL:
        return [(args[0] > 1.0, *args[1:]) for args in found]
    return found


def difference(op: ScalarOp, args: Point, index: int, direction: complex) -> complex:
    function = python(op)

    def along(t: float) -> np.ndarray:
        result = function(*(a + t * direction if i == index else a for i, a in enumerate(args)))
        return np.array([np.real(result), np.imag(result)])

    (re, im), _ = richardson(along, step=1e-3)
    return complex(re, im)


@pytest.mark.parametrize("op", MOVING, ids=lambda op: op.name)
def test_tangents_agree_with_differences(op: ScalarOp) -> None:
    for args in points(op):
        for i in range(op.arity):
            if op.name in CONDITIONAL and i == 0:
                continue
            directions = (1.0, 1j, 0.6 - 0.8j) if np.iscomplexobj(args[i]) else (1.0,)
            for direction in directions:
                expected = difference(op, args, i, direction)
                got = push(op, args, i, direction)
                assert got == pytest.approx(expected, rel=1e-7, abs=1e-8), (args, i, direction)


@pytest.mark.parametrize("op", MOVING, ids=lambda op: op.name)
def test_cotangents_are_the_transpose(op: ScalarOp) -> None:
    for args in points(op):
        for i in range(op.arity):
            if op.name in CONDITIONAL and i == 0:
                continue
            real_result = op.result is Result.REAL
            for w_bar in (1.0, -0.7) if real_result else (1.0, 1j, -0.7 + 0.4j):
                for z_dot in (1.0, 1j, 0.3 - 0.9j) if np.iscomplexobj(args[i]) else (1.0,):
                    forward = (np.conj(w_bar) * push(op, args, i, z_dot)).real
                    reverse = (np.conj(pull(op, args, i, w_bar)) * z_dot).real
                    assert reverse == pytest.approx(forward, rel=1e-12, abs=1e-13), (args, i)


@pytest.mark.parametrize("op", [op for op in COMPLEX if op not in MOVING], ids=lambda op: op.name)
def test_no_derivative(op: ScalarOp) -> None:
    assert all(op.pull(i, over_complex=True) is None for i in range(op.arity))


def test_every_rule_speaks_of_every_argument() -> None:
    for op in COMPLEX:
        assert op.complex is not None
        assert len(op.complex.push) == len(op.complex.pull) == op.arity, op.name


# ---- points with a convention -------------------------------------------------------------------

CONVENTIONS: Sequence[tuple[str, Point, complex, Sequence[complex | None]]] = (
    ("abs", (0j,), 1.0, (0,)),
    ("np.abs", (0j,), 1.0, (0,)),
    ("np.abs", (3 + 4j,), 2.0, (1.2 + 1.6j,)),
    ("np.angle", (2j,), 1.0, (-0.5,)),
    ("np.angle", (2.0 + 0j,), 1.0, (0.5j,)),
    ("np.real", (3 + 4j,), 2.0, (2,)),
    ("np.imag", (3 + 4j,), 2.0, (2j,)),
    ("np.conj", (3 + 4j,), 1 + 2j, (1 - 2j,)),
    ("complex", (3.0, 4.0), 1 + 2j, (1, 2)),
    ("mul", (3 + 4j, 1 + 1j), 1.0, (1 - 1j, 3 - 4j)),
    ("mul", (3.0, 1 + 1j), 1j, (1, 3j)),
    ("pow", (0j, 0j), 1.0, (0, 0)),
    ("pow", (0j, 1 + 0j), 1j, (1j, 0)),
    ("pow", (0j, 2 + 0j), 1.0, (0, 0)),
    ("pow", (2 + 0j, 0j), 1.0, (0, np.log(2.0))),
)


@pytest.mark.parametrize(("name", "args", "seed", "expected"), CONVENTIONS)
def test_conventions(
    name: str, args: Point, seed: complex, expected: Sequence[complex | None]
) -> None:
    numbers = tuple(np.asarray(a)[()] for a in args)
    for i, want in enumerate(expected):
        assert pull(OPS[name], numbers, i, seed) == pytest.approx(want, rel=1e-15)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("np.sqrt", (0j,)), ("np.log", (0j,)), ("np.log2", (0j,)), ("np.log10", (0j,)),
        ("np.log1p", (-1 + 0j,)), ("np.arcsin", (1 + 0j,)), ("np.arccos", (-1 + 0j,)),
        ("np.arctan", (1j,)), ("np.arcsinh", (1j,)), ("np.arccosh", (1 + 0j,)),
        ("np.arctanh", (1 + 0j,)), ("np.angle", (0j,)), ("pow", (0j, 0.5 + 0j)),
        ("pow", (0j, -1 + 0j)),
    ],
)  # fmt: skip
def test_infinite_partials_are_seen(name: str, args: Point) -> None:
    """So a cotangent of 0 gives 0 there, in whatever function that is."""
    given = [Span(zero=arg == 0) for arg in args]
    result = of_op(name, given, over_complex=True)
    known = dict(enumerate(given)) | {Y.index: result, SEED.index: exactly(1)}
    for i in range(len(args)):
        term = OPS[name].pull(i, over_complex=True)
        assert term is not None
        assert of_term(term, known.__getitem__, over_complex=True).wild


@pytest.mark.parametrize("x", [0.3, 19.0, 300.0, 800.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_no_cancellation_far_from_the_axis(x: float, sign: float) -> None:
    """tanh'(z) = 4 e^(-2z) / (1 + e^(-2z))^2, and tan'(z) = tanh'(iz)."""
    z = complex(x, 0.4)
    small = cmath.exp(-2 * z)
    exact = 4 * small / (1 + small) ** 2
    one = np.complex128(1.0)
    for name, at in (("np.tanh", sign * z), ("np.tan", sign * 1j * z), ("np.tan", -1j * sign * z)):
        got = push(OPS[name], (np.complex128(at),), 0, one)
        assert got == pytest.approx(exact, rel=1e-13, abs=0.0), (name, at)


CUTS = (
    *(("np.arcsin", x, y, 1.0) for x in (-2.7, 2.7) for y in (0.0, -0.0)),
    *(("np.arccos", x, y, 1.0) for x in (-2.7, 2.7) for y in (0.0, -0.0)),
    *(("np.arccosh", x, y, 1.0) for x in (-2.7, 0.4) for y in (0.0, -0.0)),
    *(("np.arctanh", x, y, 1.0) for x in (-2.7, 2.7) for y in (0.0, -0.0)),
    *(("np.arcsinh", x, y, 1j) for y in (-2.7, 2.7) for x in (0.0, -0.0)),
    *(("np.arctan", x, y, 1j) for y in (-2.7, 2.7) for x in (0.0, -0.0)),
    *((name, -2.7, y, 1.0) for name in ("np.sqrt", "np.log", "np.log1p") for y in (0.0, -0.0)),
)


@pytest.mark.parametrize(("name", "x", "y", "along"), CUTS)
def test_on_branch_cuts(name: str, x: float, y: float, along: complex) -> None:
    """Along the cut; the sign of the part that is zero tells on which side."""
    function = python(OPS[name])

    def moved(t: float) -> np.ndarray:
        z = complex(x + t, y) if along == 1.0 else complex(x, y + t)
        result = function(np.complex128(z))
        return np.array([result.real, result.imag])

    (re, im), _ = richardson(moved, step=1e-3)
    got = push(OPS[name], (np.complex128(complex(x, y)),), 0, along)
    assert got == pytest.approx(complex(re, im), rel=1e-9)


def test_inverse_functions_near_their_poles() -> None:
    """1 / (1 + z^2) at z = i + d is 1 / (d (2i + d)): 1 + z^2 as it stands would cancel."""
    d = 2.0**-40 * (1 + 1j)
    z = np.complex128(1j + d)
    assert push(OPS["np.arctan"], (z,), 0, 1.0) == pytest.approx(1 / (d * (2j + d)), rel=1e-14)
    expected = 1 / (d * (2j + d))
    assert push(OPS["np.arcsinh"], (z,), 0, 1.0) ** 2 == pytest.approx(expected, rel=1e-13)


# ---- terms --------------------------------------------------------------------------------------


def test_literals_are_simplified() -> None:
    x, seed = Arg(0), Arg(-2)
    power, product = OPS["pow"], OPS["mul"]
    assert power.pull(0, {1: 2}, over_complex=True) == seed * (2 * conj(x))
    assert power.pull(0, {1: 1}, over_complex=True) == seed
    assert power.pull(0, {1: 0}, over_complex=True) is None
    assert product.pull(0, {1: 2.0}, over_complex=True) == seed * 2.0
    assert OPS["div"].pull(0, over_complex=True) == seed / conj(Arg(1))
    assert conj(conj(x)) == x
    assert real(imag(x)) == imag(x)
    assert imag(2.0) == 0


# ---- compiled -----------------------------------------------------------------------------------


@pytest.mark.skipif(not jit_enabled(), reason="numba is switched off")
@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
def test_every_op_compiles(dtype: type[np.complexfloating]) -> None:
    """One function that calls all ops, jitted and plain."""
    lines = []
    for k, op in enumerate(COMPLEX):
        args = ["z", "w"] if op.name not in CONDITIONAL else ["z.real > 0.0", "z", "w"]
        if op.result is Result.COMPLEX:
            args = ["z.real", "w.imag"]
        lines.append(f"    y{k} = {op.template.format(*args)}")
    results = ", ".join(f"y{k}" for k in range(len(COMPLEX)))
    text = "\n".join(["def all_ops(z, w):", *lines, f"    return ({results},)"])
    exec(text, scope := dict(NAMES))
    z, w = dtype(0.7 - 0.4j), dtype(-0.3 + 1.1j)
    plain = scope["all_ops"](z, w)
    compiled = inner(scope["all_ops"])(z, w)
    for op, got, want in zip(COMPLEX, compiled, plain, strict=True):
        rel = 1e-13 if dtype is np.complex128 else 2e-6
        assert got == pytest.approx(want, rel=rel), op.name
