"""The kind of each number, a scalar of Python's or of NumPy's: operators depend on it.

Python's bools are ints (``True + True`` is 2), NumPy's are not (``x[0] > 0`` and its like add up
to a bool); Python's ints have negative powers, NumPy's have none; ``round`` of NumPy's floats is
``np.round``. Elements of arrays and what NumPy's functions return are NumPy's; literals, sizes,
indices of loops and what ``math`` returns are Python's. Where paths meet that differ it is not
known which one there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import libcst as cst
from mooncake_rules.op_names import Home, home

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.lower.state.context import Context, InLine
from mooncake_transpiler.frontend.lower.state.whose import Kind, Narrow, Of, Whose
from mooncake_transpiler.types import BOOL, DType, Scalar, Type


@dataclass(frozen=True, slots=True)
class NumpyConst(ir.Const):
    """A constant of NumPy's: ``np.float64(2.0)``, an element of ``np.ones(3)``."""


@dataclass(frozen=True, slots=True)
class ArrayConst(NumpyConst):
    """A constant in an array without axes: ``np.array(2.0)``."""


def kind(ctx: Context, atom: ir.Atom) -> Whose | None:
    """Whose number ``atom`` is for operators, to which arrays without axes are NumPy's numbers."""
    match whose(ctx, atom):
        case Kind.ARRAY:
            return Kind.NUMPY
        case Kind.ANY:
            return Kind.EITHER
        case found:
            return found


def whose(ctx: Context, atom: ir.Atom) -> Whose | None:
    """Whose number ``atom`` is; None for what is never looked at."""
    match atom:
        case ArrayConst():
            return Kind.ARRAY
        case NumpyConst():
            return Kind.NUMPY
        case ir.Const():
            return Kind.PYTHON
        case ir.Undef():
            return None
        case ir.Value():
            return ctx.numbers.kinds.get(atom, Kind.EITHER)


def join(kinds: Iterable[Whose | None]) -> Whose:
    """Of a variable that holds one of several values."""
    found = {one for one in kinds if one is not None}
    if len(found) == 1:
        return found.pop()
    narrow = [one.dtypes for one in found if isinstance(one, Narrow)]
    if narrow:
        return Narrow(frozenset[DType]().union(*narrow))
    if found & {Kind.ARRAY, Kind.ANY}:
        return Kind.ARRAY if found <= {Kind.ARRAY, Kind.NUMPY} else Kind.ANY
    return _of(found, is_one=True) if found <= {Kind.PYTHON, *_open(found)} else Kind.EITHER


def _open(kinds: Iterable[Whose | None]) -> set[Of]:
    return {one for one in kinds if isinstance(one, Of)}


def _of(kinds: Iterable[Whose | None], is_one: bool) -> Whose:
    """Of what depends on all those among ``kinds`` that are open."""
    found = _open(kinds)
    leaves = frozenset[int]().union(*(one.leaves for one in found))
    return Of(leaves, is_one) if leaves else Kind.EITHER


def together(ctx: Context, args: Iterable[ir.Atom]) -> Whose:
    """Of what an operator gives: NumPy's if one of its operands is."""
    kinds = [kind(ctx, arg) for arg in args]
    if Kind.NUMPY in kinds:
        return Kind.NUMPY
    if Kind.EITHER in kinds or not _open(kinds):
        return join(kinds)
    return _of(kinds, any(one.is_one for one in _open(kinds)))


def given(ctx: Context, of: Whose, args: Sequence[ir.Atom]) -> Whose:
    """Of a result that is of the kind ``of``, for these arguments."""
    match of:
        case Of(leaves=leaves, is_one=is_one):
            found = together(ctx, (args[k] for k in sorted(leaves)))
            return join([Kind.PYTHON, found]) if is_one else found
        case Kind() | Narrow():
            return of


