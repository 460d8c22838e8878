"""Objects and lists with several names: what changes by one of them shows by the others.

Each program is right or refused; where a loop runs a known number of times it is right.
"""

from __future__ import annotations

import re

import pytest

from tests.property.check import check

HEAD = """\
from dataclasses import dataclass
from typing import Annotated, NamedTuple
import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]

@dataclass
class Cell:
    t: float

@dataclass
class Box:
    item: Cell

@dataclass
class Rack:
    item: list[float]

class Pair(NamedTuple):
    item: list[float]
    t: float

def f(x: Vec, a: float, k: int) -> float:
"""
# What ``new(v)``, ``set(name, v)`` and ``of(name)`` mean.
KINDS = {
    "object": (r"Cell(\1)", r"\1.t = \2", r"\1.t"),
    "list": (r"[\1, 1.0]", r"\1[0] = \2", r"\1[0]"),
}


def source(kind: str, body: str, loop: str = "") -> str:
    new, change, read = KINDS[kind]
    text = f"p = new(1.0)\nq = new(2.0)\ns = 0.0\n{body.strip()}".replace("LOOP", loop)
    text = re.sub(r"set\((\w+), (.*)\)$", change, text, flags=re.M)
    text = re.sub(r"\bof\(([\w.\[\]\"]+)\)", read, re.sub(r"new\(([\w.\[\]]+)\)", new, text))
    return HEAD + "".join(f"    {line}\n" for line in text.splitlines())


def outcome(text: str) -> str:
    failure = check(text, 4)
    return failure.kind if failure else "fine"


# ---- objects that loops rebind ------------------------------------------------------------------

REBOUND = {
    "the one to come": """
r = p
LOOP
    set(q, x[i])
    s += of(r)
    r = q
return s * x[1]
""",
    "the one before": """
r = p
LOOP
    set(p, x[i])
    s += of(r)
    r = q
return s * x[1]
""",
    "and back": """
r = p
LOOP
    old = of(q)
    set(q, x[i])
    s += of(r)
    set(q, old)
    r = q
return s * x[1]
""",
    "in an inner loop": """
r = p
LOOP
    for j in range(k):
        set(q, x[i] + of(q))
    s += of(r)
    r = q
return s * x[1]
""",
    "in a function": """
r = p
def change(v):
    set(q, v)
    return v
LOOP
    change(x[i])
    s += of(r)
    r = q
return s * x[1]
""",
    "two names": """
r = p
t = p
LOOP
    set(r, x[i])
    s += of(t)
    r = q
    t = q
return s * x[1]
""",
    "one behind the other": """
r = p
t = q
LOOP
    set(r, x[i])
    s += of(t)
    t = r
return s * x[1]
""",
    "swapped, and kept": """
kept = q
LOOP
    set(p, of(q) + x[i])
    s += of(kept)
    p, q = q, p
return s * x[1]
""",
    "an item": """
r = [p, p]
LOOP
    set(q, x[i])
    s += of(r[0])
    r[0] = q
return s * x[1]
""",
    "an item of a new list": """
r = [p, p]
LOOP
    set(q, x[i])
    s += of(r[0])
    r = [q, q]
return s * x[1]
""",
    "of a dict": """
r = {"a": p}
LOOP
    set(q, x[i])
    s += of(r["a"])
    r["a"] = q
return s * x[1]
""",
    "a field": """
r = HOLDER(p)
LOOP
    set(q, x[i])
    s += of(r.item)
    r.item = q
return s * x[1]
""",
}
CHOSEN = {
    "then the other": """
LOOP
    set(q, x[i])
    s += of(p)
    if x[i] > 0.4:
        p = q
return s * x[1]
""",
    "then itself": """
LOOP
    set(p, x[i])
    s += of(q)
    if x[i] > 0.4:
        p = q
return s * x[1]
""",
    "before a break": """
r = p
LOOP
    if x[i] > 0.4:
        r = q
        break
set(q, x[0])
return (s + of(r)) * x[1]
""",
}
FINE = {
    "swapped": """
LOOP
    set(p, of(q) + x[i])
    s += of(q)
    p, q = q, p
return s * x[1]
""",
    "swapped in a loop in a loop": """
LOOP
    for j in range(k):
        set(p, of(q) + x[i])
        s += of(q)
        p, q = q, p
return s * x[1]
""",
    "the best": """
best = p
LOOP
    c = new(x[i])
    set(c, of(c) * 3.0 + i)
    if of(c) > of(best):
        best = c
    s += of(best)
return s * x[1]
""",
}
RUN, KNOWN = "for i in range(k):", "for i in range(3):"


