"""Functions in normal form, and what differentiation makes of them and knows about them."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.ruled_functions import Library
from mooncake_transpiler.ad.derive import derive
from mooncake_transpiler.ad.fact.activity import Activity
from mooncake_transpiler.ad.fact.facts import Facts
from mooncake_transpiler.ad.fact.linear import linearize
from mooncake_transpiler.ad.reverse.counting import count_iterations
from mooncake_transpiler.ad.subject import Subject
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.passes.inline import inline
from mooncake_transpiler.passes.order import PASSES
from mooncake_transpiler.passes.simplify import simplify
from mooncake_transpiler.run.pipeline import PipelineServices
from mooncake_transpiler.run.reading import Target
from mooncake_transpiler.types import Array
from mooncake_transpiler.versions import called_by

from tests.helpers.transpile import compilation_unit

HEADER = """\
import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Ints = Annotated[NDArray[np.int64], "k"]
"""


def _prepared(source: str) -> tuple[Target, ir.Program]:
    """The public function of ``source``, and the program, ready to be differentiated."""
    unit = compilation_unit(HEADER + source)
    (target,) = unit.targets
    funcs = dict(called_by([target.func.name], inline(unit.program)).funcs)
    for name in funcs:
        for stage, pass_ in PASSES:
            # The arrays that tests ask about shall stay.
            if stage not in ("loop-fusion", "load-forwarding"):
                funcs[name] = pass_(funcs[name])
    return target, ir.Program(funcs)


def function(source: str) -> ir.Func:
    """The public function of ``source`` in normal form, before it is differentiated."""
    target, program = _prepared(source)
    return program.funcs[target.func.name]


def derivatives(source: str) -> dict[str, ir.Func]:
    """The derivative functions by their ending: ``fwd``, ``pullback``, ``value_and_grad`` ..."""
    target, program = _prepared(source)
    func = program.funcs[target.func.name]
    made = derive(Subject(func, target.wrt, program, PipelineServices())).funcs
    return {f.name.removeprefix(f"{func.name}_"): f for f in made}


def derivatives_of_body(source: str) -> None:
    """Differentiate the public function of ``source`` through the bodies of library functions."""
    target, program = _prepared(source)
    func = Library(program, simplify).expand(program.funcs[target.func.name])
    derive(Subject(func, target.wrt, program, PipelineServices()))


def facts(source: str) -> Facts:
    """The analyses of the public function of ``source`` before its sweeps are planned."""
    target, program = _prepared(source)
    func = count_iterations(program.funcs[target.func.name])
    memories = Memories(func)
    wrt = [v for p in func.params if p.name in target.wrt for v in p.leaves]
    activity = Activity(func, memories, wrt)
    linear_func, linear, _ = linearize(func, memories, activity)
    return Facts(linear_func, memories, activity, linear, {})


# ---- what there is in a function ----------------------------------------------------------------


def found(func: ir.Func, kind: type[ir.Stmt]) -> list[ir.Stmt]:
    return [s for s in ir.walk(func.body) if isinstance(s, kind)]


def loops(func: ir.Func) -> list[ir.For | ir.While]:
    """All loops, outer before inner, in order."""
    return [s for s in ir.walk(func.body) if isinstance(s, ir.For | ir.While)]


def named(func: ir.Func, hint: str) -> ir.Value:
    """The only value with the user's name ``hint``, or the first."""
    values: list[ir.Value] = [*func.inputs]
    for stmt in ir.walk(func.body):
        values += [*ir.outs(stmt), *ir.binders(stmt)]
    return next(v for v in values if v.hint == hint)


def ops(func: ir.Func) -> list[str]:
    """The ops of all scalar statements."""
    return [s.op for s in ir.walk(func.body) if isinstance(s, ir.Compute)]


def new_arrays(func: ir.Func) -> list[int]:
    """The numbers of axes of the arrays that ``func`` makes (copies included), sorted."""
    return sorted(_made(func.body))


def _made(block: ir.Block) -> Iterator[int]:
    for stmt in ir.walk(block):
        if isinstance(stmt, ir.Alloc | ir.Copy) and isinstance(stmt.out.type, Array):
            yield stmt.out.type.ndim
        if isinstance(stmt, ir.Shadows):
            yield from (v.type.ndim for v in stmt.outs if isinstance(v.type, Array))


def residuals(func: ir.Func, results: int = 1) -> list[ir.Atom]:
    """The residuals that a forward function returns beside its results."""
    return list(func.body.yields[results:])
