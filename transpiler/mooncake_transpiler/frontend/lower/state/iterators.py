"""Marks of iterators, which can be run through once only."""

from __future__ import annotations

from dataclasses import dataclass, field

import libcst as cst


@dataclass(frozen=True, slots=True, eq=False)
class Once:
    """The mark of an iterator: it can be run through once only.

    It was made in ``frame`` by the call ``node``, inside of so many loops. ``readers``: what has
    read its variable.
    """

    node: cst.CSTNode
    frame: object
    loops: int
    readers: list[cst.CSTNode] = field(default_factory=list)


class StepsNeeded(Exception):
    """The iterator that ``node`` makes may be read more than once: it must keep its place."""

    def __init__(self, node: cst.CSTNode) -> None:
        super().__init__()
        self.node = node
