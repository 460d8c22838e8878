"""Sets, which are instances of a class that is written out: what does not depend on their order."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.lower.instance import instances
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.name import library_classes


def in_any_order(ctx: Context, node: cst.CSTNode, over: Operand) -> Operand:
    """The items of a set, for a reader to whom their order is nothing; else ``over``."""
    cls = objects.declared(ctx, over)
    if cls is None or (cls.module, cls.name) != (library_classes.NAME, "set"):
        return over
    items = instances.attribute(ctx, node, over, "_items")
    assert items is not None
    return items
