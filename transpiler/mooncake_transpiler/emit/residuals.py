"""The fields of residuals, and the variables that are called like them.

    class FResiduals(NamedTuple):      y_saved = np.empty(n)                y_saved, = residuals
        y_saved: Vector                return y, FResiduals(y_saved)

What is saved has one name: in the NamedTuple, in the function that saves it and in the pullback.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.interface.saved_names import returned, saved_name, taken

Records = Mapping[str, tuple[str, ...]]  # the fields of NamedTuples, by what these are called


def records(funcs: Sequence[ir.Func]) -> Records:
    """The fields of the residuals that ``funcs`` take."""
    saved = {alias: _names(func, atoms) for func in funcs for alias, atoms in returned(func)}
    found = {}
    for alias, leaves in (one for func in funcs for one in taken(func)):
        own = [leaf.hint for leaf in leaves]
        others = saved.get(alias, own)
        found[alias] = tuple(_free(a or b for a, b in zip(own, others, strict=True)))
    return found


def names_of_saved(func: ir.Func, known: Records) -> dict[ir.Value, str]:
    """The names of the residuals that ``func`` takes and returns."""
    found: dict[ir.Value, str] = {}
    for alias, atoms in (*taken(func), *returned(func)):
        named = zip(atoms, known.get(alias, ()), strict=False)
        found |= {atom: name for atom, name in named if isinstance(atom, ir.Value)}
    return found


def _names(func: ir.Func, atoms: Iterable[ir.Atom]) -> list[str]:
    made = ir.binding(func.body.stmts)
    hints = ((a, a.hint if isinstance(a, ir.Value) else "") for a in atoms)
    return [hint or saved_name(a, made.get(a)) for a, hint in hints]


def _free(names: Iterable[str]) -> Iterator[str]:
    """A name for a field of a NamedTuple for each of ``names``."""
    taken = {"count", "index", *keyword.kwlist}  # tuples have the first two
    for given in names:
        base = name = given.lstrip("_") if given.lstrip("_")[:1].isalpha() else "saved"
        number = 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        yield name
