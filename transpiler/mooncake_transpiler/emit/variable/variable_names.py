"""Names of variables: the user's where there is one, else t1, t2, …; unique in a function.

A loop's index without a name is i, j or k where that is free.
"""

from __future__ import annotations

import keyword
from collections.abc import Set
from dataclasses import dataclass
from itertools import count

from mooncake_transpiler import ir
from mooncake_transpiler.emit.uses import DISCARD, IN_BODIES
from mooncake_transpiler.emit.variable.coalesce import Variable


@dataclass(frozen=True, slots=True)
class _Used:
    """Names that are in use: ``taken`` in the module, ``own`` in the function."""

    taken: Set[str]
    own: set[str]

    def __contains__(self, name: str) -> bool:
        return name in self.own or name in self.taken

    def free_number(self, stem: str, start: int) -> int:
        """The first number from ``start`` on that makes a new name behind ``stem``."""
        return next(n for n in count(start) if f"{stem}{n}" not in self)


def assign_names(
    func: ir.Func, table: dict[ir.Value, Variable], taken: Set[str], discard: str
) -> dict[ir.Value, str]:
    """A name for each value of ``table``; none of ``taken`` is used but for parameters.

    ``discard``: what is called so that nobody reads.
    """
    used = _Used(taken, {*IN_BODIES, *keyword.kwlist, *(param.name for param in func.params)})
    names = _parameters(func, table)
    variables = sorted(dict.fromkeys(table.values()), key=lambda v: v.spans[0])
    for variable in variables:
        if variable in names or not variable.hint:
            continue
        name = discard if variable.hint == DISCARD else variable.hint
        if name in used and name != discard:
            name = f"{name}_{used.free_number(f'{name}_', 2)}"
        used.own.add(name)
        names[variable] = name
    counter = 0
    for variable in variables:
        if variable in names:
            continue
        letter = next((c for c in "ijk" if c not in used), None) if variable.index else None
        if letter is not None:
            used.own.add(letter)
            names[variable] = letter
        else:
            counter = used.free_number("t", counter + 1)
            names[variable] = f"t{counter}"
    return {value: names[variable] for value, variable in table.items()}


def _parameters(func: ir.Func, table: dict[ir.Value, Variable]) -> dict[Variable, str]:
    return {
        table[leaf]: param.name
        for param in func.params
        for leaf in param.leaves
        if leaf.type == param.type or table[leaf].packed
    }
