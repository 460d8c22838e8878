"""Templates filled in: ``{K}`` becomes a mask, ``{F}`` a float; ``{+K}`` is a new name for a mask.

The same letter with the same digit is the same text everywhere in a template.
"""

from __future__ import annotations

import re

from tests.conformance.expressions import EXPRESSIONS, table
from tests.property.names import COLUMNS, LENGTH, ROWS, Array
from tests.property.writer import Lines, Simple, Writer

HOLE = re.compile(r"\{(\+?[A-Z])(\d?)\}")
SHAPES = {"V": (LENGTH,), "M": (ROWS, COLUMNS), "G": (LENGTH, COLUMNS)}
STEMS = {"F": "v", "V": "z", "M": "h", "G": "g", "K": "k", "I": "i", "N": "n", "S": "f", "H": "h"}


class Idioms(Writer):
    """Writes statements with the expressions of ``expressions.py``; see the letters there."""

    def fill(self, template: str, depth: int = 2) -> str:
        """The text of a template; new names can be used from then on."""
        chosen: dict[str, str] = {}
        bound: list[tuple[str, str]] = []

        def hole(match: re.Match[str]) -> str:
            letter, digit = match.groups()
            if letter + digit in chosen:
                return chosen[letter + digit]
            if letter.startswith("+"):
                text = self.fresh(STEMS[letter[1]])
                bound.append((letter[1], text))
            else:
                text = self.expression(letter, depth)
            if digit:
                chosen[letter + digit] = chosen[letter.lstrip("+") + digit] = text
            return text

        text = HOLE.sub(hole, template)
        for letter, name in bound:
            self._bind(letter, name)
        return text

    def expression(self, letter: str, depth: int) -> str:
        """An expression of the kind ``letter``."""
        names = self._names(letter)
        if names and (depth <= 0 or letter not in EXPRESSIONS or self.chance(0.35)):
            return self.pick(names)
        match letter:
            case "A":
                return self.leaf()
            case "B":
                return self.bounded(1)
            case "C":
                return f"({self.condition(0)})" if self.chance(0.5) else self._from("C", depth)
            case "T":
                return self.target()
            case "X":
                return f"{self.random.uniform(-0.9, 0.9):.2f}"
            case "D":
                return str(self.random.randrange(3))
            case _:
                return self._from(letter, depth)

    def _from(self, letter: str, depth: int) -> str:
        forms = EXPRESSIONS[letter]
        form = forms[0] if depth <= 0 else self.choice(forms)
        text = self.fill(form, depth - 1)
        return text if letter == "L" else f"({text})"

    def _names(self, letter: str) -> list[str]:
        names = self.names
        match letter:
            case "V" | "M" | "G":
                found = [a.name for a in names.arrays if a.shape == SHAPES[letter]]
                return [name for name in found if name.isidentifier()] or found
            case "F":
                return names.floats
            case "N":
                return [*names.ints, *names.indices]
            case "H":
                return names.functions
            case _:
                return names.others.get(letter, [])

    def _bind(self, letter: str, name: str) -> None:
        names = self.names
        match letter:
            case "V" | "M" | "G":
                names.arrays.append(Array(name, SHAPES[letter]))
            case "F":
                names.floats.append(name)
                names.places.append(name)
            case "N":
                names.ints.append(name)
            case "H":
                names.functions.append(name)
            case _:
                names.others[letter] = [*names.others.get(letter, []), name]


def lines(text: str) -> tuple[Simple, ...]:
    """Statements of one line each, separated by two spaces."""
    return tuple(map(_statement, table(text)))


def paragraphs(text: str) -> tuple[Simple, ...]:
    """Statements of several lines, separated by empty ones."""
    return tuple(map(_statement, text.strip().split("\n\n")))


def _statement(template: str) -> Simple:
    def written(w: Writer) -> Lines:
        assert isinstance(w, Idioms)
        return w.fill(template).split("\n")

    return written
