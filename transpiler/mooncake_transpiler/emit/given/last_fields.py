"""Statements that give fields, lists and dicts of the caller's what they hold in the end.

state.t = t                         xs[:] = xs_last.tolist()
assign_each(bodies, "x", x)         refill(d, dict(zip(d_keys, d_values, strict=True)))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mooncake_transpiler.border.borders import Rebound
from mooncake_transpiler.emit.given.given_objects import each
from mooncake_transpiler.emit.given.reach import Reach, Tests
from mooncake_transpiler.emit.layout import Group, Item, quoted


def as_before(reach: Reach, one: Rebound) -> str:
    """The value before the call, which changes it."""
    if one.is_dict:
        copy, tests = f"{one.holder}.copy()", reach.tests(one.path)
        return f"{copy} if {' and '.join(tests)} else None" if tests else copy
    if one.in_place:
        return each(one.holder, f"{one.access}.copy()")
    if one.relinks:
        return f"{reach.use('links_of')}({one.holder}, {quoted(one.field)}).tolist()"
    return reach.value(one.path, one.type)


def assignments(
    reach: Reach, targets: Iterable[Rebound], values: Iterable[Item]
) -> Iterator[tuple[Tests, str, Item, str]]:
    """For ``guarded``: those of ``values`` to ``targets``."""
    for one, value in zip(targets, values, strict=True):
        if one.in_place:
            arrays = each(one.holder, one.access)
            call = Group(f"{reach.use('write_items')}(", (arrays, value), ")")
            yield reach.tests(one.path), "", call, ""
        elif one.is_dict:
            call = Group(f"{reach.use('refill')}(", (one.holder, value), ")")
            yield reach.tests(one.path), "", call, ""
        elif one.is_column:
            maker = reach.use("relink" if one.relinks else "assign_each")
            call = Group(f"{maker}(", (one.holder, quoted(one.field), value), ")")
            yield reach.tests(one.path), "", call, ""
        else:
            yield reach.tests(one.path), f"{one.path} = ", value, ""
