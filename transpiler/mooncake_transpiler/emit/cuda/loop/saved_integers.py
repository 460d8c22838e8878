"""Integers of the host that are saved: sizes, places, which way was taken. They stay there.

An array of them is NumPy's, so that nothing waits where the reverse sweep reads it. Its type says
so, as that of the places of the arrays in a list does (``Array.spans``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.loop.whereabouts import is_of_spans, links_of, numbers_and_arrays
from mooncake_transpiler.interface.saved_names import returned, taken
from mooncake_transpiler.types import Array, DType

Kept = dict[str, tuple[bool, ...]]  # for residuals, by what they are called: which are the host's


def with_saved_integers(
    func: ir.Func,
    given: Collection[ir.Value],
    is_kernel: Callable[[ir.For], bool],
    kept: Mapping[str, tuple[bool, ...]],
) -> ir.Func:
    """``func`` with such arrays marked, those among its residuals as ``kept`` says."""
    found = {
        leaf
        for name, leaves in taken(func)
        for leaf, is_kept in zip(leaves, kept.get(name, ()), strict=False)
        if is_kept
    }
    found |= {leaf for param in func.params for leaf in param.leaves if is_of_spans(leaf)}
    links = [link for stmt in ir.walk(func.body) for link in _links(stmt)]
    func = _marked(func, found.union(*(web for web in _webs(links) if not found.isdisjoint(web))))
    webs = _candidates(func)
    while webs:
        arrays = {one for web in webs for one in web}
        held = numbers_and_arrays(func, given, is_kernel, arrays)[1]
        if held == arrays:
            return _marked(func, arrays)
        webs = [web for web in webs if web <= held]
    return func


def kept_by(func: ir.Func) -> Kept:
    """Flags for the residuals that ``func`` returns: those that are on the host."""
    return {name: tuple(map(is_of_spans, atoms)) for name, atoms in returned(func)}


def _candidates(func: ir.Func) -> list[frozenset[ir.Value]]:
    """Arrays of integers and bools that are made here, of which only elements are used.

    Those that are one after a statement, or of one memory, come together.
    """
    made: set[ir.Value] = set()
    kept = sum(map(len, kept_by(func).values()))
    used: list[ir.Atom] = [*func.body.yields[: len(func.body.yields) - kept]]
    links: list[tuple[ir.Atom, ...]] = []
    for stmt in ir.walk(func.body):
        linked = list(_links(stmt))
        links += linked
        made.update((*ir.outs(stmt), *ir.binders(stmt)) if _may_be_kept(stmt) else ())
        match stmt:
            case ir.Dim():
                pass
            case ir.Load(index=index):
                used += index
            case ir.Store(index=index, value=value):
                used += (*index, value)
            case _:
                exempt = {atom for link in linked for atom in link}
                used += (atom for atom in ir.operands(stmt) if atom not in exempt)
    alone = [(out,) for out in made]
    return [web for web in _webs([*links, *alone]) if web <= made and web.isdisjoint(used)]


def _may_be_kept(stmt: ir.Stmt) -> bool:
    """True if the host can hold what ``stmt`` makes, or what it makes is what it was given."""
    if isinstance(stmt, ir.Alloc):
        return bool(stmt.shape) and not stmt.growable and stmt.fill is None
    return isinstance(stmt, ir.Grow | ir.View | ir.Reshape | ir.For | ir.While | ir.If)


def _links(stmt: ir.Stmt) -> Iterator[tuple[ir.Atom, ...]]:
    """Arrays of integers and bools that are one, or share memory, after ``stmt`` or in it."""
    shown = ir.shown(stmt)
    pairs = [(out, shown) for out in ir.outs(stmt)] if shown is not None else []
    yield from (link for link in (*pairs, *links_of(stmt)) if _is_integral(link[0]))


def _is_integral(atom: ir.Atom) -> bool:
    type_ = atom.type
    return isinstance(type_, Array) and type_.ndim > 0 and type_.dtype in (DType.INT64, DType.BOOL)


def _webs(links: Sequence[tuple[ir.Atom, ...]]) -> list[frozenset[ir.Value]]:
    """The arrays that ``links`` connect with one another, of integers and bools."""
    web: dict[ir.Atom, set[ir.Atom]] = {}
    for link in links:
        joined = set(link).union(*(web.get(atom, ()) for atom in link))
        web.update(dict.fromkeys(joined, joined))
    parts = {id(part): part for part in web.values()}.values()
    return [frozenset(ir.values_of(part)) for part in parts if any(map(_is_integral, part))]


def _marked(func: ir.Func, arrays: Collection[ir.Value]) -> ir.Func:
    """``func`` with the types of ``arrays`` saying that they are on the host."""
    if not arrays:
        return func
    env: dict[ir.Value, ir.Value] = {}
    for array in arrays:
        assert isinstance(array.type, Array)
        env[array] = ir.Value(array.hint, replace(array.type, spans=True))

    def bind(value: ir.Value) -> ir.Value:
        return env.get(value, value)

    params = tuple(replace(p, leaves=tuple(map(bind, p.leaves))) for p in func.params)
    return replace(func, params=params, body=ir.rebound(func.body, ir.substitution(env), bind))
