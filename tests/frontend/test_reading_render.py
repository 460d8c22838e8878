"""The four ways to show a diagnostic."""

from __future__ import annotations

import json
from pathlib import Path

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Place
from mooncake_transpiler.diagnostic.render import render

FOUND = Diagnostic("MK105", "100% `try`", Place("m.py", 2, 2, 5), "test\nbefore")
NOWHERE = Diagnostic("MK502", "it is missing", Place("out/m_grad.py", 1, 1, 1))


def source(folder: Path) -> Path:
    (folder / "m.py").write_text("def f():\n\ttry:\n")
    return folder


def test_full(tmp_path: Path) -> None:
    text = render([FOUND, NOWHERE], source(tmp_path), "full")
    assert text == (
        f"MK105: 100% `try`\n  --> {tmp_path}/m.py:2:2\n  |\n"
        "2 |     try:\n  |     ^^^\n  help: test\nbefore\n\n"
        "MK502: it is missing\n  --> out/m_grad.py:1:1\n\n"
    )


def test_colour_is_asked_for(tmp_path: Path) -> None:
    src = source(tmp_path)
    assert "\x1b[" in render([FOUND], src, "full", colour=True)
    assert "\x1b[" not in render([FOUND], src, "full")


def test_concise(tmp_path: Path) -> None:
    src = source(tmp_path) / "m.py"
    assert render([FOUND], src, "concise") == f"{tmp_path}/m.py:2:2: MK105 100% `try`\n"


def test_json(tmp_path: Path) -> None:
    (row,) = json.loads(render([FOUND], source(tmp_path), "json"))
    assert row["code"] == "MK105"
    assert (row["line"], row["column"], row["end_column"]) == (2, 2, 5)
    assert json.loads(render([], tmp_path, "json")) == []


def test_github(tmp_path: Path) -> None:
    text = render([FOUND], source(tmp_path), "github")
    assert text == (
        f"::error file={tmp_path}/m.py,line=2,col=2,endColumn=5,title=MK105::"
        "100%25 `try`%0Ahelp: test%0Abefore\n"
    )
