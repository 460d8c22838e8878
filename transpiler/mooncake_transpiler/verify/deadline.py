"""A limit on processor time."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooSlow(Exception):
    """Raised by ``deadline`` when the time is over."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """A context that raises ``TooSlow`` after so many seconds of processor time.

    For the main thread only; without effect where the system has no such timers.
    """
    if not hasattr(signal, "SIGPROF"):
        yield
        return

    def interrupt(signum: int, frame: FrameType | None) -> None:
        raise TooSlow(f"still running after {seconds} s")

    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
