"""Checks of tangents and cotangents from callers: they must have the shape of their primals.

if x_dot.shape[0] != x.shape[0]:
    raise ValueError("f: x_dot must have the shape of x")
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from mooncake_transpiler import ir
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, KEYS, LINKS, SPANS, Array


def check_sizes(given: ir.Value, sizes: Sequence[ir.Atom], message: str, b: Builder) -> None:
    """Emit a check that raises ValueError unless ``given`` is of these sizes."""
    for axis, size in enumerate(sizes):
        _refuse_unequal(size, b.dim(given, axis), message, b)


def check_like(given: ir.Value, array: ir.Value, message: str, b: Builder) -> None:
    """Emit a check that raises ValueError unless ``given`` has the shape of ``array``.

    If these are rows that tell where the arrays in lists are, those must have the same shapes; if
    they are links of objects, or keys of dicts, they must be the same.
    """
    assert isinstance(array.type, Array)
    for axis in range(array.type.ndim):
        _refuse_unequal(b.dim(array, axis), b.dim(given, axis), message, b)
    if array.type in (SPANS, LINKS, KEYS):
        b.each(array, partial(_check_span, given, array, message))


def _check_span(
    given: ir.Value, array: ir.Value, message: str, b: Builder, index: Sequence[ir.Value]
) -> None:
    _refuse_unequal(b.load(array, index), b.load(given, index), message, b)


def _refuse_unequal(size: ir.Atom, found: ir.Atom, message: str, b: Builder) -> None:
    both = (size, found) if isinstance(size, ir.Value) else (found, size)
    fails = b.compute("ne", both, BOOL)
    raised = ir.Block((ir.Raise("ValueError", message, b.origin),))
    b.add(ir.If((), fails, raised, ir.Block(()), b.origin))