def of_result(ctx: Context, op: str, args: Iterable[ir.Atom]) -> Whose:
    """Of what ``op`` gives, called by its name or written as an operator."""
    if home(op) is Home.MATH or op in ("not", "round", "complex", "rt.finite"):
        return Kind.PYTHON
    if home(op) in (Home.NUMPY, Home.RUNTIME, Home.SCIPY):
        return Kind.NUMPY
    return together(ctx, args)


def marked(ctx: Context, atom: ir.Atom, of: Whose) -> ir.Atom:
    """``atom``, which has just been made, as a number of kind ``of``."""
    match atom:
        case ir.Const():
            return constant(atom, of)
        case ir.Value():
            ctx.numbers.kinds[atom] = of
            return atom
        case ir.Undef():
            return atom


def constant(const: ir.Const, of: Whose | None) -> ir.Const:
    """``const`` as a number of kind ``of``."""
    match of:
        case Kind.ARRAY:
            return ArrayConst(const.value, const.type)
        case Kind.NUMPY:
            return NumpyConst(const.value, const.type)
        case _:
            return ir.Const(const.value, const.type)


def merged(ctx: Context, out: ir.Value, sides: Sequence[ir.Atom]) -> None:
    """``out`` is one of ``sides``: note of which kind, and whether it may be a bool, or an int."""
    if not isinstance(out.type, Scalar):
        return
    for side in sides:
        note_int(ctx, out, side)
    ctx.numbers.kinds[out] = join(as_one(ctx, side, out.type) for side in sides)
    bools = [side for side in sides if side.type == BOOL and not isinstance(side, ir.Undef)]
    if out.type != BOOL and (bools or any(side in ctx.numbers.blended for side in sides)):
        found = [ctx.numbers.blended[side] for side in sides if side in ctx.numbers.blended]
        ctx.numbers.blended[out] = join([*found, *(kind(ctx, side) for side in bools)])


def as_one(ctx: Context, side: ir.Atom, type_: Type) -> Whose | None:
    """Whose number ``side`` is, as a value of a variable that has the type ``type_``."""
    found = whose(ctx, side)
    own = side.type.dtype if isinstance(side.type, Scalar) else DType.INT64
    if found is None or not own.is_int or own is DType.INT64 or side.type == type_:
        return found
    return join([found, Narrow(frozenset((own,)))])


def note_int(ctx: Context, out: ir.Atom, one: ir.Atom) -> None:
    """Note that the number ``out`` may be ``one``, which is an int in Python if ``out`` is none."""
    if (_is_int(one) or may_be_int(ctx, one)) and is_float(out) and not isinstance(one, ir.Undef):
        ctx.numbers.maybe_ints.add(out)


def may_be_int(ctx: Context, number: ir.Atom) -> bool:
    """True for a float that is an int in Python on some path."""
    return number in ctx.numbers.maybe_ints


def note_made_of_ints(ctx: Context, op: str, out: ir.Atom, args: Sequence[ir.Atom]) -> None:
    """Note that the float ``out`` is an int in Python where its operands are."""
    known = ctx.numbers.maybe_ints
    if op not in _OF_INTS or not is_float(out) or known.isdisjoint(args):
        return
    if all(arg in known or _is_int(arg) for arg in args):
        known.add(out)


_OF_INTS = frozenset({
    "abs", "add", "floordiv", "max", "min", "mod", "mul", "neg", "pos", "pow", "sub",
})  # fmt: skip


def may_be_ints(ctx: Context, values: Iterable[ir.Value]) -> None:
    """Note that the floats among ``values`` are ints in Python on some path."""
    ctx.numbers.maybe_ints.update(filter(is_float, values))


def is_float(atom: ir.Atom) -> bool:
    return isinstance(atom.type, Scalar) and not (atom.type == BOOL or atom.type.dtype.is_int)


def _is_int(atom: ir.Atom) -> bool:
    return isinstance(atom.type, Scalar) and atom.type.dtype.is_int


