"""Random typed programs in the language that is transpiled, and inputs for them."""

from __future__ import annotations

import inspect
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
from mooncake_runtime.tangents import Tree

from tests.property import blocks, containers, functions, objects, statements, wholes
from tests.property.names import COLUMNS, LENGTH, ROWS, Array
from tests.property.prelude import complete
from tests.property.writer import Lines, Simple, Writer, indented

BASE = ("x: Vec", "y: Vec", "m: Mat", "g: Wide", "a: float", "b: float", "k: int")
OBJECTS = {"o": "State", "q": "Spring", "u": "Pair", "c": "Pack"}
THEMES: dict[str, tuple[Simple, ...]] = {
    "elements": statements.SIMPLE,
    "wholes": wholes.SIMPLE,
    "objects": objects.SIMPLE,
    "containers": containers.SIMPLE,
    "functions": functions.SIMPLE,
}
Arguments = tuple[Tree, ...]


def program(seed: int, size: int = 3) -> str:
    """The program of ``seed``: a function ``f`` of arrays, numbers and objects.

    Each takes its statements from a few themes, so that small ones have much to do with each other.
    """
    random = Random(seed)
    names = random.sample([*THEMES], random.choice((2, 2, 3)))
    simple = [statement for name in names for statement in _shared(THEMES[name])]
    compound = blocks.COMPOUND
    if random.random() < 0.3:
        compound += 4 * (blocks.attempt,)
    writer = Writer(random, size, tuple(simple), compound)
    taken = _objects(random, {"objects", "containers"} & {*names})
    head = [f"def f({', '.join([*BASE, *(f'{o}: {OBJECTS[o]}' for o in taken)])}) -> float:"]
    if random.random() < 0.5:  # to save time
        head.insert(0, "# mooncake: modes=reverse")
    return complete("\n".join([*head, *indented(_body(writer, taken)), ""]))


def _shared(theme: tuple[Simple, ...]) -> list[Simple]:
    """Statements of a theme in equal number, whatever its size."""
    return [theme[at % len(theme)] for at in range(20)]


def _objects(random: Random, wanted: set[str]) -> list[str]:
    """The parameters that are objects; where statements are about objects, there is a state."""
    found = [name for name in OBJECTS if random.random() < (0.3 if wanted else 0.04)]
    return [*found, "o"] if wanted and not {"o", "c"} & {*found} else found


def _body(w: Writer, taken: list[str]) -> Lines:
    names = w.names
    names.floats += ["a", "b", "s", "t"]
    names.places += ["s", "t"]
    names.ints += ["k", "p"]
    names.arrays += [Array(name, (LENGTH,)) for name in "xyw"]
    names.arrays += [Array("m", (ROWS, COLUMNS)), Array("g", (LENGTH, COLUMNS))]
    for name in taken:
        names.bind(name, OBJECTS[name])
    first = w.choice((f"np.zeros({LENGTH})", "x.copy()", "np.full(len(x), 0.5)"))
    lines = ["s = 0.0", f"t = {w.choice(('a', '0.3', '0', 'x[0] * b'))}", "p = 0", f"w = {first}"]
    lines += [line for _ in range(w.random.randint(2, 2 + w.place.size)) for line in w.statement()]
    if w.chance(0.04):
        lines += [f"if {w.condition(0)}:", "    raise RuntimeError('stop')"]
    return lines + result(w, taken)


def result(w: Writer, taken: list[str]) -> Lines:
    """Return a number that depends on everything, or on little."""
    if w.chance(0.15):
        return [f"return {w.number(2)}"]
    lines = [f"s += {name}.{_NUMBERS[OBJECTS[name]].format(name)}" for name in taken]
    if w.chance(0.5):
        lines += ["s += np.sum(np.sin(2.0 * x) + 0.3 * y * y - 0.7 * w)"]
    else:
        lines += ["for i_ in range(len(x)):"]
        lines += ["    s += math.sin(x[i_] * (i_ + 1)) + 0.3 * y[i_] * y[i_] - 0.7 * w[i_]"]
    if w.chance(0.3):
        lines += ["s += np.sum(m * m) + np.sum(g[0] * g[1] * g[2] + 0.1 * g[3])"]
    return [*lines, f"return s + t * {w.number(1)}"]


_NUMBERS = {
    "State": "t * 0.7 + np.sum({0}.x * {0}.v) + 0.3 * {0}.v[1]",
    "Spring": "k * np.sum({0}.w)",
    "Pair": "first * {0}.second[0] + {0}.second[3]",
    "Pack": "total + {0}.inner.t * {0}.inner.x[0] + np.sum({0}.inner.v)",
}


def arguments(module: ModuleType, seed: int) -> Arguments:
    """Values for the parameters of ``f``; of one seed in six the arrays overlap."""
    rng = np.random.default_rng(seed)
    drawn = _arrays(rng, seed % 6 == 5)

    def number() -> float:
        return float(rng.uniform(-1.0, 1.0))

    def state() -> Any:
        return module.State(drawn["ox"], drawn["ov"], number(), 1)

    def spring() -> Any:
        return module.Spring(number(), drawn["qw"])

    makers = {
        "a": number, "b": number, "k": lambda: int(rng.integers(0, 4)),
        "o": state, "q": spring, "u": lambda: module.Pair(number(), drawn["us"]),
        "c": lambda: module.Pack(module.State(drawn["cx"], drawn["cv"], number()), spring(), 0.31),
    }  # fmt: skip
    names = inspect.signature(module.f).parameters
    return tuple(drawn[name] if name in drawn else makers[name]() for name in names)


def _arrays(rng: np.random.Generator, overlap: bool) -> dict[str, np.ndarray]:
    """All arrays, some of them parts of others if they ``overlap``."""
    drawn = {name: rng.uniform(-1.0, 1.0, LENGTH) for name in ("x", "y", *_FIELDS)}
    drawn["m"] = rng.uniform(-1.0, 1.0, (ROWS, COLUMNS))
    drawn["g"] = rng.uniform(-1.0, 1.0, (LENGTH, COLUMNS))
    if overlap:
        memory = rng.uniform(-1.0, 1.0, 2 * LENGTH)
        parts = (memory[:LENGTH], memory[1 : LENGTH + 1], memory[::2], memory[LENGTH - 1 :: -1])
        for name in rng.choice(["x", "y", *_FIELDS], 4, replace=False):
            drawn[name] = parts[rng.integers(4)]
        if rng.uniform() < 0.3:
            drawn["y"] = drawn["g"][:, 1]
    return drawn


_FIELDS = ("ox", "ov", "qw", "us", "cx", "cv")
