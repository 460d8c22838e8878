"""Names of versions of functions: helpers are lowered for each tuple of argument types.

Lowering numbers them as a run asks for them. That depends on the other modules, so each gradient
module numbers those that it needs anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ir.function_names import short

_NUMBERED = re.compile(r"(?P<of>.*)#(?P<number>\d+)(?P<rest>[\w.]*)")


def version(name: str, number: int) -> str:
    """The name of a version of the function ``name``; no function of the user's has such a name."""
    return f"{name}#{number}"


def called(name: str) -> str:
    """The user's name of the function ``name``, without module and number."""
    return short(name).partition("#")[0]


def called_by(names: Iterable[str], program: ir.Program) -> ir.Program:
    """The functions ``names`` and all that they call, directly or not, callees first.

    The pullbacks of all these functions are among them.
    """
    found: dict[str, ir.Func] = {}
    pending = [(name, False) for name in reversed(list(names))]
    seen = set[str]()
    while pending:
        name, is_done = pending.pop()
        if is_done:
            found[name] = program.funcs[name]
        elif name not in seen:
            seen.add(name)
            pending.append((name, True))
            callees = dict.fromkeys(ir.mentioned(program.funcs[name]))
            pending += ((callee, False) for callee in reversed(callees))
    return ir.Program(found)


def numbered(program: ir.Program) -> ir.Program:
    """``program`` with the versions of each function numbered in their order there."""
    names = _names(program.funcs)
    return ir.Program({names[f.name]: _renamed(f, names) for f in program.funcs.values()})


def _names(known: Iterable[str]) -> dict[str, str]:
    """The new name of each function; the first version has none behind it if that is free."""
    listed = list(known)
    names = {name: name for name in listed if not _NUMBERED.fullmatch(name)}
    taken = set(names)
    stems: dict[tuple[str, str], str] = {}
    for name in listed:
        if found := _NUMBERED.fullmatch(name):
            key = found["of"], found["number"]
            if key not in stems:
                stems[key] = next(stem for stem in _stems(found["of"]) if stem not in taken)
                taken.add(stems[key])
            names[name] = stems[key] + found["rest"]
    return names


def _stems(name: str) -> Iterator[str]:
    yield name
    number = 1
    while True:
        yield f"{name}__{number}"
        number += 1


def _renamed(func: ir.Func, names: Mapping[str, str]) -> ir.Func:
    pullback = None if func.pullback is None else names[func.pullback]
    return replace(
        func, name=names[func.name], pullback=pullback, body=ir.calling(func.body, names)
    )
