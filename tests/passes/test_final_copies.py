"""Copies of arrays that end there are these arrays, and only those."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.final_copies import final_copies

from tests.passes.programs import (
    INT,
    ONE,
    VECTOR,
    ZERO,
    Builder,
    function,
    loop,
    real,
    text,
    variable,
)

X = variable("x", VECTOR)


def copied(b: Builder, array: ir.Value, name: str) -> ir.Value:
    out = variable(name, VECTOR)
    b.add(ir.Copy(out, array))
    return out


def test_copies() -> None:
    b = Builder()
    made = b.alloc(VECTOR, (ONE,), real(0.0), "a")
    b.store(made, (ZERO,), real(1.0))
    out = copied(b, copied(b, made, "b"), "c")
    b.store(out, (ZERO,), real(2.0))
    func = final_copies(function([X], b, (out,)))
    assert not any(isinstance(stmt, ir.Copy) for stmt in ir.walk(func.body))
    assert text(func).count("alloc") == 1
    assert final_copies(func) is func


@pytest.mark.parametrize("use", ["later", "returned", "view", "parameter", "carried"])
def test_what_is_used_elsewhere_is_copied(use: str) -> None:
    b = Builder()
    made = X if use == "parameter" else b.alloc(VECTOR, (ONE,), real(0.0), "a")
    part = variable("part", VECTOR)
    if use == "view":
        b.add(ir.View(part, made, (ir.Slice(ZERO, None, None),)))
    if use == "carried":
        inner = b.child()
        inner.store(copied(inner, made, "b"), (ZERO,), real(2.0))
        loop(b, variable("i", INT), ONE, inner.block())
    else:
        out = copied(b, made, "b")
        b.store(out, (ZERO,), real(2.0))
    result = {"later": b.load, "returned": lambda *_: made, "view": lambda *_: part}
    func = function([X], b, (result[use](made, (ZERO,)),) if use in result else ())
    assert final_copies(func) is func


def test_assigned_to_what_is_new() -> None:
    """The cotangent of a copy becomes that of the argument."""
    b = Builder()
    new = b.alloc(VECTOR, (ONE,), None, "x_bar")
    old = b.alloc(VECTOR, (ONE,), real(0.0), "")
    b.store(old, (ZERO,), real(1.0))
    b.assign(new, old)
    func = final_copies(function([X], b, (new,)))
    (made,) = func.body.yields
    assert isinstance(made, ir.Value)
    assert made.hint == "x_bar"
    assert "[...]" not in text(func)


@pytest.mark.parametrize("use", ["before", "after", "grows"])
def test_assigned_to_what_stays(use: str) -> None:
    b = Builder()
    new = b.alloc(VECTOR, (ONE,), None, "new")
    old = variable("old", VECTOR)
    b.add(ir.Alloc(old, (ONE,), None, growable=use == "grows"))
    b.store(old, (ZERO,), real(1.0))
    if use == "before":
        b.store(new, (ZERO,), real(1.0))
    b.assign(new, old)
    if use == "after":
        b.store(old, (ZERO,), real(2.0))
    func = function([X], b, (new,))
    assert final_copies(func) is func
