"""Random programs whose lists, branches and loops choose objects: shared, changed, linked."""

from __future__ import annotations

import random

from tests.property.rebinding import INDENT, Writer

HEAD = """\
import copy
from dataclasses import dataclass, replace
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
Vec = Annotated[NDArray[np.float64], 'n']
@dataclass
class Held:
    u: float
    v: float = 0.5
    n: int = 0
    next: 'Held | None' = None
    def push(self, by: float) -> float:
        self.v += np.sin(by)
        self.n += 1
        return self.u * 0.5

def kick(hs, by):
    for h in hs:
        h.u = 0.5 * h.u + by

def f(x: Vec, y: Vec, a: float, k: int) -> float:
"""
KINDS = (
    "new", "alias", "alias", "choose", "assign", "assign", "update", "update", "push", "append",
    "append", "item", "replace", "link", "follow", "sum", "list", "leave", "last",
)  # fmt: skip


def program(seed: int) -> str:
    """The text of program number ``seed``."""
    w = _Objects(random.Random(seed))
    lines = [
        "p, q, r = Held(x[0]), Held(y[0], a), Held(a, x[1])",
        "hs = [Held(v, a) for v in x]",
        "ks = [p, q]",
        "s = 0.0",
        "o = None",
    ]
    for _ in range(w.rng.randint(4, 8)):
        lines += w.statement(3, loop="")
    lines += ["for h in hs:", f"{INDENT}s += np.sin(h.u) * h.v + h.n"]
    lines.append("return s + p.u * q.v + np.cos(r.u + r.v) + sum(h.u * h.v for h in ks) * 0.1")
    return HEAD + "".join(f"{INDENT}{line}\n" for line in lines)


class _Objects(Writer):
    kinds = KINDS

    def simple(self, kind: str, loop: str) -> list[str]:
        rng = self.rng
        name, other, third = (
            rng.choice(("p", "q", "r", "hs[0]", "hs[-1]", "ks[1]")) for _ in "abc"
        )
        plain, field, own = rng.choice("pqr"), rng.choice("uv"), rng.choice("uv")
        held = rng.choice(("hs", "hs", "ks"))
        match kind:
            case "new":
                return [f"{plain} = Held({other}.u * a, {third}.v)"]
            case "alias":
                return [f"{plain} = {other}"]
            case "choose":
                return [f"{plain} = {other} if {third}.{own} > {rng.choice('01')}.3 else {name}"]
            case "assign":
                return [f"{name}.{field} = np.sin({other}.{own} + {third}.u)"]
            case "update":
                by = rng.choice(("0.5", f"0.1 * {other}.{own}", "a"))
                return [f"{name}.{field} {rng.choice(('+=', '*='))} {by}"]
            case "push":
                return [f"s += {name}.push({other}.{own})"]
            case "append":
                return [f"if len({held}) < 9:", f"{INDENT}{held}.append({other})"]
            case "item":
                return [f"{held}[{rng.choice(('0', '1', '-1'))}] = {other}"]
            case "replace":
                made = rng.choice((f"replace({other}, u=a)", f"copy.copy({other})"))
                return [f"{plain} = {made}"]
            case "link":
                return [f"{name}.next = {rng.choice((other, 'None', 'o'))}"]
            case "follow":
                return [
                    f"if {name}.next is not None:",
                    f"{INDENT}{name}.next.{field} += {other}.{own} * 0.1",
                ]
            case "sum":
                return [f"s += {name}.{field} * {1.0 + rng.randrange(3)}"]
            case "list":
                return [rng.choice((f"kick({held}, a * 0.3)", f"ks = list({held})", "ks = hs"))]
            case "last":
                return [
                    f"for h in {held}:",
                    f"{INDENT}if o is None or h.u > o.u:",
                    f"{INDENT * 2}o = h",
                    f"if o is not {other}:",
                    f"{INDENT}s += 0.1",
                    "if o is not None:",
                    f"{INDENT}o.{field} = 0.3 * {other}.{own}",
                ]
            case _:
                leave = [f"if {other}.u > {rng.choice(('0.5', '-9.0', '9.0'))}:", f"{INDENT}break"]
                return leave if loop else self.simple("sum", loop)

    def started_again(self, index: str, head: str) -> list[str]:
        return [head, *self.block(1, "for")]
