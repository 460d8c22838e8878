"""Parts of an array that a loop carries become the integers that tell which parts they are.

    last = view m[0]                     for i in 1..n (at = 0):
    for i in 1..n (u = last):              u = view m[at]
      ...                                  ...
      row = view m[i]                      row = view m[i]
      yield row                            yield i

So the reverse sweep finds the same part again, and the same part of the shadow, whoever writes to
either. All parts are of one array from outside of the loop, and differ in integers alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Loop
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import INT

Atoms = tuple[ir.Atom, ...]


def carry_indices(func: ir.Func) -> ir.Func:
    """``func`` with integers in place of parts of arrays that loops carry, outer loops first."""
    while (body := _one(func.body, Definitions(func))) is not None:
        func = ir.with_body(func, body)
    return func


def _one(block: ir.Block, defs: Definitions) -> ir.Block | None:
    """``block`` with one loop rewritten, or None if there is none to rewrite."""
    for k, stmt in enumerate(block.stmts):
        changed: Sequence[ir.Stmt] | None = None
        if isinstance(stmt, ir.For | ir.While):
            changed = _CarriedViews(stmt, defs).rewritten()
        for j, inner in enumerate(ir.blocks(stmt)):
            found = None if changed else _one(inner, defs)
            if found is not None:
                nested = list(ir.blocks(stmt))
                nested[j] = found
                changed = [ir.with_blocks(stmt, tuple(nested))]
        if changed:
            return ir.with_stmts(block, (*block.stmts[:k], *changed, *block.stmts[k + 1 :]))
    return None


class _CarriedViews:
    """One loop, and those of the arrays it carries that are such parts."""

    def __init__(self, loop: Loop, defs: Definitions) -> None:
        self._loop = loop
        self._defs = defs
        self._inside = ir.bound_by(loop)
        self._branches = {out: s for s in loop.body.stmts if isinstance(s, ir.If) for out in s.outs}
        self._model: dict[int, ir.View] = {}  # by position, the part that the loop begins with
        for k, init in enumerate(loop.inits):
            made = defs.stmt.get(init)
            if isinstance(made, ir.View) and _integers(made) and not self._grows(made.base):
                self._model[k] = made
        self._keep_those_that_stay()

    def _keep_those_that_stay(self) -> None:
        """Leave out what becomes another array, or is what the condition asks for."""
        loop = self._loop
        asked = set(ir.used_in(loop.cond)) if isinstance(loop, ir.While) else set()
        before = -1
        while before != len(self._model):
            before = len(self._model)
            for k, model in list(self._model.items()):
                stays = self._is_part(loop.body.yields[k], model)
                if not stays or loop.params[k] in asked:
                    del self._model[k]
        if not any(self._is_new(loop.body.yields[k]) for k in self._model):
            self._model.clear()

    def _grows(self, array: ir.Atom) -> bool:
        made = self._defs.stmt.get(array)
        return isinstance(made, ir.Alloc) and made.growable

    def _is_part(self, array: ir.Atom, model: ir.View) -> bool:
        """True if ``array`` is a part like ``model``, with other integers perhaps."""
        if not isinstance(array, ir.Value):
            return False
        if array in self._loop.params:
            other = self._model.get(self._loop.params.index(array))
            return other is not None and _are_alike(other, model)
        if array in self._branches:
            arms = ir.arms(self._branches[array], array)
            return all(self._is_part(arm, model) for arm in arms)
        made = self._defs.stmt.get(array)
        return isinstance(made, ir.View) and _are_alike(made, model)

    def _is_new(self, array: ir.Atom) -> bool:
        """True if an iteration makes the part ``array``."""
        return array not in self._loop.params and array in self._inside

    # ---- emission -------------------------------------------------------------------------------

    def rewritten(self) -> list[ir.Stmt] | None:
        """The loop over integers, and its results as parts again; None if it carries no part."""
        if not self._model:
            return None
        loop = self._loop
        starts = {k: _integers(model) for k, model in self._model.items()}
        params = {k: _fresh(found) for k, found in starts.items()}
        outs = {k: _fresh(found) for k, found in starts.items()}
        known: dict[ir.Atom, Atoms] = {loop.params[k]: found for k, found in params.items()}
        body = Builder(loop.origin)
        for k, model in self._model.items():
            body.add(_part(model, loop.params[k], params[k], loop.origin))
        for stmt in loop.body.stmts:
            body.add(self._branch(stmt, known) if isinstance(stmt, ir.If) else stmt)
        ends = {k: self._integers_of(loop.body.yields[k], known) for k in self._model}
        after = (_part(m, loop.outs[k], outs[k], loop.origin) for k, m in self._model.items())
        changed = replace(
            loop,
            outs=ir.values_of(_spread(loop.outs, outs)),
            params=ir.values_of(_spread(loop.params, params)),
            inits=_spread(loop.inits, starts),
            body=body.block(_spread(loop.body.yields, ends)),
        )
        return [changed, *after]

    def _integers_of(self, array: ir.Atom, known: Mapping[ir.Atom, Atoms]) -> Atoms:
        """The integers that tell which part ``array`` is."""
        if array in known:
            return known[array]
        made = self._defs.stmt[array] if isinstance(array, ir.Value) else None
        assert isinstance(made, ir.View)
        return _integers(made)

    def _branch(self, stmt: ir.If, known: dict[ir.Atom, Atoms]) -> ir.If:
        """``stmt``, which tells the integers of the parts that it chooses, too."""
        outs, arms = [*stmt.outs], ([*stmt.then.yields], [*stmt.orelse.yields])
        for k, out in enumerate(stmt.outs):
            if any(self._is_part(out, model) for model in self._model.values()):
                sides = [self._integers_of(arm[k], known) for arm in arms]
                known[out] = found = _fresh(sides[0])
                outs += found
                for arm, side in zip(arms, sides, strict=True):
                    arm += side
        then, orelse = (
            ir.Block(arm.stmts, tuple(yields))
            for arm, yields in zip((stmt.then, stmt.orelse), arms, strict=True)
        )
        return replace(stmt, outs=tuple(outs), then=then, orelse=orelse)


def _integers(view: ir.View) -> Atoms:
    """The integers of an index, those that slices begin and end with included."""
    return tuple(atom for at in view.index for atom in _of_entry(at) if atom is not None)


def _of_entry(at: ir.Index) -> tuple[ir.Atom | None, ...]:
    match at:
        case ir.Slice(lo=lo, hi=hi):
            return lo, hi
        case ir.NewAxis():
            return ()
        case _:
            return (at,)


def _are_alike(one: ir.View, other: ir.View) -> bool:
    """True if two parts of the same array differ in integers alone."""
    kinds = [(view.axes, view.part, list(map(_pattern, view.index))) for view in (one, other)]
    return one.base is other.base and kinds[0] == kinds[1]


def _pattern(at: ir.Index) -> object:
    """An entry of an index without its integers."""
    match at:
        case ir.Slice(lo=lo, hi=hi, step=step):
            return lo is None, hi is None, step
        case _:
            return isinstance(at, ir.NewAxis)


def _part(model: ir.View, out: ir.Value, integers: Atoms, origin: ir.Origin | None) -> ir.View:
    """``out`` as the part like ``model`` at other ``integers``."""
    left = iter(integers)

    def moved(at: ir.Index) -> ir.Index:
        match at:
            case ir.Slice(lo=lo, hi=hi):
                start = None if lo is None else next(left)
                return replace(at, lo=start, hi=None if hi is None else next(left))
            case ir.NewAxis():
                return at
            case _:
                return next(left)

    return replace(model, out=out, index=tuple(map(moved, model.index)), origin=origin)


def _fresh(integers: Atoms) -> tuple[ir.Value, ...]:
    return tuple(ir.Value("", INT) for _ in integers)


def _spread(atoms: Sequence[ir.Atom], instead: Mapping[int, Atoms]) -> Atoms:
    """``atoms`` with others in place of some."""
    return tuple(a for k, atom in enumerate(atoms) for a in instead.get(k, (atom,)))
