"""The meanings of the codes of diagnostics: ``codes.md`` as a table.

A section of that file is ``## MKnnn Title``, then text, then usually an example in two Python
blocks: what is refused, and what to write instead. Codes are never given a new meaning.

    MK0xx  reading files                 MK3xx  calls of functions
    MK1xx  unsupported syntax            MK4xx  differentiation
    MK2xx  names, types and annotations  MK5xx  output files
                                         MK6xx  functions over arrays of CuPy
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files

_SECTION = re.compile(r"^## (?P<number>MK\d{3}) (?P<title>.+)$", re.MULTILINE)
_EXAMPLE = re.compile(r"^```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Code:
    number: str
    title: str
    explanation: str

    @property
    def examples(self) -> tuple[str, ...]:
        """Nothing, or what is refused and what to write instead."""
        return tuple(match["code"] for match in _EXAMPLE.finditer(self.explanation))


def _sections() -> Iterator[Code]:
    text = files("mooncake_transpiler.diagnostic").joinpath("codes.md").read_text("utf-8")
    heads = list(_SECTION.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    for head, end in zip(heads, ends, strict=True):
        yield Code(head["number"], head["title"], text[head.end() : end].strip())


CODES: Mapping[str, Code] = {code.number: code for code in _sections()}
