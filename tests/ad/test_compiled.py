"""A few of the programs once more, compiled."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.ad.test_programs import FOLDER, arguments
from tests.helpers.transpile import gradient_text, importable, module

SAMPLE = [
    ("control", "stacks_that_grow"),
    ("in_place", "local_condition_overwritten"),
    ("aliasing", "chosen_parameter"),
    ("called", "divide_and_conquer"),
    ("work_arrays", "allocated_in_the_loop"),
    ("results", "views_of_mutated_argument"),
]


@pytest.mark.parametrize(("stem", "name"), SAMPLE)
def test_compiled_derivatives_agree_with_differences(stem: str, name: str, tmp_path: Path) -> None:
    """In a file: numba links recursive functions only in modules that are imported."""
    source = (FOLDER / f"{stem}.py").read_text()
    primal = module(source, stem)
    (tmp_path / f"{stem}_derived.py").write_text(gradient_text(source))
    with importable(tmp_path):
        generated = import_module(f"{stem}_derived")
        for args in arguments(primal, name):
            with np.errstate(all="ignore"):
                check_gradients(getattr(primal, name), generated, args)
