"""Arrays in fields of objects in lists, of which something else may see the change: refused."""

from __future__ import annotations

import pytest

from tests.helpers.transpile import Refusal, gradient_text

HEAD = """
import copy
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
    "kept by a name": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    s = 0.0
    for p in ps:
        a = p.pos
        p.pos += 1.0
        s += a[0] ** 2
    return s
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
    "written by items": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    for p in ps:
        p.pos[0] = 2.0
        p.pos[:] *= x[0]
    return sum(p.pos[0] ** 2 + p.pos[1] for p in ps)
""",
    "written by out=": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    for p in ps:
        np.add(p.pos, x[0], out=p.pos)
    return sum(p.pos[0] ** 2 + p.pos[1] for p in ps)
""",
    "written by a helper": P
    + """
def kick(v, a):
    v += a
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    for p in ps:
        kick(p.pos, x[0])
    return sum(p.pos[0] ** 2 + p.pos[1] for p in ps)
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
    "a part that a method gives": """
class P:
    def __init__(self, pos):
        self.pos = pos
    def half(self):
        return self.pos[:1]
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    s = 0.0
    for p in ps:
        h = p.half()
        p.pos *= x[0]
        s += h[0] ** 2
    return s
""",
    "kept in a dict": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    box = {"a": ps[0].pos}
    for p in ps:
        p.pos *= x[0]
    return box["a"][0] ** 2
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
    "through a property": """
class P:
    def __init__(self, pos):
        self._pos = pos
    @property
    def pos(self):
        return self._pos
    @pos.setter
    def pos(self, v):
        self._pos = v * 2
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    for p in ps:
        p.pos += x[0]
    return sum(p.pos[0] ** 2 for p in ps)
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
    "an operand that was read before the call": """
class C:
    def __init__(self, v):
        self.v = v
    def go(self):
        self.v += 1.0
        return 2.0
def f(x: Mat) -> float:
    cs = [C(r * 1.0) for r in x]
    return sum((c.v * c.go()).sum() for c in cs)
""",
    "an operand that a method gave before": C
    + """
    def get(self):
        return self.v
def f(x: Mat) -> float:
    cs = [C(r * 1.0) for r in x]
    s = 0.0
    for c in cs:
        s += c.get() @ c.go()
    return s
""",
    "an item of the same tuple": C
    + """
def f(x: Mat) -> float:
    cs = [C(r * 1.0) for r in x]
    s = 0.0
    for c in cs:
        a, b = c.v, c.go()
        s += a.sum() + b[0]
    return s
""",
    "an argument beside it": C
    + """
def h(a, b):
    return a.sum() + b[0]
def f(x: Mat) -> float:
    cs = [C(r * 1.0) for r in x]
    s = 0.0
    for c in cs:
        s += h(c.v, c.go())
    return s
""",
    "in a lambda": C
    + """
def f(x: Mat) -> float:
    cs = [C(r * 1.0) for r in x]
    g = lambda c: c.v @ c.go()
    return sum(g(c) for c in cs)
""",
    "an operand": P
    + """
def kicked(p):
    p.pos += 1.0
    return 2.0
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    return sum(np.sum(p.pos * kicked(p)) for p in ps)
""",
    "an argument": P
    + """
def kicked(p):
    p.pos += 1.0
    return p.pos
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    return sum(np.dot(p.pos, kicked(p)) for p in ps)
""",
    "one of two that are assigned": P
    + """
def kicked(p):
    p.pos += 1.0
    return 2.0
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0])) for v in x]
    s = 0.0
    for p in ps:
        a, b = p.pos, kicked(p)
        s += a[0] * b
    return s
""",
    "items of a loop": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0, 2.0])) for v in x]
    s = 0.0
    for p in ps:
        for v in p.pos:
            p.pos *= 1.5
            s += v
    return s
""",
    "items of an iterator": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0, 2.0])) for v in x]
    s = 0.0
    for p in ps:
        it = iter(p.pos)
        a = next(it)
        p.pos *= 1.5
        s += next(it) + a
    return s
""",
    "items of a generator": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0, 2.0])) for v in x]
    s = 0.0
    for p in ps:
        later = (v * 2 for v in p.pos)
        p.pos *= 1.5
        s += sum(later)
    return s
""",
    "a default value": P
    + """
def f(x: Vec) -> float:
    ps = [P(np.array([v, 1.0, 2.0])) for v in x]
    s = 0.0
    for p in ps:
        first = lambda q=p.pos: q[0]
        p.pos *= 1.5
        s += first()
    return s
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
    with pytest.raises(Refusal) as refusal:
        gradient_text(HEAD + PROGRAMS[name])
    assert {one.code for one in refusal.value.diagnostics} == {"MK312"}
