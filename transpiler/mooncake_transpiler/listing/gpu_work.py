"""The launches and waits of the derivatives of each function, for ``mooncake-transpile list``."""

from __future__ import annotations

from mooncake_transpiler.emit.cuda.device_functions import device_funcs
from mooncake_transpiler.emit.cuda.launch_counts import described
from mooncake_transpiler.failures import Failures
from mooncake_transpiler.frontend.text.source import deep_recursion
from mooncake_transpiler.ir.function_names import short
from mooncake_transpiler.run.modules import to_emit
from mooncake_transpiler.run.pipeline import derived_functions, inlined
from mooncake_transpiler.run.reading import CompilationUnit
from mooncake_transpiler.types import ArrayLibrary


def work_on_gpu(unit: CompilationUnit) -> dict[str, list[str]]:
    """Lines about the derivatives of each function over CuPy's arrays."""
    found: dict[str, list[str]] = {}
    for target in unit.targets:
        failures = Failures(unit.module, unit.path)
        with deep_recursion(), failures.watch():
            if target.library is ArrayLibrary.CUPY:
                alone = unit.alone((target,))
                derived = derived_functions(alone, failures, inlined)
                modules = [] if failures.has_failed() else to_emit(alone, derived)
                work = [one for module in modules for one in device_funcs(module.funcs)]
                found[target.func.name] = described(short(target.func.name), work)
        if failures.has_failed():
            reasons = [d.message for d in failures.diagnostics] or ["it can't be transpiled"]
            found[target.func.name] = [f"error: {reason}" for reason in reasons]
    return found
