"""The log of a search: a line for each chunk, below it what was found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from mooncake_transpiler.output.digests import compiler_digest

from tests.property.search import is_limit

LINE = re.compile(r"seeds (\d+)-(\d+): (.*); \d+ s$")
OUTCOME = re.compile(r"(\d+) ([^,]+)")


@dataclass(slots=True)
class Log:
    """Writes to ``path``, if there is one; ``kinds`` and ``before`` are what it had already."""

    path: Path | None
    accepts: Callable[[str], bool] = is_limit
    kinds: Counter[str] = field(default_factory=Counter)
    before: int = 0
    failures: int = 0

    def begin(self, size: int) -> set[int]:
        """Start a new log; the first seeds of the chunks that are done: none."""
        if self.path:
            self.path.write_text("")
        self._write(_header(size))
        return set()

    def start(self, size: int) -> set[int]:
        """Go on with a log; the first seeds of the chunks that are done."""
        done: set[int] = set()
        if self.path is None or not self.path.exists():
            return self.begin(size)
        for line in self.path.read_text().splitlines():
            if match := LINE.match(line):
                done.add(int(match[1]))
                for count, kind in OUTCOME.findall(match[3]):
                    self.kinds[kind] += int(count)
        self.before = self.kinds.total()
        self.failures = sum(count for kind, count in self.kinds.items() if self.is_failure(kind))
        if _header(size) not in self.path.read_text():
            self._write(_header(size))
        return done

    def add(self, seeds: range, kinds: Counter[str], seconds: float, found: list[str]) -> None:
        counts = ", ".join(f"{n} {kind.replace(',', ';')}" for kind, n in kinds.most_common())
        self._write(f"seeds {seeds.start}-{seeds.stop - 1}: {counts}; {seconds:.0f} s\n")
        for text in found:
            self._write("".join(f"    {line}\n" for line in text.splitlines()))
        self.failures += sum(count for kind, count in kinds.items() if self.is_failure(kind))

    def is_failure(self, kind: str) -> bool:
        return kind not in ("fine", "discarded") and not self.accepts(kind)

    def _write(self, text: str) -> None:
        if self.path:
            with self.path.open("a") as file:
                file.write(text)


def _header(size: int) -> str:
    return f"# blocks of {size} statements, transpiler {compiler_digest()[:19]}\n"


def summary(kinds: Counter[str]) -> str:
    """The outcomes, and the shares of the programs that are refused or discarded."""
    refused = sum(count for kind, count in kinds.items() if kind.startswith("refused"))
    shares = (
        f"{refused / kinds.total():.1%} refused, {kinds['discarded'] / kinds.total():.1%} discarded"
    )
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f"{kinds.total()} programs: {counts} ({shares})"
