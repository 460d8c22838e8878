"""The size of a computation: how many lines of Python it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

MOST = 10_000_000  # that are counted


def lines_run(call: Callable[[], object]) -> int:
    """The number of lines that ``call`` runs, each as often as it does; compiled code has none."""
    count = 0

    def within(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        count += event == "line"
        if count >= MOST:
            sys.settrace(None)
        return within

    before = sys.gettrace()
    sys.settrace(within)
    try:
        call()
    finally:
        sys.settrace(before)
    return count
