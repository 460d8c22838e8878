"""Transposed views, new axes and reshaped arrays: their text, and what numba makes of it."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.emit.debug import run
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import FLOAT, INT, Array, DType

from tests.emit.test_text import body, func, golden

VECTOR, MATRIX, CUBE = (Array(DType.FLOAT64, ndim) for ndim in (1, 2, 3))
X, AT, TO = ir.Value("x", MATRIX), ir.Value("i", INT), ir.Value("j", INT)
C = ir.Value("c", CUBE)
WHOLE, NEW = ir.Slice(), ir.NewAxis()
NEW_X = "x[np.newaxis]"


def view(b: Builder, base: ir.Value, *index: ir.Index, ndim: int, axes: tuple[int, ...] = (),
         hint: str = "") -> ir.Value:  # fmt: skip
    out = ir.Value(hint, Array(DType.FLOAT64, ndim))
    b.add(ir.View(out, base, index, None, axes))
    return out


def named(base: ir.Value, *index: ir.Index, ndim: int, axes: tuple[int, ...] = ()) -> ir.Func:
    b = Builder()
    return func([base, AT, TO], b.block([view(b, base, *index, ndim=ndim, axes=axes, hint="v")]))


@pytest.mark.parametrize(
    ("function", "text", "shape"),
    [
        (named(X, ndim=2, axes=(1, 0)), "x.T", (4, 3)),
        (named(X, WHOLE, WHOLE, ndim=2, axes=(1, 0)), "x.T", (4, 3)),
        (named(X, ir.Slice(AT), ndim=2, axes=(1, 0)), "x[i:].T", (4, 2)),
        (named(C, ndim=3, axes=(2, 1, 0)), "c.T", (4, 3, 2)),
        (named(C, ndim=3, axes=(1, 0, 2)), "np.transpose(c, (1, 0, 2))", (3, 2, 4)),
        (named(C, ndim=3, axes=(0, 1, 2)), "np.transpose(c, (0, 1, 2))", (2, 3, 4)),
        (named(C, WHOLE, AT, ndim=2, axes=(1, 0)), "c[:, i].T", (4, 2)),
        (named(X, WHOLE, NEW, ndim=3), "x[:, np.newaxis]", (3, 1, 4)),
        (named(X, NEW, AT, NEW, ndim=3), "x[np.newaxis, i, np.newaxis]", (1, 1, 4)),
        (named(X, NEW, ndim=3, axes=(1, 2, 0)), f"np.transpose({NEW_X}, (1, 2, 0))", (3, 4, 1)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("jit", [False, True])
def test_views(function: ir.Func, text: str, shape: tuple[int, ...], jit: bool) -> None:
    assert body(function) == f"v = {text}\nreturn v"
    given = np.arange(24.0).reshape(2, 3, 4) if function.inputs[0] is C else np.zeros((3, 4))
    given.flags.writeable = False
    got = run(function, jit=jit)["f"](given, 1, 0)
    assert isinstance(got, np.ndarray)
    assert got.shape == shape
    assert np.shares_memory(got, given)


def test_elements_of_folded_views_are_elements_of_their_base() -> None:
    b = Builder()
    turned = view(b, X, ndim=2, axes=(1, 0))
    b.store(turned, [AT, TO], ir.Const(1.0, FLOAT))
    turned = view(b, X, ndim=2, axes=(1, 0))
    row = view(b, turned, AT, ndim=1)
    b.accum(row, [TO], ir.Const(2.0, FLOAT))
    wide = view(b, X, WHOLE, NEW, TO, ndim=2)
    rolled = view(b, view(b, C, ndim=3, axes=(1, 2, 0)), WHOLE, AT, ndim=2)
    first, second = b.load(wide, [AT, ir.int_const(0)]), b.load(rolled, [TO, ir.int_const(1)])
    part = view(b, X, ir.Slice(AT), ndim=2, axes=(1, 0))
    third = b.load(part, [AT, TO])
    total = b.compute("add", (b.compute("add", (first, second), FLOAT), third), FLOAT)
    assert body(func([X, C, AT, TO], b.block([total]))) == golden("""
        x[j, i] = 1.0
        x[j, i] += 2.0
        return x[i, j] + c[1, j, i] + x[i:].T[i, j]
    """)


@pytest.mark.parametrize("jit", [False, True])
def test_transposed_views_are_assigned_to_by_name(jit: bool) -> None:
    b = Builder()
    b.add(ir.Assign(view(b, X, ndim=2, axes=(1, 0)), ir.Const(1.0, FLOAT)))
    b.add(ir.AddTo(view(b, X, WHOLE, ir.Slice(AT), ndim=2, axes=(1, 0)), ir.Const(2.0, FLOAT)))
    b.add(ir.AddTo(view(b, X, AT, NEW, ndim=2), ir.Const(4.0, FLOAT)))
    function = func([X, AT], b.block([b.load(X, [AT, AT])]))
    assert body(function) == golden("""
        t1 = x.T
        t1[:] = 1.0
        t2 = x[:, i:].T
        t2 += 2.0
        x[i, np.newaxis] += 4.0
        return x[i, i]
    """)
    x = np.zeros((3, 4))
    assert run(function, jit=jit)["f"](x, 1) == 7.0
    assert x.sum() == 12.0 + 18.0 + 16.0


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("dtype", [DType.FLOAT64, DType.INT64, DType.BOOL, DType.COMPLEX128])
def test_reshape(dtype: DType, jit: bool) -> None:
    x, r = ir.Value("x", Array(dtype, 2)), ir.Value("r", Array(dtype, 3))
    b = Builder()
    b.add(ir.Reshape(r, x, (ir.int_const(2), AT, ir.int_const(1))))
    function = func([x, AT], b.block([r]))
    assert body(function) == "r = reshaped(x, (2, i, 1))\nreturn r"
    reshape = run(function, jit=jit)["f"]
    given = np.arange(12).reshape(3, 4).astype(dtype.value)
    frozen = given.copy()
    frozen.flags.writeable = False
    for array in (given, frozen, given.T, given[::-1], given[:, ::-1]):
        got = reshape(array, 6)
        assert isinstance(got, np.ndarray)
        assert np.array_equal(got, array.reshape(2, 6, 1))
        assert np.shares_memory(got, array) == array.flags.c_contiguous


@pytest.mark.parametrize("jit", [False, True])
def test_writes_through_a_reshaped_array(jit: bool) -> None:
    """As derivative code does; also where numba does not see that the array is contiguous."""
    flat = ir.Value("", VECTOR)
    b = Builder()
    rows = view(b, X, ir.Slice(AT), WHOLE, ndim=2)
    b.add(ir.Reshape(flat, rows, (ir.int_const(8),)))
    b.accum(flat, [ir.int_const(5)], ir.Const(1.0, FLOAT))
    function = func([X, AT], b.block([b.load(X, [ir.int_const(2), AT])]))
    assert body(function) == golden("""
        t1 = reshaped(x[i:, :], 8)
        t1[5] += 1.0
        return x[2, i]
    """)
    assert run(function, jit=jit)["f"](np.zeros((3, 4)), 1) == 1.0


def test_what_may_be_copied_is_not_moved_over_stores() -> None:
    b = Builder()
    flat, at = ir.Value("", VECTOR), [ir.int_const(0)]
    b.add(ir.Reshape(flat, view(b, X, ndim=2, axes=(1, 0)), (ir.int_const(12),)))
    b.store(X, [AT, AT], ir.Const(1.0, FLOAT))
    assert body(func([X, AT], b.block([b.load(flat, at)]))) == golden("""
        t1 = reshaped(x.T, 12)
        x[i, i] = 1.0
        return t1[0]
    """)
