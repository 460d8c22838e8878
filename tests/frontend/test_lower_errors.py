"""Diagnostics of lowering: ``lowering_errors.txt`` states each in the line where it happens.

A comment ``# error: col MKnnn`` announces one diagnostic on its line; there must be no others.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.frontend.lowering import read

TEXT = Path(__file__).with_name("lowering_errors.txt").read_text("utf-8")
EXPECTED = re.compile(r"# error: (\d+) (MK\d{3})")


def test_errors() -> None:
    program, diagnostics = read(TEXT, "")
    expected = [
        (number, int(match[1]), match[2])
        for number, line in enumerate(TEXT.splitlines(), 1)
        for match in EXPECTED.finditer(line)
    ]
    found = [(d.place.line, d.place.col, d.code) for d in diagnostics]
    assert found == expected
    assert list(program.funcs) == ["m:fine"]


@pytest.mark.parametrize(
    "text",
    [
        "def f(a: float) -> float:\n    return " + " + ".join(["a"] * 200) + "\n",
        "def f(a: float) -> float:\n"
        + "".join(f"    if a > {k}:\n        return {k}\n    b = a * {k}\n" for k in range(150))
        + "    return b\n",
        "def f(x: float) -> float:\n    s = 0\n    r = 0\n    q = 0\n"
        + "".join("    " * (k + 1) + f"for i{k} in range(3):\n" for k in range(18))
        + "    " * 19 + "s += r\n" + "    " * 19 + "r += q\n" + "    " * 19 + "q += x\n"
        + "    return s\n",
    ],
    ids=["sum", "returns", "loops"],
)  # fmt: skip
def test_long_and_deep_programs(text: str) -> None:
    program, diagnostics = read(text)
    assert not diagnostics
    assert list(program.funcs) == ["m:f"]


def test_what_is_nested_too_deeply_is_refused() -> None:
    source = "def f(a: float) -> float:\n" + "".join(
        f"    if a > {k}:\n        return {k}\n" for k in range(2500)
    )
    _, diagnostics = read(source + "    return a\n")
    assert [d.code for d in diagnostics] == ["MK190"]
