"""Options of SciPy's functions that are written out without them."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Operand, Static

_LEAVE_OUT = "leave it out: it does not change the result"

# What there is instead of options that are not known.
_INSTEAD: Mapping[str, Mapping[str, str]] = {
    "scipy.integrate.solve_ivp": {
        "events": "name times in t_eval=..., and look for a change of sign in the solution there",
        "jac": _LEAVE_OUT, "jac_sparsity": _LEAVE_OUT, "lband": _LEAVE_OUT, "uband": _LEAVE_OUT,
        "min_step": _LEAVE_OUT, "vectorized": _LEAVE_OUT,
    },
    "scipy.integrate.odeint": {
        "Dfun": _LEAVE_OUT, "col_deriv": _LEAVE_OUT, "ml": _LEAVE_OUT, "mu": _LEAVE_OUT,
        "full_output": "leave it out: the solution is the result then",
        "tcrit": "put these times into t: all of them are ends of steps",
        "h0": _LEAVE_OUT, "hmin": _LEAVE_OUT, "ixpr": _LEAVE_OUT, "mxhnil": _LEAVE_OUT,
        "mxordn": _LEAVE_OUT, "mxords": _LEAVE_OUT, "printmessg": _LEAVE_OUT,
    },
    "scipy.optimize.fsolve": {
        "full_output": "call scipy.optimize.root, whose result has .x and .fun",
        "col_deriv": "transpose what fprime returns",
        "band": _LEAVE_OUT, "epsfcn": _LEAVE_OUT, "diag": _LEAVE_OUT,
    },
    "scipy.optimize.root": {
        "callback": _LEAVE_OUT, "options": "give tol=, or call scipy.optimize.fsolve",
    },
}  # fmt: skip
# The methods that are written out, the first one by default, and what to say of it.
_METHODS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "scipy.integrate.solve_ivp": (
        ("RK45", "RK23", "DOP853"),
        "with a smaller rtol for smooth problems",
    ),
    "scipy.optimize.root": (("hybr",), "the one that is taken without a name"),
}


def understood(ctx: Context, node: cst.Call, qualname: str, given: Arguments) -> Arguments:
    """The arguments, less options that are off; others that are not known are refused."""
    instead = _INSTEAD.get(qualname)
    if instead is None:
        return given
    name = qualname.rpartition(".")[2]
    kept = {}
    for option, value in given.keywords.items():
        if option not in instead:
            kept[option] = value
        elif not _is_off(value):
            raise ctx.refuse(node, "MK192", f"{name} has no {option}= here", instead[option])
    if qualname in _METHODS:
        _check_method(ctx, node, name, given, *_METHODS[qualname])
    if qualname == "scipy.integrate.solve_ivp":
        _check_dense(ctx, node, given)
    return Arguments(given.args, kept)


def _is_off(value: Operand) -> bool:
    return value == NOTHING or (isinstance(value, ir.Const) and value.value in (False, 0))


def _check_method(
    ctx: Context, node: cst.Call, name: str, given: Arguments, known: tuple[str, ...], hint: str
) -> None:
    """Refuse methods that are not written out; the method is the fourth argument."""
    match given.args[3] if len(given.args) > 3 else given.keywords.get("method"):
        case None:
            return
        case Static(value=str(method)) if method in known:
            return
        case Static(value=str(method)):
            shown = f"the method {method!r}"
        case _:
            shown = "a method that is not known ahead of time"
    help_ = f'method="{known[0]}", {hint}'
    raise ctx.refuse(node, "MK192", f"{name} does not have {shown} here", help_)


def _check_dense(ctx: Context, node: cst.Call, given: Arguments) -> None:
    """Refuse the method DOP853 where states between steps are asked for: it has no polynomial."""
    names = ("fun", "t_span", "y0", "method", "t_eval", "dense_output")
    named = {**dict(zip(names, given.args, strict=False)), **given.keywords}
    asked = any(not _is_off(named.get(name, NOTHING)) for name in ("t_eval", "dense_output"))
    if named.get("method") == Static("DOP853") and asked:
        message = "solve_ivp by DOP853 has states at the ends of steps only here"
        help_ = 'method="RK45", with a smaller rtol; or one interval for each time'
        raise ctx.refuse(node, "MK192", message, help_)
