"""Lists that the text takes items out of before it is seen to put any in."""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass

from kinds import Vec


@dataclass
class Frame:
    value: float
    weight: float


class Stack:
    def __init__(self, scale: float):
        self.scale = scale
        self.held = []

    def step(self, op: int) -> None:
        if op == 0:
            self.held.append(self.held.pop() + self.held.pop())
        elif op == 1:
            self.held.append(self.held[-1] * self.scale)
        else:
            self.held.append(self.scale)


def postfix(x: Vec, y: Vec) -> float:
    stack = []
    for k, (a, b) in enumerate(zip(x, y, strict=True)):
        if k % 2 == 1:
            right = stack.pop()
            left = stack.pop()
            stack.append(left * right - right)
        else:
            stack.append(a)
            stack.append(b)
    return stack.pop() + len(stack)


def delayed_products(x: Vec) -> float:
    waiting = []
    total = 0.0
    for i, v in enumerate(x):
        if i > 1:
            total += waiting.pop(0) * v
        waiting.append(v * v)
    return total


def pairs_taken_off(x: Vec) -> float:
    saved = []
    total = 0.0
    for i, v in enumerate(x):
        if v < 0.0:
            a, k = saved.pop()
            total += a * k
            del saved[0]
        else:
            saved.append((v, i + 1))
            saved.append((v * v, i + 2))
    return total + len(saved)


def objects_taken_off(x: Vec) -> float:
    frames = []
    total = 0.0
    for v in x:
        if v < 0.0:
            top = frames.pop()
            top.value += v
            total += top.value * top.weight
            frames.append(top)
        else:
            frames.append(Frame(v, total + v))
    return total + frames[-1].value


def of_an_object(scale: float) -> float:
    stack = Stack(scale)
    for op in (2, 2, 0, 1, 0):
        stack.step(op)
    for k in range(4):
        stack.step(2 if k % 2 == 0 else 0)
    return stack.held[-1]


def from_the_left(x: Vec) -> float:
    queue = deque()
    total = 0.0
    for i, v in enumerate(x):
        if i >= 2:
            total += queue.popleft() * v
        queue.append(v * v)
    return total


def soonest_first(x: Vec) -> float:
    due = []
    total = 0.0
    for i, v in enumerate(x):
        if i > 1:
            t, k = heapq.heappop(due)
            total += t * (k + 1)
        heapq.heappush(due, (v * v, i))
    return total
