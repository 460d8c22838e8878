"""Output of the command: diagnostics and diffs on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from mooncake_transpiler.compilation import Crash
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, by_place
from mooncake_transpiler.diagnostic.render import render
from mooncake_transpiler.output.states import FileState
from mooncake_transpiler.run.build import Report


class OutputError(Exception):
    """An output stream can't be written; the message says why."""


def open_streams() -> None:
    """Let what is written to closed streams vanish, as it does elsewhere."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - open to the end


def say(text: str) -> None:
    """Say something about the run on stderr, if anybody can hear it."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def show(text: str) -> None:
    """Write ``text``, a result, to stdout; a reader that has gone away is no error."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        silence()
    except OSError as error:
        silence()
        raise OutputError(f"cannot write to the standard output: {error.strerror}") from None


def silence() -> None:
    """Send the rest of stdout nowhere: Python would try to write it once more at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show_report(report: Report, src: Path, output_format: str, verbose: bool, debug: bool) -> None:
    """All that is to be said at the end of a run."""
    for text in report.diffs:
        show(text)
    show_diagnostics([*report.errors, *report.outdated], src, output_format)
    for crash in report.crashes:
        show_crash(crash, debug)
    if verbose:
        for line in _file_lines(report):
            say(line)
    for line in _about_nothing(report, verbose):
        say(line)
    say(_summary(report))


MANY = 3  # modules without derivatives that are named with all reasons


def _about_nothing(report: Report, verbose: bool) -> Iterator[str]:
    """The modules that yield nothing, and why."""
    if len(report.nothing) > MANY and not verbose:
        yield f"nothing to differentiate in {len(report.nothing)} modules; -v says why"
        return
    for path, found in report.nothing.items():
        yield f"nothing to differentiate in {path}: {'; '.join(found)}"
    reasons = (reason for found in report.nothing.values() for reason in found)
    if any(reason.endswith(": no annotations") for reason in reasons):
        yield "help: `mooncake-transpile list --suggest SRC` proposes annotations"


def _file_lines(report: Report) -> Iterator[str]:
    done = "" if report.written else "would be "
    for change in report.changes:
        verb = "removed" if change.content is None else "written"
        why = "" if change.state is FileState.MISSING else f" ({change.state.value})"
        yield f"{done}{verb}: {change.file}{why}"
    for path in report.unchanged:
        yield f"unchanged: {path}"


def _summary(report: Report) -> str:
    written = sum(change.content is not None for change in report.changes)
    removed = len(report.changes) - written
    done = "" if report.written else "to be "
    parts = [f"{_count(written, 'file')} {done}written"] if written else []
    parts += [f"{_count(removed, 'file')} {done}removed"] if removed else []
    parts += [f"{_count(len(report.unchanged), 'module')} up to date"] if report.unchanged else []
    parts += [_count(len(report.errors), "error")] if report.errors else []
    if report.crashes:
        nothing = "nothing written"
    else:
        nothing = "nothing to do" if report.nothing else "no modules found"
    return ", ".join(parts) or nothing


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def show_diagnostics(diagnostics: Sequence[Diagnostic], src: Path, output_format: str) -> None:
    colour = output_format == "full" and sys.stdout.isatty()
    show(render(by_place(diagnostics), src, output_format, colour))


def show_crash(crash: Crash, debug: bool) -> None:
    """One line that names what was being worked on; the traceback on demand."""
    if debug:
        say(crash.traceback.rstrip())
    hint = "" if debug else "; --debug shows the traceback"
    say(f"internal error in {crash.subject}: {crash.error}. Please report it{hint}")
