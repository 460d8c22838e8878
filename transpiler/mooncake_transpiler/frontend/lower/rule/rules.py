"""Functions with a pullback: what library functions and users' rules become in the normal form.

A rule computes results and returns a closure that takes their cotangents to those of the arguments.
Both are lowered once per types of the arguments and values of the static ones, into two functions;
what the closure captures besides arguments and results is an additional, kept result of the first.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence

from mooncake_rules.arrays import Arr, Num
from mooncake_rules.arrays.stage import Rule
from mooncake_rules.library.support import add_into

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.memory import reshaping
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.known import Ruled
from mooncake_transpiler.frontend.lower.state.operands import Frame
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Array, Scalar, Tuple, Type, is_differentiable

Dynamic = Arr | Num


def call(
    stage: LoweringStage, name: str, rule: Rule, args: Sequence[object]
) -> tuple[Dynamic, ...]:
    """Call the function that ``rule`` states; plain arguments are static."""
    return _called(stage, name, rule, args, shows=False)


def _called(
    stage: LoweringStage, name: str, rule: Rule, args: Sequence[object], *, shows: bool
) -> tuple[Dynamic, ...]:
    """The results of ``rule``, which show arguments where it returns these, if ``shows``."""
    ctx = stage.ctx
    given = [stage.keep(arg) if isinstance(arg, Arr) else arg for arg in args]
    key = (name, *(_key(stage, arg) for arg in given))
    ruled = ctx.functions.ruled(key, lambda fresh: _Maker(stage, fresh, rule, given).make())
    atoms = [_atom(stage, arg) for arg in given if isinstance(arg, Dynamic)]
    for k in ruled.shown if shows else ():
        atoms[k] = reshaping.apart(ctx, atoms[k], ir.Sharing.UNKNOWN)
    outs = tuple(ir.Value("", leaf) for leaf in _result_types(ruled.func))
    ctx.builder.add(ir.Call(outs, ruled.func.name, tuple(atoms), ctx.builder.origin))
    arrays = [out for out in outs if isinstance(out.type, Array)]
    ctx.memory.local.update(arrays)
    if shows and ruled.shows_module:
        ctx.memory.permanent.update(arrays)
    return tuple(_wrap(stage, out) for out in outs[: len(ruled.results)])


def call_typed(
    stage: LoweringStage, name: str, rule: Rule, args: Sequence[object], kinds: list[Type]
) -> tuple[tuple[Dynamic, ...], Type]:
    """As ``call``, for a rule that notes the type of its result in ``kinds`` when it is lowered."""
    key = (f"{name} result", *(_key(stage, arg) for arg in args))
    outs = _called(stage, name, rule, args, shows=True)
    if kinds:
        stage.ctx.functions.kinds[key] = kinds[-1]
    return outs, stage.ctx.functions.kinds[key]


def _result_types(func: ir.Func) -> tuple[Type, ...]:
    assert isinstance(func.result, Tuple)
    return func.result.items


def _key(stage: LoweringStage, arg: object) -> object:
    return _atom(stage, arg).type if isinstance(arg, Dynamic) else (type(arg), arg)


def _atom(stage: LoweringStage, arg: Dynamic) -> ir.Atom:
    return stage.value(arg) if isinstance(arg, Arr) else stage.atom(arg)


def _wrap(stage: LoweringStage, value: ir.Value) -> Dynamic:
    if isinstance(value.type, Array):
        return stage.array(value)
    assert isinstance(value.type, Scalar)
    return Num(stage, value, value.type.dtype.value)


class _Maker:
    """Lowers one rule."""

    def __init__(
        self, caller: LoweringStage, name: str, rule: Rule, args: Sequence[object]
    ) -> None:
        outer = caller.ctx
        frame = Frame(outer.frame.module, (), ())
        self.ctx = Context(outer.source, outer.functions, outer.lower, frame)
        self.stage = LoweringStage(self.ctx, caller.node)
        self.name = name
        self.rule = rule
        self.args = args
        self.shown = set[ir.Atom]()  # the arrays that results are, or show parts of
        names = list(inspect.signature(rule).parameters)[1:]
        self.params = {
            k: ir.Value(names[k] if k < len(names) else "", _atom(caller, arg).type)
            for k, arg in enumerate(args)
            if isinstance(arg, Dynamic)
        }
        self.ctx.memory.inputs.update(v for v in self.params.values() if isinstance(v.type, Array))

    def make(self) -> Ruled:
        given = [_wrap(self.stage, self.params[k]) if k in self.params else arg
                 for k, arg in enumerate(self.args)]  # fmt: skip
        results, closure = self.rule(self.stage, *given)
        outs = [self._result(result) for result in results]
        body = self._taken()
        shadows, seeds, pulled = self._pull(closure, outs)
        inputs = tuple(self.params.values())
        known = {*inputs, *outs, *shadows, *seeds}
        bound = {out for stmt in body.stmts for out in ir.outs(stmt)}
        used = dict.fromkeys(a for a in ir.used_in(pulled) if isinstance(a, ir.Value))
        sizes = [s for s in body.stmts if isinstance(s, ir.Dim) and s.out in used]
        again = {s.out: s for s in sizes if s.array in known}  # what need not be kept
        pulled = ir.Block((*again.values(), *pulled.stmts), pulled.yields)
        kept = [v for v in used if v in bound and v not in known and v not in again]
        types = tuple(v.type for v in (*outs, *kept))
        name = f"{self.name}_pullback"
        func = ir.Func(
            self.name, params_of(inputs), Tuple(types),
            ir.Block(body.stmts, (*outs, *kept)), "", None, name, len(kept),
        )  # fmt: skip
        bars = Tuple(tuple(a.type for a in pulled.yields))
        takes = params_of((*inputs, *outs, *kept, *shadows, *seeds))
        shown = self._shown(inputs)
        others = not self.shown.isdisjoint(self._permanent())
        return Ruled(func, ir.Func(name, takes, bars, pulled), types[: len(outs)], shown, others)

    def _shown(self, inputs: Sequence[ir.Value]) -> tuple[int, ...]:
        """The numbers of ``inputs`` that results may show; all, where a helper returns these."""
        memory = self.ctx.memory
        known = memory.inputs | memory.local | self._permanent()
        every = not self.shown <= known
        arrays = [k for k, value in enumerate(inputs) if isinstance(value.type, Array)]
        return tuple(k for k in arrays if every or inputs[k] in self.shown)

    def _permanent(self) -> set[ir.Value]:
        return self.ctx.memory.permanent | set(self.ctx.globals.values())

    def _taken(self) -> ir.Block:
        """The statements lowered so far; the next ones are of another function."""
        block = ir.Block((*self.ctx.prelude.stmts, *self.ctx.builder.stmts))
        self.ctx.prelude, self.ctx.builder = Builder(), Builder()
        self.ctx.sizes.inputs.clear()
        return block

    def _result(self, result: object) -> ir.Value:
        """A result as a value of its own: no argument, no constant, nothing twice."""
        stage = self.stage
        if not isinstance(result, Arr):
            assert isinstance(result, Num | bool | int | float | complex)
            atom = stage.atom(result)
            assert isinstance(atom.type, Scalar)
            return self.ctx.builder.compute("cast", (atom,), atom.type)
        value = stage.value(result)
        owned = value in self.ctx.memory.local
        if not isinstance(value, ir.Value) or not owned:
            self.shown |= self.ctx.memory.roots(value)
            copied = stage.copied(stage.array(value))
            assert isinstance(copied.memory, ir.Value)
            return copied.memory
        return value

    def _pull(
        self, closure: Callable[..., Sequence[object]], outs: Sequence[ir.Value]
    ) -> tuple[list[ir.Value], list[ir.Value], ir.Block]:
        """The shadows and seeds that the pullback takes, and its body."""
        stage = self.stage
        seeds = [ir.cotangent(v) if is_differentiable(v.type)
                 else None for v in outs]  # fmt: skip
        shadows = {
            k: ir.Value(f"{v.hint}_bar", v.type)
            for k, v in self.params.items()
            if isinstance(v.type, Array) and is_differentiable(v.type)
        }
        arrays = [*shadows.values(), *(s for s in seeds if s and isinstance(s.type, Array))]
        self.ctx.memory.inputs.update(arrays)
        wanted = inspect.signature(closure).parameters
        into = {v.hint: stage.array(v) for v in shadows.values() if v.hint in wanted}
        bars = closure(*(None if seed is None else _wrap(stage, seed) for seed in seeds), **into)
        yields: list[ir.Atom] = []
        for k, value in self.params.items():
            bar = bars[k] if k < len(bars) else None
            if k in shadows:
                self._add(shadows[k], bar)
            elif is_differentiable(value.type):
                yields.append(self._number(bar, value))
        body = self._taken()
        present = [seed for seed in seeds if seed is not None]
        return list(shadows.values()), present, ir.Block(body.stmts, tuple(yields))

    def _add(self, shadow: ir.Value, bar: object) -> None:
        """``shadow += bar``."""
        if bar is None:
            return
        add_into(self.stage, self.stage.array(shadow), bar)

    def _number(self, bar: object, like: ir.Value) -> ir.Atom:
        assert isinstance(like.type, Scalar)
        if bar is None:
            return ir.zero(like.type)
        assert isinstance(bar, Num | int | float | complex)
        cast = self.stage.cast(bar, like.type.dtype.value)
        atom = self.stage.atom(cast)
        if isinstance(atom, ir.Const):
            return ir.Const(float(atom.value), like.type) if like.type.dtype.is_float else atom  # type: ignore[arg-type]
        return atom


def params_of(values: Sequence[ir.Value]) -> tuple[ir.Param, ...]:
    """A parameter for each of ``values``."""
    names: dict[str, int] = {}
    found = []
    for value in values:
        name = value.hint or "t"
        names[name] = names.get(name, 0) + 1
        unique = name if names[name] == 1 else f"{name}_{names[name]}"
        found.append(ir.Param(unique, value.type, (value,)))
    return tuple(found)
