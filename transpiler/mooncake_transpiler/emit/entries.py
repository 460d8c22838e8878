"""Functions that numba can't compile as they are declared.

It takes no keyword-only parameters: such a function becomes a compiled one with positional
parameters and, where users call it, a function in plain Python in front.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.function import Jit
from mooncake_transpiler.types import leaves


@dataclass(frozen=True, slots=True)
class EmittedFunc:
    """A function to emit: ``entry`` is checked when called from Python, ``inner`` is not."""

    func: ir.Func
    python_name: str
    jit: Jit = "entry"


def compilable(items: Iterable[EmittedFunc]) -> Iterator[EmittedFunc]:
    """``items`` and what else is needed so that numba takes them."""
    listed = list(items)
    taken = {item.python_name for item in listed}
    for item in listed:
        if item.jit == "python" or not any(param.kwonly for param in item.func.params):
            yield item
        elif item.jit == "inner":
            yield replace(item, func=_positional(item.func))
        else:
            name = f"_{item.python_name}"
            while name in taken:
                name += "_"
            taken.add(name)
            doc = f"`{item.python_name}` for numba, with positional parameters."
            func = replace(_positional(item.func), doc=doc)
            yield EmittedFunc(func, name)
            yield EmittedFunc(_wrapper(item.func), item.python_name, "python")


def reaching_recursion(funcs: Iterable[ir.Func]) -> set[str]:
    """The functions that are recursive or call recursive ones: numba's cache breaks them."""
    calls = {
        func.name: {s.func for s in ir.walk(func.body) if isinstance(s, ir.Call)} for func in funcs
    }
    below = {name: _reached(name, calls) for name in calls}
    recursive = {name for name, found in below.items() if name in found}
    return {name for name, found in below.items() if name in recursive or found & recursive}


def _reached(name: str, calls: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(calls[name])
    while waiting:
        callee = waiting.pop()
        if callee not in found:
            found.add(callee)
            waiting += calls.get(callee, ())
    return found


def _positional(func: ir.Func) -> ir.Func:
    params = tuple(replace(param, kwonly=False, default=None) for param in func.params)
    return replace(func, params=params)


def _wrapper(func: ir.Func) -> ir.Func:
    """A function with the signature of ``func`` that calls it."""
    params = tuple(
        replace(param, leaves=tuple(ir.Value(v.hint, v.type) for v in param.leaves))
        for param in func.params
    )
    outs = tuple(ir.Value("", type_) for type_ in leaves(func.result))
    args = tuple(leaf for param in params for leaf in param.leaves)
    body = ir.Block((ir.Call(outs, func.name, args),), outs)
    return replace(func, name=f"{func.name} (keywords)", params=params, body=body)
