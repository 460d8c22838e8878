"""Lambda lifting: nested functions that call themselves become functions of the module.

    def f(x, n):                        def _power(x, k):
        def power(k):                       return x if k == 0 else x * _power(x, k - 1)
            return x if k == 0 ...   ->
        return power(n)                 def f(x, n):
                                            return _power(x, n)

What they see of the functions around them becomes parameters (Johnsson 1985). These stay as they
are during a call: a function that has ``nonlocal``, or is anything but called, is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

import libcst as cst
from libcst.metadata import CodeRange

from mooncake_transpiler.frontend.declaration import decorators
from mooncake_transpiler.frontend.entities import (
    Annotation,
    Directive,
    FunctionDecl,
    Module,
    ParamDecl,
)
from mooncake_transpiler.frontend.lower.array.delayed import settle
from mooncake_transpiler.frontend.lower.call.parameter_defaults import is_literal
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.known import Lifted
from mooncake_transpiler.frontend.lower.state.operands import Closure, Frame, Operand, Static
from mooncake_transpiler.frontend.text.trees import Binding, bindings, is_name, own_nodes, walk

Positions = Mapping[cst.CSTNode, CodeRange]


def lifted(ctx: Context, closure: Closure) -> Lifted | None:
    """``closure`` as a function of its module; None if it must stay where it is."""
    known, node = ctx.functions.lifted, closure.node
    if node not in known:
        known[node] = _made(ctx, closure, _as_def(ctx, closure))
    return known[node]


def _as_def(ctx: Context, closure: Closure) -> cst.FunctionDef:
    """The definition of ``closure``; a lambda returns, where its body stands."""
    node, module = closure.node, ctx.source.modules[closure.frame.module.name]
    if isinstance(node, cst.FunctionDef):
        return node
    stmt = cst.Return(node.body)
    if node.body in module.positions:
        place = module.positions[node.body]
        ctx.source.modules[module.name] = module.with_positions({stmt: place})
    body = cst.IndentedBlock([cst.SimpleStatementLine([stmt])])
    return cst.FunctionDef(cst.Name("function"), node.params, body)


def call(
    ctx: Context, node: cst.Call, closure: Closure, to: Lifted, bound: Mapping[str, Operand]
) -> Operand | None:
    """The call; None if one of the names may not be set, or stands for a function or a class."""
    known = seen(ctx, closure, to.seen)
    return (
        None
        if known is None
        else ctx.lower.call(ctx, node, Static(to.decl), (), {**known, **bound})
    )


def seen(ctx: Context, closure: Closure, names: Sequence[str]) -> dict[str, Operand] | None:
    """Values of ``names`` in ``closure``; None if one may not be set, or is no value."""
    inner = Frame(closure.frame.module, (), (), closure.frame)
    with leaving.inside(ctx, inner):
        if not all(_is_set(inner, name) for name in names):
            return None
        found = {
            name: settle(ctx, ctx.lower.expression(ctx, cst.Name(name)), name) for name in names
        }
    return None if any(isinstance(one, Closure | Static) for one in found.values()) else found


def _is_set(inner: Frame, name: str) -> bool:
    """True if ``name`` certainly has a value; those that functions share are in ``inner``."""
    for frame in inner.outwards:
        if name in frame.cells:
            return inner.is_bound(frame.cells[name])
        if name in frame.locals:
            return frame.is_bound(name)
    return False


def _made(ctx: Context, closure: Closure, node: cst.FunctionDef) -> Lifted | None:
    params, name = node.params, node.name.value
    own = (*params.params, *params.kwonly_params)
    is_fixed = all(is_literal(p.default) for p in own if p.default is not None)
    is_plain = all(
        decorators.is_cache(ctx.source, closure.frame.module, one) for one in node.decorators
    )
    if not (are_named(params) and is_plain and is_fixed):
        return None
    seen = _seen(closure, node, {param.name.value for param in own})
    if seen is None:
        return None
    module = ctx.source.modules[closure.frame.module.name]
    inside = {one.value for one in walk(node) if isinstance(one, cst.Name)}
    other = unused(f"_{name}", {*inside, *module.scope})
    renaming = Renaming(module.positions, name, other, seen)
    front = tuple(cst.Param(cst.Name(one)) for one in seen)
    made = node.with_changes(
        name=cst.Name(other),
        body=renaming.body_of(node),
        decorators=(),
        params=params.with_changes(params=(*front, *params.params)),
    )
    decls = declared((*front, *own), params.kwonly_params)
    return entered(ctx, module, node, made, decls, None, renaming, seen)


def unused(name: str, taken: Set[str]) -> str:
    """``name``, or a longer one that is not among those ``taken``."""
    while name in taken:
        name = f"_{name}"
    return name


def are_named(params: cst.Parameters) -> bool:
    """True if each argument is for a parameter of its own, and can be given by name."""
    is_starred = isinstance(params.star_arg, cst.Param) or params.star_kwarg is not None
    return not (is_starred or params.posonly_params)


def declared(params: Iterable[cst.Param], kwonly: Sequence[cst.Param] = ()) -> list[ParamDecl]:
    """Parameters of any type."""
    return [ParamDecl(p.name.value, None, p.default, p in kwonly, p) for p in params]


def entered(
    ctx: Context, module: Module, node: cst.FunctionDef, made: cst.FunctionDef,
    params: Iterable[ParamDecl], result: Annotation | None, moving: Moving,
    seen: tuple[str, ...] = (),
) -> Lifted:  # fmt: skip
    """``made``, which ``moving`` made of ``node``, as a function of the module."""
    name = made.name.value
    decl = FunctionDecl(module.name, name, made, tuple(params), result, Directive(), is_lifted=True)
    found = dict(moving.ranges)
    if node.name in module.positions:
        found[made.name] = module.positions[node.name]
    ctx.source.modules[module.name] = module.with_positions(found)
    module.scope[name] = decl
    return Lifted(decl, seen)


def _seen(closure: Closure, node: cst.FunctionDef, mine: Set[str]) -> tuple[str, ...] | None:
    """The names of functions around it that ``node`` reads; None if parameters can't be these."""
    name, nodes = node.name.value, list(walk(node.body))
    if any(isinstance(one, cst.Nonlocal | cst.Global | cst.ClassDef) for one in nodes):
        return None
    called = {one.func for one in nodes if isinstance(one, cst.Call)}
    if any(is_name(one, name) and one not in called for one in nodes):
        return None
    local = {bound for one in bindings(own_nodes(node)[0]) for bound in _own(one)}
    deeper = {bound for one in bindings(nodes) for bound in one.names} - local
    read = {one.value for one in nodes if isinstance(one, cst.Name)}
    around = {one for frame in closure.frame.outwards for one in frame.locals}
    if deeper & (around | mine) or name in local | mine:
        return None
    return tuple(sorted((read & around) - mine - local - {name}))


