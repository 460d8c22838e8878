"""Functions: each is lowered once per tuple of argument types, when it is first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.borders import Action, Border
from mooncake_transpiler.diagnostics import Diagnostic, Place, Refused
from mooncake_transpiler.frontend.entities import FunctionDecl, ParamDecl, Source
from mooncake_transpiler.frontend.lower import statements
from mooncake_transpiler.frontend.lower.array import shapes
from mooncake_transpiler.frontend.lower.call import calls
from mooncake_transpiler.frontend.lower.call.arguments import Arguments
from mooncake_transpiler.frontend.lower.call.parameter_defaults import default_text
from mooncake_transpiler.frontend.lower.call.parameters import Arm, exact, lower_arms, rebound
from mooncake_transpiler.frontend.lower.call.results import closed, convert_result, result_type
from mooncake_transpiler.frontend.lower.container import lists
from mooncake_transpiler.frontend.lower.context import Callee, Context, InLine, place_in
from mooncake_transpiler.frontend.lower.control.flow import NO_NAMES, written
from mooncake_transpiler.frontend.lower.emitted.growth import growable
from mooncake_transpiler.frontend.lower.frame import EXIT, OBJECT, RESULT, RETURNED, Frame, meet
from mooncake_transpiler.frontend.lower.instance import objects
from mooncake_transpiler.frontend.lower.operands import (
    NOTHING,
    Conflict,
    Maybe,
    Operand,
    Static,
    atoms,
    type_of,
    undefined,
)
from mooncake_transpiler.frontend.lower.rule.rules import Ruled
from mooncake_transpiler.frontend.lower.scalar.texts import told_apart
from mooncake_transpiler.frontend.lower.syntax import Stmt, flat
from mooncake_transpiler.types import (
    NONE,
    Array,
    List,
    NoneType,
    OneOf,
    Opaque,
    Selector,
    Tuple,
    Type,
    leaves,
)

Key = tuple[str, tuple[Type, ...]]

RECURSION_LIMIT = 12_000  # frames of the interpreter; a level of nesting takes about ten


class CalleeRefused(Exception):
    """A function can't be lowered because one that it calls was refused (and reported)."""


@dataclass(slots=True)
class Lowering:
    """All functions of one run, as they are asked for."""

    source: Source
    funcs: dict[str, ir.Func] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    callees: dict[Key, Callee] = field(default_factory=dict)
    active: set[Key] = field(default_factory=set)
    pending: list[tuple[FunctionDecl, Callee]] = field(default_factory=list)
    refused: set[Key] = field(default_factory=set)
    in_line: set[Key] = field(default_factory=set)
    names: dict[str, int] = field(default_factory=dict)
    rules: dict[tuple[object, ...], Ruled] = field(default_factory=dict)
    kinds: dict[tuple[object, ...], Type] = field(default_factory=dict)
    minimal: bool = False

    def request(
        self,
        decl: FunctionDecl,
        types: tuple[Type, ...],
        refuse: Callable[[str, str | None], Refused],
    ) -> Callee:
        key = (decl.qualname, types)
        if key in self.in_line:
            raise InLine
        if key in self.refused:
            raise CalleeRefused
        if key in self.callees:
            return self.callees[key]
        if decl.result is not None:
            callee = Callee(self._name(decl), types, decl.result.type)
            self.callees[key] = callee
            self.pending.append((decl, callee))
            return callee
        if key in self.active:
            help_ = f"annotate its parameters and its result: def {decl.name}(...) -> float"
            raise refuse(f"the result type of the recursive function {decl.name} is unknown", help_)
        return self._infer(decl, types, key)

    def ruled(self, key: tuple[object, ...], make: Callable[[str], Ruled]) -> Ruled:
        """The functions of a rule, lowered when they are first asked for."""
        if key not in self.rules:
            count = sum(known[0] == key[0] for known in self.rules)
            made = make(f"{key[0]}__{count}" if count else str(key[0]))
            self.rules[key] = made
            self.funcs[made.func.name] = made.func
            self.funcs[made.pullback.name] = made.pullback
        return self.rules[key]

    def _name(self, decl: FunctionDecl) -> str:
        count = self.names.get(decl.qualname, 0)
        self.names[decl.qualname] = count + 1
        return decl.qualname if count == 0 else f"{decl.qualname}__{count}"

    def _infer(self, decl: FunctionDecl, types: tuple[Type, ...], key: Key) -> Callee:
        """Lower a function without a declared result, to learn its type."""
        name = self._name(decl)
        self.active.add(key)
        try:
            func = self._lower(decl, types, name)
        except InLine:
            self.in_line.add(key)
            raise
        finally:
            self.active.discard(key)
        if func is None:
            self.refused.add(key)
            raise CalleeRefused
        self.callees[key] = Callee(name, types, func.result)
        return self.callees[key]

    def drain(self) -> None:
        """Lower what has been asked for and not been lowered yet."""
        while self.pending:
            decl, callee = self.pending.pop(0)
            if self._lower(decl, callee.params, callee.name) is None:
                self.refused.add((decl.qualname, callee.params))

    def _lower(self, decl: FunctionDecl, types: tuple[Type, ...], name: str) -> ir.Func | None:
        """The function, or None after reporting why not."""
        try:
            func = FunctionLowering(self, decl, types, name).run()
        except Refused as refusal:
            self._report(refusal.diagnostic)
            return None
        except CalleeRefused:
            return None
        except RecursionError:
            place = place_in(self.source.modules[decl.module], decl.node.name)
            message = f"{decl.name} is nested too deeply"
            self._report(
                Diagnostic("MK190", message, place or Place(decl.module, 1, 1, 1),
                           "split it into several functions")
            )  # fmt: skip
            return None
        self.funcs[name] = func
        return func

    def _report(self, diagnostic: Diagnostic) -> None:
        if diagnostic not in self.diagnostics:
            self.diagnostics.append(diagnostic)


