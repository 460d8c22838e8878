"""Live ranges of variables, as intervals of a linear clock over the tree of statements.

Every statement first reads and then writes: two ticks of the clock. The arms of a branch and the
parts of a loop lie one after the other. What is only needed in one arm is not alive in the other;
what a loop needs from outside is alive to its end. The clock runs backwards from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.emit.folding import Folding

Interval = tuple[int, int]  # both ends included


def live_ranges(func: ir.Func, folding: Folding) -> dict[ir.Value, list[Interval]]:
    """The sorted, disjoint intervals in which each variable of ``func`` must be kept."""
    walker = _Walker(folding)
    walker.read(func.body.yields)
    walker.statements(func.body)
    walker.write(func.inputs)
    return {value: spans[::-1] for value, spans in walker.ranges.items()}


class _Walker:
    def __init__(self, folding: Folding) -> None:
        self.folding = folding
        self.clock = 0
        self.ends: dict[ir.Value, int] = {}  # variables alive at the clock, and until when
        self.opened: list[ir.Value] = []  # log of what entered ``ends``
        self.ranges: dict[ir.Value, list[Interval]] = {}  # latest first

    def tick(self) -> int:
        self.clock -= 1
        return self.clock

    def open(self, values: Iterable[ir.Value]) -> None:
        for value in values:
            if value not in self.ends:
                self.ends[value] = self.clock
                self.opened.append(value)

    def close(self, value: ir.Value) -> None:
        end = self.ends.pop(value, self.clock)
        spans = self.ranges.setdefault(value, [])
        while spans and spans[-1][0] <= end:  # a use in one arm, inside a loop that needs it
            end = max(end, spans.pop()[1])
        spans.append((self.clock, end))

    def read(self, atoms: Sequence[ir.Atom]) -> None:
        self.tick()
        for atom in atoms:
            self.open(self.folding.variables(atom))

    def write(self, values: Sequence[ir.Value]) -> None:
        self.tick()
        for value in values:
            self.close(value)

    def since(self, mark: int) -> list[ir.Value]:
        """The values that have come alive since ``mark`` and still are."""
        return [value for value in dict.fromkeys(self.opened[mark:]) if value in self.ends]

    def statements(self, block: ir.Block) -> None:
        for stmt in reversed(block.stmts):
            if self.folding.is_root(stmt):
                self.statement(stmt)

    def statement(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.If() if stmt not in self.folding.ternary:
                self.branch(stmt)
            case ir.For() | ir.While():
                self.loop(stmt)
            case _:
                self.simple(stmt)

    def simple(self, stmt: ir.Simple | ir.If) -> None:
        self.write(ir.outs(stmt))
        self.tick()
        self.open(self.folding.reads(stmt))

    def branch(self, stmt: ir.If) -> None:
        live = [i for i, out in enumerate(stmt.outs) if self.folding.uses[out]]
        mark = len(self.opened)
        self.write([stmt.outs[i] for i in live])
        self.read([stmt.orelse.yields[i] for i in live])
        self.statements(stmt.orelse)
        self.tick()
        from_orelse = self.since(mark)
        for value in from_orelse:
            self.close(value)
        self.write([stmt.outs[i] for i in live])
        self.read([stmt.then.yields[i] for i in live])
        self.statements(stmt.then)
        self.tick()
        self.open(from_orelse)
        self.open(self.folding.variables(stmt.cond))

    def loop(self, stmt: ir.For | ir.While) -> None:
        self.write(stmt.outs)
        end = self.tick()
        mark = len(self.opened)
        for param in stmt.params:
            self.ends[param] = end
        if isinstance(stmt, ir.For) and self.folding.uses[stmt.index]:
            self.ends[stmt.index] = end  # no loop inside has an index of its name
        self.write(stmt.params[stmt.exit :])  # an exit flag keeps its False unless it jumps
        self.read(stmt.body.yields)
        self.statements(stmt.body)
        self.header(stmt)
        for value in set(self.since(mark)).difference(stmt.params):
            self.ends[value] = end
        self.write(stmt.params)
        self.read(stmt.inits)

    def header(self, stmt: ir.For | ir.While) -> None:
        """Pass the head of an iteration; the carried values live through it."""
        match stmt:
            case ir.For(index=index, lo=lo, hi=hi, step=step):
                self.write((index,))
                self.tick()
                self.open(stmt.params)
                self.read((lo, hi, step))
            case ir.While(cond=cond):
                self.tick()
                self.open(stmt.params)
                self.read(cond.yields)
                self.statements(cond)
