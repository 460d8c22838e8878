"""Names of variables: the user's where there is one, else t1, t2, …; unique in a function.

A loop's index without a name is i, j or k where that is free.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from mooncake_transpiler import ir
from mooncake_transpiler.emit.coalesce import Variable
from mooncake_transpiler.emit.uses import DISCARD, IN_BODIES


def assign_names(
    func: ir.Func, table: dict[ir.Value, Variable], taken: Iterable[str], discard: str = DISCARD
) -> dict[ir.Value, str]:
    """A name for each value of ``table``; none of ``taken`` is used but for parameters.

    ``discard``: what is called so that nobody reads.
    """
    used = IN_BODIES.union(taken, keyword.kwlist, (param.name for param in func.params))
    names = _parameters(func, table)
    variables = sorted(dict.fromkeys(table.values()), key=lambda v: v.spans[0])
    for variable in variables:
        if variable in names or not variable.hint:
            continue
        name = discard if variable.hint == DISCARD else variable.hint
        if name in used and name != discard:
            name = f"{name}_{_free_number(f'{name}_', 2, used)}"
        used |= {name}
        names[variable] = name
    counter = 0
    for variable in variables:
        if variable in names:
            continue
        letter = next((c for c in "ijk" if c not in used), None) if variable.index else None
        if letter is not None:
            used |= {letter}
            names[variable] = letter
        else:
            counter = _free_number("t", counter + 1, used)
            names[variable] = f"t{counter}"
    return {value: names[variable] for value, variable in table.items()}


def _parameters(func: ir.Func, table: dict[ir.Value, Variable]) -> dict[Variable, str]:
    return {
        table[leaf]: param.name
        for param in func.params
        for leaf in param.leaves
        if leaf.type == param.type or table[leaf].packed
    }


def _free_number(stem: str, start: int, used: frozenset[str]) -> int:
    number = start
    while f"{stem}{number}" in used:
        number += 1
    return number
