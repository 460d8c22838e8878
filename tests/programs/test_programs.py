"""Every program of the catalogue: its derivatives against differences of the program itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import importable, module, switched, write_gradients
from tests.programs.inputs import arguments

CASES = Path(__file__).parent / "cases"
THEMES = ("arrays", "branches", "calls", "loops", "mutation", "stencils", "traps")
JITTED = (
    "arrays.row_views", "arrays.work_array", "branches.match_guard", "calls.recursive_halves",
    "calls.gives_nested", "loops.return_from_nested", "loops.newton", "loops.break_and_continue",
    "mutation.grows_argument", "stencils.leapfrog", "traps.clipped", "traps.generated_names",
)  # fmt: skip


def programs() -> Iterator[str]:
    """The names ``theme.function`` of all programs."""
    for theme in THEMES:
        for stmt in ast.parse((CASES / f"{theme}.py").read_text()).body:
            if isinstance(stmt, ast.FunctionDef) and not stmt.name.startswith("_"):
                yield f"{theme}.{stmt.name}"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the programs and their gradient modules; they can be imported."""
    out = tmp_path_factory.mktemp("programs")
    write_gradients(CASES, out)
    with importable(out), switched(jit=False):
        yield out


@pytest.mark.parametrize("name", programs())
def test_plain(name: str, generated: Path) -> None:
    theme, _, function = name.partition(".")
    primal = getattr(import_module(theme), function)
    check_gradients(primal, import_module(f"{theme}_grad"), arguments(primal, theme))


@pytest.mark.parametrize("name", JITTED)
def test_jitted(name: str, generated: Path) -> None:
    theme, _, function = name.partition(".")
    primal = getattr(import_module(theme), function)
    text = (generated / f"{theme}_grad.py").read_text()
    compiled = module(text, f"{theme}_grad", jit=True)
    check_gradients(primal, compiled, arguments(primal, theme))


def test_catalogue_is_large() -> None:
    assert len(list(programs())) >= 120
