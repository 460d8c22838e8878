"""Functions that numba can't compile as they are declared.

It takes no keyword-only parameters and no instances of the user's classes: such a function becomes
a compiled one with positional parameters for all parts and, where users call it, a function in
plain Python in front.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate

from mooncake_transpiler import ir
from mooncake_transpiler.border.homes import at_home
from mooncake_transpiler.emit.function import Jit
from mooncake_transpiler.emit.wrappers import Compiled
from mooncake_transpiler.interface.compiled_parts import flattened, hands_over, takes_objects
from mooncake_transpiler.naming import free, params
from mooncake_transpiler.types import Tuple


@dataclass(frozen=True, slots=True)
class EmittedFunc:
    """A function to emit: ``entry`` is checked when called from Python, ``inner`` is not.

    ``labels``: what messages call the parameters. A ``python`` one calls ``compiled``.
    """

    func: ir.Func
    python_name: str
    jit: Jit = "entry"
    labels: tuple[str, ...] = ()
    told: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # to ``entry``, beside these
    compiled: Compiled | None = None
    on_host: frozenset[str] = frozenset()  # parameters that are numbers of Python's, not CuPy's


def compilable(items: Iterable[EmittedFunc]) -> Iterator[EmittedFunc]:
    """``items`` and what else is needed so that numba takes them."""
    listed = list(items)
    taken = {item.python_name for item in listed} | set(params(item.func for item in listed))
    behind: dict[str, tuple[str, ir.Func]] = {}  # what compiled functions are called, by Func.name
    for item in listed:
        if not _needs_wrapper(item.func):
            yield item
        elif item.jit == "inner":
            yield replace(item, func=_inner(_positional(item.func)[0]))
        elif found := _passed_on(item.func, behind):
            yield replace(item, jit="python", compiled=found)
        else:
            name = free(f"_{item.python_name}", taken)
            doc = f"`{item.python_name}` for numba, with positional parameters."
            if takes_objects(item.func):
                doc = f"`{item.python_name}`, compiled: it takes and gives the parts of objects."
            func, labels = _positional(item.func)
            if hands_over(func):
                doc, func = f"`{item.python_name}` over CuPy's arrays alone.", _inner(func)
            behind[func.name] = name, func
            own = tuple(param.name for param in func.params)
            named = () if labels == own else labels
            inner = replace(func, doc=doc)
            yield EmittedFunc(inner, name, labels=named, on_host=item.on_host)
            yield replace(item, jit="python", compiled=Compiled(name))


def _inner(func: ir.Func) -> ir.Func:
    """``func`` with parameters and results that are all of its own library."""
    params = tuple(replace(param, type=at_home(param.type, None)) for param in func.params)
    return replace(func, params=params, result=at_home(func.result, None))


def _needs_wrapper(func: ir.Func) -> bool:
    return any(param.kwonly for param in func.params) or takes_objects(func) or hands_over(func)


def _passed_on(func: ir.Func, behind: Mapping[str, tuple[str, ir.Func]]) -> Compiled | None:
    """The compiled function that ``func`` passes its arguments to, to return what is last.

    Among the arguments there may be a number, too, which is a cotangent.
    """
    match func.body:
        case ir.Block(stmts=(ir.Call() as call,), yields=yields) if call.func in behind:
            name, callee = behind[call.func]
            skipped = len(call.outs) - len(yields)
            same = tuple(a for a in call.args if isinstance(a, ir.Value)) == func.inputs
            is_last = isinstance(callee.result, Tuple) and len(callee.result.items) == 2
            if not (same and is_last and call.outs[skipped:] == yields):
                return None
            return Compiled(name, 1 if skipped else 0, _seed(func, call))
        case _:
            return None


def _seed(func: ir.Func, call: ir.Call) -> int | None:
    """The number of parameters of ``func`` before a constant in ``call``, if there is one."""
    at = next((k for k, a in enumerate(call.args) if isinstance(a, ir.Const)), None)
    if at is None:
        return None
    ends = accumulate(len(param.leaves) for param in func.params)
    return sum(1 for end in ends if end <= at)


def _positional(func: ir.Func) -> tuple[ir.Func, tuple[str, ...]]:
    params = tuple(replace(param, kwonly=False, default=None) for param in func.params)
    return flattened(replace(func, params=params))
