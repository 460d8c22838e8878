"""Long lists of names fill their lines, where formatters would give each name a line.

    return y, FResiduals(                  return y, FResiduals(
        alphas,                                alphas, means, lower, x, exp_q, exp_saved,
        means,                                 total,
        ...                                )  # fmt: skip
    )

Parameters, arguments and saved values are what such lists hold; nested expressions stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from mooncake_transpiler.emit.layout import LINE_LENGTH
from mooncake_transpiler.emit.traced_lines import rewritten

SKIP = "  # fmt: skip"
_FEWEST = 5  # items; fewer are read well one below the other
_ITEM = re.compile(
    r'( +)(\*|"[\w.\[\]]+"|\w+\([\w.]+\)|[\w.]+|\w+=[\w.]+'
    r'|\w+: [\w.\[\], |"]+( = [\w.+-]+)?),'
)
_CLOSER = re.compile(r" *[)\]}]")


def packed(lines: Sequence[str]) -> list[str]:
    """``lines``, statements that formatters leave alone, with their long lists filled."""
    done: list[str] = []
    pending = False  # the statement that goes on is to be skipped by formatters
    k = 0
    while k < len(lines):
        run = list(_run(lines, k))
        if len(run) >= _FEWEST and len(lines[_end(lines, k + len(run))]) <= LINE_LENGTH - len(SKIP):
            done += _filled(run)
            pending = True
            k += len(run)
            continue
        ends = pending and _CLOSER.match(lines[k]) and not lines[k].endswith((",", "(", "["))
        done.append(rewritten(lines[k] + SKIP, lines[k]) if ends else lines[k])
        pending = pending and not ends
        k += 1
    return done


def _run(lines: Sequence[str], start: int) -> Iterator[str]:
    """The items from ``start`` on that stand one below the other."""
    first = _ITEM.fullmatch(lines[start])
    for line in lines[start:] if first else ():
        item = _ITEM.fullmatch(line)
        if first is None or item is None or item[1] != first[1]:
            return
        yield line


def _end(lines: Sequence[str], k: int) -> int:
    """The last line of the statement that goes on at ``k``."""
    while not _CLOSER.match(lines[k]) or lines[k].endswith((",", "(", "[")):
        k += 1
    return k


def _filled(run: Sequence[str]) -> list[str]:
    pad = run[0][: len(run[0]) - len(run[0].lstrip())]
    glued = " ".join(line.strip().replace(" ", "\0") for line in run)
    found = wrap(glued, LINE_LENGTH - len(pad), break_long_words=False, break_on_hyphens=False)
    return [rewritten(pad + line.replace("\0", " "), *run) for line in found]
