"""The programs of the catalogue, and their derivatives, made when first asked for."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from _pytest.mark import ParameterSet
from mooncake_runtime.tangents import Tree
from mooncake_runtime.testing import check_gradients, returning

from tests.helpers.transpile import compiled, gradient_body, importable, module
from tests.programs.inputs import arguments

CASES = Path(__file__).parent / "cases"
# Modules that these import, and programs that other tests check.
OTHERS = {"detached", "failing", "helpers", "kinds", "left", "places", "points", "vanishing"}
THEMES = sorted({file.stem for file in CASES.glob("*.py")} - OTHERS)


@cache
def programs() -> tuple[str, ...]:
    """The names ``theme.function`` of all programs."""
    return tuple(
        f"{theme}.{stmt.name}"
        for theme in THEMES
        for stmt in ast.parse((CASES / f"{theme}.py").read_text()).body
        if isinstance(stmt, ast.FunctionDef) and not stmt.name.startswith("_")
    )


def for_each(names: Iterable[str]) -> pytest.MarkDecorator:
    """``name`` is each of ``names``."""
    return pytest.mark.parametrize("name", cases(names))


def cases(names: Iterable[str]) -> list[ParameterSet]:
    """Programs as parameters; a theme has one worker, which makes its derivatives."""
    group = pytest.mark.xdist_group
    return [pytest.param(name, marks=group(name.partition(".")[0])) for name in names]


class Catalogue:
    """The derivatives of each theme, made when first asked for."""

    def __init__(self, config: str = "") -> None:
        self._config = config
        self._texts: dict[str, str] = {}
        self._modules: dict[tuple[str, bool], ModuleType] = {}

    def text(self, theme: str) -> str:
        """The gradient module of ``theme``."""
        if theme not in self._texts:
            self._texts[theme] = gradient_body(compiled(sources(theme, self._config))[theme])
        return self._texts[theme]

    def module(self, theme: str, *, jit: bool = False) -> ModuleType:
        key = (theme, jit)
        if key not in self._modules:
            self._modules[key] = module(self.text(theme), f"{theme}_grad", jit=jit)
        return self._modules[key]

    def check(self, name: str, *, jit: bool = False) -> None:
        """The derivatives of the program ``theme.function`` against the program itself."""
        theme, _, function = name.partition(".")
        primal = showing(getattr(import_module(theme), function))
        check_gradients(primal, self.module(theme, jit=jit), arguments(primal, theme))


def sources(theme: str, config: str) -> dict[str, str]:
    """The files of ``theme`` with what it imports, and settings as in ``pyproject.toml``."""
    used = (CASES / "package").rglob("*.py")
    paths = [CASES / f"{name}.py" for name in (theme, "helpers", "kinds", "places")]
    files = {f.relative_to(CASES).as_posix(): f.read_text() for f in (*paths, *used)}
    return files | {"pyproject.toml": config}


def showing(program: Callable[..., Tree]) -> Callable[..., Tree]:
    """``program``; one that returns no floats shows its parameters ``out…``."""
    names = [name for name in inspect.signature(program).parameters if name.startswith("out")]
    returns = program.__annotations__.get("return")
    return returning(program, *names) if names and returns in (None, int, bool) else program


@contextmanager
def open_catalogue(config: str = "") -> Iterator[Catalogue]:
    """The catalogue, with settings in the form of ``pyproject.toml``; it can be imported."""
    with importable(CASES):
        yield Catalogue(config)
