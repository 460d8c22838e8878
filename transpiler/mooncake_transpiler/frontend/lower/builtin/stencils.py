"""Numba's ``@stencil``: the value of a kernel at each place that is far enough from the border.

In a kernel ``a[0, -1]`` is the item left of the place at which it is computed. How far that must be
from the border follows from these offsets, which are constants, or is said by ``neighborhood=``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import libcst as cst
from mooncake_rules.arrays import Arr, Num
from mooncake_rules.arrays.sizes import as_size
from mooncake_rules.library.arguments import holds

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import External, FunctionDecl
from mooncake_transpiler.frontend.lower.array import delayed, out_arguments, whole
from mooncake_transpiler.frontend.lower.array.stage import NATIVE, LoweringStage
from mooncake_transpiler.frontend.lower.operation.places import NO_SLICES
from mooncake_transpiler.frontend.lower.rule.library import changing_nothing
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Neighbourhood
from mooncake_transpiler.frontend.lower.state.inner import is_function
from mooncake_transpiler.frontend.lower.state.leaves import describe, type_of
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Bound,
    Closure,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.text.trees import walk
from mooncake_transpiler.types import Array, DType, result_dtype

Size = Num | int
# How far a kernel reaches along each axis: the lowest and the highest offset.
Reach = Sequence[tuple[int, int]]

_OPTIONS = frozenset({"cval", "neighborhood", "standard_indexing"})
_NAME = "numba.stencil"
_SMALLER = (
    "Secondary stencil array has some dimension smaller the same dimension in the first stencil "
    "input."
)


def _stencil(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``stencil(kernel)``, and ``stencil(cval=1.0)``, which is given the kernel next."""
    for name in given.keywords.keys() - _OPTIONS:
        raise _refused(ctx, node, f"stencil has no option {name!r}", "leave it out")
    named = {key: ctx.lower.view(ctx, node, value) for key, value in given.keywords.items()}
    match given.args:
        case [] | [Static(value="constant")]:
            return Bound(Static(External(_NAME)), (), named)
        case [first] if is_function(first):
            return Bound(Static(External(f"{_NAME}.call")), (first,), named)
        case _:
            raise _refused(ctx, node, "stencil takes one function", "use it as a decorator")


