"""Print, warn and log from compiled code: texts with numbers, told by Python."""

import builtins
import logging
import sys
import warnings
from typing import Any

from mooncake_runtime.compiling import jit_enabled


def printed(stream: str, text: str, *numbers: Any) -> None:
    """Write ``text`` with its braces filled in to ``"stdout"`` or ``"stderr"``."""
    out = sys.stderr if stream == "stderr" else sys.stdout
    if out is not None:  # as print does it
        out.write(text.format(*numbers))


def warned(category: str, text: str, *numbers: Any) -> None:
    """Warn of ``text`` with its braces filled in, by one of Python's own categories.

    It is said of the line that calls the compiled function, which has no lines itself.
    """
    kind: type[Warning] = getattr(builtins, category)
    warnings.warn(text.format(*numbers), kind, stacklevel=2)


def logged(logger: str, level: str, text: str, *numbers: Any) -> None:
    """Log ``text`` with its braces filled in, at ``"INFO"`` or another level."""
    log = logging.getLogger(logger or None)
    rank: int = getattr(logging, level)
    if log.isEnabledFor(rank):
        log.log(rank, "%s", text.format(*numbers), stacklevel=2)


if jit_enabled():
    from mooncake_runtime.telling_numba import compile_told

    for function in (printed, warned, logged):
        compile_told(function)
