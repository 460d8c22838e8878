"""``mooncake-transpile list``: the state of each function (emitted, skipped, …) and why."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_transpiler.diagnostics import Diagnostic
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.output.inputs import Inputs
from mooncake_transpiler.pipeline import generate
from mooncake_transpiler.reading import Reading, differentiated, read_program
from mooncake_transpiler.types import is_differentiable


def list_functions(inputs: Inputs) -> tuple[list[str], list[Diagnostic]]:
    """One line for each function of the program, in columns."""
    reading = read_program(inputs, generate)
    rows = [(d.qualname, *_verdict(d, reading)) for d in _functions(reading)]
    widths = [max((len(row[k]) for row in rows), default=0) for k in (0, 1)]
    lines = [f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {row[2]}" for row in rows]
    return lines, list(reading.diagnostics)


def _functions(reading: Reading) -> Iterator[FunctionDecl]:
    files = reading.inputs.sources.files
    yield from (decl for decl in reading.source.functions() if decl.module in files)


def _verdict(decl: FunctionDecl, reading: Reading) -> tuple[str, str]:
    """The state of the function, and the reason."""
    if decl.directive.skip:
        return "skipped", "`# mooncake: skip`"
    if decl.name.startswith("_"):
        return "helper", "its name is private"
    missing = [p.name for p in decl.params if p.annotation is None]
    if missing:
        return "helper", f"no annotation: {', '.join(missing)}"
    if decl.result is None:
        return "helper", "its result has no annotation"
    if not is_differentiable(decl.result.type):
        return "skipped", f"its result, {decl.result.type}, carries no floats"
    if not decl.is_public:
        return "skipped", "no parameter carries floats"
    func = reading.program.funcs.get(decl.qualname)
    if func is None:
        return "error", "it is wrong, or calls what is wrong, as reported below"
    wrt = differentiated(func, decl, reading.inputs.config)
    return "emitted", f"with respect to {', '.join(wrt)}"
