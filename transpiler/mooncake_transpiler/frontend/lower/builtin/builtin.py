"""Calls of what is not part of the program: built-in functions, ``math`` and NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import libcst as cst
from mooncake_rules import scalar as rules
from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import arrays, checking, delayed, out_arguments, whole
from mooncake_transpiler.frontend.lower.builtin import (
    allocate,
    combining,
    complexes,
    copying,
    detaching,
    dialect,
    dict_methods,
    functional,
    iterating,
    methods,
    one_behind_another,
    operators,
    reflection,
    runtime,
    sequences,
    sorted_items,
    stencils,
    worked_out,
)
from mooncake_transpiler.frontend.lower.container import iterables, stepping, views
from mooncake_transpiler.frontend.lower.failure import failing, numbers
from mooncake_transpiler.frontend.lower.instance import instances, protocols
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.row import rows
from mooncake_transpiler.frontend.lower.rule import library, marked
from mooncake_transpiler.frontend.lower.rule.meant import meant, way_out
from mooncake_transpiler.frontend.lower.scalar import axisless, kinds, run_texts, scalars
from mooncake_transpiler.frontend.lower.scalar.dtypes import dtype_named
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.leaves import describe, is_sequence
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Elements,
    IntRange,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.frontend.lower.written import library_source
from mooncake_transpiler.types import INT, DType, Scalar

# Built-in functions that see lists themselves, not only what they hold now.
LAZY = frozenset({
    "builtins.enumerate", "builtins.len", "builtins.max", "builtins.min", "builtins.reversed",
    "builtins.zip",
})  # fmt: skip


# Functions of a float that return an integer.
_WHOLE = frozenset({"math.floor", "math.ceil", "math.trunc", "round"})

# Functions that return iterators.
_ONCE = frozenset(
    f"builtins.{name}" for name in ("enumerate", "filter", "iter", "map", "reversed", "zip")
) | {*iterating.HANDLERS, *combining.HANDLERS}


def call(ctx: Context, node: cst.Call, qualname: str, given: Arguments, hint: str) -> Operand:
    qualname = dialect.SAME.get(qualname, qualname)
    found = _call(ctx, node, qualname, given, hint)
    if qualname in _ONCE and isinstance(found, Items | Elements | IntRange) and found.once is None:
        return stepping.iterator(ctx, node, found)
    if qualname in ("builtins.tuple", "builtins.list") and isinstance(found, Items):
        return replace(found, once=None)
    return axisless.noted(ctx, qualname, found)


def _call(ctx: Context, node: cst.Call, qualname: str, given: Arguments, hint: str) -> Operand:
    own = _CONVERSIONS.get(qualname)
    if own is not None and len(given.args) == 1:
        made = instances.special(ctx, node, own, given.args[0])
        if made is not None:
            return made
    handler = _handler(
        qualname, sequences.HANDLERS, dict_methods.HANDLERS, functional.HANDLERS,
        reflection.HANDLERS, operators.HANDLERS, methods.HANDLERS, copying.HANDLERS,
        runtime.HANDLERS, dialect.HANDLERS, iterating.HANDLERS, combining.HANDLERS,
        sorted_items.HANDLERS, library_source.HANDLERS, stencils.HANDLERS,
    )  # fmt: skip
    if handler is not None:
        return handler(ctx, node, given, hint)
    if (written := library_source.call(ctx, node, qualname, given)) is not None:
        return written
    if qualname not in LAZY:
        if qualname in one_behind_another.JOINING:
            given = one_behind_another.without_gaps(ctx, node, qualname, given)
        seen = views.viewed(ctx, node, given)
        if qualname == "numpy.array" and rows.is_new(ctx, node, given):
            qualname = "numpy.asarray"
        rows.forget(ctx, node, given)
        given = seen
    handler = _handler(
        qualname, HANDLERS, complexes.HANDLERS, detaching.HANDLERS, allocate.HANDLERS
    )
    if handler is not None:
        return handler(ctx, node, given, hint)
    if (dtype := dtype_named(qualname)) is not None:
        return _convert(ctx, node, qualname, dtype, given, hint)
    if (stand_in := marked.find(ctx, qualname)) is not None:
        return marked.call(ctx, node, qualname, stand_in, given)
    if (function := library.find(qualname)) is not None:
        given = checking.before_library(ctx, node, qualname, given)
        return library.call(ctx, node, function, qualname, _shown(qualname), given, hint)
    return _scalar_op(ctx, node, qualname, given, hint)


def _handler(qualname: str, *tables: Mapping[str, Handler]) -> Handler | None:
    return next((table[qualname] for table in tables if qualname in table), None)


# Built-in functions that ask an instance first.
_CONVERSIONS = {
    "builtins.abs": "__abs__", "builtins.float": "__float__", "builtins.int": "__int__",
    "builtins.complex": "__complex__", "builtins.round": "__round__",
}  # fmt: skip


def _shown(qualname: str) -> str:
    """The name as users write it."""
    return qualname.replace("numpy.", "np.", 1).removeprefix("builtins.")


def _scalar_op(ctx: Context, node: cst.Call, qualname: str, given: Arguments, hint: str) -> Operand:
    """A function of numbers that has a rule."""
    shown = _shown(qualname)
    if qualname.startswith(("numpy.", "scipy.special.")):
        written = _into(ctx, node, qualname, given)
        if isinstance(written, Arguments):
            given = written
        else:
            return written
    op = rules.resolve(qualname, len(given.args))
    if op is None:
        known = worked_out.call(ctx, node, qualname, given)
        if known is not None:
            return known
        hint = meant(qualname)
        help_ = None if hint else way_out(qualname, shown)
        raise ctx.refuse(node, "MK301", f"there is no rule for {shown}{hint}", help_)
    args = given.positional(ctx, node, shown)
    arity = rules.OPS[op].arity
    if len(args) != arity:
        message = f"{shown} takes {arity} argument{'s' * (arity != 1)} here, got {len(args)}"
        raise ctx.refuse(node, "MK303", message)
    of_numbers = qualname.startswith(("math.", "cmath.", "builtins.round"))
    like_arrays = Items if qualname.startswith("builtins.") else Items | IntRange
    if not of_numbers and any(delayed.is_array(a) or isinstance(a, like_arrays) for a in args):
        return whole.apply(ctx, node, op, args)
    atoms = [numbers.as_scalar(ctx, node, arg) for arg in args]
    if op == "where":
        return _where(ctx, node, atoms, hint)
    failing.before_function(ctx, node, qualname, atoms)
    if op in _WHOLE:
        atoms = [failing.before_conversion(ctx, node, atoms[0])]
    of = Kind.NUMPY if qualname.startswith(("numpy.", "scipy.")) else None
    result = scalars.compute(ctx, node, op, atoms, hint, of)
    failing.after_function(ctx, node, qualname, atoms, result)
    return result


def _into(ctx: Context, node: cst.Call, qualname: str, given: Arguments) -> Operand | Arguments:
    """``np.add(x, y, out=z, where=mask)``; the arguments that are left if there is no ``out``."""
    args, named = list(given.args), dict(given.keywords)
    if len(args) > 1 and "out" not in named and "where" not in named:
        op = rules.resolve(qualname, len(args) - 1)
        if op is not None and rules.OPS[op].arity == len(args) - 1:
            named["out"] = args.pop()
    where = named.pop("where", None)
    found = out_arguments.named(ctx, node, named.pop("out", NOTHING))
    where = None if where is None or where == scalars.constant(True) else where
    if found is None:
        if where is not None:
            message = "where= without out= leaves what is not computed unset"
            raise ctx.refuse(node, "MK315", message, "give out=, or use np.where")
        return Arguments(args, named)
    rest = Arguments(args, named).positional(ctx, node, _shown(qualname))
    op = rules.resolve(qualname, len(rest))
    if op is None or rules.OPS[op].arity != len(rest) or op == "where":
        raise ctx.refuse(node, "MK315", f"{_shown(qualname)} takes no out= here")
    return out_arguments.ufunc(ctx, node, op, rest, found, where)


def _round(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``round(x)``, ``round(x, digits)``: of Python's integers by its text."""
    taken = given.take(ctx, node, "round", "number", "ndigits", required=1)
    args = [arg for arg in taken if arg is not None and arg != NOTHING]
    if len(args) == 2 and scalars.is_scalar(args[0]):
        is_int = scalars.dtype(args[0]).is_int
        if is_int and kinds.kind(ctx, args[0]) is Kind.PYTHON:
            whole_number = Static(External("builtins.int.__round__"))
            return ctx.lower.call(ctx, node, whole_number, args, {}, hint)
    return _scalar_op(ctx, node, "builtins.round", Arguments(args, {}), hint)


