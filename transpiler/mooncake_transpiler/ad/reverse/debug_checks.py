"""``--debug-checks``: derivative functions that compare each shadow with its primal as they run.

A pass over finished functions: what is checked is the very code that runs without the option. The
sweeps note which shadow belongs to which primal (``Primal.shadow``), and the other passes keep the
values that they do not replace. In front of a statement that uses a shadow,

    if x_bar.shape[0] != x.shape[0]:
        raise RuntimeError("the shadow of x has another size in axis 0, at: y[i] = a * x[i]")

once for each of the user's statements, and before the loops around it where that is possible.
Overlap is compared where it matters: where shadows of arguments are made, and in calls of a reverse
that writes an argument. Dtypes are static and compared here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from mooncake_transpiler import ir
from mooncake_transpiler.ad.reverse.primal import Pairs
from mooncake_transpiler.analysis.memory import Mutated
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.ir.function_names import primitive_name, reverse_name
from mooncake_transpiler.types import BOOL, Array

SAME_OVERLAP = primitive_name("same_overlap")
LONGEST = 84  # of a message, so that most fit on a line

# Each array of a call of a reverse: its value, its shadow, and whether the call writes it.
Given = tuple[ir.Atom, ir.Atom, bool]


@dataclass(frozen=True, slots=True)
class Reverses:
    """The arguments of calls of ``f_reverse``, which are those of ``f``, shadows and seeds."""

    inputs: Mapping[str, tuple[ir.Value, ...]]
    written: Mapping[str, frozenset[int]]

    def arrays(self, stmt: ir.Call) -> Iterator[Given]:
        """The arrays that ``stmt`` gives to a reverse; nothing if it calls something else."""
        inputs, written = self.inputs.get(stmt.func, ()), self.written.get(stmt.func, frozenset())
        shadows = iter(stmt.args[len(inputs) :])
        for k, value in enumerate(inputs):
            if isinstance(value.type, Array) and value.type.dtype.is_differentiable:
                yield stmt.args[k], next(shadows), k in written


def reverses(called: Iterable[ir.Func], changes: Mutated) -> Reverses:
    """The facts about the reverses of the functions ``called``."""
    funcs = {reverse_name(func.name): func for func in called}
    return Reverses(
        {name: func.inputs for name, func in funcs.items()},
        {name: frozenset(changes[func.name]) for name, func in funcs.items()},
    )


def checked(
    func: ir.Func, pairs: Pairs, reverses: Reverses, unsure: Iterable[ir.Value] = ()
) -> ir.Func:
    """``func`` with checks; ``unsure`` are parameters that may be mere placeholders."""
    checks = _Checks(func, pairs, reverses, frozenset(unsure))
    body = checks.block(func.body, frozenset(func.inputs), frozenset())
    return replace(func, body=body)


def placeholders(fwd: ir.Func, pullback: ir.Func) -> Iterator[ir.Value]:
    """The residuals that may stand for arrays that a branch or a loop has not made."""
    chosen = {
        out
        for stmt in ir.walk(fwd.body)
        if isinstance(stmt, ir.If | ir.For | ir.While)
        for out in ir.outs(stmt)
    }
    residuals = pullback.params[0].leaves
    kept = fwd.body.yields[len(fwd.body.yields) - len(residuals) :]
    yield from (value for value, atom in zip(residuals, kept, strict=True) if atom in chosen)


class _Checks:
    def __init__(
        self, func: ir.Func, pairs: Pairs, reverses: Reverses, unsure: frozenset[ir.Value]
    ) -> None:
        self._func = func
        self._pairs = pairs
        self._reverses = reverses
        self._defs = ir.binding(ir.walk(func.body))
        self._unsure = unsure
        self._grown = {s.array: s.out for s in ir.walk(func.body) if isinstance(s, ir.Grow)}
        self._outgrown = _outgrown(func)

    def block(
        self, block: ir.Block, bound: frozenset[ir.Value], done: frozenset[tuple[ir.Value, str]]
    ) -> ir.Block:
        """``block``, in which the values ``bound`` are known and ``done`` has been checked."""
        b = Builder()
        for stmt in block.stmts:
            for shadow, text in self._used(stmt):
                primal = self._primal(shadow, bound, isinstance(stmt, ir.For | ir.While))
                if primal is not None and (shadow, text) not in done:
                    done |= {(shadow, text)}
                    _same_shape(shadow, primal, _name(primal), text, b)
            if isinstance(stmt, ir.Call):
                self._call(stmt, b)
            inner = bound.union(ir.binders(stmt))
            blocks = tuple(self.block(nested, inner, done) for nested in ir.blocks(stmt))
            b.add(ir.with_blocks(stmt, blocks) if blocks else stmt)
            bound = bound.union(ir.outs(stmt))
            if isinstance(stmt, ir.Shadows):
                arrays = [(a, s, True) for a, s in zip(stmt.arrays, stmt.outs, strict=True)]
                _same_overlaps(arrays, self._text(stmt), b)
        return b.block(block.yields)

    def _used(self, stmt: ir.Stmt) -> Iterator[tuple[ir.Value, str]]:
        """The shadows whose elements ``stmt`` touches, and the user's statement that does.

        Loops are looked into, branches are not: what they use may not be there otherwise.
        """
        match stmt:
            case ir.If():
                return
            case ir.For() | ir.While():
                for inner in stmt.body.stmts:
                    yield from self._used(inner)
            case _:
                ir.without_blocks(stmt)
                touched = {array for array, _ in ir.touched(stmt)}
                for atom in filter(touched.__contains__, ir.operands(stmt)):
                    yield from ((s, self._text(stmt)) for s in self._shadows(atom))

    def _shadows(self, array: ir.Atom) -> Iterator[ir.Value]:
        """The shadows that ``array`` is, or is a part of."""
        if not isinstance(array, ir.Value):
            return
        match self._defs.get(array):
            case ir.View(base=base) | ir.Reshape(base=base):
                yield from self._shadows(base)
            case ir.If() as branch if not self._pairs.get(array):
                for arm in ir.arms(branch, array):
                    yield from self._shadows(arm)
            case _:
                if array in self._pairs:
                    yield array

    def _primal(
        self, shadow: ir.Value, bound: frozenset[ir.Value], before_loop: bool
    ) -> ir.Value | None:
        """The primal of ``shadow``, if both are bound."""
        if shadow not in bound or (before_loop and self._is_unsure(shadow)):
            return None
        for first in self._pairs[shadow]:
            primal = self._now(first, bound)
            assert primal.type == shadow.type, f"{shadow.hint} has another dtype or rank"
            if primal not in bound or primal in self._outgrown:
                continue
            if not (before_loop and self._is_unsure(primal)):
                return primal
        return None

    def _now(self, array: ir.Value, bound: frozenset[ir.Value]) -> ir.Value:
        """``array``, or the larger copy of it that has taken its place."""
        larger = self._grown.get(array)
        return array if larger is None or larger not in bound else self._now(larger, bound)

    def _is_unsure(self, array: ir.Value) -> bool:
        """True if ``array`` may stand for one that has not been made."""
        match self._defs.get(array):
            case ir.View(base=base) | ir.Reshape(base=base):
                return isinstance(base, ir.Value) and self._is_unsure(base)
            case ir.If() | ir.For() | ir.While():
                return True
            case _:
                return array in self._unsure

    def _call(self, stmt: ir.Call, b: Builder) -> None:
        """Check shapes in a call of a reverse, and overlap of all but scratch memory."""
        text = self._text(stmt)
        given = list(self._reverses.arrays(stmt))
        for array, shadow, _ in given:
            if shadow not in set(self._shadows(shadow)):  # else it has been checked as any other
                _same_shape(shadow, array, _name(array), text, b)
        _same_overlaps([g for g in given if any(True for _ in self._shadows(g[1]))], text, b)

    def _text(self, stmt: ir.Stmt) -> str:
        origin = stmt.origin or self._func.origin
        return origin.text if origin else self._func.name


def _outgrown(func: ir.Func) -> frozenset[ir.Atom]:
    """The arrays whose place larger ones take, in loops, too."""
    found: set[ir.Atom] = set()
    for stmt in reversed(list(ir.walk(func.body))):  # inner loops come before outer ones
        match stmt:
            case ir.Grow(array=array):
                found.add(array)
            case ir.For(params=params, inits=inits) | ir.While(params=params, inits=inits):
                carried = zip(inits, params[len(params) - len(inits) :], strict=True)
                found |= {init for init, param in carried if param in found}
            case _:
                pass
    return frozenset(found)


def _same_shape(shadow: ir.Atom, primal: ir.Atom, name: str, text: str, b: Builder) -> None:
    assert isinstance(primal.type, Array)
    for axis in range(primal.type.ndim):
        sizes = b.dim(shadow, axis), b.dim(primal, axis)
        message = f"the shadow of {name} has another size in axis {axis}, at: {text}"
        _raise_if(b.compute("ne", sizes, BOOL), message, b)


def _same_overlaps(arrays: Sequence[Given], text: str, b: Builder) -> None:
    for (x, x_bar, x_written), (y, y_bar, y_written) in combinations(arrays, 2):
        if x_written or y_written:
            same = ir.Value("", BOOL)
            b.add(ir.Call((same,), SAME_OVERLAP, (x, y, x_bar, y_bar)))
            names = f"{_name(x)} and {_name(y)}"
            message = f"the shadows of {names} do not overlap as these do, at: {text}"
            _raise_if(b.not_(same), message, b)


def _raise_if(cond: ir.Atom, message: str, b: Builder) -> None:
    if len(message) > LONGEST:
        message = f"{message[: LONGEST - 4].rstrip()} ..."
    b.add(ir.If((), cond, ir.Block((ir.Raise("RuntimeError", message),)), ir.Block(())))


def _name(array: ir.Atom) -> str:
    return array.hint if isinstance(array, ir.Value) and array.hint else "an array"
