"""The table: in colour and boxes on a terminal, as plain columns elsewhere."""

from __future__ import annotations

import sys

from rich import box
from rich.console import Console
from rich.table import Table

from bench.measure import TOOLS, Result
from bench.memory import Peaks
from bench.rows import Row

NOTE = (
    "us: one call of value and gradient from Python. ratio: to the tool's own primal (for mooncake "
    "the plain @njit function). native: the ratio within compiled code. compile s, s: first call."
)
MEMORY = "The most memory that a call holds at once, in KiB: results, work arrays, what is saved."


def show(measured: list[tuple[Row, dict[str, Result]]], compared: bool) -> None:
    terminal = sys.stdout.isatty()
    console = Console(width=None if terminal else 150)
    tools = TOOLS if compared else TOOLS[:1]
    table = Table(box=box.SIMPLE_HEAD if terminal else None, pad_edge=False)
    table.add_column("program", no_wrap=True)
    for name in ("limit", "ratio", "native", "primal us", "us", "compile s"):
        table.add_column(name, justify="right")
    for tool in tools[1:]:
        for name in ("ratio", "us", "s"):
            table.add_column(f"{tool} {name}", justify="right")
    for row, results in measured:
        others = [cell for tool in tools[1:] for cell in _other(results.get(tool))]
        table.add_row(row.label, f"{row.limit:.1f}", *_own(row, results.get("mooncake")), *others)
    console.print(table)
    console.print(NOTE, style="dim")


def show_memory(measured: list[tuple[Row, Peaks | None]]) -> None:
    terminal = sys.stdout.isatty()
    console = Console(width=None if terminal else 150)
    table = Table(box=box.SIMPLE_HEAD if terminal else None, pad_edge=False)
    table.add_column("program", no_wrap=True)
    for name in ("primal", "gradient"):
        table.add_column(name, justify="right")
    for row, peaks in measured:
        sizes = () if peaks is None else (peaks.primal, peaks.gradient)
        table.add_row(row.label, *(f"{size / 1024:.0f}" for size in sizes))
    console.print(table)
    console.print(MEMORY, style="dim")


def _own(row: Row, result: Result | None) -> list[str]:
    if result is None:
        return ["missing", "", "", "", ""]
    primal = f"{1e6 * result.primal:.2f}"
    ratios = [_judged(ratio, row.limit) for ratio in (result.ratio, result.native_ratio)]
    return [*ratios, primal, *_absolute(result)]


def _judged(ratio: float | None, limit: float) -> str:
    if ratio is None:
        return ""
    return f"[{'green' if ratio <= limit else 'red'}]{ratio:.2f}[/]"


def _other(result: Result | None) -> list[str]:
    return ["", "", ""] if result is None else [f"{result.ratio:.2f}", *_absolute(result)]


def _absolute(result: Result) -> list[str]:
    return [f"{1e6 * result.gradient:.2f}", f"{result.compile:.2f}"]
