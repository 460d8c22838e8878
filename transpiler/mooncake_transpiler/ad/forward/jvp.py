"""The forward-mode derivative functions of one user function, in normal form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.callees import Callees
from mooncake_transpiler.ad.forward.argument_tangents import Argument, bind, hand_back
from mooncake_transpiler.ad.forward.call_tangents import Pushforwards
from mooncake_transpiler.ad.reverse.shape_checks import check_like
from mooncake_transpiler.ad.subject import Derived, Subject
from mooncake_transpiler.interface.forward_mode import ForwardInterface
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import DType, Scalar, is_differentiable


def derive_forward(subject: Subject, callees: Callees, beside: Derived | None = None) -> Derived:
    """``f_jvp`` of ``subject``, which is inlined and simplified, and the functions that it calls.

    Its docstring refers to the functions ``beside`` it, if there are. Raises ``Refused`` where
    something can't be differentiated.
    """
    names = ForwardInterface.of(subject.func, subject.wrt, callees.changes)
    public = partial(names.jvp, refers=beside is not None)
    return along(subject, callees, names, list(names.carried()), public)


def along(
    subject: Subject,
    callees: Callees,
    names: ForwardInterface,
    wanted: Sequence[int],
    public: Callable[[ir.Block], ir.Func],
) -> Derived:
    """A function ``public`` with the results of ``subject`` and the tangents of those ``wanted``.

    These are along the directions that ``names`` has parameters for.
    """
    pushes = Pushforwards(callees, subject)
    made = public(pushed_along(subject.func, names, wanted, pushes))
    return subject.derived([made], pushes.inner(), callees, names.structs)


def pushed_along(
    func: ir.Func, signature: ForwardInterface, wanted: Sequence[int], pushes: Pushforwards
) -> ir.Block:
    """The results of ``func``, then the tangents of the results ``wanted`` along the given ones.

    That of a leaf without floats, such as which alternative there is, is the leaf itself.
    """
    b = Builder(func.origin, free=True)
    given = [Argument(v, (dot,)) for v, dot in signature.tangents]
    checks = _leading_checks(func)  # after these, more sizes are known to be equal
    for stmt in checks:
        b.add(stmt)
    for value, dot, message in signature.shapes():
        check_like(dot, value, message, b)
    yields = func.body.yields
    carried = [k for k in wanted if is_differentiable(yields[k].type)]
    body = pushed(func, given, carried, pushes, b, start=len(checks))
    values, dots = body.yields[: len(yields)], iter(body.yields[len(yields) :])
    tangents = [next(dots) if k in carried else values[k] for k in wanted]
    return ir.Block(body.stmts, (*values, *tangents))


def pushed(
    func: ir.Func,
    given: Sequence[Argument],
    carried: Sequence[int],
    pushes: Pushforwards,
    b: Builder,
    start: int = 0,
) -> ir.Block:
    """The results of ``func``, then the tangents of the results ``carried``, all lanes of each.

    The first ``start`` statements, which move nothing, are in ``b`` already.
    """
    push = pushes.push(func, [argument.value for argument in given], of_caller=False)
    bind(push, func.inputs, given, b)
    body = push.block(replace(func.body, stmts=func.body.stmts[start:]), carried, b)
    hand_back(push, given, b)
    return b.block(body.yields)


def _leading_checks(func: ir.Func) -> Sequence[ir.Stmt]:
    """The checks of sizes that ``func`` begins with."""
    count = 0
    for k, stmt in enumerate(func.body.stmts):
        match stmt:
            case ir.Dim() | ir.Compute(out=ir.Value(type=Scalar(dtype=DType.INT64 | DType.BOOL))):
                pass
            case ir.If(outs=(), then=ir.Block(stmts=(ir.Raise(),)), orelse=ir.Block(stmts=())):
                count = k + 1
            case _:
                break
    return func.body.stmts[:count]
