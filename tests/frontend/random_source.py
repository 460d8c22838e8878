"""Random programs in the language that is lowered: nested control flow, jumps, arrays, calls."""

from __future__ import annotations

from random import Random

INTS = ("i", "j", "k")
FLOATS = ("s", "t", "u")


class Generator:
    """Writes one function ``f(x, n, a)``; every run of it ends."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.loops = 0

    def program(self) -> str:
        body = self.block(1, 0, 5)
        lines = [
            "def f(x: A, n: int, a: float) -> float:",
            "    i, j, k = 0, 1, 2",
            "    s, t, u = 0, a, 1.5",
            "    w = x.copy()",
            "    def g(v, h=2):",
            "        if v > h:",
            "            return v - t",
            "        for q in range(3):",
            "            if q > v:",
            "                return h",
            "        return -h",
            *body,
            f"    return {self.number(2)} + w[0] + i - k",
        ]
        return "\n".join(lines) + "\n"

    def block(self, indent: int, loops: int, size: int) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, size)):
            lines += self.statement(indent, loops, size)
        return lines

    def statement(self, indent: int, loops: int, size: int) -> list[str]:
        pad = "    " * indent
        kinds = ["assign", "assign", "update", "store", "accum", "swap", "walrus", "slice"]
        if indent < 4:
            kinds += ["if", "if", "for", "while", "match", "tuple", "rows", "endless"]
        kinds += ["jump"] * (2 if loops else 0) + ["return"] * (indent > 1)
        kind = self.random.choice(kinds)
        pick, number = self.random.choice, self.number
        match kind:
            case "assign":
                if self.random.random() < 0.5:
                    return [f"{pad}{pick(INTS)} = {self.integer(2)}"]
                return [f"{pad}{pick(FLOATS)} = {number(2)}"]
            case "update":
                return [f"{pad}{pick(FLOATS)} {pick(('+=', '-=', '*='))} {number(1)}"]
            case "store":
                return [f"{pad}w[{self.index()}] = {number(2)}"]
            case "accum":
                return [f"{pad}w[{self.index()}] {pick(('+=', '-=', '*='))} {number(2)}"]
            case "swap":
                return [f"{pad}{pick(('s, t = t, s', 'i, j, k = j, k, i', 't, u = 0.5 * u, t'))}"]
            case "walrus":
                return [f"{pad}s = (t := {number(1)}) * 0.5 + t"]
            case "slice":
                return [f"{pad}w[1:3] {pick(('=', '+=', '-='))} {number(1)}"]
            case "jump":
                return [f"{pad}if {self.condition(1)}:", f"{pad}    {pick(('break', 'continue'))}"]
            case "return":
                return [f"{pad}if {self.condition(1)}:", f"{pad}    return {number(1)}"]
            case _:
                return self.compound(kind, indent, loops, size - 1)

    def compound(self, kind: str, indent: int, loops: int, size: int) -> list[str]:
        pad, size = "    " * indent, max(size, 1)
        inner = lambda more: self.block(indent + 1, loops + more, size)  # noqa: E731
        match kind:
            case "if":
                lines = [f"{pad}if {self.condition(2)}:", *inner(0)]
                if self.random.random() < 0.4:
                    lines += [f"{pad}elif {self.condition(1)}:", *inner(0)]
                if self.random.random() < 0.5:
                    lines += [f"{pad}else:", *inner(0)]
                return lines
            case "match":
                return self.match(indent, loops, size)
            case "for":
                over = self.random.choice((
                    "i in range(n)", "j in range(3, -1, -1)", "s in x", "k, t in enumerate(w)",
                    "t, (i, u) in zip(x, enumerate(w, 1))", "j in reversed(range(1, 6, 2))",
                ))  # fmt: skip
                lines = [f"{pad}for {over}:", *inner(1)]
            case "rows":
                lines = [f"{pad}for u in reversed(x):", *inner(1)]
            case "tuple":
                lines = [f"{pad}for i, u in ((1, s), (j, 2), (0, 0.25)):", *inner(1)]
            case "while":
                self.loops += 1
                count = f"c{self.loops}"
                lines = [f"{pad}{count} = 0", f"{pad}while {count} < 4 and ({self.condition(1)}):"]
                lines += [f"{pad}    {count} += 1", *inner(1)]
            case _:
                self.loops += 1
                count = f"c{self.loops}"
                lines = [f"{pad}{count} = 0", f"{pad}while True:", f"{pad}    {count} += 1"]
                return [*lines, f"{pad}    if {count} > 3: break", *inner(1)]
        if self.random.random() < 0.3:
            lines += [f"{pad}else:", *inner(0)]
        return lines

    def match(self, indent: int, loops: int, size: int) -> list[str]:
        pad = "    " * indent
        lines = [f"{pad}match {self.integer(1)} % 4:", f"{pad}    case 0 | 1:"]
        lines += self.block(indent + 2, loops, size)
        lines += [f"{pad}    case m if m > {self.integer(0)}:"]
        lines += self.block(indent + 2, loops, size)
        if self.random.random() < 0.5:
            lines += [f"{pad}    case _:", *self.block(indent + 2, loops, size)]
        return lines

    def index(self) -> str:
        return self.random.choice(("0", "1", "-1", "n % 5", f"({self.integer(1)}) % 5"))

    def integer(self, depth: int) -> str:
        if depth == 0:
            return self.random.choice((*INTS, "n", "1", "3", "len(x)"))
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        form = self.random.choice(
            ("({} + {}) % 7", "({} - {}) % 5", "{} // 2 + {} % 3", "-({}) % 6 - ({}) // 3")
        )
        return form.format(a, b)

    def number(self, depth: int) -> str:
        if depth == 0:
            return self.random.choice((*FLOATS, "a", "0.5", "2", "x[0]", f"w[{self.index()}]", "i"))
        a, b = self.number(depth - 1), self.number(depth - 1)
        form = self.random.choice((
            "0.5 * {} + {}", "{} - 0.25 * {}", "math.sin({}) * {}", "max({}, {})", "min({}, {}, 1)",
            "({} if {} > 0.5 else 0.5)", "g({}, {})", "(lambda q: q - {})({})", "abs({} - {})",
            "({} > {}) * 2",
        ))  # fmt: skip
        return form.format(a, b)

    def condition(self, depth: int) -> str:
        if depth == 0:
            forms = ("{} > {}", "{} <= {}", "0 < {} < {}", "{} == {}")
            return self.random.choice(forms).format(self.number(0), self.number(0))
        a, b = self.condition(depth - 1), self.condition(depth - 1)
        forms = ("{} and {}", "{} or {}", "not ({} and {})", "({} or i) and {}", "{} and not {}")
        return self.random.choice(forms).format(a, b)
