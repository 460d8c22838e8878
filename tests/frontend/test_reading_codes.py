"""Every code is explained, and its examples are refused and accepted as they say."""

from __future__ import annotations

import re
from pathlib import Path

import mooncake_transpiler
import pytest
from mooncake_transpiler.diagnostic.codes import CODES
from mooncake_transpiler.diagnostic.diagnostics import merge
from mooncake_transpiler.frontend.lower import lower
from mooncake_transpiler.frontend.program import load

from tests.helpers.transpile import gradient_text, refusals

ROOT = Path(mooncake_transpiler.__file__).parent
# Known once functions are inlined, or their derivatives are emitted.
LATER = (
    "MK311", "MK313", "MK603", "MK604", "MK605", "MK606", "MK609",
)  # fmt: skip
READ = [
    code
    for code in CODES
    if not "MK4" < code < "MK5" and CODES[code].examples and code not in LATER
]


def found(text: str, folder: Path) -> list[str]:
    module = folder / "module.py"
    module.write_text(text, "utf-8")
    source, unreadable = load(module)
    _, refused = lower(source)
    return [diagnostic.code for diagnostic in merge(unreadable, refused)]


@pytest.mark.parametrize("number", READ)
def test_examples(number: str, tmp_path: Path) -> None:
    bad, good = CODES[number].examples
    assert found(bad, tmp_path) == [number]
    assert found(good, tmp_path) == []


@pytest.mark.parametrize("number", LATER)
def test_later_examples(number: str) -> None:
    bad, good = CODES[number].examples
    refused = refusals(bad)
    assert [diagnostic.code for diagnostic in refused] == [number]
    assert gradient_text(good)


def test_codes_are_sorted_and_explained() -> None:
    assert list(CODES) == sorted(CODES)
    assert all(code.title and code.explanation for code in CODES.values())


def test_all_codes_in_use_are_explained() -> None:
    used = {
        code
        for file in ROOT.rglob("*.py")
        for code in re.findall(r'"(MK\d{3})"', file.read_text("utf-8"))
    }
    assert used <= set(CODES)
