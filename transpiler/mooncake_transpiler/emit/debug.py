"""Run functions of the normal form from their emitted text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np
from mooncake_runtime import reshaping, scalar_kernels, stacks

from mooncake_transpiler import ir
from mooncake_transpiler.emit.function import emit_function
from mooncake_transpiler.emit.module_scope import EmittedCallee, ModuleScope
from mooncake_transpiler.ir.function_names import short

Decorator = Callable[[Callable[..., object]], Callable[..., object]]


def text_of(funcs: Iterable[ir.Func]) -> str:
    """The functions as text, one after the other, with helpers that call each other by name."""
    listed = list(funcs)
    scope = _scope(listed)
    return "\n\n".join(emit_function(func, scope).text for func in listed)


def run(
    funcs: ir.Func | Iterable[ir.Func], *, jit: bool = False, **names: object
) -> dict[str, Callable[..., object]]:
    """Python callables of the emitted text, by Python name; ``names`` become module globals."""
    listed = [funcs] if isinstance(funcs, ir.Func) else list(funcs)
    decorator: Decorator = _njit if jit else lambda function: function
    space: dict[str, object] = {
        "np": np,
        "math": math,
        "inner": decorator,
        "entry": lambda spec: decorator,
        "grow": stacks.grow,
        "grow_rows": stacks.grow_rows,
        "reshaped": reshaping.reshaped,
        "rt": scalar_kernels,
        **names,
    }
    text = "from __future__ import annotations\n" + text_of(listed)
    exec(compile(text, "<emitted>", "exec"), space)
    return {name: space[name] for name in map(_python_name, listed)}  # type: ignore[misc]


def _njit(function: Callable[..., object]) -> Callable[..., object]:
    import numba

    jitted: Callable[..., object] = numba.njit(error_model="numpy")(function)
    return jitted


def _scope(funcs: list[ir.Func]) -> ModuleScope:
    globals_ = {
        (stmt.module, stmt.name): stmt.name
        for func in funcs
        for stmt in ir.walk(func.body)
        if isinstance(stmt, ir.Global)
    }
    return ModuleScope(
        {func.name: EmittedCallee(func, _python_name(func)) for func in funcs}, globals_
    )


def _python_name(func: ir.Func) -> str:
    return short(func.name).replace(".", "_")
