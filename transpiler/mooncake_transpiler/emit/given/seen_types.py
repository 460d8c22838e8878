"""The types of functions in front of compiled ones, as users see them."""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.border.borders import Action
from mooncake_transpiler.interface.saved_names import residuals_name
from mooncake_transpiler.types import List, Tuple, Type


def as_seen(func: ir.Func) -> ir.Func:
    """``func`` as users see it: residuals carry what rebound fields held."""
    border = func.border
    holders = {path: _as_list(type_) for path, type_ in border.holders}
    kept = tuple(r.kept(holders[r.holder]) for r in border.rebound)
    before = Tuple((*holders.values(), *kept))
    if border.action is Action.ASSIGN and isinstance(func.result, Tuple):
        y, _, rest, *_ = func.result.items
        if residuals_name(rest):
            rest = Tuple((rest, before))
        return replace(func, result=Tuple((y, rest)))
    if border.action is Action.RESTORE:
        residuals, *others = func.params
        carried = replace(residuals, type=Tuple((residuals.type, before)))
        return replace(func, params=(carried, *others))
    return func


def _as_list(holder: Type) -> Type:
    """The type of what is kept of ``holder``: of linked objects a list of all."""
    if isinstance(holder, List) and isinstance(holder.item, Tuple):
        return replace(holder, item=replace(holder.item, links=()))
    return holder
