"""Masking of infinity: operations that may drop an infinite item, so that the result is finite.

    r = np.exp(x)
    return np.sum(np.where(x < 100.0, r * r, x))

Sums, products, roots and logarithms hand an infinity on; for exponentials and quotients that is
taken to hold, too, though one of two infinities ends there. Choices, branches, bounded functions
and items that are not read may hide it: only then does anyone have to ask for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from mooncake_rules.op_names import bare

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memories, Memory
from mooncake_transpiler.types import Array

_OPEN = frozenset({
    "add", "radd", "sub", "mul", "neg", "pos", "cast", "detach", "abs", "square", "sqrt", "cbrt",
    "log", "log2", "log10", "log1p", "exp", "exp2", "expm1", "cosh", "sinh", "fabs", "hypot",
    "conj", "complex", "real", "imag", "div", "pow", "power", "reciprocal", "lt", "le", "gt", "ge",
    "eq", "ne",
})  # fmt: skip
_HANDING_ON = (  # statements that keep what they are given, or make no number of it
    ir.Store, ir.Accum, ir.Copy, ir.Assign, ir.AddTo, ir.Sum, ir.Call, ir.Reshape, ir.For, ir.While,
    ir.Push, ir.Pop, ir.Grow, ir.Reserve, ir.Shadows, ir.Dim, ir.Raise, ir.Print, ir.Alloc,
)  # fmt: skip


def hides(func: ir.Func, memories: Memories, wild: Collection[Memory]) -> bool:
    """True if infinite items of ``wild`` memory may not show in the result of ``func``."""
    return bool(wild) and _Search(memories, wild).finds(func)


class _Search:
    def __init__(self, memories: Memories, wild: Collection[Memory]) -> None:
        self._memories = memories
        self._wild = wild
        self._reads = Counter[Memory]()  # how many statements read it
        self._made_of: set[ir.Atom] = set()  # numbers that infinite items went into

    def finds(self, func: ir.Func) -> bool:
        stmts = list(ir.walk(func.body))
        known = -1
        while known != len(self._made_of):
            known = len(self._made_of)
            for stmt in stmts:
                self._follow(stmt)
        arrays = (a for a in func.body.yields if isinstance(a.type, Array))
        self._reads = Counter(self._memories.of(a) for s in stmts for a in _read(s))
        hidden = any(map(self._hides, stmts)) or any(map(self._holds, arrays))
        return hidden or self._overwrites(stmts)

    def _overwrites(self, stmts: Sequence[ir.Stmt]) -> bool:
        """True if a literal takes the place of what has been computed."""
        filled: set[Memory] = set()
        for stmt in stmts:
            if isinstance(stmt, ir.Store) and isinstance(stmt.value, ir.Const):
                if self._holds(stmt.base) and self._memories.of(stmt.base) in filled:
                    return True
            else:
                filled.update(self._memories.writes(stmt))
        return False

    def _holds(self, atom: ir.Atom) -> bool:
        if isinstance(atom.type, Array):
            return isinstance(atom, ir.Value) and self._memories.of(atom) in self._wild
        return atom in self._made_of

    def _is_alone(self, base: ir.Atom) -> bool:
        """True if ``base`` has such items and is read in one place."""
        return self._holds(base) and self._reads[self._memories.of(base)] == 1

    def _follow(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.If | ir.For | ir.While):
            self._made_of |= {value for atom, value in ir.chosen(stmt) if self._holds(atom)}
        elif any(map(self._holds, ir.operands(stmt))):
            self._made_of.update(ir.outs(stmt))

    def _hides(self, stmt: ir.Stmt) -> bool:
        match stmt:
            case ir.Compute(op="select" | "where", args=(_, *sides)):
                return len(set(map(self._holds, sides))) > 1
            case ir.Compute(op=op, args=args):
                name = bare(op)
                return name not in _OPEN and any(map(self._holds, args))
            case ir.If(then=ir.Block(stmts=(), yields=a), orelse=ir.Block(stmts=(), yields=b)):
                return list(map(self._holds, a)) != list(map(self._holds, b))
            case ir.If():
                inner = (a for block in ir.blocks(stmt) for a in ir.used_in(block))
                return any(map(self._holds, inner))
            case ir.Load(base=base, index=index):
                return self._is_alone(base) and all(map(_leaves_out, index))
            case ir.View(base=base, index=index):
                return self._is_alone(base) and any(map(_leaves_out, index))
            case _:
                hands_on = isinstance(stmt, _HANDING_ON)
                return not hands_on and any(map(self._holds, ir.operands(stmt)))


def _read(stmt: ir.Stmt) -> Iterator[ir.Atom]:
    """The arrays that ``stmt`` reads."""
    written = (stmt.base,) if isinstance(stmt, ir.Store | ir.Accum) else ()
    for atom in ir.operands(stmt):
        if isinstance(atom.type, Array) and atom not in written and isinstance(atom, ir.Value):
            yield atom


def _leaves_out(item: ir.Index) -> bool:
    """True if there are items for which another one stands in its place."""
    return isinstance(item, ir.Const) or (isinstance(item, ir.Slice) and item != ir.Slice())


def bound_in_loops(block: ir.Block) -> Iterator[ir.Value]:
    """The values that differ from one iteration to the next, or may."""
    for stmt in block.stmts:
        if isinstance(stmt, ir.For | ir.While):
            for inner in ir.blocks(stmt):
                yield from (out for s in ir.walk(inner) for out in ir.outs(s))
            yield from stmt.params
        else:
            for inner in ir.blocks(stmt):
                yield from bound_in_loops(inner)


def fillable(func: ir.Func, memories: Memories) -> Iterator[Memory]:
    """Memory of real numbers that all comes from the function itself."""
    own = {s.out for s in ir.walk(func.body) if isinstance(s, ir.Alloc | ir.Copy)}
    for root in own:
        memory = memories.of(root)
        if memory.dtype.is_float and own.issuperset(memory.roots):
            yield memory
