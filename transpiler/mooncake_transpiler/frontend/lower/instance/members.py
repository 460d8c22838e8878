"""Members of classes beside fields: methods, properties and constants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.declaration.decorators import is_cached
from mooncake_transpiler.frontend.entities import ClassDecl, MethodDecl, MethodKind
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.instance import fixed_properties, heap, once_only
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atoms
from mooncake_transpiler.frontend.lower.state.operands import Bound, Frame, Operand, Static
from mooncake_transpiler.types import Array


def constant(ctx: Context, node: cst.CSTNode, cls: ClassDecl, name: str) -> Operand:
    """The value that ``cls`` binds ``name`` to; all instances share it."""
    check_kept(ctx, node, cls.module, name)
    module, value = cls.constants[name]

    def make() -> Operand:
        with leaving.inside(ctx, Frame(ctx.source.modules[module], (), ())):
            return delayed.own(ctx, delayed.settle(ctx, ctx.lower.expression(ctx, value)))

    found = made_once(ctx, node, f"{name} of {cls.name}", make)
    _check_content(ctx, node, name, found, ctx.source.attribute_writes[cls.module].filled)
    return found


def check_kept(ctx: Context, node: cst.CSTNode, module: str, name: str) -> None:
    """Refuse ``name``, if the program binds it anew in classes that ``module`` may know.

    Python's own classes, of no module of the program, can't be changed.
    """
    writes = ctx.source.attribute_writes.get(module)
    if writes is not None and not writes.bound.isdisjoint({name, "*"}):
        message = f"the attribute {name} of a class is changed in this program"
        raise ctx.refuse(node, "MK341", message, "keep it in the instance")


def made_once(ctx: Context, node: cst.CSTNode, name: str, make: Callable[[], Operand]) -> Operand:
    """The result of ``make``, anew for each use of what is made once: it may only be read."""
    with objects.shared(ctx, f"{name} is made once, and all calls share it"):
        aside, found = ctx.aside(make)
    every = list(ir.walk(ir.Block(tuple(aside.stmts))))
    if aside.guards or any(isinstance(stmt, ir.Print) for stmt in every):
        message = f"making {name}, which is done once, at import, may fail or print"
        raise ctx.refuse(node, "MK217", message, "make it in the function")
    ctx.insert(aside)
    for stmt in every:
        made = (out for out in ir.outs(stmt) if isinstance(out.type, Array))
        ctx.memory.permanent.update(made)
    return found


def _check_content(
    ctx: Context, node: cst.CSTNode, name: str, found: Operand, filled: Set[str]
) -> None:
    """Refuse what is seen to be changed somewhere."""
    if name in filled and any(True for _ in _inside(ctx, found)):
        message = f"what is in an attribute called {name} is changed in this program"
        raise ctx.refuse(node, "MK341", message, "keep it in the instance, or use another name")


def _inside(ctx: Context, found: Operand) -> Iterator[Operand]:
    """The objects and arrays that ``found`` holds."""
    for atom in atoms(found):
        if isinstance(atom.type, Array):
            yield atom
    for ref in objects.refs(found):
        yield ref
        for field in objects.fields(ctx.frame, ref):
            yield from _inside(ctx, ctx.frame.values[objects.variable(ref, field)])


def bound_method(
    ctx: Context, node: cst.CSTNode, method: MethodDecl, base: Operand, cls: Static
) -> Operand:
    function = Static(method.function)
    check_kept(ctx, node, method.function.module, method.function.own_name)
    match method.kind:
        case MethodKind.METHOD:
            return Bound(function, (base,))
        case MethodKind.CLASS:
            return Bound(function, (cls,))
        case MethodKind.STATIC:
            return function
        case MethodKind.PROPERTY:
            found = call(ctx, node, function, (base,))
            if is_cached(ctx.source, method.function) and not _is_fixed(ctx, method, base, found):
                _keep(ctx, node, method, base, found)
            return found


def _is_fixed(ctx: Context, method: MethodDecl, base: Operand, found: Operand) -> bool:
    """True for a number that is made of numbers which stay as they are."""
    cls = objects.declared(ctx, base)
    if not isinstance(base, Ref) or cls is None or not is_scalar(found):
        return False
    names = fixed_properties.read_by(ctx.source, cls, method.function) or frozenset()
    own = names.intersection(objects.fields(ctx.frame, base))
    values = (ctx.frame.values[objects.variable(base, name)] for name in own)
    return bool(names) and all(map(is_scalar, values))


def _keep(
    ctx: Context, node: cst.CSTNode, method: MethodDecl, base: Operand, found: Operand
) -> None:
    """A cached property is computed once, even if the instance is changed later."""
    if isinstance(base, Ref):
        once_only.expect(ctx, node, method.function, base, found)
        heap.write(ctx, node, base, method.function.own_name, found)
    elif any(isinstance(atom.type, Array) for atom in atoms(base)):
        message = "a cached property of what holds arrays may be out of date"
        raise ctx.refuse(node, "MK340", message, "make it a property")


def call(ctx: Context, node: cst.CSTNode, function: Operand, args: Sequence[Operand]) -> Operand:
    """A call that the program does not spell out."""
    made = node if isinstance(node, cst.Call) else cst.Call(cst.Name("_"))
    return ctx.lower.call(ctx, made, function, args)
