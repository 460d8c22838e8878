"""Random programs over dicts, tuples, lists of dicts and objects with text that are parameters."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from mooncake_runtime.tangents import Tree
from mooncake_transpiler.compilation import Crashed

from tests.helpers.transpile import Refusal, gradient_text, module
from tests.property.check import Failure, compared
from tests.property.primal import Primal, discarding
from tests.property.reference import reference

HEAD = """\
from __future__ import annotations
from dataclasses import dataclass
import numpy as np

@dataclass
class Item:
    name: str
    x: float
    y: float

def f(a: float, w: dict[str, float], q: dict[int, float], t: tuple[float, ...],
      rows: list[dict[str, float]], items: list[Item], names: list[str]) -> float:
    s = 0.0 * len(w) * len(rows[0])
    last = "none"
    out = {}
    sums = {}
    u = ()
"""
FLOATS = ("a", "0.7", "len(w)", "len(t)", "t[0]", "t[-1]", "sum(w.values())", "sum(t[1:])",
          "w['a']", "w.get('z', 0.4)", "q.get(2, 0.6)", "sum(q.values())", "rows[0]['p']",
          "items[0].x", "items[-1].y", "max(t)", "sum(r['p'] for r in rows)", "len(names)",
          "sum(i.x for i in items if i.name == 'b')", "out.get('a', 0.2)", "sums.get(1, 0.3)",
          "(1.0 if last == 'a' else 0.5)", "sum(u)", "len(out)")  # fmt: skip
TERMS = ("({0} + {1})", "({0} * {1})", "({0} - {1})", "np.sin({0})", "np.tanh({0})",
         "({0} if {1} > 0.3 else {1})")  # fmt: skip
TEXTS = ("'a'", "'b'", "'cash'", "'z'")


@dataclass(frozen=True, slots=True)
class Seen:
    """Names in sight: numbers, texts and integers, and the dict that a loop around runs over."""

    numbers: tuple[str, ...] = FLOATS
    texts: tuple[str, ...] = ("last",)
    integers: tuple[str, ...] = ("1", "2")
    looped: frozenset[str] = field(default_factory=frozenset)
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop: its head, and what its body sees."""

    head: str
    numbers: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    integers: tuple[str, ...] = ()
    over: str = ""


LOOPS = (
    Loop("for k{d}, v{d} in w.items():", ("v{d}", "w[k{d}]"), ("k{d}",), over="w"),
    Loop("for k{d} in w:", ("w[k{d}]", "out.get(k{d}, 0.1)"), ("k{d}",), over="w"),
    Loop("for j{d}, v{d} in q.items():", ("v{d}", "q[j{d}]"), (), ("j{d}",), over="q"),
    Loop("for j{d}, v{d} in enumerate(t):", ("v{d}", "t[j{d}]"), (), ("j{d}",)),
    Loop("for r{d} in rows:", ("r{d}['p']", "r{d}.get('f', 0.3)", "len(r{d})")),
    Loop("for k{d}, v{d} in rows[0].items():", ("v{d}",), ("k{d}",)),
    Loop("for o{d} in items:", ("o{d}.x", "o{d}.y"), ("o{d}.name",)),
    Loop("for k{d} in names:", ("w.get(k{d}, 0.2)",), ("k{d}",)),
    Loop("for i{d} in range(2):", ("t[i{d}]",), (), ("i{d}",)),
)


def program(seed: int) -> str:
    """The text of program number ``seed``."""
    rng = random.Random(seed)
    lines: list[str] = []
    for _ in range(rng.randint(2, 5)):
        lines += statement(rng, Seen())
    ends = [number(rng, Seen()) for _ in range(2)]
    lines.append(f"return s + {' * '.join(ends)} + sum(out.values()) + sum(sums.values())")
    return HEAD + "".join(f"    {line}\n" for line in lines)


def number(rng: random.Random, seen: Seen, depth: int = 2) -> str:
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(seen.numbers)
    parts = [number(rng, seen, depth - 1) for _ in range(2)]
    return rng.choice(TERMS).format(*parts)


def statement(rng: random.Random, seen: Seen) -> list[str]:
    value = f"0.5 * {number(rng, seen)}"
    text, integer = rng.choice((*seen.texts, *seen.texts, *TEXTS)), rng.choice(seen.integers)
    options: list[Callable[[], Sequence[str]]] = [
        lambda: [f"s += {value}"],
        lambda: [f"out[{text}] = out.get({text}, 0.1) + {value}"],
        lambda: [f"sums[{integer}] = sums.get({integer}, 0.0) + {value}"],
        lambda: [f"u = (*u, {value})"],
        lambda: [f"last = {text}"],
        lambda: [f"if {text} == {rng.choice((*seen.texts, *TEXTS))}:", *_inner(rng, seen)],
        lambda: [f"if {text} in w:", *_inner(rng, seen)],
        lambda: [f"if {value} > 0.2:", *_inner(rng, seen)],
        lambda: [f"t = t[1:] + ({value},)"] if not seen.depth else [f"s *= {value}"],
        lambda: [f"items[{rng.choice((0, 1, -1))}].x = {value}"],
        lambda: _stored(rng, seen, value),
    ]
    if seen.depth < 2:
        options += [lambda: _loop(rng, seen)] * 5
    return list(rng.choice(options)())


def _stored(rng: random.Random, seen: Seen, value: str) -> list[str]:
    """A number is put into a dict of the caller's; a new key not in a loop over it."""
    if rng.random() < 0.5:
        key = rng.choice(("'a'", "'d'"))
        return [f"w[{key}] = {value}"]
    key = rng.choice(("1", "5"))
    return [f"q[{key}] = {value}"]


def _loop(rng: random.Random, seen: Seen) -> list[str]:
    loop, d = rng.choice(LOOPS), seen.depth
    inside = replace(
        seen,
        numbers=(*seen.numbers, *(one.format(d=d) for one in loop.numbers * 3)),
        texts=(*seen.texts, *(one.format(d=d) for one in loop.texts)),
        integers=(*seen.integers, *(one.format(d=d) for one in loop.integers)),
        looped=seen.looped | {loop.over},
        depth=d + 1,
    )
    return [loop.head.format(d=d), *_inner(rng, inside)]


def _inner(rng: random.Random, seen: Seen) -> list[str]:
    lines = [line for _ in range(rng.randint(1, 2)) for line in statement(rng, seen)]
    return [f"    {line}" for line in lines]


def check(source: str, seed: int, jit: bool = False) -> Failure | None:
    """The failure of the derivatives of ``f`` at the arguments of ``seed``, or None."""
    with discarding():
        made = reference(source)
        args = _arguments(made.Item, random.Random(seed))
    primal = Primal(made.f, args)
    try:
        text = gradient_text(source)
    except Refusal as refusal:
        return Failure(f"refused {refusal.diagnostics[0].code}", str(refusal))
    except Crashed as crashed:
        return Failure(f"crash {crashed.crash.error[:60]}", crashed.crash.traceback)
    return compared(primal, lambda: module(text, "program_grad", jit=jit))


def _arguments(item: Callable[..., Tree], rng: random.Random) -> tuple[Tree, ...]:
    def some() -> float:
        return rng.uniform(-1.2, 1.2)

    return (
        some(),
        {key: some() for key in ("a", "b", "cash", "d")},
        {key: some() for key in (1, 2, 5)},
        (some(), some(), some()),
        [{"p": some(), "f": some()}, {"p": some(), "q": some()}],
        [item("b", some(), some()), item("a", some(), some()), item("b", some(), some())],
        ["b", "a", "none"],
    )
