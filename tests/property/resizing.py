"""Random programs whose loops bind names to arrays of other shapes: parts, joined, aliased."""

from __future__ import annotations

import random

from tests.property.rebinding import HEAD, INDENT, Writer

KINDS = ("new", "new", "new", "part", "alias", "store", "update", "sum", "leave")


def program(seed: int) -> str:
    """The text of program number ``seed``."""
    w = _Resizing(random.Random(seed))
    lines = ["p = x", "q = y.copy()", f"r = {w.expression()}", "s = 0.0"]
    for _ in range(w.rng.randint(3, 6)):
        lines += w.statement(3, loop="")
    lines.append("return s + np.sum(p * p) + np.sum(q) + np.sum(r * r) + y[0] + x[1]")
    return HEAD + "".join(f"{INDENT}{line}\n" for line in lines)


class _Resizing(Writer):
    """Arrays have two items at least, and 40 or so at most."""

    kinds = KINDS

    def simple(self, kind: str, loop: str) -> list[str]:
        name, other = self.rng.choice("pqr"), self.rng.choice("pqrxy")
        item = self.rng.choice(("0", "1", "-1", "-2"))
        match kind:
            case "part":
                part = self.rng.choice(("[1:]", "[:-1]", "[::2]", "[1:] * a", "[1:] * q[0]"))
                return [f"if len({other}) > 3:", f"{INDENT}{name} = {other}{part}"]
            case "store":
                value = self.rng.choice(("a", f"0.7 * {other}[1]", f"np.sin({other}[-1])"))
                return [f"{self.rng.choice('pqr')}[{item}] = {value}"]
            case "update":
                return [f"{name} {self.rng.choice(('*= a', '+= 0.5', f'*= {other}[0]'))}"]
            case "sum":
                term = self.rng.choice((f"{other}[{item}] * a", f"np.sum({other}) * {name}[1]"))
                return [f"s += {term}"]
            case _:
                return super().simple(kind, loop)

    def expression(self) -> str:
        a, b, c = (self.rng.choice("pqrxy") for _ in range(3))
        forms = (
            f"np.concatenate(({a}[-8:], {b}[:2] * a))",
            f"np.append({a}[:9], {b}[0] * a)",
            f"np.convolve({a}[:5], {c}[:2])",
            f"np.array([a, {b}[0], {c}[1]])",
            f"{a}[:2] * {b}[-2:]",
            f"{a} * {b}[1]",
            f"np.sin({a})",
            f"{a}.copy()",
        )
        return self.rng.choice(forms)
