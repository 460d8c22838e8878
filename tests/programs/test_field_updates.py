"""Arrays in lists, and in objects in lists, of which something else may see a change: refused."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import refusals

HEAD = """
import copy
from dataclasses import dataclass
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "n m"]

"""
P = """
class P:
    def __init__(self, pos):
        self.pos = pos

"""
Q = """
@dataclass
class Q:
    pos: Vec
    mass: float

"""
C = """
class C:
    def __init__(self, v):
        self.v = v
    def go(self):
        self.v += 1.0
        return self.v

"""
PROGRAMS = {
    "kept in a list": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    hist = []
    for _ in range(3):
        for p in ps:
            hist.append(p.pos)
            p.pos += 1.0
    return sum(h[0] ** 2 for h in hist)
""",
    "rows of the caller's array": P
    + """
def f(x: Mat) -> float:
    ps = [P(x[i]) for i in range(len(x))]
    for p in ps:
        p.pos += 1.0
    return np.sum(x ** 2) + sum(p.pos @ p.pos for p in ps)
""",
    "one array in all objects": P
    + """
def f(x: Vec) -> float:
    v = x * 2
    ps = [P(v) for _ in x]
    for p in ps:
        p.pos += 1.0
    return sum(p.pos[0] ** 2 for p in ps)
""",
    "in two fields": """
class P:
    def __init__(self, pos):
        self.pos = pos
        self.start = pos
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    for p in ps:
        p.pos += 1.0
    return sum(p.start[0] ** 2 for p in ps)
""",
    "a buffer that is written again": P
    + """
def f(x: Mat) -> float:
    buf = np.zeros(x.shape[1])
    ps = []
    for i in range(len(x)):
        buf[:] = x[i]
        ps.append(P(buf))
    return sum(p.pos @ p.pos for p in ps)
""",
    "kept by a name that the next round reads": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    buf = np.zeros(2)
    s = 0.0
    for i in range(3):
        for p in ps:
            p.pos += 1.0
        s += buf[0] ** 2
        buf = np.array([x[0] * i, 2.0])
        ps.append(P(buf))
    return s + sum(p.pos[0] ** 2 for p in ps)
""",
    "items of another list": P
    + """
def f(x: Vec) -> float:
    arrs = [np.array([v, 1.0]) for v in x]
    ps = [P(a) for a in arrs]
    for p in ps:
        p.pos += 1.0
    return sum(a[0] ** 2 for a in arrs)
""",
    "swapped": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    for i in range(len(ps) - 1):
        ps[i].pos, ps[i + 1].pos = ps[i + 1].pos, ps[i].pos
    for p in ps:
        p.pos += x[0]
    return sum(p.pos[0] ** (k + 1) for k, p in enumerate(ps))
""",
    "kept from the round before": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    last = ps[0].pos
    s = 0.0
    for p in ps:
        p.pos += x[0]
        s += last[0] ** 2
        last = p.pos
    return s
""",
    "kept in another object": P
    + """
class Box:
    def __init__(self, ref):
        self.ref = ref
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    box = Box(ps[1].pos)
    for p in ps:
        p.pos *= x[0]
    return box.ref[0] ** 2
""",
    "assigned while it is changed": """
class P:
    def __init__(self, pos):
        self.pos = pos
    def change(self):
        self.pos = self.pos * 3
        return 1.0
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    for p in ps:
        p.pos += p.change()
    return sum(p.pos[0] ** 2 for p in ps)
""",
    "a shallow copy": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    qs = [copy.copy(p) for p in ps]
    for q in qs:
        q.pos += 1.0
    return sum(p.pos[0] ** 2 for p in ps)
""",
    "read after the table has grown": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    a = ps[0].pos
    ps.append(P(np.array([2.0, 3.0])))
    ps[0].pos += 1.0
    return a[0] ** 2 + ps[-1].pos[0]
""",
    "written after the table has grown": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    a = ps[0].pos
    ps.append(P(np.array([2.0, 3.0])))
    a += 1.0
    return sum(p.pos[0] ** 2 for p in ps)
""",
    "while its value makes the table grow": P
    + """
def born(ps, v):
    ps.append(P(np.array([v, 3.0])))
    return v

def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    ps[0].pos += born(ps, x[0])
    return sum(p.pos[0] ** 2 for p in ps)
""",
    "assigned, too, to the caller's objects": Q
    + """
def f(qs: list[Q]) -> float:
    for q in qs:
        q.pos += 1.0
        q.pos = q.pos * 2.0
    return qs[0].mass
""",
    "given to the caller's objects": Q
    + """
def f(qs: list[Q], x: Vec) -> float:
    qs[0].pos = x
    for q in qs:
        q.pos += 1.0
    return qs[0].mass
""",
    "the same array in a list, twice": """
def f(x: Vec) -> float:
    xs = []
    for v in x:
        a = x * v
        xs.append(a)
        xs.append(a)
    xs[0] += 1.0
    return sum(a[0] ** 2 for a in xs)
""",
    "the same array in a list, from before the loop": """
def f(x: Vec) -> float:
    xs = []
    a = x * 2.0
    for v in x:
        xs.append(a)
        xs[0] *= v
    return sum(b[0] ** 2 for b in xs)
""",
    "the same array in a list, by a comprehension": """
def f(x: Vec) -> float:
    a = x * 2.0
    xs = [a for _ in x]
    xs[0] += 1.0
    return sum(b[0] ** 2 for b in xs)
""",
    "one item in the place of another": """
def f(x: Vec) -> float:
    xs = [x * v for v in x]
    xs.append(x * 1.0)
    xs[1] = xs[0]
    xs[0] += 1.0
    return sum(b[0] ** 2 for b in xs)
""",
    "a copy of the list": """
def f(x: Vec) -> float:
    xs = [np.ones(k + 1) * x[0] for k in range(len(x))]
    ys = list(xs)
    xs[0] += 1.0
    return sum(b[0] ** 2 for b in ys)
""",
    "an array without axes": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array(v)) for v in x]
    s = 0.0
    for p in ps:
        q = p.pos
        p.pos += 1.0
        s += q ** 2
    return s
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_refused(name: str) -> None:
    refusal = refusals(HEAD + PROGRAMS[name])
    assert {one.code for one in refusal} == {"MK312"}
