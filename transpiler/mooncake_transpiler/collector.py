"""Settings of Python's garbage collector in the processes of the command."""

from __future__ import annotations

import gc


def collect_rarely() -> None:
    """Look for garbage less often: there is little of it, and much that lives."""
    gc.set_threshold(50_000, 20, 20)
