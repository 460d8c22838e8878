"""Names that may not be set where they are read: a flag of each tells at run time.

A name has a flag only if a read of it asks for one: the function is lowered again with it then.
"""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE, flag_of
from mooncake_transpiler.frontend.lower.state.operands import Frame

Flagged = frozenset[tuple[cst.CSTNode, str]]  # functions, and names in them


class FlagNeeded(Exception):
    """A name of the function at ``node`` is read where it may not be set."""

    def __init__(self, node: cst.CSTNode, name: str) -> None:
        super().__init__()
        self.node, self.name = node, name


class NotReached(Exception):
    """A call has always raised: the rest of the statement, or of the arm, is not reached."""


class NeverSet(Exception):
    """A name is read at ``node``, and is certainly not set there: what follows is not reached.

    Python raises ``cls`` with ``message``.
    """

    def __init__(self, node: cst.CSTNode, cls: str, message: str) -> None:
        super().__init__()
        self.node, self.cls, self.message = node, cls, message


def begin(frame: Frame, node: cst.CSTNode, flagged: Flagged) -> None:
    """Let the names of the function at ``node`` have the flags that were asked for."""
    frame.node = node
    for owner, name in flagged:
        if owner is node:
            frame.values[flag_of(frame.variable(name))] = FALSE


def forget(frame: Frame, name: str) -> None:
    """From here on, ``name`` is not set."""
    variable = frame.variable(name)
    frame.values.pop(variable, None)
    frame.bound = None if frame.bound is None else frame.bound - {variable}
    if flag_of(variable) in frame.values:
        frame.values[flag_of(variable)] = FALSE


def not_set_yet(frame: Frame, variable: str) -> None:
    """Note that ``variable`` only holds a stand-in for what it holds later."""
    frame.values[flag_of(variable)] = FALSE
    if frame.bound is not None:
        frame.bound -= {variable}


def set_from_here(frame: Frame, variable: str) -> None:
    """It was found that ``variable`` is set."""
    frame.values[flag_of(variable)] = TRUE
    if frame.bound is not None:
        frame.bound |= {variable}
