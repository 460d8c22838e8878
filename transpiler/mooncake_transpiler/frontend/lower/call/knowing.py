"""Interprocedural facts: what is known of values beyond their types, on both sides of a call.

A function is lowered once for all calls with the same types of arguments and the same facts about
them; its callers learn the facts about its result. What else lowering may know of a value, and that
makes a difference to what is done with it, belongs into ``Known``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Several
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.scalar import axisless, kinds
from mooncake_transpiler.frontend.lower.state import layouts
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.inner import mapped
from mooncake_transpiler.frontend.lower.state.known import Callee, Facts, Given, Known
from mooncake_transpiler.frontend.lower.state.layouts import Layouts
from mooncake_transpiler.frontend.lower.state.leaves import atoms, fresh, type_of
from mooncake_transpiler.frontend.lower.state.operands import (
    Either,
    Elements,
    IntRange,
    Items,
    Maybe,
    Operand,
    Told,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.lower.state.sizes import UNKNOWN
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.frontend.lower.state.tabled import is_row
from mooncake_transpiler.frontend.lower.state.whose import Kind, Whose
from mooncake_transpiler.types import INT, Array, DType, Scalar

SINGLE = (DType.FLOAT32, DType.COMPLEX64)
NOTHING = Known()


# ---- what is known ------------------------------------------------------------------------------


def of_arguments(ctx: Context, leaves: Iterable[ir.Atom]) -> Facts:
    """The facts about ``leaves``; empty if there are none.

    Beside numbers of single precision a float that is a constant has none of its own, as an integer
    has none beside floats.
    """
    given = tuple(leaves)
    single = any(_dtype(leaf) in SINGLE for leaf in given)
    return _facts(_known_float(ctx, leaf) if single else _known(ctx, leaf) for leaf in given)


def _dtype(leaf: ir.Atom) -> DType | None:
    return leaf.type.dtype if isinstance(leaf.type, Array | Scalar) else None


def _known_float(ctx: Context, leaf: ir.Atom) -> Known:
    match leaf:
        case ir.Const(value=float() as value):
            return Known(decimal=repr(value), kind=kinds.whose(ctx, leaf))
        case _:
            return _known(ctx, leaf)


def of_result(ctx: Context, leaves: Iterable[ir.Atom], inputs: Several[ir.Value]) -> Facts:
    """The facts about the leaves of the result of a function of ``inputs``."""
    sizes = dict(_sizes(ctx, inputs))
    leaves = tuple(leaves)
    shared = _shared(ctx, leaves)
    return _facts(
        replace(
            _known(ctx, leaf),
            kind=_kind(ctx, leaf),
            shape=_shape(ctx, leaf, sizes),
            in_order=_in_order(ctx, leaf),
            shows=_shows(ctx, leaf, inputs, shared),
        )
        for leaf in leaves
    )


def _kind(ctx: Context, leaf: ir.Atom) -> Whose | None:
    """Whose number a result is, if that is known."""
    found = kinds.whose(ctx, leaf) if isinstance(leaf.type, Scalar) else None
    return None if found is Kind.EITHER else found


def _in_order(ctx: Context, leaf: ir.Atom) -> bool:
    """True if an array is certainly in C order, without gaps."""
    if not isinstance(leaf, ir.Value) or not isinstance(leaf.type, Array):
        return False
    shape = ctx.sizes.shapes.get(leaf)
    if shape is None:
        return False
    return Layouts(ctx.sizes.same).contiguous(shape, storage.layout_of(ctx, leaf)) is True


def _shared(ctx: Context, leaves: Several[ir.Atom]) -> frozenset[ir.Atom]:
    """The roots that several of the arrays among ``leaves`` may show."""
    arrays = (leaf for leaf in leaves if isinstance(leaf.type, Array))
    counts = Counter(root for array in arrays for root in ctx.memory.roots(array))
    return frozenset(root for root, count in counts.items() if count > 1)


def _shows(
    ctx: Context, leaf: ir.Atom, inputs: Several[ir.Value], shared: frozenset[ir.Atom]
) -> frozenset[int] | None:
    """The inputs whose memory an array that is a result may be.

    None if that of anything else is possible but memory of its own.
    """
    roots = ctx.memory.roots(leaf) - ctx.memory.inputs if isinstance(leaf.type, Array) else shared
    if not isinstance(leaf.type, Array) or not roots <= ctx.memory.local - shared:
        return None
    roots = ctx.memory.roots(leaf)
    return frozenset(k for k, value in enumerate(inputs) if value in roots)


def _facts(found: Iterable[Known]) -> Facts:
    facts = tuple(found)
    return facts if any(one != NOTHING for one in facts) else ()


def _known(ctx: Context, leaf: ir.Atom) -> Known:
    if isinstance(leaf.type, Array):
        extents = storage.extents(ctx, leaf)
        return Known(extents=extents) if any(e != UNKNOWN for e in extents) else NOTHING
    match leaf:
        case ir.Const(value=bool() | int() as value):
            return Known(value, kind=kinds.whose(ctx, leaf))
        case _ if isinstance(leaf.type, Scalar) and axisless.is_one(ctx, leaf):
            return Known(kind=kinds.whose(ctx, leaf))
        case _:
            return Known(is_maybe_int=True) if kinds.may_be_int(ctx, leaf) else NOTHING


def _sizes(ctx: Context, inputs: Several[ir.Value]) -> Iterable[tuple[ir.Atom, Given]]:
    """The sizes that a function takes from its arguments."""
    for k, leaf in enumerate(inputs):
        if leaf.type == INT:
            yield leaf, Given(k)
        for axis in range(leaf.type.ndim if isinstance(leaf.type, Array) else 0):
            if (leaf, axis) in ctx.sizes.inputs:
                yield ctx.sizes.leader(ctx.sizes.inputs[leaf, axis]), Given(k, axis)


def _shape(
    ctx: Context, leaf: ir.Atom, sizes: Mapping[ir.Atom, Given]
) -> tuple[Given | int, ...] | None:
    """The shape of an array, if the arguments tell all of it."""
    shape = ctx.sizes.shapes.get(leaf) if isinstance(leaf, ir.Value) else None
    found: list[Given | int] = []
    for size in map(ctx.sizes.leader, shape or ()):
        if isinstance(size, ir.Const) and isinstance(size.value, int):
            found.append(size.value)
        elif size in sizes:
            found.append(sizes[size])
        else:
            return None
    return tuple(found) or None


# ---- and stated on the other side ---------------------------------------------------------------


def state(ctx: Context, leaves: Iterable[ir.Value], facts: Facts) -> dict[ir.Value, ir.Const]:
    """Note the facts about ``leaves``; those that are constants, with what they are."""
    constants: dict[ir.Value, ir.Const] = {}
    for leaf, known in zip(leaves, facts, strict=bool(facts)):
        storage.keep_extents(ctx, leaf, known.extents)
        if known.is_maybe_int:
            kinds.may_be_ints(ctx, [leaf])
        value = known.value if known.decimal is None else float(known.decimal)
        if value is not None and isinstance(leaf.type, Scalar):
            found = ir.Const(value, leaf.type)
            constants[leaf] = kinds.constant(found, known.kind)
        elif known.kind is not None and isinstance(leaf.type, Scalar):
            kinds.marked(ctx, leaf, known.kind)
    return constants


def result(
    ctx: Context, callee: Callee, args: Several[ir.Atom], hint: Hint
) -> tuple[Operand, tuple[ir.Value, ...]]:
    """The result of a call of ``callee``, with all that is known of it; and its leaves."""
    made = fresh(callee.result, hint)
    outs = tuple(atom for atom in atoms(made) if isinstance(atom, ir.Value))
    constants = state(ctx, outs, callee.known)
    facts = callee.known or (NOTHING,) * len(outs)
    if callee.copies is None:
        _note_sources(ctx, outs, facts, args)
    else:
        _note_copies(ctx, outs, args if callee.copies else ())
    for out, known in zip(outs, facts, strict=True):
        if known.kind is not None:
            kinds.marked(ctx, out, kinds.given(ctx, known.kind, args))
        if known.shape is not None:
            ctx.sizes.shapes[out] = tuple(_size(ctx, size, args) for size in known.shape)
            if known.in_order:
                ctx.memory.layouts[out] = layouts.c_order(ctx.sizes.shapes[out])

    def seen(leaf: ir.Atom) -> ir.Atom:
        return constants.get(leaf, leaf) if isinstance(leaf, ir.Value) else leaf

    return mapped(made, seen), outs


def _note_sources(
    ctx: Context, outs: Several[ir.Value], facts: Facts, args: Several[ir.Atom]
) -> None:
    """Note which memory the arrays among ``outs`` of a call may be: new, or of ``args``."""
    common = ir.Value("", INT)  # new memory that several of them may share
    ctx.memory.local.add(common)
    for out, known in zip(outs, facts, strict=True):
        if not isinstance(out.type, Array):
            continue
        if known.shows is None:
            given = [
                a for a in args if isinstance(a.type, Array) and a.type.dtype is out.type.dtype
            ]
            ctx.memory.sources[out] = frozenset((common, *given))
        else:
            new = ir.Value("", out.type)
            ctx.memory.local.add(new)
            ctx.memory.sources[out] = frozenset((new, *(args[k] for k in known.shows)))


def _note_copies(ctx: Context, outs: Several[ir.Value], args: Several[ir.Atom]) -> None:
    """Note that the arrays among ``outs`` are new memory, perhaps copies of what ``args`` are."""
    arrays = {arg for arg in args if isinstance(arg.type, Array)}
    for out in outs:
        if isinstance(out.type, Array):
            ctx.memory.local.add(out)
            like = frozenset(one for one in arrays if one.type.dtype is out.type.dtype)  # type: ignore[union-attr]
            if like:
                copies = ctx.memory.roots(*like) & ctx.memory.shown.keys()
                ctx.memory.shown[out] = like | ctx.memory.seen_in(copies)


def _size(ctx: Context, size: Given | int, args: Several[ir.Atom]) -> ir.Atom:
    if isinstance(size, int):
        return ir.int_const(size)
    leaf = args[size.leaf]
    return leaf if size.axis is None else storage.dim(ctx, leaf, size.axis)


def crosses(operand: Operand) -> bool:
    """True if its type and the facts about its leaves say everything about ``operand``.

    They don't say of a list, a dict or an object that can be changed which one it is.
    """
    match operand:
        case Ref() | Maybe() | Either() | Told() | RunText() | Elements() | IntRange():
            return False
        case Items(cls=Held.ROWS):
            return False
        case Items(items=items, is_list=is_list, once=once):
            return not is_list and not is_row(operand) and once is None and all(map(crosses, items))
        case _:
            return type_of(operand) is not None
