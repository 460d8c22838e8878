"""The functions that have a Hessian, or a Jacobian that is one array for each result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.refusal import refused
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.interface.last_values import has_gradient, user_result
from mooncake_transpiler.ir.function_names import short
from mooncake_transpiler.types import Array, Scalar, Tuple, Type, is_differentiable, leaves


def obstacle(mode: str, func: ir.Func, wrt: Sequence[str]) -> Refused | None:
    """Why ``func`` has no derivative of this mode with respect to ``wrt``; None if it has one."""
    name = short(func.name)
    if mode in ("hvp", "hessian") and not has_gradient(func):
        message = f"{name} has no gradient, which {name}_{mode} is the derivative of"
        return refused("MK412", message, func.origin, "return one float")
    if mode in ("hessian", "jacobian"):
        return _of_argument(mode, func, wrt) or _of_result(mode, func)
    return None


def _of_argument(mode: str, func: ir.Func, wrt: Sequence[str]) -> Refused | None:
    name = short(func.name)
    params = [param for param in func.params if param.name in wrt]
    dtypes = set()
    for param in params:
        if not _is_fixed(param.type):
            message = (
                f"the {mode} of {name} with respect to {param.name} has no fixed number of parts"
            )
            known = "choose others with `# mooncake: wrt=...`, or use hvp, jvp and vjp"
            return refused("MK411", message, func.origin, known)
        if any(map(_is_complex, leaves(param.type))):
            message = f"{param.name} is complex: a {mode} would not be linear over such numbers"
            return refused("MK413", message, func.origin, "take real and imaginary parts apart")
        dtypes |= {leaf.dtype for leaf in leaves(param.type) if _has_tangent(leaf)}
    if len(dtypes) > 1:
        message = f"the {mode} of {name} would be one array, of numbers of several types"
        known = "choose parameters of one type with `# mooncake: wrt=...`, or use hvp, jvp and vjp"
        return refused("MK411", message, func.origin, known)
    return None


def _of_result(mode: str, func: ir.Func) -> Refused | None:
    name, result = short(func.name), user_result(func)
    if any(map(_is_complex, leaves(result))):
        message = f"the result of {name} is complex: a {mode} is real"
        return refused("MK413", message, func.origin, "return real and imaginary parts")
    if not _is_plain(result):
        message = f"the result of {name} is neither number nor array, nor a tuple of such"
        return refused("MK414", message, func.origin, "return a tuple, or use jvp and vjp")
    return None


def _is_fixed(type_: Type) -> bool:
    """True for numbers, arrays, and tuples and objects of them; not for lists and alternatives."""
    match type_:
        case Tuple(items=items):
            return all(map(_is_fixed, items))
        case Scalar() | Array():
            return True
        case _:
            return not is_differentiable(type_)


def _has_tangent(type_: Type) -> TypeGuard[Scalar | Array]:
    return isinstance(type_, Scalar | Array) and is_differentiable(type_)


def _is_complex(type_: Type) -> bool:
    return isinstance(type_, Scalar | Array) and type_.dtype.is_complex


def _is_plain(type_: Type) -> bool:
    match type_:
        case Tuple(items=items):
            return not type_.is_object and all(map(_is_plain, items))
        case _:
            return isinstance(type_, Scalar | Array)
