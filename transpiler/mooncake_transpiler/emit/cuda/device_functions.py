"""The functions of a module over CuPy's arrays, with the kernels that each of them launches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.refusal import refused
from mooncake_transpiler.analysis.shapes import Extent, Extents
from mooncake_transpiler.emit.cuda.host import SKIP, Wait
from mooncake_transpiler.emit.cuda.kernel_operands import Kernel
from mooncake_transpiler.emit.cuda.launch_signatures import (
    ADD_AT,
    AXIS_SUM,
    DISJOINT,
    EXTREME,
    HELD,
    LANES,
    LAUNCH,
    OFFSETS,
    ONE_OR_DISJOINT,
    PARAMETERS_APART,
    PARAMETERS_ONE_OR_APART,
    PLACES,
    RECURRENCE,
    REJOIN,
    RUNNING,
    RUNS,
    SEARCHES,
    SEPARATE,
    SHAPED,
    SUM,
    THREADS,
    add_func,
    apart_func,
    disjoint_func,
    extreme_func,
    lanes_func,
    launch_func,
    offsets_func,
    places_func,
    recurrence_func,
    running_func,
    runs_func,
    search_func,
    shape_func,
    sum_func,
)
from mooncake_transpiler.emit.cuda.outlining import outline
from mooncake_transpiler.emit.cuda.saved_integers import Kept, kept_by
from mooncake_transpiler.emit.cuda.selections import Groups, chosen_by
from mooncake_transpiler.emit.entries import EmittedFunc
from mooncake_transpiler.emit.module_scope import EmittedCallee
from mooncake_transpiler.homes import at_home, is_handed
from mooncake_transpiler.interface.saved_names import returned, taken
from mooncake_transpiler.types import (
    MAX_RANK,
    NONE,
    Array,
    ArrayLibrary,
    List,
    Scalar,
    Tuple,
    Type,
    parts,
)

ITERATIONS = "iterations"  # the function of the runtime that makes arrays without content


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


_OF_CUPY = (SUM, *(LAUNCH + which for which in SEARCHES))  # calls of its functions


def _own(name: str) -> str:
    return name.removeprefix(LAUNCH)


_OF_ROWS = {LANES: "row_lanes", THREADS: "row_threads"}  # functions of the runtime


def callees(funcs: Sequence[DeviceFunc], imported: Mapping[str, str]) -> dict[str, EmittedCallee]:
    """The callees of host code beside functions of the program."""
    kernels = [kernel for func in funcs for kernel in func.kernels]
    found = {LAUNCH + k.name: EmittedCallee(launch_func(k), k.name) for k in kernels}
    found[SUM] = EmittedCallee(sum_func(SUM), f"{imported['np']}.sum")
    for rank in range(1, MAX_RANK + 1):
        name = f"{imported['np']}.{'flatnonzero' if rank == 1 else 'nonzero'}"
        found[f"{PLACES}{rank}"] = EmittedCallee(places_func(rank), name)
    name = imported.get(ITERATIONS, ITERATIONS)
    for rank in range(MAX_RANK):
        found[f"{SHAPED}{rank}"] = EmittedCallee(shape_func(SHAPED, rank), name)
        for which in HELD.values():
            made = imported.get(_own(which), _own(which))
            found[f"{which}{rank}"] = EmittedCallee(shape_func(which, rank), made)
    for which in SEARCHES:
        name = f"{imported['np']}.{which}"
        found[LAUNCH + which] = EmittedCallee(search_func(which), name)
    signatures = {
        **{name: lanes_func(name) for name in _OF_ROWS},
        **{name: extreme_func(name) for name in EXTREME.values()},
        **{OFFSETS[rank]: offsets_func(rank) for rank in OFFSETS},
        ADD_AT: add_func(),
        AXIS_SUM: sum_func(AXIS_SUM),
        RECURRENCE: recurrence_func(),
        RUNNING: running_func(),
        RUNS: runs_func(),
    }
    for name, signature in signatures.items():
        function = _OF_RUNTIME[name]
        found[name] = EmittedCallee(signature, imported.get(function, function))
    calls = (stmt for func in funcs for stmt in ir.walk(func.item.func.body))
    for stmt in calls:
        for name in _OVERLAPS:
            if isinstance(stmt, ir.Call) and stmt.func.startswith(name):
                signature = _of_overlaps(name, stmt)
                found[stmt.func] = EmittedCallee(signature, imported.get(_own(name), _own(name)))
    return found


def _of_overlaps(name: str, call: ir.Call) -> ir.Func:
    """The signature of one of ``_OVERLAPS``, as it is called."""
    if name in _BY_NAME:
        return apart_func(name, call.args)
    return disjoint_func(name, call.args, call.outs[0].type if call.outs else NONE)


# Functions of the runtime that are called by what stands behind ``launch:``.
_OF_RUNTIME = {
    **_OF_ROWS,
    **{name: _own(name) for name in (ADD_AT, AXIS_SUM, RECURRENCE, RUNNING, RUNS)},
    **{name: _own(name) for name in EXTREME.values()},
    **dict.fromkeys(OFFSETS.values(), "offsets"),
}
_BY_NAME = (PARAMETERS_APART, PARAMETERS_ONE_OR_APART)
_OVERLAPS = (DISJOINT, ONE_OR_DISJOINT, *_BY_NAME, SEPARATE, REJOIN)
_BY_START = {SHAPED: ITERATIONS, **{name: _own(name) for name in (*_OVERLAPS, *HELD.values())}}


def called(func: ir.Func) -> Iterator[str]:
    """The names of imports that the host code ``func`` calls."""
    for stmt in ir.walk(func.body):
        if not isinstance(stmt, ir.Call):
            continue
        if stmt.func in _OF_CUPY or stmt.func.startswith(PLACES):
            yield "np"
        elif stmt.func in _OF_RUNTIME:
            yield _OF_RUNTIME[stmt.func]
        else:
            yield from (name for start, name in _BY_START.items() if stmt.func.startswith(start))


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
