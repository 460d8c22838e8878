"""``verify`` finds each wrong reading of Python that version 0.1 was known for.

The programs in ``misread`` are those that it took the programs in ``defects`` for: their
derivatives are put in the place of the right ones.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mooncake_transpiler import cli
from mooncake_transpiler.output import header

from tests.verify.conftest import Rows, table

HERE = Path(__file__).parent
SOURCES = HERE / "defects"
NAMES = re.findall(r"^def ([a-z]\w*)", (SOURCES / "readings.py").read_text(), re.M)

pytestmark = pytest.mark.xdist_group("misread")


def _module(name: str, src: Path, out: Path) -> header.Generated:
    assert cli.run([str(src), str(out), "--only", "readings"]) == 0
    found = header.read(out / name)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rows, Rows]:
    """The rows of the derivatives as they are, and of those of what the programs were taken for."""
    out = tmp_path_factory.mktemp("defects") / "out"
    inputs = ("--inputs", SOURCES / "inputs.py", "--only", "readings")
    right = _module("readings_grad.py", SOURCES, out)
    code, rows = table(SOURCES, out, *inputs)
    assert code == 0
    wrong = _module("readings_grad.py", HERE / "misread", out.with_name("misread"))
    text = header.render(header.with_body(right.header, wrong.body), wrong.body)
    (out / "readings_grad.py").write_text(text)
    code, misread = table(SOURCES, out, *inputs)
    assert code == 1
    return rows, misread


@pytest.mark.parametrize("name", NAMES)
def test_found(name: str, runs: tuple[Rows, Rows]) -> None:
    right, misread = (rows[f"readings:{name}"] for rows in runs)
    assert right["verdict"] != "differs"
    assert misread["verdict"] == "differs"
