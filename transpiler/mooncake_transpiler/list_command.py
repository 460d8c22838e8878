"""``mooncake-transpile list``: the state of each function (emitted, skipped, …) and why."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_transpiler.diagnostics import Diagnostic
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.output.inputs import Inputs
from mooncake_transpiler.pipeline import generate
from mooncake_transpiler.reading import Reading, read_program
from mooncake_transpiler.reasons import verdict


def list_functions(inputs: Inputs) -> tuple[list[str], list[Diagnostic]]:
    """One line for each function of the program, in columns."""
    reading = read_program(inputs, generate)
    rows = [(d.qualname, *verdict(d, reading)) for d in _functions(reading)]
    widths = [max((len(row[k]) for row in rows), default=0) for k in (0, 1)]
    lines = [f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {row[2]}" for row in rows]
    return lines, list(reading.diagnostics)


def _functions(reading: Reading) -> Iterator[FunctionDecl]:
    files = reading.inputs.sources.files
    wanted = reading.inputs.selection
    yield from (
        decl
        for decl in reading.source.functions()
        if decl.module in files and wanted.has_module(decl.module)
    )
