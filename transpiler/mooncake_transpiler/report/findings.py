"""The facts of a report, as data: the page and the text are two ways to show them."""

from __future__ import annotations

from dataclasses import dataclass, field

from mooncake_transpiler.report.byte_formulas import Size, Symbol

Spot = tuple[str, int]  # a line of the source: the path and the number


@dataclass(frozen=True, slots=True)
class RuleBehind:
    """The rule behind a call: the call as it is written, what its derivative is, and where."""

    call: str
    line: int
    path: str
    formula: str
    home: str


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the source; ``start`` is the line where its statement begins."""

    number: int
    start: int
    text: str
    tags: tuple[str, ...] = ()  # "inactive", "recomputed", "fused"


@dataclass(frozen=True, slots=True)
class Section:
    """The text of a function of the source: the one that is differentiated, or one in line."""

    path: str
    name: str
    lines: tuple[SourceLine, ...]


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """A line of a generated function, and the lines of the source that it comes from."""

    text: str
    spots: tuple[Spot, ...] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """A residual: its bytes, the line that makes it, the lines of the pullback that read it.

    ``held``: it is memory of the caller's, which costs nothing to keep.
    """

    name: str
    type: str
    bytes: Size
    held: bool
    spot: Spot | None
    reason: str
    readers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """All that is known about the derivatives of one function."""

    name: str
    line: int
    state: str
    why: str
    sections: tuple[Section, ...] = ()
    forward: tuple[WrittenLine, ...] = ()
    pullback: tuple[WrittenLine, ...] = ()
    sweep: tuple[WrittenLine, ...] = ()  # both in one function, where nothing crosses a border
    ledger: tuple[Saved, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    remarks: tuple[tuple[str, str], ...] = ()  # a word such as "inactive", and what is
    rules: tuple[RuleBehind, ...] = ()
    certificate: str = ""


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    name: str
    path: str
    functions: tuple[FunctionFacts, ...] = field(default=())