def _call(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """The array of the values of the kernel, which is the first argument."""
    options = dict(given.keywords)
    out = out_arguments.named(ctx, node, options.pop("out", NOTHING))
    for name in options.keys() - _OPTIONS:
        help_ = "give arguments by their position"
        raise _refused(ctx, node, f"a stencil has no argument {name!r}", help_)
    kernel = _Kernel.of(ctx, node, given.args[0], _texts(options.get("standard_indexing")))
    args = [delayed.settle(ctx, arg) for arg in given.args[1:]]
    stage = LoweringStage(ctx, node)
    if len(args) != len(kernel.names):
        message = f"{kernel.name} takes {len(kernel.names)} arguments, got {len(args)}"
        raise _refused(ctx, node, message, "give all of them")
    first = _array(ctx, node, args[0])
    reach = kernel.reach(ctx, node, first.ndim, options.get("neighborhood"))
    for name, arg in zip(kernel.names[1:], args[1:], strict=True):
        if name in kernel.relative:
            _require_room(stage, _array(ctx, node, arg), first)
    result = _Result(stage, first, options.get("cval"), out)
    if out is not None:
        result.prepare(whole.as_arr(ctx, node, out))

    def one(*index: Size) -> None:
        place = tuple(as_size(i + -low) for i, (low, _) in zip(index, reach, strict=True))
        result.store(place, kernel.at(ctx, node, args, whole.sizes(place)))

    sizes = [stage.shrunk(n, high - low) for n, (low, high) in zip(first.shape, reach, strict=True)]
    stage.nest(sizes, one)
    return whole.from_library(ctx, node, result.target)


def _texts(names: Operand | None) -> frozenset[str]:
    items = names.items if isinstance(names, Items) else (names,)
    return frozenset(item.value for item in items
                     if isinstance(item, Static) and isinstance(item.value, str))  # fmt: skip


def _array(ctx: Context, node: cst.Call, value: Operand) -> Arr:
    """An array whose items are to numba what they are to Python."""
    type_ = type_of(value)
    if not isinstance(type_, Array) or type_.ndim == 0 or type_.dtype not in NATIVE:
        message = f"a stencil looks around in arrays of float64 and int64, got {describe(value)}"
        raise _refused(ctx, node, message, "convert it with astype(np.float64) before the call")
    return whole.as_arr(ctx, node, value)


def _require_room(stage: LoweringStage, array: Arr, first: Arr) -> None:
    """Raise what numba raises unless ``array`` is as large as ``first`` along each axis."""
    if array.ndim != first.ndim:
        message = f"the arrays of a stencil have {first.ndim} and {array.ndim} axes"
        help_ = "name those that are indexed as elsewhere in standard_indexing="
        raise _refused(stage.ctx, stage.node, message, help_)
    for size, least in zip(array.shape, first.shape, strict=True):
        if not stage.same(size, least):
            stage.require(holds(stage, "ge", size, least), _SMALLER)


@dataclass(frozen=True, slots=True)
class _Kernel:
    """A function that looks around a place; ``relative``: the arrays that it indexes from there."""

    function: Operand
    name: str
    names: tuple[str, ...]
    relative: Mapping[str, Sequence[cst.Subscript]]

    @staticmethod
    def of(ctx: Context, node: cst.Call, function: Operand, standard: frozenset[str]) -> _Kernel:
        match function:
            case Closure(name=name, node=tree):
                pass
            case Static(value=FunctionDecl(node=tree) as decl):
                name = tree.name.value
                bare = tuple(replace(param, annotation=None) for param in decl.params)
                function = Static(replace(decl, params=bare, result=None, is_plain=True))
            case _:
                message = f"{describe(function)} is no kernel"
                raise _refused(ctx, node, message, "give a function of the program")
        names = tuple(param.name.value for param in tree.params.params)
        for wrong in sorted(standard - frozenset(names[1:])):
            message = f"standard_indexing= names {wrong!r}, which is none of the other arrays"
            raise _refused(ctx, node, message, "name parameters behind the first one")
        uses = _subscripts(tree.body, frozenset(names) - standard)
        for one in walk(tree.body):
            if isinstance(one, cst.Name) and one.value in uses and not _is_base(one, uses):
                message = f"{one.value} is both indexed from a place and used as a whole"
                raise ctx.refuse(one, "MK239", message, "give the array twice, under two names")
        return _Kernel(function, name, names, uses)

    def reach(self, ctx: Context, node: cst.Call, ndim: int, neighborhood: Operand | None) -> Reach:
        if neighborhood is not None:
            return _given(ctx, node, ndim, neighborhood)
        found = [(0, 0)] * ndim
        for use in (use for uses in self.relative.values() for use in uses):
            offsets = [_offset(ctx, use, item) for item in use.slice]
            if len(offsets) != ndim:
                message = f"{len(offsets)} indices for an array of rank {ndim}"
                raise ctx.refuse(use, "MK239", message, "give one for each axis")
            found = [(min(low, k), max(high, k))
                     for (low, high), k in zip(found, offsets, strict=True)]  # fmt: skip
        return found

    def at(
        self, ctx: Context, node: cst.Call, args: Sequence[Operand], place: tuple[ir.Atom, ...]
    ) -> ir.Atom:
        given = [
            Neighbourhood(arg, place)
            if name in self.relative and isinstance(arg, ir.Value)
            else arg
            for name, arg in zip(self.names, args, strict=True)
        ]
        call = partial(ctx.lower.call, ctx, node, self.function, given)
        found = changing_nothing(ctx, node, _NAME, call)
        if not scalars.is_scalar(found):
            message = f"{self.name} gives {describe(found)}"
            raise _refused(ctx, node, message, "let it return a number")
        return found


def _subscripts(body: cst.CSTNode, names: frozenset[str]) -> dict[str, list[cst.Subscript]]:
    found: dict[str, list[cst.Subscript]] = {}
    for one in walk(body):
        match one:
            case cst.Subscript(value=cst.Name(value=name)) if name in names:
                found.setdefault(name, []).append(one)
            case _:
                pass
    return found


def _is_base(name: cst.Name, uses: Mapping[str, Sequence[cst.Subscript]]) -> bool:
    return any(use.value is name for use in uses[name.value])


def _offset(ctx: Context, use: cst.Subscript, item: cst.SubscriptElement) -> int:
    match item.slice:
        case cst.Index(value=cst.Integer() as number):
            return number.evaluated_value
        case cst.Index(value=cst.UnaryOperation(cst.Minus(), cst.Integer() as number)):
            return -number.evaluated_value
        case cst.Slice():
            raise ctx.refuse(use, "MK239", *NO_SLICES)
        case _:
            message = "stencil kernel index is not constant, 'neighborhood' option required"
            help_ = "write integers, or give neighborhood=((lowest, highest), ...) to stencil"
            raise ctx.refuse(use, "MK239", message, help_)


def _given(ctx: Context, node: cst.Call, ndim: int, neighborhood: Operand) -> Reach:
    """``neighborhood=((-1, 1), (0, 2))``."""
    pairs = neighborhood.items if isinstance(neighborhood, Items) else ()
    found = []
    for pair in pairs:
        match pair:
            case Items(items=(ir.Const(value=int(low)), ir.Const(value=int(high)))):
                found.append((min(0, low), max(0, high)))
            case _:
                raise _refused(ctx, node, "neighborhood= is not constant", "write pairs of numbers")
    if len(found) != ndim:
        message = (
            f"{len(found)} dimensional neighborhood specified for {ndim} dimensional input array"
        )
        raise _refused(ctx, node, message, "give a pair for each axis")
    return found


class _Result:
    """The array that a stencil gives: one of the first array's shape, or that of ``out=``."""

    def __init__(
        self, stage: LoweringStage, first: Arr, border: Operand | None, out: ir.Value | None
    ) -> None:
        self.stage, self.first, self.out = stage, first, out
        self.before = stage.before()
        self.target: Arr | None = None
        self.border = border

    def prepare(self, target: Arr) -> None:
        """Write to ``out=``, of which the border stays as it is without ``cval=``."""
        self.stage.writable(target)
        _require_room(self.stage, target, self.first)
        if self.border is not None:
            fill = self._fill(DType(target.dtype))
            self.stage.nest(target.shape, lambda *index: self.stage.store(target, index, fill))
        self.target = target

    def store(self, place: Sequence[Size], value: ir.Atom) -> None:
        dtype = scalars.dtype(value)
        if self.target is None:
            fill = self._fill(dtype)
            self.target = self.before(lambda: self.stage.new(self.first.shape, dtype.value, fill))
        if result_dtype(dtype, DType(self.target.dtype)) != DType(self.target.dtype):
            message = f"the kernel gives {dtype.value}, out= is of {self.target.dtype}"
            raise _refused(self.stage.ctx, self.stage.node, message, "let out= be of that dtype")
        self.stage.store(self.target, place, self.stage.number(value))

    def _fill(self, dtype: DType) -> bool | int | float:
        """The constant at the border."""
        match self.border:
            case None:
                return 0
            case ir.Const(value=bool() | int() | float() as value) if not (
                dtype.is_int and isinstance(value, float) and not value.is_integer()
            ):
                return value
            case _:
                message = f"cval= is {describe(self.border)}, the kernel gives {dtype.value}"
                help_ = "give a constant of the kernel's type"
                raise _refused(self.stage.ctx, self.stage.node, message, help_)


def _refused(ctx: Context, node: cst.CSTNode, message: str, help_: str) -> Refused:
    return ctx.refuse(node, "MK239", message, help_)


HANDLERS: Mapping[str, Handler] = {_NAME: _stencil, f"{_NAME}.call": _call}
