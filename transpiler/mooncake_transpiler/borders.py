"""The work of the plain Python functions in front of compiled ones: assigning fields and lists."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from mooncake_transpiler.types import Type

CONTENT = "[:]"  # how the path of what a list holds ends


def flat(path: str) -> str:
    """``path`` as a name: ``ends[0].t`` is ``ends_0_t``."""
    return re.sub(r"\W+", "_", path).strip("_")


@dataclass(frozen=True, slots=True)
class Rebound:
    """A field of an object that is a parameter, ``state.t``, and that the function assigns.

    Or all items of a list that it changes: ``xs[:]``.
    """

    path: str
    type: Type

    @property
    def is_content(self) -> bool:
        return self.path.endswith(CONTENT)

    @property
    def holder(self) -> str:
        return self.path[: -len(self.place)]

    @property
    def place(self) -> str:
        """The last step of the path, behind the holder: ``.t`` or ``[:]``."""
        return CONTENT if self.is_content else f".{self.path.rpartition('.')[2]}"

    @property
    def label(self) -> str:
        """A name for what is there."""
        return flat((self.holder if self.is_content else self.path).rpartition(".")[2])


@dataclass(frozen=True, slots=True)
class Apart:
    """A check that no item of ``items`` has ``other``, which is written, at ``access``."""

    items: str
    access: str
    other: str
    optional: bool = False  # the list may be None


class Action(Enum):
    """The treatment of rebound fields at the border between Python and compiled code."""

    NONE = "nothing"
    ASSIGN = "assign"  # they get their last values, the second item of the result
    RESTORE = "restore"  # they get back what they held before


@dataclass(frozen=True, slots=True)
class Border:
    """The fields of parameters that the primal assigns, and what a function does about them.

    Compiled code does not see objects: last values are results of it. ``holders``: the objects
    with such fields, by path, with their types. ``tangents``: the fields of tangents that are
    assigned, too; their last values are the last item of the result. ``apart``: parameters that
    are written, and lists that must not hold them.
    """

    rebound: tuple[Rebound, ...] = ()
    action: Action = Action.NONE
    holders: tuple[tuple[str, Type], ...] = ()
    tangents: tuple[Rebound, ...] = ()
    apart: tuple[Apart, ...] = ()


NO_BORDER = Border()
