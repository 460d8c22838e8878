"""Calls of functions under ``@guvectorize``: what is not given is made, filled and returned.

``"(n),(n)->()"`` names the axes of each argument and of each result. For arrays with more axes than
that the function is called once for each place on these, as NumPy stretches them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import zip_longest

import libcst as cst
from mooncake_rules.arrays import Num
from mooncake_rules.arrays.sizes import common_size

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import External, FunctionDecl
from mooncake_transpiler.frontend.lower.array import arrays, delayed, whole
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.memory.locations import Location
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe, type_of
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand, Static
from mooncake_transpiler.types import Array, Type

_AXES = re.compile(r"\(([^()]*)\)")
_HELP = "pass arrays of the type and with the axes that its signature and its layout name"


@dataclass(frozen=True, slots=True)
class AxisNames:
    """The names of the axes of the arguments and of the results."""

    given: tuple[tuple[str, ...], ...]
    made: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, text: str) -> AxisNames:
        given, _, made = text.replace(" ", "").partition("->")
        return cls(_groups(given), _groups(made))


def _groups(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(filter(None, group.split(","))) for group in _AXES.findall(text))


@dataclass(frozen=True, slots=True)
class _Repeated:
    """An argument or a result, and the sizes of the axes over which the function is repeated."""

    of: Operand
    outer: tuple[Num | int, ...] = ()


def call(
    ctx: Context, node: cst.Call, decl: FunctionDecl, text: str, given: Arguments,
    once: Callable[[Arguments], Operand],
) -> Operand:  # fmt: skip
    """``decl(*given)``: ``once`` for each place on the axes that its layout does not name."""
    layout, args = AxisNames.of(text), [delayed.settle(ctx, arg) for arg in given.args]
    groups, count = (*layout.given, *layout.made), len(layout.given)
    types = [None if p.annotation is None else p.annotation.type for p in decl.params]
    if given.keywords or len(args) not in (count, len(groups)) or None in types:
        raise _refused(ctx, node, f"{decl.name} takes {count} arguments of one type")
    results = args[count:]
    args = [*_apart(ctx, args[:count], results), *results]
    sizes: dict[str, Num | int] = {}
    parts = [
        _measured(ctx, node, decl, arg, axes, type_, sizes)
        for arg, axes, type_ in zip(args, groups, types, strict=False)
    ]
    outer = _joined(LoweringStage(ctx, node), decl.name, [part.outer for part in parts])
    if not results:
        made = zip(layout.made, types[count:], strict=True)
        parts += [_made(ctx, node, decl, axes, type_, outer, sizes) for axes, type_ in made]
    _repeat(ctx, outer, parts, lambda each: once(Arguments(each, {})))
    shown = results or [
        part.of if axes else _first(ctx, part)
        for part, axes in zip(parts[count:], layout.made, strict=True)
    ]
    return shown[0] if len(shown) == 1 else Items(tuple(shown))


def _apart(ctx: Context, args: Sequence[Operand], results: Sequence[Operand]) -> list[Operand]:
    """``args``; of those that are among ``results`` copies, as NumPy reads what was there."""
    filled = [ctx.memory.base(one) for one in results if isinstance(one, ir.Value)]
    return [
        storage.copy(ctx, arg)
        if isinstance(arg, ir.Value) and delayed.is_array(arg) and ctx.memory.base(arg) in filled
        else arg
        for arg in args
    ]


def _measured(
    ctx: Context, node: cst.Call, decl: FunctionDecl, arg: Operand, axes: tuple[str, ...],
    type_: Type | None, sizes: dict[str, Num | int],
) -> _Repeated:  # fmt: skip
    """One argument for ``type_``; enters the sizes of its axes, which agree with those known."""
    rank = type_.ndim if isinstance(type_, Array) else 0
    if is_scalar(arg) and not axes:
        return _Repeated(
            _array(ctx, node, "full", type_, ir.ONE, arg) if isinstance(type_, Array) else arg
        )
    of, inner, is_one = type_of(arg), len(axes), rank == 1 and not axes
    if not isinstance(arg, ir.Value) or not isinstance(of, Array) or of.ndim < inner:
        fits = False
    else:
        fits = of.dtype == getattr(type_, "dtype", None) and rank == inner + is_one
    if not fits:
        raise _refused(ctx, node, f"{decl.name} is compiled for {type_}, got {describe(arg)}")
    assert isinstance(arg, ir.Value)
    stage = LoweringStage(ctx, node)
    shape = [stage.size(size) for size in storage.shape(ctx, arg)]
    split = len(shape) - inner
    for axis, size in zip(axes, shape[split:], strict=True):
        sizes[axis] = common_size(stage, sizes.get(axis, size), size, decl.name)
    shown = storage.view(ctx, arg, (*[arrays.WHOLE] * split, ir.NewAxis())) if is_one else arg
    return _Repeated(shown, tuple(shape[:split]))


def _joined(
    stage: LoweringStage, what: str, shapes: Sequence[Sequence[Num | int]]
) -> tuple[Num | int, ...]:
    """The shape that all of ``shapes`` are stretched to, as NumPy does it."""
    found: list[Num | int] = []
    for axes in zip_longest(*(reversed(shape) for shape in shapes), fillvalue=1):
        others = [size for size in axes if size != 1 or not isinstance(size, int)]
        found.append(reduce(partial(common_size, stage, what=what), others) if others else 1)
    return tuple(reversed(found))


def _made(
    ctx: Context, node: cst.Call, decl: FunctionDecl, axes: tuple[str, ...], type_: Type | None,
    outer: tuple[Num | int, ...], sizes: Mapping[str, Num | int],
) -> _Repeated:  # fmt: skip
    """A new array for a result; numbers are arrays with one item."""
    if not isinstance(type_, Array) or any(axis not in sizes for axis in axes):
        raise _refused(ctx, node, f"the shape of a result of {decl.name} is not known")
    shape = whole.sizes([*outer, *([sizes[axis] for axis in axes] or [1])])
    return _Repeated(_array(ctx, node, "empty", type_, Items(shape)), outer)


def _array(ctx: Context, node: cst.Call, make: str, type_: Array, *args: Operand) -> Operand:
    """A new array like ``np.empty(shape)``, with items for ``type_``."""
    dtype = Static(External(f"numpy.{type_.dtype.value}"))
    return ctx.lower.call(ctx, node, Static(External(f"numpy.{make}")), (*args, dtype))


def _repeat(
    ctx: Context, outer: Sequence[Num | int], parts: Sequence[_Repeated],
    body: Callable[[tuple[Operand, ...]], object],
) -> None:  # fmt: skip
    """Run ``body`` for each place on the axes ``outer``."""
    if not outer:
        body(tuple(part.of for part in parts))
        return
    size, *others = outer

    def inner(part: _Repeated, index: ir.Value) -> _Repeated:
        if len(part.outer) < len(outer):
            return part
        is_stretched = part.outer[0] is not size and part.outer[0] == 1
        at = ir.ZERO if is_stretched else index
        assert isinstance(part.of, ir.Value)
        return _Repeated(arrays.element(ctx, part.of, (at,)), part.outer[1:])

    (count,) = whole.sizes([size])
    ctx.for_each(count, lambda k: _repeat(ctx, others, [inner(part, k) for part in parts], body))


def _first(ctx: Context, part: _Repeated) -> Operand:
    """The numbers in arrays of one item each."""
    assert isinstance(part.of, ir.Value)
    return arrays.read(ctx, Location(part.of, (*[arrays.WHOLE] * len(part.outer), ir.ZERO)))


def _refused(ctx: Context, node: cst.Call, message: str) -> Refused:
    return ctx.refuse(node, "MK238", message, _HELP)
