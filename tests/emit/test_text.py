"""The text of emitted functions."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from textwrap import dedent

import numpy as np
import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.emit.debug import run, text_of
from mooncake_transpiler.emit.layout import quoted
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, FLOAT, FLOAT32, INT, Array, DType

from tests.helpers.transpile import gradient_text

ARRAY = Array(DType.FLOAT64, 1)
ZERO = ir.Const(0.0, FLOAT)
NO, YES = ir.Const(False, BOOL), ir.Const(True, BOOL)


def func(params: list[ir.Value], block: ir.Block) -> ir.Func:
    (result,) = block.yields
    return ir.Func("m:f", tuple(ir.Param(v.hint, v.type, (v,)) for v in params), result.type, block)


def body(function: ir.Func) -> str:
    return dedent(text_of([function]).split(":\n", 1)[1]).strip()


def golden(text: str) -> str:
    return dedent(text).strip()


def carried(hint: str, type_: object = FLOAT) -> tuple[ir.Value, ir.Value]:
    assert isinstance(type_, type(FLOAT))
    return ir.Value(hint, type_), ir.Value(hint, type_)


def test_accumulation_with_a_branch() -> None:
    x, a, i = ir.Value("x", ARRAY), ir.Value("a", FLOAT), ir.Value("i", INT)
    s, last = carried("s")
    b = Builder()
    n = b.dim(x, 0, "n")
    loop = b.child()
    v = loop.load(x, [i], "v")
    up, down = loop.child(), loop.child()
    more = up.compute("add", (s, up.compute("mul", (v, a), FLOAT)), FLOAT, "s")
    less = down.compute("add", (s, down.compute("neg", (v,), FLOAT)), FLOAT, "s")
    merged = ir.Value("s", FLOAT)
    cond = loop.compute("gt", (v, ZERO), BOOL)
    loop.add(ir.If((merged,), cond, up.block([more]), down.block([less])))
    b.add(
        ir.For((last,), i, ir.int_const(0), n, ir.int_const(1), (s,), (ZERO,), loop.block([merged]))
    )
    assert body(func([x, a], b.block([last]))) == golden("""
        n = x.shape[0]
        s = 0.0
        for i in range(n):
            v = x[i]
            if v > 0.0:
                s += v * a
            else:
                s -= v
        return s
    """)


def test_parallel_copies() -> None:
    a, a_out = carried("a", INT)
    b_, b_out = carried("b", INT)
    i, n = ir.Value("", INT), ir.Value("n", INT)
    loop = Builder()
    total = loop.compute("add", (a, b_), INT)
    b = Builder()
    b.add(
        ir.For((a_out, b_out), i, ir.int_const(0), n, ir.int_const(1), (a, b_),
               (ir.int_const(0), ir.int_const(1)), loop.block([b_, total]))
    )  # fmt: skip
    assert body(func([n], b.block([a_out]))) == golden("""
        a = 0
        b = 1
        for _ in range(n):
            a, b = b, a + b
        return a
    """)


def search(kept: bool) -> ir.Func:
    """The first positive item of ``x``; or, if ``kept``, -1 where there is none."""
    x, i = ir.Value("x", ARRAY), ir.Value("i", INT)
    flag, flag_out = carried("found", BOOL)
    r, r_out = carried("r")
    b = Builder()
    n = b.dim(x, 0)
    loop = b.child()
    v = loop.load(x, [i], "v")
    cond = loop.compute("gt", (v, ZERO), BOOL)
    flag_next, r_next = ir.Value("", BOOL), ir.Value("", FLOAT)
    loop.add(ir.If((flag_next, r_next), cond, ir.Block((), (YES, v)), ir.Block((), (NO, r))))
    b.add(
        ir.For((flag_out, r_out), i, ir.int_const(0), n, ir.int_const(1), (flag, r),
               (NO, ir.Undef(FLOAT)), loop.block([flag_next, r_next]), exit=True)
    )  # fmt: skip
    if not kept:
        return func([x], b.block([r_out]))
    out = ir.Value("", FLOAT)
    none = ir.Block((), (ir.Const(-1.0, FLOAT),))
    b.add(ir.If((out,), flag_out, ir.Block((), (r_out,)), none))
    return func([x], b.block([out]))


def test_break() -> None:
    assert body(search(kept=False)) == golden("""
        r = 0.0
        for i in range(x.shape[0]):
            v = x[i]
            if v > 0.0:
                r = v
                break
        return r
    """)


def test_break_with_a_flag() -> None:
    assert body(search(kept=True)) == golden("""
        found = False
        r = 0.0
        for i in range(x.shape[0]):
            v = x[i]
            if v > 0.0:
                r = v
                found = True
                break
        return r if found else -1.0
    """)
    for jit in (False, True):
        f = run(search(kept=True), jit=jit)["f"]
        assert (f(np.array([-1.0, 2.0, 3.0])), f(np.zeros(2))) == (2.0, -1.0)


def test_loads_do_not_move_over_stores() -> None:
    x = ir.Value("x", ARRAY)
    b = Builder()
    first = b.load(x, [ir.int_const(0)])
    b.store(x, [ir.int_const(0)], ir.Const(2.0, FLOAT))
    second = b.load(x, [ir.int_const(0)])
    assert body(func([x], b.block([b.compute("sub", (first, second), FLOAT)]))) == golden("""
        t1 = x[0]
        x[0] = 2.0
        return t1 - x[0]
    """)


def test_adjoint_statements_stand_under_the_primal_one() -> None:
    x, s = ir.Value("x_bar", ARRAY), ir.Value("s_bar", FLOAT)
    b = Builder(ir.Origin("m.py", 3, 0, "s = s + x[0]", 1, adjoint=True))
    b.accum(x, [ir.int_const(0)], s)
    b.accum(x, [ir.int_const(1)], s)
    b.origin = ir.Origin("m.py", 2, 0, "s = 2 * a", 0, adjoint=True)
    doubled = b.compute("mul", (ir.Const(2.0, FLOAT), s), FLOAT, "a_bar")
    b.add(ir.Print((doubled,), None))
    assert body(func([x, s], b.block([doubled]))) == golden("""
        # s = s + x[0]
        x_bar[0] += s_bar
        x_bar[1] += s_bar
        # s = 2 * a
        a_bar = 2.0 * s_bar
        print(a_bar)
        return a_bar
    """)


def test_precedence() -> None:
    a, n = ir.Value("a", FLOAT), ir.Value("n", INT)
    b = Builder()

    def op(name: str, *args: ir.Atom) -> ir.Value:
        return b.compute(name, args, FLOAT)

    power = op("pow", op("neg", a), ir.Const(-0.5, FLOAT))
    nested = op("sub", a, op("sub", power, op("mul", op("add", a, a), op("neg", op("pow", a, n)))))
    assert body(func([a, n], b.block([nested]))) == "return a - ((-a) ** -0.5 - (a + a) * -(a**n))"


@pytest.mark.parametrize("op", ["gt", "lt", "ge", "le"])
@pytest.mark.parametrize("swapped", [False, True])
def test_choice_of_the_larger(op: str, swapped: bool) -> None:
    """``max`` and ``min`` where linters want them, and the same result for every pair."""
    a, c = ir.Value("a", FLOAT), ir.Value("c", FLOAT)
    b = Builder()
    arms = (c, a) if swapped else (a, c)
    chosen = b.compute("select", (b.compute(op, (a, c), BOOL), *arms), FLOAT)
    function = func([a, c], b.block([chosen]))
    assert ("max(" in body(function) or "min(" in body(function)) == (op in ("gt", "lt"))
    values = (0.0, -0.0, 1.0, float("nan"))
    for jit in (False, True):
        f = run(function, jit=jit)["f"]
        for x, y in product(values, values):
            test = {"gt": x > y, "lt": x < y, "ge": x >= y, "le": x <= y}[op]
            expected = (y, x)[test] if swapped is False else (x, y)[test]
            assert repr(float(f(x, y))) == repr(expected)  # type: ignore[arg-type]


def test_choice_of_integers() -> None:
    n, b = ir.Value("n", INT), Builder()
    zero = ir.int_const(0)
    chosen = b.compute("select", (b.compute("gt", (n, zero), BOOL), n, zero), INT)
    assert body(func([n], b.block([chosen]))) == "return max(n, 0)"


def test_signs_in_front_of_products() -> None:
    a, b = ir.Value("a", FLOAT), Builder()
    minus = b.compute("mul", (ir.Const(-0.5, FLOAT), a), FLOAT)
    other = b.compute("div", (b.compute("neg", (a,), FLOAT), a), FLOAT)
    total = b.compute("sub", (b.compute("add", (a, minus), FLOAT), other), FLOAT)
    assert body(func([a], b.block([total]))) == "return a - 0.5 * a + a / a"


def test_signs_inside_conversions() -> None:
    a, b = ir.Value("a", FLOAT), Builder()
    half = b.compute("mul", (ir.Const(-0.5, FLOAT32), a), FLOAT)
    total = b.compute("add", (a, half), FLOAT)
    assert body(func([a], b.block([total]))) == "return a + np.float64(np.float32(-0.5)) * a"


def test_shape_of_another_array() -> None:
    x = ir.Value("x", Array(DType.FLOAT64, 2))
    b = Builder()
    made = b.alloc(x.type, [b.dim(x, 0), b.dim(x, 1)], ZERO)  # type: ignore[arg-type]
    assert body(func([x], b.block([made]))) == "return np.zeros(x.shape)"
    b = Builder()
    made = b.alloc(x.type, [b.dim(x, 1), b.dim(x, 0)], ZERO)  # type: ignore[arg-type]
    assert body(func([x], b.block([made]))) == "return np.zeros((x.shape[1], x.shape[0]))"


def test_index_names() -> None:
    """``_`` if nothing reads the index, a letter for one without a name."""
    x, b = ir.Value("x", ARRAY), Builder()
    inner, outer, blind = ir.Value("i", INT), ir.Value("_", INT), ir.Value("k", INT)
    n, one, zero = b.dim(x, 0, "n"), ir.int_const(1), ir.int_const(0)
    deepest = b.child()
    deepest.store(x, [inner], ir.Const(2.0, FLOAT))
    middle = b.child()
    middle.store(x, [outer], ir.Const(1.0, FLOAT))
    middle.add(ir.For((), inner, zero, n, one, (), (), deepest.block()))
    top = b.child()
    top.add(ir.For((), outer, zero, n, one, (), (), middle.block()))
    b.add(ir.For((), blind, zero, n, one, (), (), top.block()))
    assert body(func([x], b.block([n]))) == golden("""
        n = x.shape[0]
        for _ in range(n):
            for j in range(n):
                x[j] = 1.0
                for i in range(n):
                    x[i] = 2.0
        return n
    """)


def test_slices() -> None:
    x, n = ir.Value("x", ARRAY), ir.Value("n", INT)
    b = Builder()
    parts = [
        ir.Slice(None, b.compute("sub", (n, ir.int_const(1)), INT)),
        ir.Slice(b.compute("add", (n, ir.int_const(1)), INT), None, ir.int_const(2)),
        ir.Slice(ir.int_const(1), n),
        ir.Slice(None, None, b.compute("add", (n, n), INT)),
    ]
    for part in parts:
        view = ir.Value("", ARRAY)
        b.add(ir.View(view, x, (part,)))
        b.add(ir.Assign(view, ZERO))
    assert body(func([x, n], b.block([n]))) == golden("""
        x[: n - 1] = 0.0
        x[n + 1 :: 2] = 0.0
        x[1:n] = 0.0
        x[:: n + n] = 0.0
        return n
    """)


def test_single_precision_stays_single() -> None:
    x = ir.Value("x", FLOAT32)
    b = Builder()
    half = b.compute("mul", (x, ir.Const(0.5, FLOAT32)), FLOAT32)
    squared = b.compute("pow", (half, ir.int_const(2)), FLOAT32, "q")
    function = func([x], b.block([b.compute("np.sin", (squared,), FLOAT32)]))
    for jit in (False, True):
        got = run(function, jit=jit)["f"](np.float32(0.3))
        assert got == pytest.approx(np.sin(np.float32(0.0225)), rel=1e-6)
    assert isinstance(run(function)["f"](np.float32(0.3)), np.float32)


@pytest.mark.parametrize("dtype", [DType.FLOAT64, DType.FLOAT32, DType.INT64, DType.BOOL])
@pytest.mark.parametrize("jit", [False, True])
def test_grow(dtype: DType, jit: bool) -> None:
    x, n = ir.Value("x", Array(dtype, 1)), ir.Value("n", INT)
    out = ir.Value("", x.type)
    b = Builder()
    b.add(ir.Grow(out, x, n))
    function = func([x, n], b.block([out]))
    given = np.ones(3, dtype.value)
    grow = run(function, jit=jit)["f"]
    assert grow(given, 3) is given or jit
    larger = grow(given, 4)
    assert isinstance(larger, np.ndarray)
    assert (larger.dtype, larger.size, larger[:3].all()) == (dtype.value, 6, True)


@pytest.mark.parametrize("jit", [False, True])
def test_whole_arrays_of_any_rank(jit: bool) -> None:
    for ndim in range(4):
        type_ = Array(DType.FLOAT64, ndim)
        x, y, copy = ir.Value("x", type_), ir.Value("y", type_), ir.Value("c", type_)
        b = Builder()
        b.add(ir.Copy(copy, x))
        b.add(ir.Assign(x, y))
        b.add(ir.AddTo(x, copy))
        b.add(ir.AddTo(x, ir.Const(1.0, FLOAT)))
        shape = (2,) * ndim
        got = run(func([x, y], b.block([x])), jit=jit)["f"](
            np.full(shape, 2.0), np.full(shape, 3.0)
        )
        assert np.array_equal(got, np.full(shape, 6.0))


@pytest.mark.parametrize(
    ("text", "literal"),
    [("a", '"a"'), ("it's", '"it\'s"'), ('say "so"', "'say \"so\"'"), ("a\\\n", r'"a\\\n"'),
     ("'\"", '"\'\\""'), ("'\"\"", "'\\'\"\"'")],
)  # fmt: skip
def test_string_literals(text: str, literal: str) -> None:
    assert quoted(text) == literal


def test_inner_loop_has_an_index_of_its_own() -> None:
    """Also where the outer one is not read any more: readers would stumble over it."""
    x = ir.Value("x", ARRAY)
    outer, inner = ir.Value("i", INT), ir.Value("i", INT)
    one, n = ir.int_const(1), ir.int_const(3)
    within = Builder()
    within.accum(x, [inner], ir.Const(1.0, FLOAT))
    loop = Builder()
    loop.store(x, [outer], ZERO)
    loop.add(ir.For((), inner, ir.int_const(0), n, one, (), (), within.block()))
    b = Builder()
    b.add(ir.For((), outer, ir.int_const(0), n, one, (), (), loop.block()))
    assert body(func([x], b.block([ZERO]))) == golden("""
        for i in range(3):
            x[i] = 0.0
            for i_2 in range(3):
                x[i_2] += 1.0
        return 0.0
    """)


def test_reads_wait_until_what_they_read_is_written() -> None:
    x, y, t = ir.Value("x", ARRAY), ir.Value("y", Array(DType.FLOAT32, 1)), ir.Value("t", FLOAT)
    zero, one = ir.int_const(0), ir.int_const(1)
    b = Builder()
    apart = b.load(x, [zero])  # y is of another dtype: no memory of x
    b.add(ir.Store(y, (zero,), ir.Const(1.0, FLOAT32)))
    b.add(ir.Store(x, (one,), b.compute("mul", (apart, t), FLOAT)))
    same = b.load(x, [zero])
    b.add(ir.Store(x, (zero,), t))
    total = b.compute("add", (same, t), FLOAT)
    assert body(func([x, y, t], b.block([total]))) == golden("""
        y[0] = np.float32(1.0)
        x[1] = x[0] * t
        t1 = x[0]
        x[0] = t
        return t1 + t
    """)


def test_sizes_pass_loops_and_bounds_stand_in_their_heads() -> None:
    x, i = ir.Value("x", ARRAY), ir.Value("i", INT)
    b = Builder()
    n = b.dim(x, 0, "n")
    last = b.compute("sub", (n, ir.int_const(1)), INT)
    half = b.compute("floordiv", (n, ir.int_const(2)), INT)
    for _ in range(2):
        loop = b.child()
        i = ir.Value("i", INT)
        loop.add(ir.Store(x, (i,), ZERO))
        b.add(ir.For((), i, last, ir.int_const(-1), ir.int_const(-1), (), (), loop.block([])))
    assert body(func([x], b.block([half]))) == golden("""
        n = x.shape[0]
        for i in range(n - 1, -1, -1):
            x[i] = 0.0
        for i in range(n - 1, -1, -1):
            x[i] = 0.0
        return n // 2
    """)


def test_checks_with_one_message_are_one() -> None:
    x = ir.Value("x", Array(DType.FLOAT64, 2))
    n, m = ir.Value("n", INT), ir.Value("m", INT)
    b = Builder()
    for axis, size in enumerate((n, m)):
        other = b.compute("ne", (b.dim(x, axis), size), BOOL)
        raised = ir.Block((ir.Raise("ValueError", "x must have the shape (n, m)"),))
        b.add(ir.If((), other, raised, ir.Block(())))
    assert body(func([x, n, m], b.block([n]))) == golden("""
        if x.shape != (n, m):
            raise ValueError("x must have the shape (n, m)")
        return n
    """)


def masked(op: str, *, negative: bool = False, again: bool = False, zero: float = 0.0) -> str:
    """The text of ``0 if a == 0 else a op p``, or minus that, perhaps used again."""
    a, p = ir.Value("a", FLOAT), ir.Value("p", FLOAT)
    b = Builder()
    test = b.compute("eq", (a, ZERO), BOOL)
    found = b.compute(op, (a, p), FLOAT)
    arm = b.compute("neg", (found,), FLOAT) if negative else found
    result = b.compute("select", (test, ir.Const(zero, FLOAT), arm), FLOAT)
    if again:
        result = b.compute("add", (result, found), FLOAT)
    return body(func([a, p], b.block([result])))


def test_masked_products_are_calls() -> None:
    assert masked("mul") == "return rt.times(a, p)"
    assert masked("div") == "return rt.over(a, p)"
    assert masked("mul", negative=True) == "return rt.times(a, -p)"


def test_other_choices_stay_as_they_are() -> None:
    assert masked("add") == "return 0.0 if a == 0.0 else a + p"
    assert masked("mul", zero=-0.0) == "return -0.0 if a == 0.0 else a * p"
    assert "0.0 if a == 0.0 else t1" in masked("mul", again=True)


def test_calls_assigned_to_long_names_are_written() -> None:
    """Each of the names is too long for a call behind it in the same line."""
    names = ["n" * width for width in range(50, 84)]
    x = ir.Value("x", FLOAT)
    helper = replace(func([x], Builder().block([x])), name="m:helper")
    total: ir.Atom = x
    b = Builder()
    for name in names:
        out = ir.Value(name, FLOAT)
        b.add(ir.Call((out,), helper.name, (total,)))
        total = b.compute("mul", (out, out), FLOAT)
    text = text_of([helper, func([x], b.block([total]))])
    assert [name for name in names if f"    {name} = helper(" not in text] == []


def test_comments_tell_where_a_lambda_stands_that_a_recursion_is_given() -> None:
    text = gradient_text(
        "def _area(f, a, b):\n"
        "    m = (a + b) / 2\n"
        "    return f(m) * (b - a) if b - a < 0.1 else _area(f, a, m) + _area(f, m, b)\n\n"
        "def g(k: float, top: float) -> float:\n"
        "    return _area(lambda x: x**k, 0.0, top)\n"
    )
    assert "# return _area(lambda x: x**k, 0.0, top)" in text
    assert "# def _area" not in text
