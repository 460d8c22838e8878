"""Minimum vertex cut: the cheapest set of values that separates sources from sinks.

``Which values to save`` is this problem: sources can't be recomputed in the reverse sweep, sinks
are needed there, an edge leads from an operand to what is computed from it, and the capacity of a
vertex is what saving it costs. Dinic's algorithm (1970) on the split graph.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)

_INFINITE = 1 << 62


def min_vertex_cut(
    capacity: Mapping[Node, int],
    edges: Iterable[tuple[Node, Node]],
    sources: Iterable[Node],
    sinks: Iterable[Node],
) -> set[Node]:
    """The vertices of a cheapest cut; among equally cheap cuts the one closest to the sinks."""
    number = {node: k for k, node in enumerate(capacity)}
    net = _Net(2 * len(number) + 2)
    source, sink = 2 * len(number), 2 * len(number) + 1
    for node, k in number.items():
        net.connect(2 * k, 2 * k + 1, capacity[node])
    for a, b in edges:
        net.connect(2 * number[a] + 1, 2 * number[b], _INFINITE)
    for node in sources:
        net.connect(source, 2 * number[node], _INFINITE)
    for node in sinks:
        net.connect(2 * number[node] + 1, sink, _INFINITE)
    net.saturate(source, sink)
    late = net.reaching(sink)
    return {n for n, k in number.items() if 2 * k not in late and 2 * k + 1 in late}


class _Net:
    """A flow network as arrays: edge ``e`` and its reverse ``e ^ 1``."""

    def __init__(self, size: int) -> None:
        self.head: list[int] = []
        self.room: list[int] = []
        self.out: list[list[int]] = [[] for _ in range(size)]

    def connect(self, a: int, b: int, room: int) -> None:
        self.out[a].append(len(self.head))
        self.out[b].append(len(self.head) + 1)
        self.head += [b, a]
        self.room += [room, 0]

    def saturate(self, source: int, sink: int) -> None:
        while (level := self._levels(source, sink)) is not None:
            cursor = [0] * len(self.out)
            while self._augment(source, sink, level, cursor):
                pass

    def _levels(self, source: int, sink: int) -> list[int] | None:
        level = [-1] * len(self.out)
        level[source] = 0
        queue = deque([source])
        while queue:
            node = queue.popleft()
            for edge in self.out[node]:
                if self.room[edge] and level[self.head[edge]] < 0:
                    level[self.head[edge]] = level[node] + 1
                    queue.append(self.head[edge])
        return level if level[sink] >= 0 else None

    def _augment(self, source: int, sink: int, level: list[int], cursor: list[int]) -> bool:
        """Send flow along one shortest path, found depth first without recursion."""
        path: list[int] = []
        node = source
        while node != sink:
            while cursor[node] < len(self.out[node]):
                edge = self.out[node][cursor[node]]
                if self.room[edge] and level[self.head[edge]] == level[node] + 1:
                    path.append(edge)
                    node = self.head[edge]
                    break
                cursor[node] += 1
            else:
                if not path:
                    return False
                edge = path.pop()
                node = self.head[edge ^ 1]
                cursor[node] += 1
        flow = min(self.room[edge] for edge in path)
        for edge in path:
            self.room[edge] -= flow
            self.room[edge ^ 1] += flow
        return True

    def reaching(self, sink: int) -> set[int]:
        """The nodes from which ``sink`` can still be reached."""
        seen = {sink}
        stack = [sink]
        while stack:
            for edge in self.out[stack.pop()]:
                if self.room[edge ^ 1] and self.head[edge] not in seen:
                    seen.add(self.head[edge])
                    stack.append(self.head[edge])
        return seen
