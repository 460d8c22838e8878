"""``*xs`` among the arguments of a call, where only the run knows how many they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mooncake_transpiler.diagnostic.diagnostics import Refused


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """The ``items`` that are spread (``Elements``); ``bound`` binds all arguments to parameters.

    ``refusal``: where how many they are must be known.
    """

    items: Any
    bound: Callable[..., tuple[dict[str, Any], Any]]
    refusal: Refused
