"""The functions of a module over CuPy's arrays, with the kernels that each of them launches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.refusal import refused
from mooncake_transpiler.analysis.shapes import Extent, Extents
from mooncake_transpiler.border.homes import at_home, is_handed
from mooncake_transpiler.emit.cuda.host import SKIP, Wait
from mooncake_transpiler.emit.cuda.host_functions import HOST_FUNCTIONS, launch_of
from mooncake_transpiler.emit.cuda.kernel_operands import Kernel
from mooncake_transpiler.emit.cuda.loop.saved_integers import Kept, kept_by
from mooncake_transpiler.emit.cuda.outlining import outline
from mooncake_transpiler.emit.cuda.selections import Groups, chosen_by
from mooncake_transpiler.emit.entries import EmittedFunc
from mooncake_transpiler.emit.module_scope import PlainCallee
from mooncake_transpiler.interface.saved_names import returned, taken
from mooncake_transpiler.types import Array, ArrayLibrary, List, Scalar, Tuple, Type, parts


@dataclass(frozen=True, slots=True)
class DeviceFunc:
    """A function to emit, its kernels, which stand above it, and where it waits for the device."""

    item: EmittedFunc
    kernels: tuple[Kernel, ...] = ()
    waits: tuple[Wait, ...] = ()


def device_funcs(items: Sequence[EmittedFunc]) -> list[DeviceFunc]:
    """``items`` taken apart into kernels and the host code that launches them."""
    items = [replace(item, jit="python" if item.jit == "inner" else item.jit) for item in items]
    known = [item.func.name for item in items]
    found = []
    kept: Kept = {}
    chosen: dict[str, Groups] = {}
    making = _by_residuals(items)
    for item in items:
        if item.compiled is not None:  # it takes objects apart, and launches nothing
            _check_lists(item.func)
            found.append(DeviceFunc(item))
            continue
        equal = list(_sizes(making, item.func))
        shown = frozenset(_shown(making, item.func))
        outlined = outline(
            item.func, item.python_name, item.on_host, known, equal, kept, chosen, shown
        )
        kept |= kept_by(outlined.func)
        chosen |= chosen_by(outlined.func)
        waits = (*outlined.waits, *_hand_over(item.func))
        found.append(DeviceFunc(replace(item, func=outlined.func), outlined.kernels, waits))
    return [
        replace(one, item=replace(one.item, func=_typed(one.item.func, one.item.on_host, kept)))
        for one in found
    ]


def _check_lists(func: ir.Func) -> None:
    """Refuse lists that have numbers in them."""
    types = [func.result, *(param.type for param in func.params)]
    for part in (part for type_ in types for part in parts(type_)):
        if isinstance(part, List) and any(isinstance(p, Scalar | List) for p in parts(part.item)):
            message = "a list with numbers in it is not supported on the GPU yet"
            raise refused("MK604", message, func.origin, SKIP)


def _hand_over(func: ir.Func) -> Iterator[Wait]:
    if is_handed(func.result):
        yield Wait(func.origin.line if func.origin is not None else 0, "what it gives to NumPy")


def _by_residuals(items: Sequence[EmittedFunc]) -> dict[str, ir.Func]:
    """The functions that return residuals, by what these are called."""
    return {name: item.func for item in items for name, _ in returned(item.func)}


def _residuals(
    making: Mapping[str, ir.Func], pullback: ir.Func
) -> tuple[ir.Func, dict[ir.Atom, ir.Value]] | None:
    """The function that makes the residuals of ``pullback``, and what it gives for each."""
    for name, leaves in taken(pullback):
        fwd = making.get(name)
        kept = () if fwd is None else dict(returned(fwd))[name]
        if fwd is not None and [a.type for a in kept] == [leaf.type for leaf in leaves]:
            return fwd, dict(zip(kept, leaves, strict=True))
    return None


def _sizes(making: Mapping[str, ir.Func], pullback: ir.Func) -> Iterator[tuple[Extent, Extent]]:
    """The sizes of residuals of ``pullback`` that are equal, by how they are made."""
    if (residuals := _residuals(making, pullback)) is None:
        return
    fwd, given = residuals
    extents = Extents(Definitions(fwd), {})
    for atom, leaf in given.items():
        shape = extents.shape(atom) if isinstance(atom.type, Array) else None
        for axis, extent in enumerate(shape or ()):
            if extent.axis is None and isinstance(extent.atom, ir.Const):
                yield Extent(leaf, axis), extent
            elif extent.atom in given and extent.axis is not None:
                yield Extent(leaf, axis), Extent(given[extent.atom], extent.axis)


def _shown(making: Mapping[str, ir.Func], pullback: ir.Func) -> Iterator[ir.Value]:
    """The residuals of ``pullback`` that show memory of arguments."""
    if (residuals := _residuals(making, pullback)) is None:
        return
    fwd, given = residuals
    defs = Definitions(fwd)
    for atom, leaf in given.items():
        if isinstance(leaf.type, Array) and defs.root(atom) in fwd.inputs:
            yield leaf


def callees(funcs: Sequence[DeviceFunc], imported: Mapping[str, str]) -> dict[str, PlainCallee]:
    """The callees of host code beside functions of the program."""
    launches = (launch_of(kernel) for func in funcs for kernel in func.kernels)
    return {one.name: one.callee(imported) for one in (*launches, *HOST_FUNCTIONS.values())}


def _typed(func: ir.Func, on_host: frozenset[str], kept: Kept) -> ir.Func:
    """``func`` with numbers of the device declared as what they are: arrays without axes."""
    env: dict[ir.Atom, ir.Value] = {}
    params = []
    for param in func.params:
        type_ = param.type if param.name in on_host else on_device(param.type, kept)
        leaves = param.leaves
        if isinstance(param.type, Scalar) and type_ != param.type:
            (leaf,) = leaves
            leaves = (env.setdefault(leaf, ir.Value(leaf.hint, type_)),)
        params.append(replace(param, type=type_, leaves=leaves))

    def use(atom: ir.Atom) -> ir.Atom:
        return env.get(atom, atom)

    result = on_device(func.result, kept)
    body = ir.rewritten(func.body, lambda stmt: None, use)
    return replace(func, params=tuple(params), result=result, body=body)


def on_device(type_: Type, kept: Mapping[str, Sequence[bool]] = MappingProxyType({})) -> Type:
    """``type_`` with arrays without axes for its numbers, but for integers.

    Of residuals those are on the host that are ``kept`` there.
    """
    match type_:
        case Array(spans=True):
            return replace(type_, home=ArrayLibrary.NUMPY)
        case Scalar(dtype=dtype) if dtype.is_differentiable:
            return Array(dtype, 0, type_.home)
        case Tuple(alias=str(alias), items=items):  # residuals stay on the device
            flags = kept.get(alias, [False] * len(items))
            return replace(type_, items=tuple(map(_residual, items, flags)))
        case Tuple(items=items):
            return replace(type_, items=tuple(on_device(item, kept) for item in items))
        case _:
            return type_


def _residual(type_: Type, is_kept: bool) -> Type:
    if is_kept and isinstance(type_, Array):
        type_ = replace(type_, spans=True)
    return at_home(on_device(type_), None)
