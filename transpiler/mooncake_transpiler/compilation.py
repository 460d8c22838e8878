"""The result of compiling one module."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic

Notify = Callable[[int, int, str], None]  # modules done, modules in all, the one being worked on


@dataclass(frozen=True, slots=True)
class Crash:
    """An internal error, while the function or module ``subject`` was compiled."""

    subject: str
    error: str
    traceback: str


class Crashed(Exception):
    """Raised where a crash ends the whole run."""

    def __init__(self, crash: Crash) -> None:
        super().__init__(crash.error)
        self.crash = crash


def crash_from(error: Exception, subject: str) -> Crash:
    """The record of ``error``, which came up while working on ``subject``.

    An error that came up while an interrupt was on its way (in somebody's ``finally``) is that
    interrupt, which goes on.
    """
    if _hides_interrupt(error):
        raise KeyboardInterrupt from error
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    message = str(error).partition("\n")[0]
    text = "".join(traceback.format_exception(error))
    return Crash(subject, f"{type(error).__name__}: {message} ({where})", text)


def _hides_interrupt(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


@dataclass(frozen=True, slots=True)
class CompiledModule:
    """The text of a gradient module; ``body`` is None where there is nothing to differentiate."""

    body: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    crashes: tuple[Crash, ...] = ()
    has_errors: bool = False  # reported here or elsewhere: the module's files stay as they are
    is_partial: bool = False  # functions with errors are left out
    why_nothing: tuple[str, ...] = ()  # a reason for each public function, where none is emitted

    @property
    def crash(self) -> Crash | None:
        return next(iter(self.crashes), None)
