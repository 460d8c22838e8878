"""Random typed programs in the language that is transpiled, and inputs for them."""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

from tests.property.expressions import COLUMNS, LENGTH, ROWS, Array, Expressions

Lines = list[str]

HEADER = """\
import math

import numpy as np
from typing import Annotated
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
"""

HELPERS = {
    "_poly": "def _poly(v, w=0.5):\n    return 0.3 * v * v + w * v\n",
    "_late": (
        "def _late(v: float, n: int) -> float:\n"
        "    for q in range(n):\n"
        "        v = math.sin(v) + 0.2\n"
        "        if v > 0.9:\n"
        "            return v * v\n"
        "    return 0.5 * v\n"
    ),
    "_bump": (
        "def _bump(z: Vec, at: int, v: float) -> float:\n"
        "    old = z[at]\n"
        "    z[at] = 0.5 * old + math.sin(v)\n"
        "    return old * v\n"
    ),
    "_deep": (
        "def _deep(n: int, v: float) -> float:\n"
        "    if n <= 0:\n"
        "        return math.cos(v)\n"
        "    return 0.5 * v * _deep(n - 1, math.sin(v)) + 0.1\n"
    ),
    "_pair": "def _pair(v, w):\n    return math.sin(w), 0.5 * v + w * w * 0.1\n",
    "_smear": (
        "def _smear(z: Vec, n: int) -> None:\n"
        "    if n <= 0:\n"
        "        return\n"
        "    for q in range(1, z.shape[0]):\n"
        "        z[q] = 0.5 * z[q] + 0.4 * math.sin(z[q - 1])\n"
        "    _smear(z, n - 1)\n"
    ),
}

SIMPLE = (
    "float", "float", "update", "update", "int", "store", "store", "accum", "accum", "scale",
    "swap", "walrus", "slices", "fill", "call", "bump", "pair", "local", "view", "choose", "copy",
    "smear", "exchange",
)  # fmt: skip
COMPOUND = ("if", "if", "for", "for", "for", "while", "work", "triangle", "rows")