@dataclass(slots=True)
class FunctionLowering:
    """One function for one tuple of argument types."""

    lowering: Lowering
    decl: FunctionDecl
    types: tuple[Type, ...]
    name: str

    def run(self) -> ir.Func:
        decl = self.decl
        body = flat(decl.node.body)
        module = self.lowering.source.modules[decl.module]
        names = [*(p.name for p in decl.params), *written(body)]
        result = None if decl.result is None else decl.result.type
        frame = Frame(module, body, names, None, result)
        frame.share(f"{OBJECT}0")
        frame.decl = decl
        ctx = Context(self.lowering.source, self.lowering, frame)
        origin = ctx.begin(decl.node)
        pairs = zip(decl.params, self.types, strict=True)
        types = [(p, exact(ctx.source, told_apart(decl, p, t))) for p, t in pairs]
        params = [_param(p, t, default_text(ctx, decl, p)) for p, t in types]
        ctx.inputs.update(v for p in params for v in p.leaves if isinstance(v.type, Array))

        def lower_body(arm: Arm) -> None:
            frame.returns.forget(0)  # those of other arms
            shapes.declare(ctx, decl, params, arm.absent)
            if decl.is_public:
                shapes.check(ctx, decl, params, arm.absent)
            self._run(ctx, body)
            self._close(ctx)

        arms = lower_arms(ctx, decl.node.name, params, lower_body)
        value = self._result(ctx)
        type_ = type_of(value) if result is None else None
        if result is not None:
            type_ = result_type(ctx, decl.node.name, value, result)
        if type_ is None:
            raise InLine
        changed = rebound(ctx, decl.node.name, arms)
        border, kept = Border(), [value, *(final for _, final in changed)]
        if changed:
            type_ = Tuple((type_, Tuple(tuple(one.type for one, _ in changed))))
            border = Border(tuple(one for one, _ in changed), Action.ASSIGN)
        yields = tuple(atom for operand in kept for atom in atoms(operand))
        block = growable(ir.Block((*ctx.prelude.stmts, *ctx.builder.stmts), yields), ctx)
        block = ir.renamed(block, ctx.names)
        doc = decl.node.get_docstring() or ""
        return ir.Func(self.name, tuple(params), type_, block, doc, origin, border=border)

    def _run(self, ctx: Context, body: Sequence[Stmt]) -> None:
        """The body; or a call of what the decorators of the function make of it."""
        decl, frame = self.decl, ctx.frame
        if not calls.is_decorated(ctx, decl):
            statements.lower_list(ctx, body, NO_NAMES, False)
            return
        args = [frame.values[p.name] for p in decl.params if not p.kwonly]
        keywords = {p.name: frame.values[p.name] for p in decl.params if p.kwonly}
        call = cst.Call(cst.Name(decl.node.name.value))
        value = calls.apply(ctx, call, Static(decl), Arguments(args, keywords))
        frame.values[RESULT] = convert_result(ctx, decl.node.name, value)
        frame.leave(EXIT, RETURNED)

    def _close(self, ctx: Context) -> None:
        """The result of one arm as Python gets it: without objects that can be changed."""
        frame, node = ctx.frame, self.decl.node.name
        value = frame.values.get(RESULT)
        if value is not None and not isinstance(value, Conflict):
            undeclared = frame.result is None and not self.decl.is_public
            if undeclared and (lists.is_in_arrays(ctx, value) or isinstance(value, Maybe)):
                raise InLine
            after, frame.bound = frame.bound, meet([frame.bound, *frame.returns.bounds])
            value = objects.snapshot(ctx, node, value)
            frame.bound = after
            frame.values[RESULT] = (
                value if frame.result is None else closed(ctx, node, value, frame.result)
            )

    def _result(self, ctx: Context) -> Operand:
        """What the function returns, all paths taken together."""
        frame, node = ctx.frame, self.decl.node.name
        declared = frame.result
        value = frame.values.get(RESULT)
        if frame.reachable and (value not in (None, NOTHING) or declared not in (None, NONE)):
            message = f"{self.decl.name} may end without returning a value"
            raise ctx.refuse(node, "MK215", message, "return a value on every path")
        if isinstance(value, Conflict):
            reason = f"the results of {self.decl.name} have no single type: {value.reason}"
            raise ctx.refuse(node, "MK212", reason)
        if value is None:
            # The end is out of reach after a raise, or after a loop that never ends.
            never = frame.raised or not frame.reachable
            return undefined(declared or NONE) if never else NOTHING
        return value


