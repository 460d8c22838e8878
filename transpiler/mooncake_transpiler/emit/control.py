"""Branches and loops as Python.

What happens at the end of a block is passed down as ``End``: the copies to make, and the jump
that follows them. If the last statement of the block is a branch that decides about the jump, the
end moves into its arms, so that ``break`` and ``return`` stand where the user would write them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mooncake_rules.op import Prec

from mooncake_transpiler import ir
from mooncake_transpiler.emit.layout import INDENT, LINE_LENGTH
from mooncake_transpiler.emit.literals import Text
from mooncake_transpiler.emit.module_scope import pack
from mooncake_transpiler.emit.statement_text import Pair, Statements
from mooncake_transpiler.emit.traced_lines import rewritten
from mooncake_transpiler.emit.whole_shapes import in_shapes
from mooncake_transpiler.types import NoneType, Type


@dataclass(frozen=True, slots=True)
class Leave:
    """``break`` if ``flag``; ``param`` is the loop's variable for it."""

    param: ir.Value
    flag: ir.Atom
    kept: bool  # whether the variable is read, after the loop or in it


@dataclass(frozen=True, slots=True)
class Return:
    type: Type
    leaves: tuple[ir.Atom, ...]


@dataclass(frozen=True, slots=True)
class End:
    copies: tuple[tuple[Pair, ...], ...] = ()  # groups, each at once, one after the other
    jump: Leave | Return | None = None


