"""Settings in pyproject.toml."""

from __future__ import annotations

from pathlib import Path

import pytest
from mooncake_transpiler.config import Config, ConfigError, FunctionConfig, load_config

from tests.cli.conftest import Run, tree, write
from tests.cli.fake import FakeCompiler

HEAD = "[tool.mooncake-transpile]\n"


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", HEAD + 'exclude = ["a.py"]\n')
    inner = write(tmp_path / "src/pkg/m.py", "")
    assert load_config(inner).exclude == ("a.py",)
    write(tmp_path / "src/pyproject.toml", "[project]\n")
    assert load_config(inner) == Config()


def test_functions_fall_back_to_the_defaults(tmp_path: Path) -> None:
    text = HEAD + 'modes = ["reverse"]\nfunctions."m:f" = { wrt = ["x"] }\n'
    write(tmp_path / "pyproject.toml", text)
    config = load_config(tmp_path)
    assert config.function("m:f") == FunctionConfig(("x",), ("reverse",))
    assert config.function("m:g") == FunctionConfig(None, ("reverse",))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("unknown = 1\n", "unknown key 'unknown'"),
        ('exclude = "a.py"\n', "exclude must be a list"),
        ('modes = ["sideways"]\n', "unknown mode 'sideways'"),
        ("vendor = 1\n", "vendor must be true or false"),
        ("functions = 3\n", "functions must be a table"),
        ('functions."f" = {}\n', "a function is named"),
        ('functions."m:f" = { wrts = ["x"] }\n', "unknown key 'wrts'"),
        ('functions."m:f" = 1\n', "must be a table"),
        ("modes = [\n", "pyproject.toml"),
        ("[tool]\nmooncake-transpile = 3\n", "must be a table"),
        ("tool = 3\n", "must be a table"),
    ],
)
def test_mistakes_are_named(text: str, says: str, tmp_path: Path, run: Run) -> None:
    write(tmp_path / "pyproject.toml", text if "tool" in text else HEAD + text)
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    assert says in str(caught.value)
    assert run(tmp_path, tmp_path) == 2


def test_excluded_modules_are_left_out(
    run: Run, src: Path, out: Path, compiler: FakeCompiler
) -> None:
    write(src / "pyproject.toml", HEAD + 'exclude = ["pkg/*"]\n')
    assert run(src, out) == 0
    assert set(tree(out)) == {"square.py", "square_grad.py", ".mooncake-transpile"}