def _param(param: ParamDecl, type_: Type, default: str | None) -> ir.Param:
    hints = zip(_leaf_names(param.name, type_), leaves(type_), strict=True)
    values = tuple(ir.Value(hint, leaf) for hint, leaf in hints)
    dims = () if param.annotation is None else param.annotation.dims
    return ir.Param(param.name, type_, values, default, param.kwonly, dims)


def _leaf_names(name: str, type_: Type) -> Iterator[str]:
    """Names for the leaves of a parameter: ``p``; ``p_0``, ``p_1``; ``p_field``."""
    if isinstance(type_, Tuple):
        labels = type_.names or tuple(str(k) for k in range(len(type_.items)))
        for label, item in zip(labels, type_.items, strict=True):
            yield from _leaf_names(f"{name}_{label}", item)
    elif isinstance(type_, List):
        for hint, leaf in zip(_leaf_names(name, type_.item), leaves(type_.item), strict=True):
            if isinstance(leaf, Array):
                yield f"{hint}_spans"
            yield hint
    elif isinstance(type_, OneOf):
        yield f"{name}_case"
        for option in type_.options:
            yield from _leaf_names(name, option)
    elif not isinstance(type_, NoneType | Opaque | Selector):
        yield name


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Room for the nesting of long programs."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def lower(
    source: Source, minimal: bool = False, wanted: Callable[[str], bool] = lambda module: True
) -> tuple[ir.Program, list[Diagnostic]]:
    """All public functions of the program and what they call; what is wrong with the others.

    ``minimal``: rules are used only for what can't be differentiated without. ``wanted`` tells the
    modules whose functions are public.
    """
    lowering = Lowering(source, minimal=minimal)
    public = [decl for decl in source.functions() if decl.is_public and wanted(decl.module)]
    with deep_recursion():
        for decl in public:
            _request(lowering, decl, None)
            lowering.drain()
    names = [decl.qualname for decl in public]
    return ir.Program(_reachable(lowering.funcs, names)), lowering.diagnostics


def lower_function(
    source: Source, decl: FunctionDecl, arg_types: tuple[Type, ...] | None = None
) -> tuple[ir.Program, list[Diagnostic]]:
    """One function for the given argument types (default: those declared), and its callees."""
    lowering = Lowering(source)
    with deep_recursion():
        _request(lowering, decl, arg_types)
        lowering.drain()
    return ir.Program(_reachable(lowering.funcs, [decl.qualname])), lowering.diagnostics


def _request(lowering: Lowering, decl: FunctionDecl, arg_types: tuple[Type, ...] | None) -> None:
    place = place_in(lowering.source.modules[decl.module], decl.node.name)
    at = place or Place(decl.module, 1, 1, 1)

    def refuse(message: str, help: str | None) -> Refused:
        return Refused(Diagnostic("MK304", message, at, help))

    types = list(arg_types) if arg_types is not None else []
    if arg_types is None:
        for param in decl.params:
            if param.annotation is None:
                message = f"parameter {param.name!r} has no annotation"
                lowering.diagnostics.append(Diagnostic("MK220", message, at))
                return
            types.append(param.annotation.type)
    with suppress(CalleeRefused):
        lowering.request(decl, tuple(types), refuse)


def _reachable(funcs: Mapping[str, ir.Func], roots: Iterable[str]) -> dict[str, ir.Func]:
    """The functions that ``roots`` call, those left out that call what was refused.

    A function stands for its pullback, too.
    """
    called = {name: set(ir.mentioned(func)) for name, func in funcs.items()}
    while broken := [name for name, callees in called.items() if not callees <= called.keys()]:
        for name in broken:
            del called[name]
    wanted: set[str] = set()
    pending = [name for name in roots if name in called]
    while pending:
        name = pending.pop()
        if name not in wanted:
            wanted.add(name)
            pending += called[name]
    return {name: funcs[name] for name in called if name in wanted}
