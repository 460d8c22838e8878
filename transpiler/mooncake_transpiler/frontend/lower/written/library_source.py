"""Calls of library functions that are written out, which are lowered like those of the program.

Their texts are ``TEXTS``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from inspect import getsource, isfunction
from types import ModuleType
from typing import Any

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import Entity, External
from mooncake_transpiler.frontend.lower.call import closures
from mooncake_transpiler.frontend.lower.container import dicts, iterables, unordered
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.instance import assigned_attributes, instances, record_rows
from mooncake_transpiler.frontend.lower.rule.library import changing_nothing
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref, Spread
from mooncake_transpiler.frontend.lower.state.leaves import same
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Frame,
    Generator,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.written import (
    banded_systems,
    convolution,
    distances,
    heaps,
    interpolation,
    memo_tables,
    ode_solvers,
    older_random_numbers,
    picking,
    probability,
    quadrature,
    random_numbers,
    recursions,
    riccati_equations,
    root_finding,
    runge_kutta,
    sample_statistics,
    seeds,
    solver_options,
    sparse_products,
    system_solving,
    written_out,
)
from mooncake_transpiler.types import Array, ClassRef, StructKind

# Other names of the same function.
SAME: Mapping[str, str] = {
    "bisect.bisect": "bisect.bisect_right", "bisect.insort": "bisect.insort_right",
}  # fmt: skip
# How many numbers functions take that have a rule: written out is what they do with others.
RULED: Mapping[str, tuple[int, ...]] = {
    "builtins.pow": (2,), "math.gcd": (2,), "math.lcm": (2,), "math.hypot": (2, 3),
    "math.isclose": (2,), "math.perm": (2,),
}  # fmt: skip

# Which argument rules ask for as a constant: written out is what they do with a number of the run.
OF_CONSTANTS: Mapping[str, tuple[int, str]] = {
    "numpy.linalg.matrix_power": (1, "n"), "numpy.split": (1, "indices_or_sections"),
}  # fmt: skip

TEXTS = (
    written_out,
    picking,
    heaps,
    root_finding,
    quadrature,
    interpolation,
    ode_solvers,
    convolution,
    distances,
    system_solving,
    random_numbers,
    older_random_numbers,
    sparse_products,
    probability,
    recursions,
    banded_systems,
    riccati_equations,
    memo_tables,
    sample_statistics,
)
# What texts import of others.
SHARED: Mapping[ModuleType, tuple[ModuleType, ...]] = {
    ode_solvers: (runge_kutta,),
    older_random_numbers: (random_numbers,),
}
# What texts give: structs that stand for objects, with the modules where these are made.
MADE: Mapping[Any, str] = {
    random_numbers.BitGenerator: "numpy.random.made",
    random_numbers.Generator: "numpy.random.made",
    older_random_numbers.RandomState: "numpy.random.made",
    sparse_products.RowMatrix: "scipy.sparse.made", sparse_products.Turned: "scipy.sparse.made",
    ode_solvers.OdeResult: "scipy.integrate", system_solving.OptimizeResult: "scipy.optimize",
}  # fmt: skip
SCOPE: dict[str, Entity] = {
    "bisect": External("bisect"), "math": External("math"), "statistics": External("statistics"),
    "np": External("numpy"),
    "linalg": External("scipy.linalg"), "special": External("scipy.special"),
    "stop_gradient": External("mooncake_runtime.stop_gradient"),
    "kernels": External("mooncake_runtime.kernels"),
    "_unsupported": External("mooncake_transpiler.unsupported"),
    **{one.__name__: External(f"{module}.{one.__name__}") for one, module in MADE.items()},
}  # fmt: skip

# Their objects are no tuples.
SPARSE: Mapping[str, ClassRef] = {
    name: ClassRef("scipy.sparse", name, StructKind.FROZEN) for name in ("RowMatrix", "Turned")
}


@cache
def functions() -> Mapping[str, ModuleType]:
    """The texts of the functions, by their names, with ``_`` for dots; helpers begin with ``_``."""
    return {name: text for text in TEXTS for name, one in vars(text).items()
            if isfunction(one) and one.__module__ == text.__name__}  # fmt: skip


@cache
def definitions(text: ModuleType) -> Mapping[str, cst.FunctionDef]:
    """The functions of one text by their names."""
    trees = [cst.parse_module(getsource(one)) for one in (text, *SHARED.get(text, ()))]
    found = [stmt for tree in trees for stmt in tree.body if isinstance(stmt, cst.FunctionDef)]
    return {one.name.value: one for one in found}


def takes_any(qualname: str) -> bool:
    """True for a function that is written out, and that takes as many arguments as one likes."""
    name = SAME.get(qualname, qualname).replace(".", "_")
    text = functions().get(name)
    return text is not None and isinstance(definitions(text)[name].params.star_arg, cst.Param)


def call(ctx: Context, node: cst.Call, qualname: str, given: Arguments) -> Operand | None:
    """The result of a function that is written out; None for others."""
    name = SAME.get(qualname, qualname)
    is_open = any(isinstance(arg, Spread) for arg in given.args)
    if len(given.args) in RULED.get(name, ()) and not given.keywords and not is_open:
        return None
    if name in OF_CONSTANTS and _is_constant(given, *OF_CONSTANTS[name]):
        return None
    name = name.replace(".", "_")
    text = functions().get(name)
    if text is None:
        return None
    given = solver_options.understood(ctx, node, qualname, given)
    own = definitions(text)
    # Its statements have the place of the call, which is in the module of the caller.
    module = replace(ctx.frame.module, scope=SCOPE)
    others = {name: one for name, one in own.items() if name not in SCOPE}
    frame = Frame(module, (), others)
    with leaving.inside(ctx, frame):
        for other, one in others.items():
            frame.bind(other, closures.from_def(ctx, one))
        made = closures.from_def(ctx, own[name])
    args = [arg.listed() if isinstance(arg, Generator) else arg for arg in given.args]
    run = partial(ctx.lower.call, ctx, node, made, args, given.keywords)
    if not qualname.startswith("scipy."):
        return run()
    return changing_nothing(ctx, node, qualname, run)


def _is_constant(given: Arguments, place: int, name: str) -> bool:
    """True if an argument is no number of the run; rules say what is wrong with arrays."""
    value = given.args[place] if place < len(given.args) else given.keywords.get(name)
    return not isinstance(value, ir.Value) or isinstance(value.type, Array)


def _result(
    name: str, fields: tuple[str, ...], ctx: Context, node: cst.Call, given: Arguments, _: str
) -> Operand:
    """The struct that stands for an object of SciPy with these attributes."""
    return Items(tuple(given.positional(ctx, node, name)), fields, name, SPARSE.get(name))


def _unsupported(ctx: Context, node: cst.Call, given: Arguments, _: str) -> Operand:
    """Refuse what a text has no way to do."""
    match given.args:
        case (Static(value=str(code)), Static(value=str(what)), Static(value=str(help_))):
            raise ctx.refuse(node, code, f"{what} is not supported", help_)
        case _:
            raise AssertionError("texts say what they refuse")


def _unchanged(ctx: Context, node: cst.Call, given: Arguments, _: str) -> Operand:
    """An iterator over what an object holds, which must not change while a loop runs over it."""
    owner, over = given.positional(ctx, node, "iter")
    before = instances.attribute(ctx, node, owner, "_changes")
    of = iterables.as_sequence(ctx, node, over)

    def done() -> None:
        now = instances.attribute(ctx, node, owner, "_changes")
        if of.done is not None:
            of.done()
        if before is None or now is None or not same(before, now):
            message = "a loop over this deque or set changes it, which is a RuntimeError"
            raise ctx.refuse(node, "MK332", message, "loop over a copy: list(...)")

    return replace(of, done=done)


def _in_any_order(ctx: Context, node: cst.Call, given: Arguments, _: str) -> Operand:
    (over,) = given.positional(ctx, node, "iter")
    return unordered.in_any_order(ctx, node, over)


def _as_hashed(ctx: Context, node: cst.Call, given: Arguments, _: str) -> Operand:
    (over,) = given.positional(ctx, node, "iter")
    return unordered.as_hashed(ctx, node, over)


def _count(ctx: Context, node: cst.Call, given: Arguments, _: str) -> Operand:
    (over,) = given.positional(ctx, node, "len")
    return iterables.as_sequence(ctx, node, over).count


def _item(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    over, at = given.positional(ctx, node, "item")
    number = numbers.as_index(ctx, node, at, "a place")
    return iterables.as_sequence(ctx, node, over).at(number, hint)


def _fields(ctx: Context, node: cst.Call, given: Arguments, _: str) -> Operand:
    """Set attributes: the items of a dict."""
    owner, fields = given.positional(ctx, node, "SimpleNamespace")
    fields = record_rows.as_dict(ctx, node, fields)
    assert isinstance(fields, Ref)
    for name, value in dicts.mapping(ctx, node, fields).items():
        assigned_attributes.put(ctx, node, owner, name, value)
    return NOTHING


def _as_dict(ctx: Context, node: cst.Call, given: Arguments, _: str) -> Operand:
    """A new dict of what a dict in a list holds."""
    (row,) = given.positional(ctx, node, "dict")
    return record_rows.as_dict(ctx, node, row)


def _set_item(ctx: Context, node: cst.Call, given: Arguments, _: str) -> Operand:
    """``row[key] = value`` of a dict in a list."""
    row, key, value = given.positional(ctx, node, "dict")
    record_rows.write(ctx, node, row, key, value)
    return NOTHING


def _shown(ctx: Context, node: cst.Call, given: Arguments, _: str) -> Operand:
    """The keys, values or items of a dict in a list."""
    row, what = given.positional(ctx, node, "dict")
    assert isinstance(row, Items)
    assert isinstance(what, Static)
    return dicts.shown(ctx, node, partial(record_rows.items, ctx, node, row), str(what.value))


HANDLERS: Mapping[str, Callable[[Context, cst.Call, Arguments, str], Operand]] = {
    "mooncake_transpiler.unsupported": _unsupported,
    "mooncake_transpiler.unchanged": _unchanged,
    "mooncake_transpiler.fields": _fields,
    "mooncake_transpiler.count": _count,
    "mooncake_transpiler.item": _item,
    "mooncake_transpiler.as_dict": _as_dict,
    "mooncake_transpiler.set_item": _set_item,
    "mooncake_transpiler.shown": _shown,
    "mooncake_transpiler.in_any_order": _in_any_order,
    "mooncake_transpiler.as_hashed": _as_hashed,
    **{
        f"{module}.{one.__name__}": partial(_result, one.__name__, one._fields)
        for one, module in MADE.items()
    },
    **{
        f"numpy.random.{name}": partial(seeds.draw, name)
        for name in older_random_numbers.RandomState._fields
    },
    "numpy.random.seed": seeds.seed,
}
