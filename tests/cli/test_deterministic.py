"""Equal sources give equal modules: in any process, in any order, beside any other module."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.transpile import compiled, gradient_body
from tests.programs.catalogue import CASES, THEMES

SOME = ["growing"]


def in_another_process(seed: int, themes: list[str]) -> dict[str, str]:
    command = [sys.executable, "-m", "tests.helpers.scrambled", str(seed), *themes]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(
        command, env=environment, cwd=Path(__file__).parents[2], stdout=-1, text=True, check=True
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_hashes_do_not_matter(pytestconfig: pytest.Config) -> None:
    """Some themes of the catalogue; all of them with ``--whole-grid``."""
    themes = THEMES if pytestconfig.getoption("--whole-grid") else SOME
    first = in_another_process(1, themes)
    assert first.keys() == set(themes)
    assert in_another_process(2, themes) == first


def test_other_modules_do_not_matter() -> None:
    """Neither what else is in SRC, nor in which order it is."""
    themes = ["rank_zero", "dicts"]
    texts = {f"{theme}.py": (CASES / f"{theme}.py").read_text() for theme in themes}
    alone = {name: compiled({name: text}) for name, text in texts.items()}
    together, others = compiled(texts), compiled(dict(reversed(texts.items())))
    for theme in themes:
        body = gradient_body(alone[f"{theme}.py"][theme])
        assert gradient_body(together[theme]) == body == gradient_body(others[theme])
