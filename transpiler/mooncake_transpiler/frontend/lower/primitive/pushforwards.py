"""The pushforwards of primitives, lowered to functions in normal form.

They are stated like the rules of library functions (``mooncake_rules.pushforwards``), so they are
lowered by the same stage, outside any module of the user's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst
from mooncake_rules import primitives
from mooncake_rules.arrays import Arr, Num

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused, Start
from mooncake_transpiler.frontend.entities import FunctionDecl, Module, Source
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.dispatch import SYNTAX
from mooncake_transpiler.frontend.lower.rule.rules import params_of
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.known import Callee, Facts, Lifts, OverTables, Ruled
from mooncake_transpiler.frontend.lower.state.operands import Frame
from mooncake_transpiler.types import Array, Scalar, Tuple, Type, is_differentiable

Static = Type | ir.Const


class NoFunctions:
    """The functions that rules of primitives may call: none, as they call primitives only."""

    minimal = False
    check_bounds = False
    stretching = False
    is_called = False
    has_device = False
    shared: frozenset[Start] = frozenset()

    def __init__(self) -> None:
        self.kinds: dict[tuple[object, ...], Type] = {}
        self.lifted: Lifts = {}
        self.over_tables = OverTables()
        self.reduced: dict[cst.CSTNode, bool] = {}

    def is_recursive(self, decl: FunctionDecl) -> bool:
        return False

    def ruled(self, key: tuple[object, ...], make: Callable[[str], Ruled]) -> Ruled:
        raise AssertionError(f"the rule of a primitive calls {key[0]}, which is none")

    def note_sides(self, node: cst.CSTNode, left: int | None, right: int | None) -> None:
        return

    def note_call(self, decl: FunctionDecl, types: tuple[Type, ...]) -> None:
        return

    def request(
        self,
        decl: FunctionDecl,
        types: tuple[Type, ...],
        known: Facts,
        refuse: Callable[[str, str | None], Refused],
    ) -> Callee:
        raise AssertionError(f"the rule of a primitive calls {decl.qualname}")

    def stage(self) -> LoweringStage:
        """A stage outside of any module of the user's."""
        tree = cst.Module([])
        module = Module("rules", "rules", "", tree, {}, False)
        return LoweringStage(Context(Source({}), self, SYNTAX, Frame(module, (), ())), tree)


def pushforward(
    name: str, args: Sequence[Static], outs: Sequence[Type], active: frozenset[int]
) -> ir.Func:
    """The function that moves tangents through ``name`` for arguments of these types.

    It takes all arguments and results, and the tangents of the arguments at ``active``; it returns
    those of the results that carry floats, without what is there for a pullback.
    """
    stage = NoFunctions().stage()
    ctx = stage.ctx
    inputs = [ir.Value("", a.type if isinstance(a, ir.Const) else a) for a in args]
    results = [ir.Value("", type_) for type_ in outs]
    dots = {k: ir.Value("", inputs[k].type) for k in sorted(active)}
    given = (*inputs, *results, *dots.values())
    ctx.memory.inputs.update(v for v in given if isinstance(v.type, Array))
    known = [arg.value if isinstance(arg, ir.Const) else wrapped(stage, value)
             for arg, value in zip(args, inputs, strict=True)]  # fmt: skip
    tangents = {k: stage.array(dot) for k, dot in dots.items()}
    push = primitives.pushforward(name)
    assert push is not None
    found = push(stage, known, [wrapped(stage, v) for v in results], tangents)
    floats = [type_ for type_ in outs if is_differentiable(type_)][: len(found)]
    yields = tuple(_made(stage, dot, type_) for dot, type_ in zip(found, floats, strict=True))
    body = ir.Block((*ctx.prelude.stmts, *ctx.builder.stmts), yields)
    return ir.Func(f"{name}_push", params_of(given), Tuple(tuple(floats)), body)


def wrapped(stage: LoweringStage, value: ir.Value) -> Arr | Num:
    """``value`` as rules see it."""
    if isinstance(value.type, Array):
        return stage.array(value)
    return Num(stage, value, str(value.type))


def _made(stage: LoweringStage, tangent: Arr | Num | complex, type_: Type) -> ir.Atom:
    """``tangent`` as a value of ``type_``, an array in contiguous memory of its own."""
    if not isinstance(tangent, Arr):
        assert isinstance(type_, Scalar)
        return stage.atom(stage.cast(tangent, type_.dtype.value))
    value = stage.value(tangent)
    if value in stage.ctx.memory.local:
        return value
    return stage.value(stage.copied(stage.array(value)))
