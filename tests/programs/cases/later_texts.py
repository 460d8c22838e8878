"""Lists that begin with texts or members of enums, and hold others later."""

from __future__ import annotations

import heapq
from enum import Enum

from kinds import Vec


class Color(Enum):
    WHITE = 0
    GREY = 1
    BLACK = 2


def visits(arrivals: Vec, stay: float) -> float:
    events = [(t, i, "in") for i, t in enumerate(arrivals)]
    heapq.heapify(events)
    total = 0.0
    while events:
        t, i, kind = heapq.heappop(events)
        if kind == "in":
            heapq.heappush(events, (t + abs(stay) * (i + 1), i, "out"))
        else:
            total += t * t
    return total


def sweep(starts: Vec, length: float) -> float:
    events = [(t, "open") for t in starts]
    events += [(t + length, "close") for t in starts]
    events.sort()
    depth, total = 0, 0.0
    for t, kind in events:
        depth += 1 if kind == "open" else -1
        total += depth * t * t
    return total


def three_states(x: Vec, level: float) -> float:
    states = ["new"] * len(x)
    total = 0.0
    for k in range(4):
        for i in range(len(x)):
            if states[i] == "new" and x[i] > level - 1.0:
                states[i] = "running"
            elif states[i] == "running":
                total += x[i] * (k + 1)
                states[i] = "done"
    return total + level * sum(1 for s in states if s == "done")


def colors(x: Vec) -> float:
    color = [Color.WHITE for _ in x]
    total = 0.0
    for k in range(3):
        for i, v in enumerate(x):
            if color[i] is Color.WHITE and v > 0.0:
                color[i] = Color.GREY
            elif color[i] is Color.GREY:
                total += v * v * k
                color[i] = Color.BLACK
    return total + sum(x[i] for i, c in enumerate(color) if c is Color.BLACK)


def one_text_more(x: Vec, y: float) -> float:
    rows = [(v, "high" if v > 0.5 else "low") for v in x]
    rows.append((y, "given"))
    rows.insert(0, (y * y, "first"))
    total = 0.0
    for k, (v, label) in enumerate(rows):
        if label in ("given", "high"):
            total += v * (k + 1)
        elif label == "first":
            total -= v
    return total
