"""Verdicts as lines for people, or as a table for programs."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from mooncake_runtime.case import Figure
from mooncake_runtime.compiling import jit_enabled

from mooncake_transpiler.diagnostic.diagnostics import by_place
from mooncake_transpiler.diagnostic.render import render
from mooncake_transpiler.terminal import console
from mooncake_transpiler.terminal.progress import progress_bar
from mooncake_transpiler.verify.command import Task, verify
from mooncake_transpiler.verify.judging import Outcome
from mooncake_transpiler.verify.verdicts import Verdict

FIRST = "verify imports and runs the modules in {src} and {out}"
WITHOUT_NUMBA = "numba is missing or switched off: nothing is compiled"
NOTHING = "there are no functions to verify"
SHOWN = 4  # messages for a function; more of them mostly say the same


def show(task: Task, given: Path | None, seed: int, points: int, as_table: bool) -> bool:
    """Verify all functions and print the results; True if nothing differs or is refused."""
    request = task.request
    console.say(FIRST.format(src=request.src, out=request.out))
    if not jit_enabled():
        console.say(WITHOUT_NUMBA)
    width = max((len(subject.qualname) for subject in task.subjects), default=0)
    found: list[Verdict] = []
    with progress_bar("verifying") as notify:
        for verdict in verify(task, given, seed, points, notify):
            found.append(verdict)
            if not as_table:
                print(line(verdict, width), flush=True)
    if as_table:
        print(table(found), end="")
    if task.refused:
        console.say(render(by_place(task.refused), request.src, "full", False).rstrip())
    console.say(summary(found))
    return not task.refused and all(verdict.kind is not Outcome.WRONG for verdict in found)


def line(verdict: Verdict, width: int) -> str:
    """The report on a function as text; ``width`` is that of the longest name."""
    head = f"{verdict.kind.value:11}  {verdict.function:{width}}"
    if verdict.kind is not Outcome.WRONG:
        return f"{head}  {_figure(verdict)}" if verdict.worst else f"{head}  {_why(verdict)}"
    messages = [_shortened(message) for message in verdict.messages[:SHOWN]]
    if verdict.arguments:
        messages.append(f"called with {_shortened(verdict.arguments)}")
    return "\n".join([head.rstrip(), *(f"    {message}" for message in messages)])


def _figure(verdict: Verdict) -> str:
    worst = verdict.worst
    assert worst is not None
    return f"at most {worst.error:.1e} (limit {worst.limit:.0e}): {worst.what}"


def _why(verdict: Verdict) -> str:
    return _shortened(verdict.messages[0]) if verdict.messages else ""


def _shortened(message: str) -> str:
    return textwrap.shorten(message, 400, placeholder=" ...")


def table(verdicts: Sequence[Verdict]) -> str:
    """All verdicts as JSON."""
    return json.dumps([_row(verdict) for verdict in verdicts], indent=2) + "\n"


def _row(verdict: Verdict) -> dict[str, object]:
    worst = verdict.worst
    return {
        "function": verdict.function,
        "verdict": verdict.kind.value,
        "points": verdict.points,
        "worst": None if worst is None else _numbers(worst),
        "checks": [_numbers(figure) for figure in verdict.worst_of_each.values()],
        "messages": list(verdict.messages),
        "arguments": verdict.arguments,
    }


def _numbers(figure: Figure) -> dict[str, object]:
    error = figure.error if figure.error < float("inf") else None  # JSON has no infinity
    return {"check": figure.what, "error": error, "limit": figure.limit}


def summary(verdicts: Sequence[Verdict]) -> str:
    count = Counter(verdict.kind for verdict in verdicts)
    return ", ".join(f"{kind.value}: {count[kind]}" for kind in Outcome if count[kind]) or NOTHING
