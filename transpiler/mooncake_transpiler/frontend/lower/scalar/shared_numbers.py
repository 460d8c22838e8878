"""Numbers of CuPy's with two names, one of which is changed in place: they are arrays there.

Behind ``t = s``, ``s += 1`` changes ``t``, where NumPy's numbers stay what they are. Where that may
be so is known from the text (`frontend/library/libraries.py`); what has axes, or is Python's, is no
matter.
"""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import ArrayLibrary, Scalar


def check(ctx: Context, stmt: cst.AugAssign, name: str, old: Operand) -> None:
    """Refuse ``stmt`` if it changes such a number ``old``."""
    if not isinstance(old, ir.Value | ir.Const) or not isinstance(old.type, Scalar):
        return
    if kinds.whose(ctx, old) is Kind.PYTHON:
        return
    root = ctx.root
    is_known = root is not None and root.library is not None
    own = root.shared if root is not None and is_known else ctx.functions.shared
    if not own or ctx.place(stmt).start not in own:
        return
    if not is_known and not ctx.functions.is_called:
        return
    message = f"{name} is changed in place and has another name"
    refused = ctx.refuse(stmt, "MK602", message, f"write {name} = {name} + ...")
    raise refused if root is not None and root.library is ArrayLibrary.CUPY else (
        kinds.where_called(ctx, refused)
    )  # fmt: skip
