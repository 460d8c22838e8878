"""Recursive functions with a cache: each value is worked out once, as in Python.

    @cache                                      def best(key, ask):
    def best(i, j):                                 i, j = key
        ... best(i + 1, j) ...        ->            ... ask((i + 1, j)) ...
    best(0, 0)
                                                memoised(best, (0, 0))

The key are those parameters that calls inside change; they must be what a growing dict can have as
keys. ``memoised`` is in ``written/memo_tables.py``. Others run as if they had no cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import libcst as cst

from mooncake_transpiler.frontend.declaration import decorators
from mooncake_transpiler.frontend.entities import External, FunctionDecl
from mooncake_transpiler.frontend.lower.array.delayed import settle
from mooncake_transpiler.frontend.lower.call import closures, lifted, memo_dicts, recursion
from mooncake_transpiler.frontend.lower.container import searched
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.known import Lifted
from mooncake_transpiler.frontend.lower.state.operands import (
    Closure,
    Frame,
    Items,
    Native,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.text.trees import bound_names, is_name, parameters, walk

Bound = Mapping[str, Operand]
_MEMOISED = Static(External("mooncake_transpiler.memoised"))


class _NoKey(Exception):
    """A call inside changes a parameter to something that can't be a key."""


def nested(ctx: Context, node: cst.Call, of: Closure, bound: Bound) -> Operand | None:
    """The call of a nested function; None if it has no cache, or does not call itself."""
    if not isinstance(of.node, cst.FunctionDef):
        return None
    own = of.node if _has_cache(ctx, of.node, of.frame.module.name) else _kept(ctx, of)
    others = (one for frame in of.frame.outwards for one in frame.values.values())
    around = (one.node for one in others if isinstance(one, Closure) and one.node is not of.node)
    if own is None or any(is_name(part, of.name) for one in around for part in walk(one)):
        return None
    run = partial(closures.call_closure, ctx, node, replace(of, node=own))
    return _call(ctx, node, own, of.defaults, bound, run)


def _kept(ctx: Context, of: Closure) -> cst.FunctionDef | None:
    """The function ``of`` without the dict that it keeps its results in; made once."""
    known, at = ctx.functions.lifted, (of.node, "kept")
    if at not in known:
        made = memo_dicts.nested(ctx, of)
        known[at] = None if made is None else Lifted(made, ())
    to = known[at]
    return None if to is None else to.decl.node


def function(ctx: Context, node: cst.Call, decl: FunctionDecl, bound: Bound) -> Operand | None:
    """The call of a function of a module; None as for nested ones."""
    if "." in decl.name or ctx.frame.decl is decl or recursion.leads_back(ctx.source, decl):
        return None
    if not _has_cache(ctx, decl.node, decl.module):
        return None
    run = partial(closures.call_function, ctx, node, decl)
    return _call(ctx, node, decl.node, {}, bound, run)


def _has_cache(ctx: Context, own: cst.FunctionDef, module: str) -> bool:
    home = ctx.source.modules[module]
    return any(decorators.is_cache(ctx.source, home, one) for one in own.decorators)


def _call(
    ctx: Context, node: cst.Call, own: cst.FunctionDef, defaults: Bound, bound: Bound,
    run: Callable[[Bound], Operand],
) -> Operand | None:  # fmt: skip
    key = _key(own)
    values = {name: settle(ctx, value, name) for name, value in bound.items()}
    if key is None or not all(searched.is_key(ctx, values[name]) for name in key):
        return None
    before = ctx.mark()

    def step(given: Sequence[Operand]) -> Operand:
        now, ask = given
        assert isinstance(now, Items)
        asked = _asking(ctx, own, key, defaults, Native(partial(_asked, ctx, node, ask)))
        return run({**values, **dict(zip(key, now.items, strict=True)), own.name.value: asked})

    first = Items(tuple(values[name] for name in key))
    try:
        return ctx.lower.call(ctx, node, _MEMOISED, (Native(step), first), {})
    except _NoKey:
        ctx.reset(before)
        return None


def _asked(ctx: Context, node: cst.Call, ask: Operand, given: Sequence[Operand]) -> Operand:
    (key,) = given
    if not searched.is_key(ctx, key):
        raise _NoKey
    return ctx.lower.call(ctx, node, ask, (key,), {})


def _asking(
    ctx: Context, own: cst.FunctionDef, key: Sequence[str], defaults: Bound, ask: Operand
) -> Closure:
    """``lambda i, j: ask((i, j))``, with the parameters of the function ``own``."""
    call = lifted.unused("_ask", {one.name.value for one in parameters(own.params)})
    frame = Frame(ctx.frame.module, (), (call,))
    with leaving.inside(ctx, frame):
        frame.bind(call, ask)
    params = own.params.with_changes(
        params=[one.with_changes(annotation=None) for one in own.params.params],
        kwonly_params=[one.with_changes(annotation=None) for one in own.params.kwonly_params],
    )
    names = cst.Tuple([cst.Element(cst.Name(name)) for name in key])
    made = cst.Lambda(params, cst.Call(cst.Name(call), [cst.Arg(names)]))
    return Closure(own.name.value, made, frame, defaults)


def _key(own: cst.FunctionDef) -> tuple[str, ...] | None:
    """The parameters that calls inside change; None if the function is no such recursion."""
    name, nodes = own.name.value, list(walk(own.body))
    calls = [one for one in nodes if isinstance(one, cst.Call) and is_name(one.func, name)]
    uses = sum(is_name(one, name) for one in nodes)
    leaves = any(isinstance(one, cst.Try | cst.TryStar | cst.With | cst.Yield) for one in nodes)
    is_starred = isinstance(own.params.star_arg, cst.Param) or own.params.star_kwarg is not None
    rebound = bound_names(nodes)
    if not calls or uses != len(calls) or leaves or is_starred or name in rebound:
        return None
    params = [one.name.value for one in parameters(own.params)]
    given = [dict(_given(call, params)) for call in calls]
    if any(arg.star for call in calls for arg in call.args):
        return None
    fixed = {
        one for one in params
        if one not in rebound and all(one in of and is_name(of[one], one) for of in given)
    }  # fmt: skip
    return tuple(one for one in params if one not in fixed) or None


def _given(call: cst.Call, params: Sequence[str]) -> Iterator[tuple[str, cst.BaseExpression]]:
    for k, arg in enumerate(call.args):
        if arg.keyword is not None:
            yield arg.keyword.value, arg.value
        elif k < len(params):
            yield params[k], arg.value
