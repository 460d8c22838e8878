"""Accumulators, the variables of reductions: their cotangent passes through the loop unchanged.

    for ...: s = s + f(x[i])          s_bar is the same before and after each iteration

Found by running the reverse sweep on symbols: the cotangent of each value is one of the carried
values' cotangents unchanged, or something else.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.activity import Activity
from mooncake_transpiler.ad.fact.linear import Linear

_OTHER = object()
_Symbol = object
_Bars = dict[ir.Value, _Symbol]


def accumulators(loop: ir.For | ir.While, activity: Activity, linear: Linear) -> frozenset[int]:
    """The positions among ``loop.params`` that are accumulators."""
    symbols = [object() for _ in loop.params]
    bars: _Bars = {}
    for last, symbol in zip(loop.body.yields, symbols, strict=True):
        _add(bars, last, symbol, activity)
    _reverse(loop.body, bars, activity, linear)
    return frozenset(k for k, p in enumerate(loop.params) if bars.get(p) is symbols[k])


def _add(bars: _Bars, atom: ir.Atom, symbol: _Symbol, activity: Activity) -> None:
    if isinstance(atom, ir.Value) and activity.active(atom):
        bars[atom] = _OTHER if atom in bars else symbol


def _reverse(block: ir.Block, bars: _Bars, activity: Activity, linear: Linear) -> None:
    for stmt in reversed(block.stmts):
        match stmt:
            case ir.Compute(out=out):
                symbol = bars.get(out)
                for c in linear.get(out, ()) if symbol is not None else ():
                    _add(bars, c.arg, symbol if c.is_plain else _OTHER, activity)
            case ir.If():
                _reverse_if(stmt, bars, activity, linear)
            case ir.For() | ir.While():
                _reverse_loop(stmt, bars, activity, linear)
            case _:
                _reverse_simple(stmt, bars, activity)


def _reverse_simple(stmt: ir.Simple, bars: _Bars, activity: Activity) -> None:
    for atom in ir.operands(stmt):
        _add(bars, atom, _OTHER, activity)


def _reverse_if(stmt: ir.If, bars: _Bars, activity: Activity, linear: Linear) -> None:
    arms: list[_Bars] = []
    for block in (stmt.then, stmt.orelse):
        arm: _Bars = {}
        for out, last in zip(stmt.outs, block.yields, strict=True):
            if (symbol := bars.get(out)) is not None:
                _add(arm, last, symbol, activity)
        _reverse(block, arm, activity, linear)
        arms.append(arm)
    for value in (*arms[0], *(v for v in arms[1] if v not in arms[0])):
        a, b = arms[0].get(value, _OTHER), arms[1].get(value, _OTHER)
        _add(bars, value, a if a is b else _OTHER, activity)


def _reverse_loop(stmt: ir.For | ir.While, bars: _Bars, activity: Activity, linear: Linear) -> None:
    through = accumulators(stmt, activity, linear)
    for k, init in enumerate(stmt.inits):
        symbol = bars.get(stmt.outs[k]) if k in through else _OTHER
        if symbol is not None:
            _add(bars, init, symbol, activity)
    inside = ir.bound_by(stmt)
    for atom in ir.used_in(stmt.body):
        if atom not in inside:
            _add(bars, atom, _OTHER, activity)
