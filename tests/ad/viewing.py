"""Programs with transposed views, new axes and other shapes, and their gradient modules.

The functions of ``VIEWS`` stand for nodes of the normal form: in the source they are calls, which
are replaced before anything else happens; the primal calls NumPy.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
from mooncake_runtime.testing import check_gradients
from mooncake_transpiler import ir
from mooncake_transpiler.ad.derive import derive
from mooncake_transpiler.ad.subject import Subject
from mooncake_transpiler.emit.entries import EmittedFunc
from mooncake_transpiler.emit.module import EmitModule, emit_module
from mooncake_transpiler.ir.verifier import verify
from mooncake_transpiler.passes.inline import inline
from mooncake_transpiler.passes.order import PASSES
from mooncake_transpiler.run.pipeline import PipelineServices
from mooncake_transpiler.types import Array
from mooncake_transpiler.versions import called_by

from tests.helpers.transpile import compilation_unit, module

HEADER = Path(__file__).with_name("view_header.py").read_text() + "\nimport math\n\n"

_WHOLE, _NEW = ir.Slice(), ir.NewAxis()
Made = Callable[[ir.Call, ir.Value], ir.Stmt]


def _view(*index: ir.Index, axes: tuple[int, ...] = ()) -> Made:
    return lambda call, out: ir.View(out, call.args[0], index, call.origin, axes)


def _reshape(call: ir.Call, out: ir.Value) -> ir.Stmt:
    return ir.Reshape(out, call.args[0], call.args[1:], call.origin)


def _pillar(call: ir.Call, out: ir.Value) -> ir.Stmt:
    """``m[np.newaxis, i].T``: an integer, a new axis and a transposition in one."""
    return ir.View(out, call.args[0], (_NEW, call.args[1]), call.origin, (1, 0))


def _grown(call: ir.Call, out: ir.Value) -> ir.Stmt:
    assert isinstance(out.type, Array)
    shape = (ir.int_const(0),) * out.type.ndim
    return ir.Alloc(out, shape, None, call.origin, growable=True)


def _reserve(call: ir.Call, out: ir.Value) -> ir.Stmt:
    return ir.Reserve(call.args[0], call.args[1], call.args[2:], call.origin)


VIEWS: dict[str, tuple[Made, Callable[..., np.ndarray]]] = {
    "_turned": (_view(axes=(1, 0)), np.transpose),
    "_rolled": (_view(axes=(1, 2, 0)), lambda m: np.transpose(m, (1, 2, 0))),
    "_column": (_view(_WHOLE, _NEW), lambda x: x[:, np.newaxis]),
    "_row": (_view(_NEW), lambda x: x[np.newaxis]),
    "_pillar": (_pillar, lambda m, i: m[np.newaxis, i].T),
    "_grown": (_grown, lambda: np.zeros(200)),
    "_grown_rows": (_grown, lambda: np.zeros((200, 6))),
    "_reserve": (_reserve, lambda xs, n: 0),
    "_reserve_rows": (_reserve, lambda xs, n, d: 0),
    "_flat": (_reshape, lambda m, n: _reshaped(m, n)),
    "_shaped": (_reshape, lambda x, r, c: _reshaped(x, (r, c))),
}


def _reshaped(array: np.ndarray, shape: int | tuple[int, int]) -> np.ndarray:
    contiguous = array if array.flags.c_contiguous else array.copy()
    return contiguous.reshape(shape)


def _short(name: str) -> str:
    """The name of a function in the source: without module, and number of the version."""
    return re.sub(r"__\d+$", "", name.rpartition(":")[2])


def _with_views(block: ir.Block) -> ir.Block:
    stmts: list[ir.Stmt] = []
    for stmt in block.stmts:
        name = _short(stmt.func) if isinstance(stmt, ir.Call) else ""
        if isinstance(stmt, ir.Call) and name in VIEWS:
            stmts.append(VIEWS[name][0](stmt, stmt.outs[0]))
        else:
            stmts.append(ir.with_blocks(stmt, tuple(map(_with_views, ir.blocks(stmt)))))
    return ir.Block(tuple(stmts), block.yields)


def program(source: str) -> ir.Program:
    """The functions of ``source`` as they were read, with views instead of calls."""
    unit = compilation_unit(HEADER + source)
    funcs = {
        name: ir.Func(f.name, f.params, f.result, _with_views(f.body), f.doc, f.origin)
        for name, f in unit.program.funcs.items()
        if _short(name) not in VIEWS
    }
    return ir.Program(funcs)


def gradients(source: str, name: str) -> str:
    """The text of the gradient module of function ``name`` of ``source``."""
    inlined = inline(program(source))
    funcs = dict(called_by([f"program:{name}"], inlined).funcs)
    for known in funcs:
        for _, pass_ in PASSES:
            funcs[known] = pass_(funcs[known])
            verify(funcs[known])
    func = funcs[f"program:{name}"]
    wrt = [p.name for p in func.params if str(p.type).startswith("float")]
    made = derive(Subject(func, tuple(wrt), ir.Program(funcs), PipelineServices()))
    for one in (*made.inner, *made.funcs):
        verify(one, form=ir.Form.EMITTED)
    short = {
        f.name: f.name.rpartition(":")[2].replace(".", "_") for f in (*made.inner, *made.funcs)
    }
    emitted = [EmittedFunc(f, short[f.name], "inner") for f in made.inner]
    emitted += [EmittedFunc(f, short[f.name]) for f in made.funcs]
    return emit_module(EmitModule("program_grad", tuple(emitted), made.structs, doc="Gradients."))


def primal(source: str) -> ModuleType:
    """``source`` in plain Python."""
    made = module(HEADER + source, "program")
    for name, (_, function) in VIEWS.items():
        setattr(made, name, function)
    return made


SHAPES = {"Vec": (6,), "Mat": (4, 3)}


class Programs:
    """The public functions of ``source``, each with the private ones that it needs."""

    def __init__(self, source: str) -> None:
        nodes = [n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef)]
        text = {node.name: ast.get_source_segment(source, node) or "" for node in nodes}
        private = [t for name, t in text.items() if name.startswith("_")]
        self.functions = {
            n: "\n\n".join([*private, t]) for n, t in text.items() if not n.startswith("_")
        }

    def _arguments(self, name: str) -> Iterator[list[object]]:
        nodes = ast.parse(self.functions[name]).body
        (node,) = (n for n in nodes if getattr(n, "name", "") == name)
        assert isinstance(node, ast.FunctionDef)
        kinds = [ast.unparse(arg.annotation) for arg in node.args.args if arg.annotation]
        for count in (0, 1, 3) if "int" in kinds else (0,):
            rng = np.random.default_rng(len(name))
            yield [count if k == "int" else rng.uniform(0.3, 1.3, SHAPES[k]) for k in kinds]

    def check(self, name: str, *, jit: bool, layouts: bool) -> None:
        """Check the derivatives of the function ``name`` against differences."""
        source = self.functions[name]
        made = module(gradients(source, name), "program_grad", jit=jit)
        for args in self._arguments(name):
            with np.errstate(all="ignore"):
                check_gradients(getattr(primal(source), name), made, args, layouts=layouts)
