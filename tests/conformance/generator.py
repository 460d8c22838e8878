"""Random programs of the idioms, and arguments for them: the generator of the property tests."""

from __future__ import annotations

import ast
from random import Random
from types import ModuleType

import numpy as np

from tests.conformance.grammar import Idioms
from tests.conformance.harness import Outcome, judged
from tests.conformance.idioms import GATHERS, MASKS, PLAIN, WHOLES
from tests.property import blocks, generator
from tests.property.check import Failure
from tests.property.generator import BASE, Arguments, result
from tests.property.names import COLUMNS, LENGTH, ROWS, Array
from tests.property.prelude import complete
from tests.property.primal import Discarded, discarding
from tests.property.reference import reference
from tests.property.search import Kind
from tests.property.writer import Lines, Simple, indented

THEMES: dict[str, tuple[Simple, ...]] = {
    "masks": MASKS, "gathers": GATHERS, "wholes": WHOLES, "plain": PLAIN,
}  # fmt: skip
LEAST, MOST = 3, 12  # statements
COLOR = "class Color(Enum):\n    RED = 0\n    BLUE = 1\n\n\n"


def program(seed: int) -> str:
    """The program of ``seed``, of a few of the themes."""
    random = Random(seed)
    themes = random.sample([*THEMES], random.choice((1, 2, 2, 3)))
    simple = [statement for theme in themes for statement in THEMES[theme]]
    writer = Idioms(random, 2, tuple(simple), blocks.COMPOUND)
    body = _body(writer, random.randint(LEAST, MOST))
    head = f"def f({', '.join(BASE)}) -> float:"
    text = ast.unparse(ast.parse("\n".join([head, *indented(body), ""])))  # without needless ()
    if "Color" in text:
        return "from enum import Enum\n\n" + complete(f"{COLOR}{text}\n")
    return complete(f"{text}\n")


def _body(w: Idioms, count: int) -> Lines:
    names = w.names
    names.floats += ["a", "b", "s", "t"]
    names.places += ["s", "t"]
    names.ints += ["k", "p"]
    names.arrays += [Array(name, (LENGTH,)) for name in "xyw"]
    names.arrays += [Array("m", (ROWS, COLUMNS)), Array("g", (LENGTH, COLUMNS))]
    lines = ["s = 0.0", f"t = {w.choice(('a', '0.3', '0', 'x[0] * b'))}", "p = 0"]
    lines.append(f"w = {w.choice((f'np.zeros({LENGTH})', 'x.copy()', 'y * y'))}")
    for _ in range(count):
        lines += w.statement() if w.chance(0.4) else w.choice(w.simple)(w)
    return lines + result(w, [])


def has_ties(seed: int) -> bool:
    """True for one seed in four: many of its numbers are equal."""
    return seed % 4 == 3


def has_second(seed: int) -> bool:
    """True for one seed in five: second derivatives are compared, too."""
    return seed % 5 == 1


def arguments(module: ModuleType, seed: int, ties: bool) -> Arguments:
    """The arguments of the property tests; with ``ties`` rounded to halves."""
    drawn = generator.arguments(module, seed)
    if not ties:
        return drawn
    return tuple(np.round(2 * arg) / 2 if isinstance(arg, np.ndarray) else arg for arg in drawn)


def check(source: str, seed: int, jit: bool = False) -> Failure | None:
    """The failure of the program, or the code that refuses it; None if it is right.

    At a tie (``x < 0`` at 0) the branch that is taken has a derivative, but differences see the
    other one. A gradient that is wrong at ties only says nothing.
    """
    outcome = _outcome(source, seed, has_ties(seed), jit)
    if outcome.kind in ("gradient", "second") and has_ties(seed):
        apart = _outcome(source, seed, False, jit)
        if apart.kind in ("fine", "discarded"):
            raise Discarded("differences at a tie")
        outcome = apart
    if outcome.kind == "discarded":
        raise Discarded(outcome.message)
    return None if outcome.kind == "fine" else Failure(outcome.kind, outcome.message)


def _outcome(source: str, seed: int, ties: bool, jit: bool) -> Outcome:
    with discarding():
        args = arguments(reference(source), seed, ties)
    return judged(source, args, jit=jit, second=has_second(seed))


def is_refusal(kind: str) -> bool:
    return kind.startswith("refused MK")


IDIOMS = Kind(program, check, is_refusal)
