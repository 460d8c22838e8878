"""The sample of tests that ``pytest --sample`` runs: one case in three where there are thousands.

Which ones are taken depends on their names alone, so it is the same ones in each run. Cases of one
theme of the catalogue, which is transpiled once for all of them, are taken together.
"""

from __future__ import annotations

from zlib import crc32

PARTS = 3
BROAD = tuple(
    f"tests/{folder}/"
    for folder in (
        "ad", "conformance", "cuda", "emit", "frontend", "programs", "property", "rules", "runtime",
    )
)  # fmt: skip
BY_THEME = "tests/programs/test_programs.py"


def is_sampled(nodeid: str) -> bool:
    """True for a test that is no case of many, and for the cases that are in the sample."""
    test, _, case = nodeid.partition("[")
    if not case or not test.startswith(BROAD):
        return True
    if test.startswith(BY_THEME):
        case = case.replace(".", "-").partition("-")[0]
    return crc32(f"{test}[{case}".encode()) % PARTS == 0