class Control(Statements):
    def block(self, block: ir.Block, end: End) -> bool:
        """Write ``block`` and its end; True if control can reach the next statement."""
        roots = list(self.folding.roots(block))
        last = roots[-1] if roots else None
        tail = self.tail(last, end)
        call = self.tail_call(last, end)
        before = self.before_loops(roots)
        for stmts in in_shapes(roots if tail is None and call is None else roots[:-1]):
            self.postponed = before.get(stmts[0], frozenset())
            if len(stmts) > 1:
                outer, self.current = self.current, stmts[0]
                self.shape(stmts)
                self.current = outer
            elif not self.statement(stmts[0]):
                return False
        self.postponed = frozenset()
        if tail is not None:
            self.current = tail
            return self.branch(tail, end)
        if call is not None:
            self.current = call
            self.line("return ", self.expr.called(call))
            return False
        for group in self.groups(end):
            self.moves(group)
        return self.jump(end)

    def statement(self, stmt: ir.Stmt) -> bool:
        outer, self.current = self.current, stmt
        falls = self.written(stmt)
        self.current = outer
        return falls

    def written(self, stmt: ir.Stmt) -> bool:
        match stmt:
            case ir.If() if stmt not in self.folding.ternary or self.keeps(stmt):
                return self.branch(stmt, End())
            case ir.For():
                self.counted(stmt)
            case ir.While():
                self.conditional(stmt)
            case _:
                self.simple(stmt)
        return not isinstance(stmt, ir.Raise)

    def before_loops(self, roots: Sequence[ir.Stmt]) -> dict[ir.Stmt, frozenset[int]]:
        """For values that a loop alone needs: the user's statements to quote in that, not here."""
        found: dict[ir.Stmt, frozenset[int]] = {}
        inside: frozenset[int] | None = None
        for stmt in reversed(roots):
            match stmt:
                case ir.For() | ir.While():
                    indices = (s.origin for s in ir.walk(stmt.body) if self.folding.is_root(s))
                    inside = frozenset(o.index for o in indices if o is not None and o.adjoint)
                case ir.Compute() | ir.Load() if inside:
                    found[stmt] = inside
                case _:
                    inside = None
        return found

    def keeps(self, stmt: ir.If) -> bool:
        """True if an arm leaves the variable alone: then a statement says it better."""
        name = self.names[stmt.outs[0]]
        yields = (stmt.then.yields[0], stmt.orelse.yields[0])
        return any(isinstance(a, ir.Value) and self.names.get(a) == name for a in yields)

    # ---- the end of a block ---------------------------------------------------------------------

    def tail(self, last: ir.Stmt | None, end: End) -> ir.If | None:
        """``last``, if it is a branch whose arms can end the block themselves."""
        if not isinstance(last, ir.If) or last in self.folding.ternary:
            return None
        live = [out for out in last.outs if self.folding.uses[out]]
        match end.jump:
            case Leave(flag=flag) if flag in live and self.folding.uses[flag] == 1:
                return last
            case Return(leaves=leaves) if live and all(
                not out.hint and self.folding.uses[out] == 1 and out in leaves for out in live
            ):
                return last
        return None

    def tail_call(self, last: ir.Stmt | None, end: End) -> ir.Call | None:
        """``last``, if it is a call whose result is returned as it is."""
        match last, end.jump:
            case ir.Call(outs=outs) as call, Return(type=type_, leaves=atoms) if outs == atoms:
                return call if self.expr.scope.callee(call).result(call) == type_ else None
            case _:
                return None

    def arm(self, stmt: ir.If, arm: ir.Block, end: End) -> End:
        """The end of ``arm``: its own copies, then those of ``end``, with its own jump."""
        result = {o: a for o, a in zip(stmt.outs, arm.yields, strict=True) if self.folding.uses[o]}
        match end.jump:
            case Leave(param=param, flag=ir.Value() as flag, kept=kept):
                jump: Leave | Return | None = Leave(param, result.pop(flag), kept)
            case Return(type=type_, leaves=leaves):
                chosen = tuple(result.get(a, a) if isinstance(a, ir.Value) else a for a in leaves)
                jump, result = Return(type_, chosen), {}
            case _:
                jump = end.jump
        own, copies = tuple(result.items()), end.copies
        if copies:
            own, first = self.without_detours(own, copies[0])
            copies = (first, *copies[1:])
        return End((own, *copies), jump)

    def without_detours(
        self, own: Sequence[Pair], then: Sequence[Pair]
    ) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
        """The copies ``own`` and ``then`` without ``t = x`` and ``x = t``, if nobody else reads t.

        numba can't type such a detour where a loop ends.
        """
        written = [self.names[target] for target, _ in own]
        back = {source: self.names[target] for target, source in then}
        gone = {
            target
            for target, source in own
            if isinstance(source, ir.Value)
            and self.folding.uses[target] == 1
            and source not in self.folding.inlined
            and self.names.get(source) == back.get(target)
            and self.names[source] not in written
        }
        return (
            tuple(pair for pair in own if pair[0] not in gone),
            tuple(pair for pair in then if pair[1] not in gone),
        )

    def groups(self, end: End) -> Iterator[list[Pair]]:
        """The copies; an exit flag is among them if its variable is read later."""
        groups = [list(group) for group in end.copies] or [[]]
        if isinstance(end.jump, Leave) and self.needs_variable(end.jump, end):
            groups[0].append((end.jump.param, end.jump.flag))
        yield from groups

    def needs_variable(self, leave: Leave, end: End) -> bool:
        if isinstance(leave.flag, ir.Const):
            return leave.kept and bool(leave.flag.value)
        written = {self.names.get(target) for group in end.copies for target, _ in group}
        return leave.kept or not written.isdisjoint(self.reads(leave.flag))

    def jump(self, end: End) -> bool:
        match end.jump:
            case Leave(flag=ir.Const(value=leaves)):
                if leaves:
                    self.line("break")
                return not leaves
            case Leave(param=param, flag=flag) as leave:
                text = self.expr.at(flag)
                if self.needs_variable(leave, end):
                    text = self.names[param]
                self.line("if ", text, ":", flag)
                self.lines += self.traced([f"{INDENT * (self.depth + 1)}break"])
            case Return(type=NoneType()):
                return False
            case Return(type=type_, leaves=atoms):
                self.pin_choices(atoms)
                item = pack(type_, iter(atoms), self.expr.at, self.expr.packs)
                self.line("return ", item, "", *atoms)
                return False
            case None:
                return True
        return True

    # ---- branches -------------------------------------------------------------------------------

    def nested(self, block: ir.Block, end: End) -> tuple[list[str], set[str], bool]:
        """The lines of an inner block, what is assigned after it, and whether it falls through."""
        lines, assigned, current = self.lines, self.assigned, self.current
        self.lines, self.assigned = [], set(assigned)
        self.depth += 1
        falls = self.block(block, end)
        inner = self.lines, self.assigned, falls
        self.depth -= 1
        self.lines, self.assigned, self.current = lines, assigned, current
        return inner

    def branch(self, stmt: ir.If, end: End) -> bool:
        start = len(self.lines), self.quoted
        self.comment(stmt.origin)
        then, then_set, then_falls = self.nested(stmt.then, self.arm(stmt, stmt.then, end))
        if not then_falls and then:
            self.headed(self.expr.atom(stmt.cond), then, stmt.cond)
            return self.block(stmt.orelse, self.arm(stmt, stmt.orelse, end))
        orelse, else_set, else_falls = self.nested(stmt.orelse, self.arm(stmt, stmt.orelse, end))
        if then and orelse:
            self.line("if ", self.expr.at(stmt.cond), ":", stmt.cond)
            self.lines += then + self.otherwise(orelse)
        elif then:
            self.headed(self.expr.atom(stmt.cond), then, stmt.cond)
        elif orelse:
            self.headed(self.expr.negated(stmt.cond), orelse, stmt.cond)
        elif self.has_call(stmt.cond):
            self.line("", self.expr.at(stmt.cond), "", stmt.cond)
        else:
            del self.lines[start[0] :]
            self.quoted = start[1]
        self.assigned = then_set & else_set if else_falls else then_set
        return then_falls or else_falls

    def has_call(self, cond: ir.Atom) -> bool:
        calls = (self.folding.inlined[part] for part in self.folding.parts(cond))
        return any(isinstance(call, ir.Call) for call in calls)

    def headed(self, cond: Text, lines: list[str], source: ir.Atom) -> None:
        """``if`` without ``else``; with one more such branch in it, ``if a and b``."""
        inner = INDENT * (self.depth + 1)
        own = [line for line in lines if not line.startswith(f"{inner} ")]
        if len(own) == 1 and own[0].startswith(f"{inner}if ") and own[0].endswith(":"):
            second = own[0].strip()[3:-1]
            if " or " in second or " if " in second:
                second = f"({second})"
            head = f"{INDENT * self.depth}if {cond.at(Prec.AND)} and {second}:"
            if len(head) <= LINE_LENGTH:
                both = [self.traced([head])[0], lines[0]]
                rest = (rewritten(line.removeprefix(INDENT), line) for line in lines[1:])
                self.lines += [rewritten(head, *both), *rest]
                return
        self.line("if ", cond.text, ":", source)
        self.lines += lines

    def otherwise(self, lines: list[str]) -> list[str]:
        """``else`` with ``lines``, or ``elif`` if they are one more branch."""
        if not lines:
            return []
        pad, inner = INDENT * self.depth, INDENT * (self.depth + 1)
        own = [line for line in lines if not line.startswith(f"{inner} ")]
        heads = (f"{inner}elif ", f"{inner}else:", f"{inner})")
        if own[0].startswith(f"{inner}if ") and all(line.startswith(heads) for line in own[1:]):
            rest = [rewritten(line.removeprefix(INDENT), line) for line in lines]
            return [rewritten(f"{pad}el{rest[0].lstrip()}", lines[0]), *rest[1:]]
        return [f"{pad}else:", *lines]

    # ---- loops ----------------------------------------------------------------------------------

    def counted(self, stmt: ir.For) -> None:
        self.moves(self.inits(stmt))
        if stmt.origin is None or not stmt.origin.text.startswith("for "):
            self.comment(stmt.origin)  # the head of a reversed loop says what it reverses
        head = f"for {self.names[stmt.index]} in "
        self.line(head, f"{self.expr.use('range')}({self.bounds(stmt)})", ":", stmt.lo, stmt.hi)
        self.body(stmt, [])

    def bounds(self, stmt: ir.For) -> str:
        lo, hi, step = self.expr.at(stmt.lo), self.expr.at(stmt.hi), self.expr.at(stmt.step)
        if step != "1":
            return f"{lo}, {hi}, {step}"
        return hi if lo == "0" else f"{lo}, {hi}"

    def conditional(self, stmt: ir.While) -> None:
        self.moves(self.inits(stmt))
        self.comment(stmt.origin)
        cond = stmt.cond.yields[0]
        roots = list(self.folding.roots(stmt.cond))
        if not roots:
            text = (
                "True" if isinstance(cond, ir.Const) and cond.value is True else self.expr.at(cond)
            )
            self.line("while ", text, ":", cond)
            self.body(stmt, [])
            return
        self.line("while True:")
        self.depth += 1
        before, self.lines = self.lines, []
        for inner in roots:
            self.statement(inner)
        self.line("if ", self.expr.negated(cond).text, ":", cond)
        self.lines += self.traced([f"{INDENT * (self.depth + 1)}break"])
        test, self.lines = self.lines, before
        self.depth -= 1
        self.body(stmt, test)

    def inits(self, stmt: ir.For | ir.While) -> list[Pair]:
        pairs = list(zip(stmt.params, stmt.inits, strict=True))
        return pairs if not stmt.exit or self.kept(stmt) else pairs[1:]

    def kept(self, stmt: ir.For | ir.While) -> bool:
        return bool(self.folding.uses[stmt.outs[0]] or self.folding.uses[stmt.params[0]])

    def body(self, stmt: ir.For | ir.While, before: list[str]) -> None:
        pairs = list(zip(stmt.params, stmt.body.yields, strict=True))
        leave = None
        if stmt.exit:
            param, flag = pairs.pop(0)
            leave = Leave(param, flag, self.kept(stmt))
        assigned = set(self.assigned)
        if isinstance(stmt, ir.For):
            self.assigned.add(self.names[stmt.index])
        lines, _, _ = self.nested(stmt.body, End((tuple(pairs),), leave))
        self.assigned = assigned
        lines = before + lines
        self.lines += lines or [f"{INDENT * (self.depth + 1)}pass"]
