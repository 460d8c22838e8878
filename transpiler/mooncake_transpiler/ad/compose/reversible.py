"""Replacement of primitives by functions with a pullback, for repeated reverse mode.

l = call rt:cholesky(a)                l = call cholesky(a)
call rt:matmul_add(a, b, c)            t = call product(a, b)
                                       c += t
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mooncake_rules.primitives import PRIMITIVES

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.call_snapshots import callees
from mooncake_transpiler.ad.services import Services, Static
from mooncake_transpiler.ad.subject import Subject
from mooncake_transpiler.analysis.refusal import refused
from mooncake_transpiler.ir.function_names import short
from mooncake_transpiler.types import Tuple, is_differentiable


def reversible(subject: Subject) -> Subject:
    """``subject`` without primitives that have derivatives, if a mode has made it."""
    if not subject.order:
        return subject
    own = [subject.func, *callees(subject.func, subject.program)]
    changed = [_with_pullbacks(func, subject.services) for func in own]
    others = {**subject.program.funcs, **subject.services.with_pullbacks}
    return subject.prepared(changed, others)


def _with_pullbacks(func: ir.Func, services: Services) -> ir.Func:
    def change(stmt: ir.Stmt) -> Iterator[ir.Stmt] | None:
        if not isinstance(stmt, ir.Call) or not _moves_floats(stmt):
            return None
        return _replaced(stmt, services)

    return replace(func, body=ir.rewritten(func.body, change))


def _moves_floats(call: ir.Call) -> bool:
    known = PRIMITIVES.get(call.func)
    if known is None or not any(is_differentiable(arg.type) for arg in call.args):
        return False
    return bool(known.writes) or any(is_differentiable(out.type) for out in call.outs)


def _replaced(call: ir.Call, services: Services) -> Iterator[ir.Stmt]:
    writes = PRIMITIVES[call.func].writes
    args = tuple(arg for k, arg in enumerate(call.args) if k not in writes)
    outs = [*call.outs, *(ir.Value("", call.args[k].type) for k in writes)]
    static: tuple[Static, ...] = tuple(a if isinstance(a, ir.Const) else a.type for a in args)
    func = services.with_pullback(call.func, static)
    if func is None:
        name = short(call.func)
        message = f"no rule gives the second derivative of {name}"
        raise refused("MK405", message, call.origin, "differentiate it once")
    assert isinstance(func.result, Tuple)
    outs += [ir.Value("", type_) for type_ in func.result.items[len(outs) :]]
    given = tuple(arg for arg in args if not isinstance(arg, ir.Const))
    yield ir.Call(tuple(outs), func.name, given, call.origin)
    for k, out in zip(writes, outs[len(call.outs) :], strict=False):
        yield ir.AddTo(call.args[k], out, call.origin, call.free)
