"""Comparisons of modules: ``xp is np`` for ``xp = cp.get_array_module(x)``."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.library.module_tests import MODULES
from mooncake_transpiler.frontend.lower.scalar.scalars import constant
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Operand, Static
from mooncake_transpiler.types import ArrayLibrary


def compared(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, left: Operand, right: Operand
) -> ir.Atom | None:
    """The comparison of two modules of arrays; None for anything else."""
    first, second = _module(left), _module(right)
    if first is None or second is None:
        return None
    is_same = first.qualname == second.qualname
    if is_same:
        is_same = _library(ctx, node, first) is _library(ctx, node, second)
    match operator:
        case cst.Is() | cst.Equal():
            return constant(is_same)
        case cst.IsNot() | cst.NotEqual():
            return constant(not is_same)
        case _:
            return None


def _module(side: Operand) -> External | None:
    match side:
        case Static(External(qualname=qualname) as found) if qualname in MODULES:
            return found
        case _:
            return None


def _library(ctx: Context, node: cst.CSTNode, found: External) -> ArrayLibrary:
    """Whose module it is; that of ``get_array_module`` has no library but the function's."""
    decl = ctx.frame.decl
    library = found.library or (None if decl is None else decl.library)
    if library is None:
        message = "a function for both libraries does not know which one it is called with"
        help_ = "write it with xp alone, or once for each library"
        raise ctx.refuse(node, "MK343", message, help_)
    return library
