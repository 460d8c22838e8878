"""The table of functions is that of the rules."""

from __future__ import annotations

from pathlib import Path

from mooncake_rules.catalogue import markdown
from mooncake_transpiler.emit.cuda.ctext import OPERATIONS

from tests.conftest import Golden

FILE = Path(__file__).resolve().parents[2] / "rules" / "FUNCTIONS.md"


def test_functions(golden: Golden) -> None:
    golden(FILE, markdown(OPERATIONS))