def _where_call(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    if len(given.args) == 1:
        return whole.library_call(ctx, node, "numpy.nonzero", given.args[0])
    return _scalar_op(ctx, node, "numpy.where", given, hint)


def _where(ctx: Context, node: cst.Call, atoms: list[ir.Atom], hint: str) -> Operand:
    cond = scalars.truth(ctx, node, atoms[0])
    return scalars.select(ctx, cond, atoms[1], atoms[2], hint, "where")


def _convert(
    ctx: Context, node: cst.Call, qualname: str, dtype: DType, given: Arguments, hint: str
) -> Operand:
    """``float(x)``, ``np.int32(x)``."""
    of = Kind.PYTHON if qualname.startswith("builtins.") else Kind.NUMPY
    first = given.args[0] if given.args else None
    if qualname == "builtins.int" and isinstance(first, Static) and isinstance(first.value, str):
        return sequences.now("int", int)(ctx, node, given, hint)
    (value,) = given.take(ctx, node, dtype.value, "x", required=0)
    if value is None:
        return kinds.marked(ctx, ir.zero(Scalar(dtype)), of)
    if of is Kind.NUMPY and delayed.is_array(value) and whole.as_arr(ctx, node, value).shape:
        return whole.library_call(ctx, node, "numpy.array", value, dtype=dtype.value)
    if isinstance(value, Static) and isinstance(value.value, str) and dtype.is_float:
        try:
            return kinds.marked(ctx, ir.Const(float(value.value), Scalar(dtype)), of)
        except ValueError:
            raise ctx.refuse(node, "MK303", f"{value.value!r} is not a number") from None
    if dtype is DType.BOOL:
        return kinds.as_kind(ctx, protocols.truth(ctx, node, value), of)
    atom = numbers.as_scalar(ctx, node, value)
    if scalars.dtype(atom).is_complex and not dtype.is_complex:
        raise ctx.refuse(node, "MK213", f"a complex number has no {dtype.value} value")
    if dtype.is_int and of is Kind.PYTHON:
        atom = failing.before_conversion(ctx, node, atom)
    return kinds.as_kind(ctx, scalars.cast(ctx, atom, Scalar(dtype), hint), of)


def _len(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.all(ctx, node, "len", "x")
    if (own := protocols.length(ctx, node, value)) is not None:
        return own
    match value:
        case Items(items=items) if is_sequence(value):
            return ir.int_const(len(items))
        case Arr():
            return whole.sizes(value.shape[:1])[0]
        case ir.Value() | ir.Undef() if arrays.is_array(value):
            return storage.dim(ctx, value, 0, hint)
        case RunText(number=number):
            return run_texts.asked(ctx, node, "length", [number], INT)
        case Ref() | IntRange() | Static() if (
            found := iterables.length_of(ctx, node, value)
        ) is not None:
            return found
        case _:
            raise ctx.refuse(node, "MK213", f"{describe(value)} has no length")


def _range(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    args = given.positional(ctx, node, "range")
    bounds = [numbers.as_index(ctx, node, arg, "a bound of range") for arg in args]
    if not 1 <= len(bounds) <= 3:
        raise ctx.refuse(node, "MK303", "range takes one to three arguments")
    if len(bounds) == 1:
        bounds.insert(0, ir.ZERO)
    lo, hi, step = [*bounds, ir.ONE][:3]
    if step == ir.ZERO:
        raise ctx.refuse(node, "MK303", "the step of a range must not be zero")
    checking.before_step(ctx, node, step, "range() arg 3 must not be zero")
    lo, hi, step = (scalars.cast(ctx, bound, INT) for bound in (lo, hi, step))
    return IntRange(lo, hi, step)


def _enumerate(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,), (start,) = given.parted(ctx, node, "enumerate", "iterable", "start")
    first: ir.Atom = ir.ZERO
    if start is not None:
        first = scalars.cast(ctx, numbers.as_index(ctx, node, start, "the start"), INT)
    return iterables.enumerated(ctx, node, value, first)


def _zip(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    others = {key: value for key, value in given.keywords.items() if key != "strict"}
    args = Arguments(given.args, others).positional(ctx, node, "zip")
    if not args:
        raise ctx.refuse(node, "MK303", "zip needs an argument")
    strict = given.keywords.get("strict")
    if strict is not None and strict != scalars.constant(False):
        checking.strict_zip(ctx, node, [iterables.as_sequence(ctx, node, a).count for a in args])
    return iterables.zipped(ctx, node, list(args))


def _reversed(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.all(ctx, node, "reversed", "x")
    if isinstance(value, Elements):
        raise ctx.refuse(node, "MK306", "an iterator can't be reversed")
    if (own := instances.special(ctx, node, "__reversed__", value)) is not None:
        return own
    cls = objects.declared(ctx, value)
    if cls is not None and not {"__iter__", "__getitem__", "__len__"}.isdisjoint(cls.methods):
        raise ctx.refuse(node, "MK306", f"{cls.name} can't be reversed: it has no __reversed__")
    return iterables.reverse(ctx, node, value)


def _divmod(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    a, b = given.all(ctx, node, "divmod", "a", "b")
    parts = (cst.FloorDivide(), cst.Modulo())
    return Items(tuple(ctx.lower.binary(ctx, node, op, a, b) for op in parts))


def _extent(ctx: Context, node: cst.Call, value: Operand | None, axis: Operand) -> Operand:
    """``np.size(x, axis)``."""
    if isinstance(value, ir.Value | ir.Undef | Arr) and delayed.is_array(value):
        match arrays.attribute(ctx, node, value, "shape"), axis:
            case Items(items=sizes), ir.Const(value=int(k)) if -len(sizes) <= k < len(sizes):
                return sizes[k]
            case _:
                pass
    raise ctx.refuse(node, "MK310", "np.size takes an array and one of its axes, a constant")


def _dimension(name: str) -> Handler:
    """``np.shape(x)``, ``np.size(x)``, ``np.ndim(x)``."""

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        axes = ("axis",) if name == "size" else ()
        value, *axis = given.take(ctx, node, f"np.{name}", "a", *axes, required=1)
        if axis and axis[0] is not None:
            return _extent(ctx, node, value, axis[0])
        if isinstance(value, ir.Value | ir.Undef | Arr) and delayed.is_array(value):
            return arrays.attribute(ctx, node, value, name)
        if value is not None and scalars.is_scalar(value):
            return Items(()) if name == "shape" else ir.int_const(int(name == "size"))
        raise ctx.refuse(node, "MK213", f"np.{name} takes an array")

    return handler


HANDLERS: Mapping[str, Handler] = {
    "builtins.max": sorted_items.extremum("gt"), "builtins.min": sorted_items.extremum("lt"),
    "builtins.len": _len, "builtins.range": _range, "builtins.enumerate": _enumerate,
    "builtins.zip": _zip, "builtins.reversed": _reversed, "builtins.divmod": _divmod,
    "builtins.round": _round,
    "numpy.shape": _dimension("shape"), "numpy.size": _dimension("size"),
    "numpy.ndim": _dimension("ndim"), "numpy.where": _where_call,
}  # fmt: skip