def program(kind: str, body: str, loop: str) -> str:
    return source(kind, body.replace("HOLDER", "Box" if kind == "object" else "Rack"), loop)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", REBOUND | CHOSEN)
def test_what_may_be_changed_by_another_name(name: str, kind: str) -> None:
    assert outcome(program(kind, (REBOUND | CHOSEN)[name], RUN)) == "fine"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", REBOUND)
def test_known_loops_are_unrolled(name: str, kind: str) -> None:
    assert outcome(program(kind, REBOUND[name], KNOWN)) == "fine"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FINE)
def test_what_nobody_else_can_see(name: str, kind: str) -> None:
    assert outcome(program(kind, FINE[name], RUN)) == "fine"


IS = """
r = p
LOOP
    if r is q:
        s += x[i]
    r = q
return s * x[1]
"""


@pytest.mark.parametrize("kind", KINDS)
def test_whether_it_is_one(kind: str) -> None:
    expected = "fine" if kind == "object" else "refused MK320"
    assert outcome(program(kind, IS, RUN)) == expected
    assert outcome(program(kind, IS, KNOWN)) == "fine"
    assert outcome(program(kind, IS.replace("r = q", "r = r"), RUN)) == "fine"


# ---- lists whose items are in arrays ------------------------------------------------------------

HELD = (
    "[p for _ in range(k)]", "[(p, 1.0) for _ in range(k)]", "[Pair(p, 1.0) for _ in range(k)]",
    "[[p, q][0] for _ in x]", "[p for _ in range(k) for _ in range(2)]",
    "list(map(lambda v: p, x))", "list(zip([p for _ in range(k)], x))",
)  # fmt: skip


def item(held: str) -> str:
    if held.startswith(("[(p", "list(zip")):
        return "rows[0][0]"
    return "rows[0].item" if "Pair" in held else "rows[0]"


CHANGES = {
    "p[0] = x[0]": "fine", "p.append(x[0])": "fine", "p.pop()": "fine",
    "p[1:] = [x[0]]": "fine", "del p[1:]": "fine",
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("held", HELD)
def test_items_that_are_changed_later(held: str, change: str) -> None:
    body = f"rows = {held}\n{change}\nreturn {item(held)}[0] * x[1] + len({item(held)})"
    assert outcome(source("list", body)) == CHANGES[change]


@pytest.mark.parametrize("held", HELD)
def test_items_that_are_changed_before(held: str) -> None:
    body = f"p[0] = x[0] * x[1]\nrows = {held}\nreturn {item(held)}[0] * x[1]"
    assert outcome(source("list", body)) == "fine"


LATER = {
    "in the next iteration": """
rows = [[1.0, 1.0] for _ in range(k)]
for i in range(k):
    p[0] = x[i]
    s += rows[0][0]
    rows = [p for _ in range(k)]
return s
""",
    "by what makes the item": """
def changed(v):
    p[0] += v
    return p
rows = [changed(v) for v in x]
return rows[0][0] * x[1]
""",
    "a long one": """
r = [2.0 * v for v in x]
rows = [(r, i) for i in range(k)]
r[1] = 5.0 * x[0]
return rows[0][0][1] * x[1]
""",
}


@pytest.mark.parametrize("name", LATER)
def test_items_that_are_changed(name: str) -> None:
    assert outcome(source("list", LATER[name])) == "fine"


def test_arrays_that_are_changed_by_what_makes_the_item() -> None:
    body = """
r = np.zeros(3)
def changed(v):
    r[0] = v
    return r
rows = [changed(v) for v in x]
return rows[0][0] * x[1]
"""
    assert outcome(source("list", body)) == "refused MK312"


def test_lists_of_long_lists() -> None:
    body = """
rows = [[v, 1.0] for v in x]
all = [rows for _ in range(k)]
return all[0][1][0] * x[1] + len(all[0])
"""
    assert outcome(source("list", body)) == "fine"