class Generator(Expressions):
    """Writes one function ``f(x, y, m, a, b, k)``; every run of it ends."""

    def __init__(self, random: Random, size: int) -> None:
        super().__init__(random)
        self.size = size
        self.count = 0
        self.helpers: set[str] = set()

    def program(self) -> str:
        self.names.floats += ["a", "b", "s", "t"]
        self.names.ints += ["k", "p"]
        self.names.arrays += [Array("x", (LENGTH,)), Array("y", (LENGTH,))]
        self.names.arrays += [Array("m", (ROWS, COLUMNS)), Array("w", (LENGTH,))]
        first = self.random.choice((f"np.zeros({LENGTH})", "x.copy()", "np.full(len(x), 0.5)"))
        body = ["s = 0.0", f"t = {self.random.choice(('a', '0.3', '0', 'x[0] * b'))}"]
        body += ["p = 0", f"w = {first}", *self.block(0, False, self.size), *self.result()]
        helpers = "\n\n".join(HELPERS[name] for name in sorted(self.helpers))
        head = "def f(x: Vec, y: Vec, m: Mat, a: float, b: float, k: int) -> float:"
        return "\n".join([HEADER, *([helpers] if helpers else []), "", head, *indented(body), ""])

    def result(self) -> Lines:
        """Return a number that depends on everything, or on little."""
        if self.chance(0.15):
            return [f"return {self.number(2)}"]
        lines = ["for i_ in range(len(x)):"]
        lines += ["    s += math.sin(x[i_] * (i_ + 1)) + 0.3 * y[i_] * y[i_] - 0.7 * w[i_]"]
        if self.chance(0.7):
            lines += ["for i_ in range(m.shape[0]):", "    for j_ in range(m.shape[1]):"]
            lines += ["        s += m[i_, j_] * m[i_, j_] * (0.1 + i_ - j_)"]
        return [*lines, f"return s + t * {self.number(1)}"]

    def block(self, depth: int, looping: bool, size: int) -> Lines:
        lines: Lines = []
        with self.scope():
            for _ in range(self.random.randint(1, size)):
                lines += self.statement(depth, looping, size)
        return lines

    def statement(self, depth: int, looping: bool, size: int) -> Lines:
        if depth < 4 and self.chance(0.45):
            kind = self.random.choice(COMPOUND)
            return list(getattr(self, f"_{kind}")(depth + 1, looping, max(1, size - 1)))
        if looping and self.chance(0.1):
            return [f"if {self.condition()}:", f"    {self.random.choice(('break', 'continue'))}"]
        if depth and self.chance(0.05):
            return [f"if {self.condition()}:", f"    return {self.number(1)}"]
        return list(getattr(self, f"_{self.random.choice(SIMPLE)}")())

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    # ---- simple statements ----------------------------------------------------------------------

    def _float(self) -> Lines:
        if self.chance(0.4):
            name, value = self.fresh("v"), self.bounded()
            self.names.floats.append(name)
            return [f"{name} = {value}"]
        return [f"{self.random.choice('st')} = {self.bounded()}"]

    def _update(self) -> Lines:
        form = self.random.choice((
            "{0} += {1}", "{0} -= 0.3 * {1}", "{0} *= math.cos({1})", "{0} = 0.7 * {0} + {1}",
            "{0} += {1} * {1}", "{0} /= 1.5 + math.sin({1})", "{0} = math.sin({0} + {1})",
        ))  # fmt: skip
        return [form.format(self.random.choice("st"), self.bounded())]

    def _int(self) -> Lines:
        return [self.random.choice(("p += 1", "p = " + self.integer()))]

    def _store(self) -> Lines:
        return [f"{self.target()} = {self.bounded()}"]

    def _accum(self) -> Lines:
        return [f"{self.target()} {self.random.choice(('+=', '+=', '-='))} {self.bounded()}"]

    def _scale(self) -> Lines:
        return [f"{self.target()} *= math.cos({self.number(1)})"]

    def target(self) -> str:
        return self.element(self.random.choice(self.names.arrays))

    def _swap(self) -> Lines:
        return [self.random.choice(("s, t = t, s", "s, t = 0.5 * t + a, s * b"))]

    def _walrus(self) -> Lines:
        return [f"s = 0.5 * (t := {self.bounded(1)}) + t * t"]

    def vector(self) -> str:
        return self.random.choice([v.name for v in self.names.arrays if v.shape == (LENGTH,)])

    def _slices(self) -> Lines:
        lo, width = self.random.randrange(3), self.random.randint(1, 3)
        at = f"[{lo}:{lo + width}]"
        other = self.random.randrange(LENGTH - width + 1)
        source = f"{self.vector()}[{other}:{other + width}]"
        op = self.random.choice(("=", "=", "+="))
        return [f"{self.vector()}{at} {op} {source}"]

    def _fill(self) -> Lines:
        at = self.random.choice(("[:]", "[1:]", "[::2]", "[-2:]"))
        return [f"{self.vector()}{at} {self.random.choice(('=', '+='))} {self.bounded(1)}"]

    def _call(self) -> Lines:
        name = self.random.choice(("_poly", "_late", "_deep"))
        self.helpers.add(name)
        args = {
            "_poly": f"{self.bounded(1)}",
            "_late": f"{self.bounded(1)}, {self.random.choice(self.names.ints)} % 4",
            "_deep": f"{self.random.choice(self.names.ints)} % 3, {self.bounded(1)}",
        }
        return [f"{self.random.choice('st')} += 0.5 * {name}({args[name]})"]

    def _bump(self) -> Lines:
        self.helpers.add("_bump")
        call = f"_bump({self.vector()}, {self.index(LENGTH)}, {self.bounded(1)})"
        return [self.random.choice((f"t = math.sin({call})", call))]

    def _smear(self) -> Lines:
        self.helpers.add("_smear")
        return [f"_smear({self.vector()}, {self.random.randrange(1, 3)})"]

    def _pair(self) -> Lines:
        self.helpers.add("_pair")
        return [f"s, t = _pair(s, {self.bounded(1)})", "t = math.tanh(t)"]

    def _local(self) -> Lines:
        name = self.fresh("w")
        size = self.random.choice((f"{LENGTH}", "len(x)", "x.shape[0]"))
        make = self.random.choice((
            f"np.zeros({size})", "np.zeros_like(x)", "y.copy()", f"np.full({size}, s)",
            "np.ones(len(y))",
        ))  # fmt: skip
        self.names.arrays.append(Array(name, (LENGTH,)))
        return [f"{name} = {make}"]

    def _copy(self) -> Lines:
        return [f"w = {self.vector()}.copy()"]

    def _view(self) -> Lines:
        name = self.fresh("z")
        forms = [
            (f"m[{self.index(ROWS)}]", COLUMNS), (f"m[:, {self.index(COLUMNS)}]", ROWS),
            (f"{self.vector()}[1:4]", 3), (f"{self.vector()}[::-1]", LENGTH),
            (f"{self.vector()}[::2]", 3), (f"{self.vector()}", LENGTH),
        ]  # fmt: skip
        value, length = self.random.choice(forms)
        self.names.arrays.append(Array(name, (length,)))
        return [f"{name} = {value}"]

    def _choose(self) -> Lines:
        name = self.fresh("c")
        value = f"{self.vector()} if {self.condition(0)} else {self.vector()}"
        self.names.arrays.append(Array(name, (LENGTH,)))
        return [f"{name} = {value}"]

    def _exchange(self) -> Lines:
        return [self.random.choice(("x, w = w, x", "w = x", "p += 2", "p += 2"))]

    # ---- compound statements --------------------------------------------------------------------

    def _if(self, depth: int, looping: bool, size: int) -> Lines:
        lines = [f"if {self.condition()}:", *indented(self.block(depth, looping, size))]
        if self.chance(0.25):
            lines += [f"elif {self.condition()}:", *indented(self.block(depth, looping, size))]
        if self.chance(0.5):
            lines += ["else:", *indented(self.block(depth, looping, size))]
        return lines

    def _for(self, depth: int, looping: bool, size: int) -> Lines:
        index = self.fresh("i")
        over, least, most = self.random.choice((
            ("range(len(x))", 0, LENGTH - 1), ("range(x.shape[0])", 0, LENGTH - 1),
            (f"range({LENGTH})", 0, LENGTH - 1), ("range(1, len(y))", 1, LENGTH - 1),
            ("range(1, len(y) - 1)", 1, LENGTH - 2), ("range(k)", 0, 2), ("range(3)", 0, 2),
            ("range(len(x) - 1, -1, -1)", 0, LENGTH - 1), ("range(0, len(x), 2)", 0, LENGTH - 1),
            ("range(4, 0, -2)", 2, 4), ("reversed(range(1, 5))", 1, 4), ("range(m.shape[0])", 0, 3),
            ("range(m.shape[1])", 0, COLUMNS - 1), ("range(p % 3)", 0, 2), ("range(2, 2)", 2, 2),
        ))  # fmt: skip
        with self.scope():
            self.names.indices[index] = (least, most)
            head = f"for {index} in {over}:"
            if self.chance(0.2):
                value = self.fresh("e")
                vector = self.vector()
                self.names.indices[index] = (0, LENGTH - 1)
                self.names.floats.append(value)
                head = f"for {index}, {value} in enumerate({vector}):"
            lines = [head, *indented(self.block(depth, True, size))]
        return lines + self.orelse(depth, looping)

    def orelse(self, depth: int, looping: bool) -> Lines:
        return ["else:", *indented(self.block(depth, looping, 1))] if self.chance(0.1) else []

    def _while(self, depth: int, looping: bool, size: int) -> Lines:
        count, most = self.fresh("q"), self.random.randrange(1, 5)
        with self.scope():
            self.names.ints.append(count)
            more = f" and {self.condition(0)}" if self.chance(0.5) else ""
            body = [f"{count} += 1", *self.block(depth, True, size)]
        lines = [f"{count} = 0", f"while {count} < {most}{more}:", *indented(body)]
        return lines + self.orelse(depth, looping)

    def _work(self, depth: int, looping: bool, size: int) -> Lines:
        """A work array that each iteration fills and reads."""
        work, outer, inner = self.fresh("w"), self.fresh("i"), self.fresh("j")
        inside = self.chance(0.3)
        lines = [f"for {outer} in range(m.shape[0]):"]
        with self.scope():
            self.names.indices[outer] = (0, ROWS - 1)
            with self.scope():
                self.names.indices[inner] = (0, COLUMNS - 1)
                filling = [f"{work}[{inner}] = {self.bounded()}"]
                self.names.arrays.append(Array(work, (COLUMNS,)))
                using = self.block(depth, True, size)
            make = f"{work} = np.empty({COLUMNS})"
            body = [make] if inside else []
            body += [f"for {inner} in range({COLUMNS}):", *indented(filling)]
            self.names.arrays.append(Array(work, (COLUMNS,)))
            if self.chance(0.3):
                body += self.block(depth, True, 1)
            with self.scope():
                self.names.indices[inner] = (0, COLUMNS - 1)
                body += [f"for {inner} in range({COLUMNS}):", *indented(using)]
        return ([] if inside else [make]) + lines + indented(body)

    def _triangle(self, depth: int, looping: bool, size: int) -> Lines:
        i, j = self.fresh("i"), self.fresh("j")
        over = self.random.choice((f"range({i} + 1, len(x))", f"range({i})", f"range({i} + 1)"))
        with self.scope():
            self.names.indices |= {i: (0, LENGTH - 1), j: (0, LENGTH - 1)}
            inner = indented(self.block(depth, True, size))
        return [f"for {i} in range(len(x)):", f"    for {j} in {over}:", *indented(inner)]

    def _rows(self, depth: int, looping: bool, size: int) -> Lines:
        """Rows of the matrix, one after the other."""
        i, row = self.fresh("i"), self.fresh("r")
        with self.scope():
            self.names.indices[i] = (0, ROWS - 1)
            self.names.arrays.append(Array(row, (COLUMNS,)))
            body = [f"{row} = m[{i}]", *self.block(depth, True, size)]
            return [f"for {i} in range(m.shape[0]):", *indented(body)]


def indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


def program(seed: int, size: int = 4) -> str:
    """The program of ``seed``."""
    return Generator(Random(seed), size).program()


Inputs = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], float, float, int]


def inputs(seed: int) -> Inputs:
    rng = np.random.default_rng(seed)
    vectors = (rng.uniform(-1.0, 1.0, shape) for shape in (LENGTH, LENGTH, (ROWS, COLUMNS)))
    x, y, m = vectors
    a, b = rng.uniform(-1.0, 1.0, 2)
    return x, y, m, float(a), float(b), int(rng.integers(0, 4))
