"""Calls by which a program declares something constant: differences would see it change."""

from __future__ import annotations

import sys
from collections.abc import Callable, Set
from types import FrameType

from mooncake_runtime.tangents import Tree

STOP = ("mooncake_runtime.marks", "stop_gradient")
Names = Set[tuple[str, str]]  # functions by module and name


def calls_one_of(names: Names, function: Callable[..., Tree], args: tuple[Tree, ...]) -> bool:
    """True if ``function`` calls ``stop_gradient`` or one of ``names``, itself or below.

    A module may be known under a longer name, inside a package.
    """
    wanted = {STOP, *names}
    found = False

    def look(frame: FrameType, event: str, arg: object) -> None:
        nonlocal found
        if event == "call":
            module = f".{frame.f_globals.get('__name__', '')}"
            name = frame.f_code.co_name
            found = found or any(name == n and module.endswith(f".{m}") for m, n in wanted)

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        function(*args)
    finally:
        sys.setprofile(before)
    return found
