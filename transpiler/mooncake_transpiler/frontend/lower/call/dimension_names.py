"""Dimension names of array parameters: what must be equal is checked where a function starts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.border.paths import paths
from mooncake_transpiler.frontend.entities import Dim, FunctionDecl
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.scalar.scalars import compute
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import atoms, type_of
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.types import Array

_SUM = re.compile(r"\s*([A-Za-z_]\w*)\s*([+*-])\s*(\d+)\s*")
_OPS = {"+": "add", "-": "sub", "*": "mul"}


@dataclass(frozen=True, slots=True)
class Axis:
    """One dimension of one array parameter."""

    param: str
    array: ir.Atom
    axis: int
    dim: Dim


def declare(
    ctx: Context, decl: FunctionDecl, params: Sequence[ir.Param], absent: Collection[ir.Value] = ()
) -> None:
    """Note what the annotations call the sizes of the parameters; of none in ``absent``."""
    for one in _axes(decl, params, absent):
        if isinstance(one.dim, str) and one.dim.isidentifier() and isinstance(one.array, ir.Value):
            name = one.dim.strip("_")
            if name not in ctx.memory.dim_names.values():
                ctx.memory.dim_names[one.array, one.axis] = name


def check_call(
    ctx: Context, node: cst.Call, decl: FunctionDecl, given: Mapping[str, Operand]
) -> None:
    """Check the sizes of arguments that ``decl`` declares by a number: what it may rely on."""
    for param in decl.params:
        arg = given.get(param.name)
        if param.annotation is None or arg is None or type_of(arg) is None:
            continue
        arrays = [atom for atom in atoms(arg) if isinstance(atom.type, Array)]
        for array, dims in zip(arrays, param.annotation.dims, strict=False):
            for axis, dim in enumerate(dims or ()):
                if isinstance(dim, int):
                    what = f"argument {param.name!r} of {decl.name}"
                    _literal(ctx, node, Axis(what, array, axis, dim), dim)


def _literal(ctx: Context, node: cst.CSTNode, one: Axis, dim: int) -> None:
    """See to it that an axis has the size ``dim``."""
    size = storage.extents(ctx, one.array)[one.axis].size
    if size is None:
        _require(ctx, node, one, ir.int_const(dim), _message(one, one.param))
    elif size != dim:
        message = f"{one.param} has the size {size} on axis {one.axis}, not {dim}"
        raise ctx.refuse(node, "MK216", message)


def check(
    ctx: Context, decl: FunctionDecl, params: Sequence[ir.Param], absent: Collection[ir.Value]
) -> None:
    """Raise ValueError where the dimensions of the arguments contradict the annotations."""
    axes = list(_axes(decl, params, absent))
    first: dict[Dim, Axis] = {}
    for one in axes:
        if isinstance(one.dim, str) and one.dim.isidentifier():
            first.setdefault(one.dim, one)
    wanted = [one for one in axes if one.dim is not None and first.get(one.dim) is not one]
    used = {name for one in wanted for name in _names(one.dim)}
    known = {
        name: storage.dim(ctx, one.array, one.axis, name)
        for name, one in first.items()
        if isinstance(name, str) and name in used
    }
    for one in wanted:
        if (expected := _expected(ctx, decl.node, one.dim, known)) is not None:
            several = sum(other.array is one.array for other in wanted) > 1
            message = (
                _shape_message(axes, one) if several else _message(one, f"parameter {one.param}")
            )
            _require(ctx, decl.node, one, expected, message)


def _names(dim: Dim) -> list[str]:
    return re.findall(r"[A-Za-z_]\w*", dim) if isinstance(dim, str) else []


def _axes(
    decl: FunctionDecl, params: Sequence[ir.Param], absent: Collection[ir.Value]
) -> Iterator[Axis]:
    for declared, param in zip(decl.params, params, strict=True):
        if declared.annotation is None:
            continue
        named = zip(param.leaves, paths(param.type, param.name), strict=True)
        arrays = [(leaf, path) for leaf, path in named if isinstance(leaf.type, Array)]
        for (array, path), dims in zip(arrays, declared.annotation.dims, strict=False):
            if array in absent:
                continue
            for axis, dim in enumerate(dims or ()):
                yield Axis(path, array, axis, dim)


def _expected(
    ctx: Context, node: cst.CSTNode, dim: Dim, known: Mapping[str, ir.Atom]
) -> ir.Atom | None:
    """The size that ``dim`` stands for, as far as it is known."""
    if isinstance(dim, int):
        return ir.int_const(dim)
    if dim is None:
        return None
    if dim in known:
        return known[dim]
    found = _SUM.fullmatch(dim)
    if found is None or found[1] not in known:
        return None
    right = ir.int_const(int(found[3]))
    return compute(ctx, node, _OPS[found[2]], (known[found[1]], right))


def _message(one: Axis, what: str) -> str:
    return f"{what}: axis {one.axis} must have the size {one.dim}"


def _shape_message(axes: Sequence[Axis], one: Axis) -> str:
    """The message for an array of which several sizes are checked."""
    dims = [
        ":" if other.dim is None else str(other.dim) for other in axes if other.array is one.array
    ]
    return f"parameter {one.param} must have the shape ({', '.join(dims)})"


def _require(ctx: Context, node: cst.CSTNode, one: Axis, expected: ir.Atom, message: str) -> None:
    branches.require_size(ctx, node, storage.dim(ctx, one.array, one.axis), expected, message)
