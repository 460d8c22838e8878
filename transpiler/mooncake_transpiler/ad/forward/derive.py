"""The forward-mode derivative functions of one user function, in normal form."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.ad.callees import Callees
from mooncake_transpiler.ad.derive import Derived
from mooncake_transpiler.ad.forward.arguments import Argument, bind, hand_back
from mooncake_transpiler.ad.forward.calls import Pushforwards, Stated
from mooncake_transpiler.ad.forward.signature import JvpSignature
from mooncake_transpiler.ad.plain import plain
from mooncake_transpiler.ad.shapes import check_like
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.types import is_differentiable

Simplify = Callable[[ir.Func], ir.Func]


def derive_forward(
    func: ir.Func,
    wrt: Sequence[str],
    program: ir.Program,
    stated: Stated,
    simplify: Simplify,
    prune: Simplify,
) -> Derived:
    """``f_jvp``, with respect to the parameters ``wrt``, and the functions that it calls.

    ``func`` and ``program`` are inlined and simplified. ``stated`` gives the pushforwards
    that rules state; ``simplify`` finishes what is made, ``prune`` removes what is dead. Raises
    ``Refused`` where something can't be differentiated.
    """
    callees = Callees.of(func, program, prune)
    pushes = Pushforwards.of_callees(callees, program, stated)
    signature = JvpSignature.of(func, wrt, callees.changes)
    jvp = unfinished_jvp(func, signature, pushes)

    def finish(made: ir.Func) -> ir.Func:
        return simplify(plain(made, callees.library))

    funcs = (finish(jvp),)
    inner = [finish(made) for made in (*callees.funcs, *pushes.called.values())]
    return Derived(tuple(reached(funcs, inner)), funcs, signature.structs)


def unfinished_jvp(func: ir.Func, signature: JvpSignature, pushes: Pushforwards) -> ir.Func:
    """``f_jvp`` with calls of functions that have a pullback."""
    return signature.jvp(pushed_along(func, signature, list(signature.carried()), pushes))


def pushed_along(
    func: ir.Func, signature: JvpSignature, wanted: Sequence[int], pushes: Pushforwards
) -> ir.Block:
    """The results of ``func``, then the tangents of the results ``wanted`` along the given ones.

    That of a leaf without floats, such as which alternative there is, is the leaf itself.
    """
    b = Builder(func.origin, free=True)
    given = [Argument(v, (dot,)) for v, dot in signature.tangents]
    for value, dot, message in signature.shapes():
        check_like(dot, value, message, b)
    yields = func.body.yields
    carried = [k for k in wanted if is_differentiable(yields[k].type)]
    body = pushed(func, given, carried, pushes, b)
    values, dots = body.yields[: len(yields)], iter(body.yields[len(yields) :])
    tangents = [next(dots) if k in carried else values[k] for k in wanted]
    return ir.Block(body.stmts, (*values, *tangents))


def pushed(
    func: ir.Func,
    given: Sequence[Argument],
    carried: Sequence[int],
    pushes: Pushforwards,
    b: Builder,
) -> ir.Block:
    """The results of ``func``, then the tangents of the results ``carried``, all lanes of each."""
    push = pushes.push(func, [argument.value for argument in given], of_caller=False)
    bind(push, func.inputs, given, b)
    body = push.block(func.body, carried, b)
    hand_back(push, given, b)
    return b.block(body.yields)


def reached(funcs: Sequence[ir.Func], inner: Sequence[ir.Func]) -> list[ir.Func]:
    """The functions of ``inner`` that ``funcs`` call, directly or not, in their order."""
    by_name = {func.name: func for func in inner}
    pending, seen = list(funcs), set[str]()
    while pending:
        for name in ir.mentioned(pending.pop()):
            if name not in seen and name in by_name:
                seen.add(name)
                pending.append(by_name[name])
    return [func for func in inner if func.name in seen]
