"""Errors while a module is compiled, put down to the function that was worked on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from mooncake_transpiler import ir
from mooncake_transpiler.compilation import CompiledModule, Crash, crash_from
from mooncake_transpiler.diagnostic.diagnostics import (
    TOO_LARGE,
    TOO_LARGE_HELP,
    Diagnostic,
    Place,
    Refused,
    TooMuch,
)
from mooncake_transpiler.ir.function_names import module_of, short

TOO_DEEP = "MK190"


@dataclass(slots=True)
class Failures:
    """The diagnostics and crashes of a module while it is compiled."""

    module: str
    path: str
    diagnostics: list[Diagnostic] = field(default_factory=list)
    crashes: list[Crash] = field(default_factory=list)

    @contextmanager
    def watch(self, func: ir.Func | None = None) -> Iterator[None]:
        """Errors in the block are put down to ``func``, or to the module as a whole."""
        try:
            yield
        except Refused as refused:
            self.diagnostics.append(refused.diagnostic)
        except RecursionError:
            self.diagnostics.append(self._too_deep(func))
        except TooMuch as excess:
            place = self._start(func)
            self.diagnostics.append(Diagnostic(TOO_LARGE, str(excess), place, TOO_LARGE_HELP))
        except Exception as error:
            self.crashes.append(crash_from(error, self._name(func)))

    def has_failed(self) -> bool:
        return bool(self.diagnostics or self.crashes)

    def failure(self) -> CompiledModule:
        return CompiledModule(None, tuple(self.diagnostics), tuple(self.crashes), has_errors=True)

    def _name(self, func: ir.Func | None) -> str:
        if func is None:
            return f"{self.module} ({self.path})"
        place = place_of(func)
        return f"{func.name} ({place.path}:{place.line})"

    def _too_deep(self, func: ir.Func | None) -> Diagnostic:
        name = self.module if func is None else short(func.name)
        message = f"{name} is nested too deeply to be differentiated"
        return Diagnostic(TOO_DEEP, message, self._start(func), "split it into several functions")

    def _start(self, func: ir.Func | None) -> Place:
        return Place(self.path, 1, 1, 1) if func is None else place_of(func)


def place_of(func: ir.Func) -> Place:
    """The place in the user's source where ``func`` begins."""
    if func.origin is None:
        return Place(module_of(func.name), 1, 1, 1)
    return func.origin.place
