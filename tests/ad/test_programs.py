"""Tricky programs, one trap each: all derivatives agree with differences, in plain Python.

The functions of the files in ``programs/`` are called with what their annotations say; integers
are tried with several values, so that loops run zero times and branches go both ways.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Modules, transpiled

FOLDER = Path(__file__).parent / "programs"
INTS = (-2, 0, 1, 3)
SHAPES = {"Vec": (5,), "Mat": (3, 4), "Square": (4, 4)}


def _functions() -> Iterator[tuple[str, str]]:
    for file in sorted(FOLDER.glob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield file.stem, node.name


@cache
def _modules(stem: str) -> Modules:
    return transpiled((FOLDER / f"{stem}.py").read_text())


def arguments(primal: ModuleType, name: str) -> Iterator[list[object]]:
    """The arguments for ``name``: one set for each choice of its integers."""
    given = dict(getattr(primal, name).__annotations__)
    given.pop("return")
    rng = np.random.default_rng(len(given))
    names = {id(getattr(primal, alias)): alias for alias in (*SHAPES, "Ints")}
    ints = [k for k, type_ in enumerate(given.values()) if type_ is int]
    for values in itertools.product(INTS, repeat=len(ints)):
        args: list[object] = []
        for type_ in given.values():
            match names.get(id(type_)):
                case None:
                    args.append(0.55)
                case "Ints":
                    args.append(np.array([3, 0, 2]))
                case alias:
                    args.append(rng.uniform(0.2, 1.2, SHAPES[alias]))
        for k, value in zip(ints, values, strict=True):
            args[k] = value
        yield args


@pytest.mark.parametrize(("stem", "name"), list(_functions()))
def test_derivatives_agree_with_differences(stem: str, name: str) -> None:
    primal, generated = _modules(stem)
    for args in arguments(primal, name):
        with np.errstate(all="ignore"):
            check_gradients(getattr(primal, name), generated, args)
