"""Programs in which some functions get a body of primitives and a pullback of their own.

`ruled_programs.py` defines ``_mm``, ``_mv``, ``_gain`` and so on in plain Python, so that it runs
as it is; in the normal form the functions below stand in their place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from mooncake_transpiler import ir
from mooncake_transpiler.ad.derive import derive
from mooncake_transpiler.ad.subject import Derived, Subject
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.run.pipeline import PipelineServices, generate
from mooncake_transpiler.run.reading import CompilationUnit
from mooncake_transpiler.types import FLOAT, INT, NONE, Array, DType, Tuple, Type

from tests.helpers.transpile import Modules, compilation_unit, gradient_body, module

VEC, MAT = Array(DType.FLOAT64, 1), Array(DType.FLOAT64, 2)

FILE = Path(__file__).with_name("ruled_programs.py")
NAMES = [
    node.name
    for node in ast.parse(FILE.read_text()).body
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
]
PRELUDE = FILE.read_text().partition(f"def {NAMES[0]}(")[0]


def func(
    name: str,
    inputs: Mapping[str, ir.Value],
    b: Builder,
    result: Type = NONE,
    yields: tuple[ir.Atom, ...] = (),
    pullback: str | None = None,
    kept: int = 0,
) -> ir.Func:
    params = tuple(ir.Param(name, v.type, (v,)) for name, v in inputs.items())
    body = b.block(yields)
    return ir.Func(f"program:{name}", params, result, body, pullback=pullback, kept=kept)


def values(**types: Type) -> dict[str, ir.Value]:
    return {name: ir.Value(name, type_) for name, type_ in types.items()}


def transposed(array: ir.Value, b: Builder) -> ir.Value:
    out = ir.Value("", array.type)
    b.add(ir.View(out, array, (), axes=(1, 0)))
    return out


def product(name: str, right: Array) -> list[ir.Func]:
    """``a @ b`` with a matrix ``a``, and its pullback."""
    v, b, out = values(a=MAT, b=right), Builder(), ir.Value("", right)
    b.add(ir.Call((out,), "rt:matmul", (v["a"], v["b"])))
    primal = func(name, v, b, right, (out,), pullback=f"program:{name}_pullback")
    v = values(a=MAT, b=right, c=right, a_bar=MAT, b_bar=right, c_bar=right)
    b = Builder()
    other = transposed(v["b"], b) if right == MAT else v["b"]
    b.add(ir.Call((), "rt:matmul_add", (v["c_bar"], other, v["a_bar"])))
    b.add(ir.Call((), "rt:matmul_add", (transposed(v["a"], b), v["c_bar"], v["b_bar"])))
    return [primal, func(f"{name}_pullback", v, b)]


def over(array: ir.Value, b: Builder, body: Callable[[Builder, ir.Value], None]) -> None:
    """A loop over the elements of ``array``."""
    n, i = b.dim(array, 0), ir.Value("i", INT)
    inner = Builder()
    body(inner, i)
    zero, one = ir.int_const(0), ir.int_const(1)
    b.add(ir.For((), i, zero, n, one, (), (), inner.block()))


def exps() -> list[ir.Func]:
    """``np.exp``, whose pullback reads the result."""
    v, b = values(x=VEC), Builder()
    y = b.alloc(VEC, [b.dim(v["x"], 0)])

    def fill(inner: Builder, i: ir.Value) -> None:
        inner.store(y, [i], inner.compute("math.exp", [inner.load(v["x"], [i])], FLOAT))

    over(v["x"], b, fill)
    primal = func("_exps", v, b, VEC, (y,), pullback="program:_exps_pullback")
    v = values(x=VEC, y=VEC, x_bar=VEC, y_bar=VEC)
    b = Builder()

    def pull(inner: Builder, i: ir.Value) -> None:
        factors = [inner.load(v["y"], [i]), inner.load(v["y_bar"], [i])]
        inner.accum(v["x_bar"], [i], inner.compute("mul", factors, FLOAT))

    over(v["x"], b, pull)
    return [primal, func("_exps_pullback", v, b)]


def gain() -> list[ir.Func]:
    """``a |x|^2``, ``a x``, and ``|x|^2`` for the pullback."""
    v, b = values(x=VEC, a=FLOAT), Builder()
    n, z = b.dim(v["x"], 0), ir.Value("", VEC)
    b.add(ir.Alloc(z, (n,)))
    i, s, total = ir.Value("i", INT), ir.Value("s", FLOAT), ir.Value("", FLOAT)
    inner = Builder()
    x = inner.load(v["x"], [i])
    inner.store(z, [i], inner.compute("mul", [v["a"], x], FLOAT))
    last = inner.compute("add", [s, inner.compute("mul", [x, x], FLOAT)], FLOAT)
    start = ir.Const(0.0, FLOAT)
    bounds = (ir.int_const(0), n, ir.int_const(1))
    b.add(ir.For((total,), i, *bounds, (s,), (start,), inner.block([last])))
    y = b.compute("mul", [v["a"], total], FLOAT)
    result = Tuple((FLOAT, VEC, FLOAT))
    primal = func("_gain", v, b, result, (y, z, total), "program:_gain_pullback", kept=1)
    v = values(x=VEC, a=FLOAT, y=FLOAT, z=VEC, r=FLOAT, x_bar=VEC, y_bar=FLOAT, z_bar=VEC)
    b, inner = Builder(), Builder()
    x, z_bar = inner.load(v["x"], [i]), inner.load(v["z_bar"], [i])
    twice = inner.compute("mul", [inner.compute("add", [x, x], FLOAT), v["y_bar"]], FLOAT)
    both = inner.compute("add", [twice, z_bar], FLOAT)
    inner.accum(v["x_bar"], [i], inner.compute("mul", [v["a"], both], FLOAT))
    last = inner.compute("add", [s, inner.compute("mul", [z_bar, x], FLOAT)], FLOAT)
    bounds = (ir.int_const(0), b.dim(v["x"], 0), ir.int_const(1))
    first = b.compute("mul", [v["y_bar"], v["r"]], FLOAT)
    b.add(ir.For((total,), i, *bounds, (s,), (first,), inner.block([last])))
    return [primal, func("_gain_pullback", v, b, Tuple((FLOAT,)), (total,))]


def source(name: str) -> str:
    """The function ``name`` of the file."""
    text = FILE.read_text()
    node = next(n for n in ast.parse(text).body if getattr(n, "name", "") == name)
    assert isinstance(node, ast.FunctionDef)
    lines = text.splitlines()
    start = node.lineno - 1
    if lines[start - 1].startswith("# mooncake"):
        start -= 1
    return "\n".join(lines[start : node.end_lineno]) + "\n"


def rules() -> dict[str, ir.Func]:
    made = [*product("_mm", MAT), *product("_mv", VEC), *exps(), *gain()]
    return {f.name: f for f in made}


def unit(source: str) -> CompilationUnit:
    """The functions of ``source``; those that have rules are replaced."""
    found = compilation_unit(PRELUDE + source)
    known = rules()
    funcs = {n: replace(f, body=_with_kept(f.body, known)) for n, f in found.program.funcs.items()}
    for name in [name for name in funcs if name in known]:
        primal = funcs[name] = known[name]
        assert primal.pullback is not None
        funcs[primal.pullback] = known[primal.pullback]
    targets = tuple(replace(t, func=funcs[t.func.name]) for t in found.targets)
    return replace(found, targets=targets, program=ir.Program(funcs))


def _with_kept(block: ir.Block, known: Mapping[str, ir.Func]) -> ir.Block:
    """Calls bind what is kept for the pullback, too."""
    stmts = []
    for stmt in block.stmts:
        inner = tuple(_with_kept(b, known) for b in ir.blocks(stmt))
        if isinstance(stmt, ir.Call) and stmt.func in known:
            kept = known[stmt.func].body.yields[len(stmt.outs) :]
            stmt = replace(stmt, outs=(*stmt.outs, *(ir.Value("", a.type) for a in kept)))
        stmts.append(ir.with_blocks(stmt, inner))
    return ir.Block(tuple(stmts), block.yields)


def text(source: str) -> str:
    """The gradient module of ``source``."""
    return gradient_body(generate(unit(source)))


def transpiled(source: str, *, jit: bool = False) -> Modules:
    """The module in plain Python, and its gradient module."""
    return module(PRELUDE + source, "program"), module(text(source), "program_grad", jit=jit)


def derived(caller: ir.Func, others: list[ir.Func]) -> Derived:
    """The derivatives of ``caller`` with respect to everything."""
    program = ir.Program({f.name: f for f in (caller, *others)})
    wrt = tuple(p.name for p in caller.params)
    return derive(Subject(caller, wrt, program, PipelineServices()))
