"""Names that may not be set where they are read: a flag of each tells at run time.

A name has a flag only if a read of it asks for one: the function is lowered again with it then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import libcst as cst

from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE, flag_of
from mooncake_transpiler.frontend.lower.state.flow import NO_NAMES, Names
from mooncake_transpiler.frontend.lower.state.operands import Frame
from mooncake_transpiler.frontend.lower.state.tabled import Anew
from mooncake_transpiler.types import Type


@dataclass(slots=True)
class Learnt:
    """Facts about the names of a function that lowering must know from its start.

    Where they show too late the function is lowered again. ``flagged``: names that may not be set
    where they are read; ``absent``: those that are None on one path, and a list on another;
    ``shared``: those that bodies of loops see which are functions; by the functions of these names.
    ``result``: the type of a result that has no annotation.
    """

    flagged: dict[tuple[cst.CSTNode, str], None] = field(default_factory=dict)  # in their order
    absent: set[tuple[cst.CSTNode, str]] = field(default_factory=set)
    shared: dict[cst.CSTNode, Names] = field(default_factory=dict)
    result: Type | None = None

    def flag(self, node: cst.CSTNode, name: str) -> Anew:
        self.flagged[node, name] = None
        return Anew()

    def let_be_absent(self, node: cst.CSTNode, name: str) -> Anew:
        self.absent.add((node, name))
        return Anew()

    def share(self, node: cst.CSTNode, names: Iterable[str]) -> Anew:
        self.shared[node] = self.shared.get(node, NO_NAMES).union(names)
        return Anew()

    def give(self, type_: Type) -> Anew:
        self.result = type_
        return Anew()


class NotReached(Exception):
    """A call has always raised: the rest of the statement, or of the arm, is not reached."""


class NeverSet(Exception):
    """A name is read at ``node``, and is certainly not set there: what follows is not reached.

    Python raises ``cls`` with ``message``.
    """

    def __init__(self, node: cst.CSTNode, cls: str, message: str) -> None:
        super().__init__()
        self.node, self.cls, self.message = node, cls, message


def begin(frame: Frame, node: cst.CSTNode, learnt: Learnt) -> None:
    """Let the names of the function at ``node`` have the flags that were asked for."""
    frame.node = node
    for owner, name in learnt.flagged:
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
