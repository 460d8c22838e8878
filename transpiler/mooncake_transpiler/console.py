"""What the command says: diagnostics and diffs on stdout, everything else on stderr."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from mooncake_transpiler.build import Report
from mooncake_transpiler.diagnostics import Diagnostic
from mooncake_transpiler.output.changes import Change
from mooncake_transpiler.products import Crash


def say(text: str) -> None:
    print(text, file=sys.stderr)


def show_report(report: Report, src: Path, output_format: str, verbose: bool, debug: bool) -> None:
    for text in report.diffs:
        sys.stdout.write(text)
    show_diagnostics([*report.errors, *report.outdated], src, output_format)
    for crash in report.crashes:
        show_crash(crash, debug)
    if verbose:
        for change in report.changes:
            say(f"{_verb(change)} {change.file}")
        for path in report.unchanged:
            say(f"unchanged {path}")
    say(f"{_count(len(report.changes), 'file')} changed, ")


def show_diagnostics(diagnostics: Sequence[Diagnostic], src: Path, output_format: str) -> None: ...


def show_crash(crash: Crash, debug: bool) -> None:
    """One line that names what was being worked on; more on demand."""
    if debug:
        say(crash.traceback.rstrip())
    hint = "" if debug else "; --debug shows more"
    say(f"internal error in {crash.subject}: {crash.error}. Please report it{hint}")
