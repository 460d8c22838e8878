"""The gradient with respect to a few numbers, by forward mode: where reverse mode keeps a tape.

    y = x0                                y, y_dot0, y_dot1 = x0, 0.0, 1.0
    for _ in range(n):                    for _ in range(n):
      y = y + a * y * y                     y_dot0 = ...; y_dot1 = ...; y = ...

As many tangents as there are numbers move through the function at once, and nothing is saved. That
takes the place of ``f_value_and_grad`` where all of this holds:

* it differentiates with respect to real numbers, at most ``FEW``, and returns one;
* the function works on numbers, and only reads arrays: there is nothing to undo;
* its gradient in reverse mode takes memory: values of iterations are saved;
* no rule of it masks what a zero cotangent is multiplied with, as those of log or sqrt do.
  Forward mode would mask for zero tangents, which is not the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mooncake_rules.expr import SEED, Apply, Term, arguments
from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.ad.border import has_gradient, without_last_values
from mooncake_transpiler.ad.derive import Derived, Simplify
from mooncake_transpiler.ad.forward.calls import Pushforwards, Stated
from mooncake_transpiler.ad.library import Library
from mooncake_transpiler.ad.linear import is_over_complex, literals
from mooncake_transpiler.ad.signatures import Signatures
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.types import Scalar

FEW = 4  # numbers: with more, reverse mode was faster here and there

_OF_NUMBERS = (ir.Compute, ir.Dim, ir.Global, ir.View, ir.Load, ir.If, ir.For, ir.While, ir.Raise)


def few_at_once(
    func: ir.Func,
    wrt: Sequence[str],
    reverse: Derived,
    stated: Stated,
    simplify: Simplify,
    prune: Simplify,
) -> Derived:
    """``reverse``, with a gradient of ``func`` by forward mode if that is the cheaper one."""
    if not (has_gradient(func) and _is_of_numbers(func)):
        return reverse
    changes = {func.name: frozenset[int]()}
    inputs = Signatures(func, tuple(wrt), changes).wrt_leaves
    name = f"{func.name}_value_and_grad"
    fused = next(made for made in reverse.funcs if made.name == name)
    if not (_are_few(inputs) and _takes_memory(fused)):
        return reverse
    program = ir.Program({func.name: func})
    pushes = Pushforwards(program, Library(program, prune), changes, stated, len(inputs))
    gradient = simplify(_gradient(prune(without_last_values(func)), wrt, inputs, pushes))
    funcs = tuple(gradient if made is fused else made for made in reverse.funcs)
    return replace(reverse, funcs=funcs)


def _gradient(
    func: ir.Func, wrt: Sequence[str], inputs: Sequence[ir.Value], pushes: Pushforwards
) -> ir.Func:
    """The function of unit vectors: ``y`` and the tangent of it for each."""
    b = Builder(func.origin)
    push = pushes.push(func, inputs, of_caller=False)
    for k, value in enumerate(inputs):
        push.tangents.set(value, _unit(k, inputs))
    body = push.block(func.body, [0], b)
    return Signatures(func, tuple(wrt), pushes.changes).value_and_grad(body, forward=True)


def _unit(k: int, inputs: Sequence[ir.Value]) -> tuple[ir.Const, ...]:
    """How input number ``k`` moves in each direction."""
    type_ = inputs[k].type
    assert isinstance(type_, Scalar)
    return tuple(ir.Const(float(k == lane), type_) for lane in range(len(inputs)))


# ---- where it is the cheaper one, and the same ---------------------------------------------------


def _are_few(inputs: Sequence[ir.Value]) -> bool:
    types = [value.type for value in inputs]
    return 0 < len(types) <= FEW and all(isinstance(t, Scalar) and t.dtype.is_float for t in types)


def _is_of_numbers(func: ir.Func) -> bool:
    return all(isinstance(s, _OF_NUMBERS) and not _masks(s) for s in ir.walk(func.body))


def _takes_memory(func: ir.Func) -> bool:
    return any(isinstance(s, ir.Alloc | ir.Grow) for s in ir.walk(func.body))


def _masks(stmt: ir.Stmt) -> bool:
    """Whether a zero cotangent of ``stmt`` is a case of its own in reverse mode."""
    if not isinstance(stmt, ir.Compute) or not isinstance(stmt.out.type, Scalar):
        return False
    if stmt.op == "where":
        return True
    op, known, is_complex = OPS[stmt.op], literals(stmt), is_over_complex(stmt)
    args = [k for k, arg in enumerate(stmt.args) if isinstance(arg, ir.Value)]
    if not stmt.out.type.dtype.is_differentiable:
        return False
    return any(
        op.is_unknown(k) or _asks_for_seed(op.pull(k, known, over_complex=is_complex)) for k in args
    )


def _asks_for_seed(term: Term | None) -> bool:
    match term:
        case Apply("select", (cond, *arms)):
            return SEED.index in arguments(cond) or any(map(_asks_for_seed, arms))
        case Apply(_, args):
            return any(map(_asks_for_seed, args))
        case _:
            return False
