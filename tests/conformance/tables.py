"""All tables, and the rows of them that are refused: ``refused.txt``, with codes and counts.

``python -m tests.conformance.tables`` writes that file anew, and says what is wrong.
"""

from __future__ import annotations

import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from tests.conformance import indexing, operators
from tests.conformance.rows import Theme

FILE = Path(__file__).parent / "refused.txt"


def themes() -> Iterator[Theme]:
    yield from operators.themes()
    yield from indexing.themes()


def sample(part: int) -> list[Theme]:
    """One theme in ``part``, the same ones always."""
    return [theme for theme in themes() if zlib.crc32(theme.name.encode()) % part == 0]


@cache
def refused() -> Mapping[str, Mapping[str, str]]:
    """The codes of the rows that are refused, by theme and key."""
    found: dict[str, dict[str, str]] = {}
    if not FILE.exists():
        return found
    for line in FILE.read_text().splitlines():
        if line.startswith("#"):
            continue
        name, _, codes = line.partition(" :: ")
        for part in codes.split(" | "):
            code, _, keys = part.partition(": ")
            found.setdefault(name, {}).update(dict.fromkeys(keys.split(" ; "), code))
    return found


def _line(name: str, codes: Mapping[str, str]) -> str:
    parts = (
        f"{code}: {' ; '.join(key for key in codes if codes[key] == code)}"
        for code in sorted(set(codes.values()))
    )
    return f"{name} :: {' | '.join(parts)}"


def main() -> int:
    """Judge all rows, or those of one theme in as many as the argument says."""
    counts: Counter[str] = Counter()
    lines, wrong = [], 0
    for theme in sample(int(sys.argv[1]) if len(sys.argv) > 1 else 1):
        found = theme.outcomes(refused().get(theme.name, {}))
        codes = {key: outcome.code for key, outcome in found.items() if outcome.is_refusal}
        counts.update(codes.values())
        counts["rows"] += len(found)
        if codes:
            lines.append(_line(theme.name, codes))
        for key, outcome in found.items():
            if outcome.is_wrong:
                wrong += 1
                print(f"{theme.name}: {key}: {outcome.kind}: {outcome.message}", flush=True)
    head = [f"# {count} {kind}" for kind, count in counts.most_common()]
    FILE.write_text("\n".join([*head, *lines, ""]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
