"""Elements of arrays that are needed after they have been written.

``t = y[i]`` is a number in NumPy. In CuPy it is an array without axes that shows the element, so
``y[i] = 5.0`` changes ``t``, too. The normal form has NumPy's meaning: functions over CuPy's arrays
in which that makes a difference are refused.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions
from mooncake_transpiler.analysis.memory import Memories, Memory
from mooncake_transpiler.analysis.refusal import refused


def check_elements(func: ir.Func) -> None:
    """Refuse ``func`` if an element is needed after a write to its array."""
    _Check(Memories(func), Definitions(func)).block(func.body)


class _Check:
    def __init__(self, memories: Memories, defs: Definitions) -> None:
        self._memories = memories
        self._defs = defs
        self._shown: dict[ir.Value, Memory] = {}  # elements, and where they stand
        self._changed: set[ir.Value] = set()
        self._before: dict[ir.Value, set[ir.Value]] = {}  # elements older than a new array

    def block(self, block: ir.Block) -> None:
        for stmt in block.stmts:
            self._statement(stmt)
        for atom in block.yields:
            self._use(atom, None)

    def _statement(self, stmt: ir.Stmt) -> None:
        for atom in ir.operands(stmt):
            self._use(atom, stmt.origin)
        match stmt:
            case ir.Load(out=out, base=base):
                self._shown[out] = self._memories.of(base)
                self._changed.discard(out)  # of the iteration before, which nobody needs any more
                for older in self._before.values():
                    older.discard(out)
            case ir.Alloc(out=out):
                self._before[out] = set(self._shown)
            case ir.For(body=body):
                self._loop(body, body)
            case ir.While(cond=cond, body=body):
                self._loop(cond, body)
            case ir.If(then=then, orelse=orelse):
                self.block(then)
                self.block(orelse)
                self._carried(stmt)
            case _:
                ir.without_blocks(stmt)
        for array in ir.written(stmt):
            memory, older = self._memories.of(array), self._older(array)
            self._changed |= {v for v, m in self._shown.items() if m == memory and v not in older}

    def _older(self, array: ir.Atom) -> set[ir.Value]:
        """The elements that are certainly of other arrays, as ``array`` was made behind them."""
        root = self._defs.root(array)
        return self._before.get(root, set()) if isinstance(root, ir.Value) else set()

    def _loop(self, *blocks: ir.Block) -> None:
        """Each block twice: what one iteration writes, the next may need."""
        for block in (*blocks, *blocks):
            self.block(block)
            for stmt in ir.walk(block):
                if isinstance(stmt, ir.Load):
                    self._changed.discard(stmt.out)
        body = blocks[-1]
        written = {self._memories.of(a) for stmt in ir.walk(body) for a in ir.written(stmt)}
        for atom in body.yields:
            if isinstance(atom, ir.Value) and self._shown.get(atom) in written:
                self._changed.add(atom)
                self._use(atom, None)

    def _carried(self, stmt: ir.If) -> None:
        """Let results of a branch be elements that it yields."""
        for atom, out in ir.chosen(stmt):
            if isinstance(atom, ir.Value) and atom in self._shown:
                self._shown[out] = self._shown[atom]

    def _use(self, atom: ir.Atom, origin: ir.Origin | None) -> None:
        if isinstance(atom, ir.Value) and atom in self._changed:
            message = "an element is needed here that has been written since: CuPy's is a view"
            made = self._defs.stmt.get(atom)
            origin = origin or (None if made is None else made.origin)
            raise refused("MK609", message, origin, "take a copy of it: x[i] + 0.0")
