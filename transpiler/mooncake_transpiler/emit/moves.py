"""Sequentialisation of parallel copies.

The copies at the end of a block happen at once. In sequence, a variable is overwritten only after
all others that read it have been; what is left is a cycle, written as one tuple assignment.
"""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_transpiler import ir


@dataclass(frozen=True, slots=True)
class Move:
    target: str
    source: ir.Atom
    reads: frozenset[str]


def sequence(moves: list[Move]) -> list[list[Move]]:
    """Groups to assign one after the other; within a group at once."""
    waiting = list(moves)
    groups = []
    while waiting:
        for move in waiting:
            if not any(move.target in other.reads for other in waiting if other is not move):
                groups.append([move])
                waiting.remove(move)
                break
        else:
            groups.append(waiting)
            waiting = []
    return groups
