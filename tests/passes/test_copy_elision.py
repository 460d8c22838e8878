"""Arrays that iterations make anew are overwritten where nobody can tell, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import lower
from mooncake_transpiler.frontend.program import load
from mooncake_transpiler.passes.copy_elision import copy_elision
from mooncake_transpiler.passes.inline import inline
from mooncake_transpiler.passes.order import PASSES
from mooncake_transpiler.passes.simplify import simplify
from mooncake_transpiler.types import Array

CASES = Path(__file__).parents[1] / "programs" / "cases"
KEPT = {  # carried arrays that are left: somebody else holds the memory, or it is written
    "leap": 0, "accepted": 0, "new_in_nested": 0, "breaks_before_it_is_new": 0,
    "new_until_large": 0, "keeps_alias": 1, "keeps_previous": 2, "start_is_written": 1,
    "rebinds_what_it_writes": 1, "two_names": 2,
}  # fmt: skip


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ir.Program:
    folder = tmp_path_factory.mktemp("anew")
    for name in ("anew", "kinds"):
        (folder / f"{name}.py").write_text((CASES / f"{name}.py").read_text())
    source, wrong = load(folder)
    program, refused = lower(source)
    assert not wrong
    assert not refused
    return inline(program)


@pytest.mark.parametrize("name", KEPT)
def test_carried_arrays(name: str, program: ir.Program) -> None:
    func = copy_elision(simplify(program.funcs[f"anew:{name}"]))
    loops = [s for s in ir.walk(func.body) if isinstance(s, ir.For | ir.While)]
    assert sum(isinstance(p.type, Array) for loop in loops for p in loop.params) == KEPT[name]


def test_one_loop_is_left(program: ir.Program) -> None:
    """The two updates of a leapfrog step and the two copies are one loop without new memory."""
    func = program.funcs["anew:leap"]
    for _, apply in PASSES:
        func = apply(func)
    steps = next(s for s in ir.walk(func.body) if isinstance(s, ir.For))
    assert sum(isinstance(s, ir.For) for s in ir.walk(steps.body)) == 1