def _own(binding: Binding) -> Iterator[str]:
    """The names that a function binds itself, not a comprehension in it."""
    if not isinstance(binding.node, cst.CompFor | cst.Param):
        yield from binding.names


def statements(body: cst.BaseSuite) -> Sequence[cst.BaseStatement]:
    """The statements of a body, which may stand in the line of its head."""
    if isinstance(body, cst.SimpleStatementSuite):
        return [cst.SimpleStatementLine(body.body)]
    assert isinstance(body, cst.IndentedBlock)
    return body.body


class Moving(cst.CSTTransformer):
    """Changes nodes as ``moved`` says; they keep their places in the text."""

    def __init__(self, positions: Positions) -> None:
        super().__init__()
        self.ranges: dict[cst.CSTNode, CodeRange] = {}
        self._positions = positions

    def moved(self, node: cst.CSTNode) -> cst.CSTNode:
        raise NotImplementedError

    def body_of(self, node: cst.FunctionDef) -> cst.BaseSuite:
        """The body of ``node``, changed."""
        body = node.body.visit(self)
        assert isinstance(body, cst.BaseSuite)
        return body

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode:
        new = self.moved(updated_node)
        if new is not original_node and original_node in self._positions:
            self.ranges[new] = self._positions[original_node]
        return new


class Renaming(Moving):
    """Gives calls of ``name`` another name, and arguments ``front`` before those that are kept."""

    def __init__(
        self, positions: Positions, name: str, other: str, front: Sequence[str],
        kept: Callable[[cst.Call], Sequence[cst.Arg]] = lambda call: call.args,
    ) -> None:  # fmt: skip
        super().__init__(positions)
        self._name, self._other, self._front, self._kept = name, other, front, kept

    def moved(self, node: cst.CSTNode) -> cst.CSTNode:
        match node:
            case cst.Call(func=cst.Name(value=name)) if name == self._name:
                front = (cst.Arg(cst.Name(one)) for one in self._front)
                args = (*front, *self._kept(node))
                return node.with_changes(func=cst.Name(self._other), args=args)
            case _:
                return node
