"""No argument of a library function is taken without notice, but those that change no value."""

from __future__ import annotations

import ast
from pathlib import Path

import mooncake_rules.library
import pytest

FILES = sorted(Path(mooncake_rules.library.__file__).parent.glob("*.py"))
# What is overwritten is undefined afterwards; the others are about speed, layout or checks, or
# let NumPy choose between results that are equally good.
WITHOUT_EFFECT = {
    "assume_unique", "casting", "check_finite", "device", "kind", "kth", "lwork", "optimize",
    "order", "overwrite_a", "overwrite_b", "overwrite_input", "overwrite_x", "sorted", "stable",
    "tol", "workers",
}  # fmt: skip


def ignored(function: ast.FunctionDef) -> set[str]:
    given = function.args
    names = {a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
    used = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name)}
    return names - used - {"s"} - WITHOUT_EFFECT


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_arguments_are_used(file: Path) -> None:
    tree = ast.parse(file.read_text())
    rules = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.decorator_list]
    assert {f.name: found for f in rules if (found := ignored(f))} == {}
