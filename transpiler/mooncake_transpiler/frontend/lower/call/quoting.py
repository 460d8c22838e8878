"""Operands as names, so that they can be part of an expression that is lowered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import libcst as cst

from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Operand


@contextmanager
def quoted(ctx: Context, *operands: Operand) -> Iterator[list[cst.Name]]:
    """Names that stand for ``operands`` while the context is open."""
    frame, found = ctx.frame, []
    for operand in operands:
        variable = ctx.temporary()
        name = f"__quoted_{ctx.temporaries}"
        frame.cells[name] = variable
        frame.bind(name, operand)
        found.append(cst.Name(name))
    try:
        yield found
    finally:
        for one in found:
            frame.values.pop(frame.cells.pop(one.value), None)