def brings_int(ctx: Context, pairs: Iterable[tuple[ir.Value, ir.Atom]]) -> bool:
    """True if a float of which that is not known is an int in the end."""
    known = ctx.numbers.maybe_ints
    return any(
        is_float(old) and old not in known and not isinstance(new, ir.Undef)
        and (_is_int(new) or new in known)
        for old, new in pairs
    )  # fmt: skip


def blend(ctx: Context, values: Iterable[ir.Atom]) -> None:
    """Note that those of ``values`` that are numbers may be bools."""
    for value in values:
        if isinstance(value.type, Scalar) and value.type != BOOL:
            ctx.numbers.blended[value] = Kind.EITHER


def are_blended(ctx: Context, pairs: Iterable[tuple[ir.Value, ir.Atom]]) -> bool:
    """True if a number of which that is not known is a bool in the end."""
    return any(
        new.type == BOOL and old.type != BOOL and old not in ctx.numbers.blended
        for old, new in pairs
        if not isinstance(new, ir.Undef)
    )


def hand_on(ctx: Context, new: Iterable[ir.Atom], old: Iterable[ir.Atom]) -> None:
    """The numbers ``new`` are of the kinds of ``old`` ones, where these are known."""
    for value, atom in zip(new, old, strict=False):
        found = as_one(ctx, atom, value.type)
        note_int(ctx, value, atom)
        if atom in ctx.numbers.blended and isinstance(value.type, Scalar) and value.type != BOOL:
            ctx.numbers.blended[value] = ctx.numbers.blended[atom]
        if found is not None and isinstance(value, ir.Value) and isinstance(value.type, Scalar):
            ctx.numbers.kinds[value] = found


def mark_all(ctx: Context, values: Iterable[ir.Value], found: Iterable[Whose]) -> None:
    """The numbers among ``values`` are of the kinds ``found``."""
    for value, of in zip(values, found, strict=True):
        if isinstance(value.type, Scalar):
            marked(ctx, value, of)


def joined(ctx: Context, pairs: Iterable[tuple[ir.Value, ir.Atom]]) -> list[Whose]:
    """The kinds of numbers that are one of each pair."""
    return [join([whose(ctx, old), as_one(ctx, new, old.type)]) for old, new in pairs]


def agree(ctx: Context, pairs: Iterable[tuple[ir.Value, ir.Atom]]) -> bool:
    """True if the second numbers of all pairs are of no other kinds than the first ones."""
    return all(
        join([whose(ctx, old), as_one(ctx, new, old.type)]) == whose(ctx, old)
        for old, new in pairs
        if isinstance(old.type, Scalar)
    )


def as_kind(ctx: Context, atom: ir.Atom, of: Whose) -> ir.Atom:
    """``atom``, which others may know by another kind, as a number of kind ``of``."""
    if isinstance(atom, ir.Value) and ctx.numbers.kinds.get(atom) != of:
        assert isinstance(atom.type, Scalar)
        atom = ctx.builder.compute("cast", (atom,), atom.type)
    return marked(ctx, atom, of)


def undecided(ctx: Context, node: cst.CSTNode, what: str) -> Refused | InLine:
    """It is not known whose ``what`` there are: a function is lowered where it is called, then."""
    message = f"these {what} may be Python's or NumPy's, which differ here"
    help_ = "say which: int(...), float(...), or np.asarray(...)"
    return where_called(ctx, ctx.refuse(node, "MK250", message, help_))


def stays_open(ctx: Context) -> bool:
    """True in a recursive function, which is one for all that call it: they can't tell more."""
    root = ctx.root
    return root is not None and ctx.functions.is_recursive(root)


def where_called(ctx: Context, refused: Refused) -> Refused | InLine:
    """``refused``, if it is also known too little where the function is called."""
    root = ctx.root
    return refused if root is None else InLine(refused.diagnostic)
