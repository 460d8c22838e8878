"""The spans of partials, and what is known of a statement ahead of time."""

from __future__ import annotations

from dataclasses import replace

from mooncake_rules.expr import SEED, Number, Y, arguments
from mooncake_rules.scalar import OPS
from mooncake_rules.spans import FINITE, Span, exactly, of_term

from mooncake_transpiler import ir
from mooncake_transpiler.types import Array, Scalar, Type

_POWERS = frozenset({"pow", "np.power", "np.float_power", "math.pow"})
_ROOTS = frozenset({"np.sqrt", "math.sqrt", "np.cbrt", "math.cbrt"})


def partial_of(
    stmt: ir.Compute, args: tuple[Span, ...], out: Span, k: int, *, is_complex: bool
) -> Span:
    """The partial of ``stmt`` with respect to argument ``k``; 0 if it has none.

    Where numbers that are finite can give an infinite one, so do partials, the sooner.
    """
    if OPS[stmt.op].is_unknown(k):
        return FINITE
    term = OPS[stmt.op].pull(k, literals(stmt), over_complex=is_complex)
    if term is None:
        return exactly(0)
    known = {SEED.index: exactly(1), Y.index: out, **dict(enumerate(args))}
    found = of_term(term, lambda index: known[index], over_complex=is_complex)
    overflows = out.wild and not any(a.wild for a in args) and arguments(term) != {SEED.index}
    return replace(found, wild=found.wild or overflows)


def is_root(stmt: ir.Compute) -> bool:
    """True if ``stmt`` is a real power between 0 and 1."""
    if is_over_complex(stmt):
        return False
    return stmt.op in _ROOTS or (stmt.op in _POWERS and 0 < literals(stmt).get(1, 0) < 1)


def may_be_root(stmt: ir.Compute) -> bool:
    """True for a root, and for a real power of which only the run knows that it is one."""
    if stmt.op not in _POWERS or is_over_complex(stmt) or isinstance(stmt.args[1], ir.Const):
        return is_root(stmt)
    return is_float_number(stmt.args[1].type)


def literals(stmt: ir.Compute) -> dict[int, Number]:
    """The arguments that are known ahead of time."""
    return {
        k: arg.value
        for k, arg in enumerate(stmt.args)
        if isinstance(arg, ir.Const) and not isinstance(arg.value, complex)
    }


def is_over_complex(stmt: ir.Compute) -> bool:
    """True if complex numbers go into ``stmt`` or come out of it."""
    return any(map(is_complex_number, (stmt.out, *stmt.args)))


def is_float_array(type_: Type) -> bool:
    """True for arrays of floats, complex ones among them."""
    return isinstance(type_, Array) and type_.dtype.is_differentiable


def is_float_number(type_: Type) -> bool:
    """True for floats, complex ones among them."""
    return isinstance(type_, Scalar) and type_.dtype.is_differentiable


def is_complex_number(atom: ir.Atom) -> bool:
    return isinstance(atom.type, Scalar) and atom.type.dtype.is_complex
