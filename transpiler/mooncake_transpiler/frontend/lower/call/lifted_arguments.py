"""Recursive functions that are given functions: what these see becomes parameters.

    def area(f, a, b):                          def _area(_k, a, b):
        if b - a < 0.1:                             f = lambda x: _f(_k, x)
            return f(a) * (b - a)                   if b - a < 0.1:
        m = (a + b) / 2                      ->         return f(a) * (b - a)
        return area(f, a, m) + area(f, m, b)        m = (a + b) / 2
                                                    return _area(_k, a, m) + _area(_k, m, b)
    area(lambda x: x**k, 0.0, 1.0)
                                                _area(k, 0.0, 1.0)

All calls inside must hand on the functions as they are. There is one such function for each place
where a function is made that is handed to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler.frontend.entities import External, FunctionDecl, Module
from mooncake_transpiler.frontend.lower.call import lifted, recursion
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.known import Lifted
from mooncake_transpiler.frontend.lower.state.operands import Closure, Operand, Static
from mooncake_transpiler.frontend.text.trees import bindings, is_name, walk


@dataclass(frozen=True, slots=True)
class _Given:
    """A function that is given for ``param``: what it is called, and what it sees."""

    param: str
    name: str
    seen: Mapping[str, str]  # names of what it sees, with those of parameters for these
    params: cst.Parameters | None = None  # its own; None if it sees nothing

    @property
    def bound(self) -> cst.SimpleStatementLine:
        """``param = lambda x: name(seen, x)``."""
        value: cst.BaseExpression = cst.Name(self.name)
        if self.params is not None:
            front = (cst.Arg(cst.Name(one)) for one in self.seen.values())
            own = [one.with_changes(annotation=None) for one in self.params.params]
            call = cst.Call(value, [*front, *(cst.Arg(one.name) for one in own)])
            value = cst.Lambda(cst.Parameters(own), call)
        target = cst.AssignTarget(cst.Name(self.param))
        return cst.SimpleStatementLine([cst.Assign([target], value)])


def call(
    ctx: Context, node: cst.Call, decl: FunctionDecl, bound: Mapping[str, Operand]
) -> Operand | None:
    """The call of ``decl``, which calls itself; None if it is given no functions, or others."""
    functions = {name: one for name, one in bound.items() if isinstance(one, Closure | Static)}
    if not functions or not _hands_on(ctx, decl, [*functions]):
        return None
    inside = {one.value for one in walk(decl.node) if isinstance(one, cst.Name)}
    made = [_given(ctx, decl, name, one, inside) for name, one in functions.items()]
    given = [one for one in made if one is not None]
    if len(given) < len(made):
        return None
    values: dict[str, Operand] = {}
    for one in given:
        closure = functions[one.param]
        seen = lifted.seen(ctx, closure, [*one.seen]) if isinstance(closure, Closure) else {}
        if seen is None:
            return None
        values |= {one.seen[name]: value for name, value in seen.items()}
    known = ctx.functions.lifted
    key: cst.CSTNode | tuple[cst.CSTNode | str, ...] = (
        decl.node,
        *(f"{one.param}={one.name}" for one in given),
    )
    if key not in known:
        known[key] = _made(ctx, decl, given)
    to = known[key]
    assert to is not None
    others = {name: value for name, value in bound.items() if name not in functions}
    return ctx.lower.call(ctx, node, Static(to.decl), (), {**values, **others})


def _hands_on(ctx: Context, decl: FunctionDecl, names: Sequence[str]) -> bool:
    """True if ``decl`` hands on the parameters ``names`` wherever it leads back to itself."""
    params, nodes = decl.node.params, list(walk(decl.node.body))
    if not lifted.are_named(params) or decl.node.decorators or "." in decl.name:
        return False
    if any(name in one.names for one in bindings(nodes) for name in (*names, decl.name)):
        return False
    if recursion.leads_back(ctx.source, decl):
        return False
    calls = [one for one in nodes if isinstance(one, cst.Call) and is_name(one.func, decl.name)]
    uses = sum(is_name(one, decl.name) for one in nodes)
    return uses == len(calls) and all(_kept(decl, one, names) is not None for one in calls)


def _kept(decl: FunctionDecl, call: cst.Call, names: Sequence[str]) -> list[cst.Arg] | None:
    """The arguments of ``call`` but for the functions; None if these are not those of ``decl``."""
    if any(arg.star for arg in call.args):
        return None
    kept, found = [], set[str]()
    for k, arg in enumerate(call.args):
        name = decl.params[k].name if arg.keyword is None else arg.keyword.value
        if name not in names:
            kept.append(arg)
        elif is_name(arg.value, name):
            found.add(name)
    return kept if found == set(names) else None


def _given(
    ctx: Context, decl: FunctionDecl, param: str, function: Operand, inside: set[str]
) -> _Given | None:
    """``function`` as the module of ``decl`` may call it; None if it can't."""
    module = ctx.source.modules[decl.module]
    if isinstance(function, Static):
        entity = function.value
        if not isinstance(entity, FunctionDecl | External):
            return None
        return _Given(param, _entered(module, f"_{param}", entity, inside), {})
    assert isinstance(function, Closure)
    to = lifted.lifted(ctx, function)
    own = function.node.params
    if to is None or len(own.params) != len(to.decl.params) - len(to.seen):
        return None
    seen = {name: lifted.unused(f"_{param}_{name}", inside) for name in to.seen}
    return _Given(param, _entered(module, to.decl.name, to.decl, inside), seen, own)


def _entered(module: Module, name: str, entity: FunctionDecl | External, inside: set[str]) -> str:
    """A name of ``module`` for ``entity`` that the function does not use otherwise."""
    while name in inside or module.scope.get(name, entity) != entity:
        name = f"_{name}"
    module.scope[name] = entity
    return name


def _made(ctx: Context, decl: FunctionDecl, given: Sequence[_Given]) -> Lifted:
    """``decl`` with parameters for what the functions ``given`` see, in place of these."""
    module, node = ctx.source.modules[decl.module], decl.node
    names = [one.param for one in given]
    front = [cst.Param(cst.Name(own)) for one in given for own in one.seen.values()]
    other = lifted.unused(f"_{decl.name}", {*module.scope})

    def kept(call: cst.Call) -> list[cst.Arg]:
        found = _kept(decl, call, names)
        assert found is not None  # as ``_hands_on`` has seen
        return found

    seen = [param.name.value for param in front]
    moving = lifted.Renaming(module.positions, decl.name, other, seen, kept)
    params = node.params
    made = node.with_changes(
        name=cst.Name(other),
        body=cst.IndentedBlock(
            [*(one.bound for one in given), *lifted.statements(moving.body_of(node))]
        ),
        params=params.with_changes(
            params=(*front, *_without(params.params, names)),
            kwonly_params=tuple(_without(params.kwonly_params, names)),
        ),
    )
    own = (param for param in decl.params if param.name not in names)
    decls = (*lifted.declared(front), *own)
    return lifted.entered(ctx, module, node, made, decls, decl.result, moving)


def _without(params: Sequence[cst.Param], names: Sequence[str]) -> Iterator[cst.Param]:
    return (param for param in params if param.name.value not in names)
