"""``mooncake-transpile list``: the state of each function (emitted, skipped, …) and why.

Of functions over CuPy's arrays also the launches of their derivatives, and where these wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mooncake_transpiler.compilation import Crash, Crashed
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.listing.gpu_work import work_on_gpu
from mooncake_transpiler.output.inputs import Inputs
from mooncake_transpiler.run.pipeline import generate, refusals
from mooncake_transpiler.run.reading import Reading, read_program
from mooncake_transpiler.run.reasons import verdict
from mooncake_transpiler.types import ArrayLibrary


def list_functions(inputs: Inputs) -> tuple[list[str], list[Diagnostic], list[Crash]]:
    """One line for each function of the program, in columns, and what a GPU has to do for it.

    With them what is wrong, and the internal errors: the other functions are listed nevertheless.
    """
    reading = _read(inputs)
    crashes = [crash for _, crash in reading.crashes]
    functions = list(_functions(reading))
    modules = dict.fromkeys(one.module for one in functions)
    refused = refusals([unit for unit in map(reading.unit, modules) if unit is not None])
    found = [one for why in refused.values() for one in why]
    crashed = {crash.subject: ("error", f"internal error: {crash.error}") for crash in crashes}
    rows = [
        (d.qualname, *(crashed.get(d.qualname) or verdict(d, reading, refused.get(d.qualname, ()))))
        for d in functions
    ]
    widths = [max((len(row[k]) for row in rows), default=0) for k in (0, 1)]
    work = _work(reading)
    lines = []
    for row in rows:
        lines.append(f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}  {row[2]}")
        lines += (f"    {line}" for line in work.get(row[0], ()))
    return lines, list(dict.fromkeys((*reading.diagnostics, *found))), crashes


def _read(inputs: Inputs) -> Reading:
    """The program, without the functions that are an internal error."""
    try:
        return read_program(inputs, generate)
    except Crashed:
        going_on = replace(inputs, config=replace(inputs.config, keep_going=True))
        return read_program(going_on, generate)


def _work(reading: Reading) -> dict[str, list[str]]:
    """Lines about launches and waits of functions over CuPy's arrays."""
    on_device = [d for d in _functions(reading) if d.library is ArrayLibrary.CUPY]
    units = map(reading.unit, dict.fromkeys(d.module for d in on_device))
    return {name: work for unit in units if unit for name, work in work_on_gpu(unit).items()}


def _functions(reading: Reading) -> Iterator[FunctionDecl]:
    files = reading.inputs.sources.files
    wanted = reading.inputs.selection
    yield from (
        decl
        for decl in reading.source.functions()
        if decl.module in files and wanted.has_module(decl.module)
    )
