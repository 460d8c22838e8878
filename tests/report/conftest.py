"""Reports on sources, in process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from mooncake_transpiler.report.findings import FunctionFacts, ModuleFacts
from mooncake_transpiler.report.report_command import facts

Modules = Callable[[str], list[ModuleFacts]]
Report = Callable[[str, str], FunctionFacts]


@pytest.fixture
def modules(tmp_path: Path) -> Modules:
    """The facts about the module `program` with the given text."""

    def modules(source: str) -> list[ModuleFacts]:
        (tmp_path / "program.py").write_text(source)
        return facts(tmp_path, (), None).modules

    return modules


@pytest.fixture
def report(modules: Modules) -> Report:
    """The facts about one function of a source."""

    def report(source: str, name: str) -> FunctionFacts:
        (module,) = modules(source)
        return next(one for one in module.functions if one.name == name)

    return report
