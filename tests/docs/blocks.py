"""The blocks of code in a page, and how they are run.

```python                            runs, in one namespace for the page
```python title="model.py"           is written to that file
```python title="model_grad.py, in part"   stands in that file, but for docstrings
```pycon                             is a doctest
```console                           lines with $ are run; what is shown is what they print
```toml title="pyproject.toml"       is written to that file (any other kind of text, too)
```sh, ```text                       do nothing here
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(
    r"^(?P<indent> *)```(?P<kind>\w+)(?: title=\"(?P<title>[^\"]+)\")?[^\n]*\n"
    r"(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
DOCSTRING = re.compile(r'^ *"""(?:.*?)"""\n', re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    kind: str
    title: str  # empty without one
    text: str
    line: int  # the first line of the text, from 1

    @property
    def is_excerpt(self) -> bool:
        return self.title.endswith(", in part")

    @property
    def file(self) -> str:
        return self.title.removesuffix(", in part")


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page in Markdown, in order."""
    for match in FENCE.finditer(page):
        indent = len(match["indent"])
        lines = [line[indent:] for line in match["text"].splitlines()]
        text = "".join(f"{line}\n" for line in lines)
        first = page.count("\n", 0, match.start("text")) + 1
        yield Block(match["kind"], match["title"] or "", text, first)


def without_docstrings(text: str) -> list[str]:
    """The lines that count when a page shows a part of a generated file."""
    bare = DOCSTRING.sub("", text)
    return [line.rstrip() for line in bare.splitlines() if line.strip() not in ("", "...")]


def holds(text: str, part: str) -> bool:
    """True if the lines of ``part`` stand in ``text``, in a row but for `...`."""
    lines, wanted = without_docstrings(text), without_docstrings(part)
    margin = min((len(line) - len(line.lstrip()) for line in wanted), default=0)
    found = [line.strip() for line in lines]
    parts: list[list[str]] = [[]]
    for line in DOCSTRING.sub("", part).splitlines():
        if line.strip() == "...":
            parts.append([])
        elif line.strip():
            parts[-1].append(line[margin:].strip())
    return all(
        any(found[k : k + len(rows)] == rows for k in range(len(found) - len(rows) + 1))
        for rows in parts
    )
