"""In-place sums of arrays that may overlap get a copy of what is added, as NumPy's buffers."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.overlap_copies import overlap_copies

from tests.passes.programs import MATRIX, VECTOR, Builder, function, text, variable

M, X, Y = variable("m", MATRIX), variable("x", VECTOR), variable("y", VECTOR)


def lines(func: ir.Func) -> list[str]:
    return text(func).splitlines()[1:]


def test_sums_of_an_array_and_its_transpose_are_buffered() -> None:
    turned = variable("t", MATRIX)
    b = Builder()
    b.add(ir.View(turned, M, (), None, (1, 0)))
    b.add(ir.AddTo(M, turned))
    assert lines(overlap_copies(function((M,), b)))[1:] == [
        "  t1: float64[:, :] = copy t",
        "  m[...] += t1",
    ]


def test_arguments_may_be_one_array() -> None:
    b = Builder()
    b.add(ir.AddTo(X, Y))
    assert "copy y" in text(overlap_copies(function((X, Y), b)))


def test_what_can_not_overlap_is_not_copied() -> None:
    """An array with itself, and with one of the function's own."""
    b = Builder()
    own = b.alloc(VECTOR, (b.dim(X, 0),), None, "own")
    b.add(ir.Assign(own, X))
    b.add(ir.AddTo(X, X))
    b.add(ir.AddTo(X, own))
    func = function((X, Y), b)
    assert overlap_copies(func) is func
