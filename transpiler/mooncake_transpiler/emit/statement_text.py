"""Statements without nested blocks, as lines of Python."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from mooncake_rules.op import Prec
from mooncake_rules.op_names import Home, home
from mooncake_runtime.formatted import braced

from mooncake_transpiler import ir
from mooncake_transpiler.emit.expr import Expressions
from mooncake_transpiler.emit.imports import FORMATTED, RAISED
from mooncake_transpiler.emit.layout import (
    INDENT,
    LINE_LENGTH,
    Group,
    Item,
    before,
    in_call,
    layout,
    parenthesized,
    quoted,
    tuple_group,
)
from mooncake_transpiler.emit.moves import Move, sequence
from mooncake_transpiler.emit.traced_lines import Line
from mooncake_transpiler.types import FLOAT, FLOAT32, INT, Array, Scalar

MOST_ON_THE_STACK = 30  # items of a tuple: CPython's STACK_USE_GUIDELINE
_OPENERS = ("= ", "return ", "if ", "while ")  # an expression in parentheses may follow
_CALL = re.compile(r"[\w.]+\([^(),]*\)")  # of one simple argument
_PART = re.compile(r"([\w.]+\[)([^][]*, [^][]*)(\](?:\.T)?)")  # by several indices
Pair = tuple[ir.Value, ir.Atom]  # a copy: target and source


class Statements:
    """Writes lines at a depth; remembers which folded values have made a line too long."""

    def __init__(self, expr: Expressions, depth: int) -> None:
        self.expr = expr
        self.folding = expr.folding
        self.names = expr.names
        self.depth = depth
        self.lines: list[str] = []
        self.current: ir.Stmt | None = None  # the statement that is being written
        self.assigned: set[str] = set()
        self.quoted: int | None = None  # index of the user's statement that was quoted last
        self.postponed: frozenset[int] = frozenset()  # statements to quote in the loop that follows
        self.pins: set[ir.Value] = set()
        self.bound: set[str] = set()  # what has been assigned further up in the text
        self.shared = Counter(expr.names.values())

    # ---- lines ----------------------------------------------------------------------------------

    def line(self, prefix: str, item: Item = "", suffix: str = "", *atoms: ir.Atom) -> None:
        """One statement; ``atoms`` are what it consists of, to be taken apart if it is too long."""
        lines = layout(prefix, item, suffix, self.depth, bare=prefix == "return ")
        if any(len(line) > LINE_LENGTH for line in lines):
            self.pin(atoms, sum(map(len, lines)))
            if isinstance(item, str) and _CALL.fullmatch(item):
                lines = in_call(prefix, item, suffix, self.depth)
            elif isinstance(item, str) and (part := _PART.fullmatch(item)):
                group = Group(part[1], tuple(part[2].split(", ")), part[3], compact=True)
                lines = layout(prefix, group, suffix, self.depth)
            elif isinstance(item, str) and prefix.endswith(_OPENERS) and _opens(item):
                lines = parenthesized(prefix, item, suffix, self.depth)
        self.lines += self.traced(lines, atoms)

    def traced(self, lines: Sequence[str], atoms: Sequence[ir.Atom] = ()) -> list[Line]:
        """``lines`` of the current statement and of what is folded into ``atoms``."""
        folded = [self.folding.inlined[part] for a in atoms for part in self.folding.parts(a)]
        stmts = folded if self.current is None else [self.current, *folded]
        return [Line(line, stmts) for line in lines]

    def pin(self, atoms: Sequence[ir.Atom], width: int) -> None:
        """Choose the folded value about half as long as the line to become a variable."""
        parts = [part for atom in atoms for part in self.folding.parts(atom)]
        if parts:
            lengths = {part: len(self.expr.at(part)) for part in parts}
            self.pins.add(min(parts, key=lambda part: abs(lengths[part] - width // 2)))

    def pin_choices(self, atoms: Sequence[ir.Atom]) -> None:
        """Let choices among the many items of a tuple become variables.

        Python makes a list of more than 30 items first, and numba sees through that (numba's
        ``peep_hole_list_to_tuple``) only where no branch stands in between.
        """
        if len(atoms) > MOST_ON_THE_STACK:
            parts = {part for atom in atoms for part in self.folding.parts(atom)}
            self.pins |= {
                part for part in parts.intersection(atoms) if " if " in self.expr.at(part)
            }

    def comment(self, origin: ir.Origin | None) -> None:
        """Quote the user's statement whose adjoint begins here."""
        if origin is None or not origin.adjoint or origin.index == self.quoted:
            return
        if origin.index in self.postponed:
            return
        self.quoted = origin.index
        line = f"{INDENT * self.depth}# {origin.text}"
        if len(line) > LINE_LENGTH:
            kept = line[: LINE_LENGTH - 4].rstrip()
            line = f"{kept} ..." if "#" in kept else f"{INDENT * self.depth}# ..."
        self.lines += self.traced([line])

    # ---- assignments ----------------------------------------------------------------------------

    def assign(self, name: str, source: ir.Atom) -> None:
        stmt = self.folding.inlined.get(source)
        if stmt is None:
            self.line(f"{name} = ", self.expr.at(source))
            self.assigned.add(name)
            self.bound.add(name)
        else:
            self.bind(name, stmt)

    def shape(self, dims: Sequence[ir.Stmt]) -> None:
        """Write the assignment of all sizes of an array at once."""
        names = [self.names[out] for dim in dims for out in ir.outs(dim)]
        (array,) = ir.operands(dims[0])
        self.line(f"{', '.join(names)} = ", f"{self.expr.at(array, Prec.CALL)}.shape", "", array)
        self.assigned.update(names)
        self.bound.update(names)

    def bind(self, name: str, stmt: ir.Stmt) -> None:
        """Write the assignment of the value that ``stmt`` computes to ``name``."""
        outer, self.current = self.current, stmt
        self.computed(name, stmt)
        self.current = outer
        self.assigned.add(name)
        self.bound.add(name)

    def computed(self, name: str, stmt: ir.Stmt) -> None:
        if not _is_bookkeeping(stmt):
            self.comment(stmt.origin)
        operands = [*ir.operands(stmt)]
        if isinstance(stmt, ir.If):
            operands += [*stmt.then.yields, *stmt.orelse.yields]
        augmented = self.expr.augmented(name, stmt)
        if augmented is not None:
            self.line(*augmented, "", *operands)
        elif isinstance(stmt, ir.Call):
            self.call(stmt, name)
        elif isinstance(stmt, ir.Grow):
            texts = tuple(self.expr.at(operand) for operand in (stmt.array, stmt.size))
            if stmt.shape:
                sizes = self.expr.shape(stmt.shape)
                texts = (*texts, sizes if len(stmt.shape) > 1 else f"({sizes},)")
            grow = self.expr.use("grow_rows" if stmt.shape else "grow")
            self.line(f"{name} = ", Group(f"{grow}(", texts, ")", compact=True), "", *operands)
        else:
            target = name
            if self.needs_type(name, stmt):
                target = f"{name}: {self.expr.use('float')}"
            self.line(f"{target} = ", self.expr.compute(stmt).text, "", *operands)

    def needs_type(self, name: str, stmt: ir.Stmt) -> bool:
        """True if checkers would take a variable for an ``np.float64`` that becomes a float."""
        match stmt:
            case ir.Compute(out=out, op="cast", args=(arg,)):
                from_numpy = arg.type == FLOAT32 and out.type == FLOAT
            case ir.Compute(out=out, op=op):
                from_numpy = home(op) is Home.NUMPY and out.type == FLOAT
            case ir.Sum(out=out):
                from_numpy = out.type == FLOAT
            case _:
                return False
        return from_numpy and name not in self.bound and self.shared[name] > 1

    def moves(self, pairs: Sequence[Pair]) -> None:
        """Assign all targets at once."""
        moves = []
        for target, source in pairs:
            name = self.names.get(target)
            if name is None or (isinstance(source, ir.Undef) and name in self.assigned):
                continue
            if isinstance(source, ir.Value) and self.names.get(source) == name:
                continue
            moves.append(Move(name, source, self.reads(source)))
        for group in sequence(moves):
            if len(group) == 1:
                self.assign(group[0].target, group[0].source)
                continue
            targets = ", ".join(move.target for move in group)
            sources = [move.source for move in group]
            item = tuple_group([self.expr.at(source) for source in sources])
            flat = str(item)[1:-1]
            fits = len(INDENT) * self.depth + len(f"{targets} = {flat}") <= LINE_LENGTH
            self.line(f"{targets} = ", flat if fits else item, "", *sources)
            self.assigned.update(move.target for move in group)

    def reads(self, atom: ir.Atom) -> frozenset[str]:
        return frozenset(self.names[value] for value in self.folding.variables(atom))

    # ---- one statement --------------------------------------------------------------------------

    def simple(self, stmt: ir.Stmt) -> None:
        """A statement other than If, For and While."""
        if not _is_bookkeeping(stmt):
            self.comment(stmt.origin)
        text = self.expr.at
        match stmt:
            case ir.Store(base=base, index=index, value=value):
                target = self.expr.element(base, index)
                self.line(f"{target} = ", text(value), "", base, *index, value)
            case ir.Accum(base=base, index=index, value=value):
                target = self.expr.element(base, index)
                sign, amount = self.signed(value, base)
                self.line(f"{target} {sign}= ", amount, "", base, *index, value)
            case ir.Assign(dst=dst, src=src):
                self.line(f"{self.whole(dst)} = ", text(src), "", src)
            case ir.AddTo(dst=dst, src=src):
                sign, amount = self.signed(src, dst)
                self.line(f"{text(dst, Prec.CALL)} {sign}= ", amount, "", src)
            case ir.Raise():
                self.line("raise ", self.raised(stmt))
            case ir.Print(args=args, through=through):
                function, *where = through or ("print",)
                shown = [quoted(a) if isinstance(a, str) else text(a) for a in (*where, *args)]
                self.line("", _called(self.expr.use(function), shown))
            case ir.Call():
                self.call(stmt)
            case ir.Shadows():
                self.shadows(stmt)
            case (
                ir.Compute(out=out) | ir.Dim(out=out) | ir.Load(out=out) | ir.Sum(out=out)
                | ir.View(out=out) | ir.Reshape(out=out) | ir.Alloc(out=out) | ir.Copy(out=out)
                | ir.Global(out=out) | ir.Grow(out=out)
            ):  # fmt: skip
                self.bind(self.names[out], stmt)
            case ir.NewStack() | ir.Push() | ir.Pop() | ir.Reserve():
                raise AssertionError("stacks and growable arrays are arrays by now")
            case ir.If(outs=outs):  # a conditional expression
                self.bind(self.names[outs[0]], stmt)
            case ir.For() | ir.While():
                raise AssertionError("loops are no simple statements")

    def raised(self, stmt: ir.Raise) -> Item:
        """Write a ``raise``; exceptions with values of fields are unwrapped by ``border``."""
        name, message = self.expr.exception(stmt.exc), stmt.message
        told, held = (
            [quoted(a) if isinstance(a, str) else self.expr.at(a) for a in args]
            for args in (stmt.numbers, stmt.fields)
        )
        if held:
            if message is not None and not told:
                message = braced(message)
            text = "None" if message is None else quoted(message)
            return _called(self.expr.use(RAISED), [name, text, *told, *held])
        if message is None:
            return _called(name, told)
        if told:
            return _called(self.expr.use(FORMATTED), [name, quoted(message), *told])
        return _called(name, [quoted(message)])

    def shadows(self, stmt: ir.Shadows) -> None:
        """Shadows of arrays that may overlap (`mooncake_runtime.shadows`)."""
        use, overlap = self.expr.use, self.expr.scope.overlap
        arrays = [self.expr.at(array) for array in stmt.arrays]
        extents = tuple_group([f"{use('extent')}({array})" for array in arrays])
        found = Group(f"{use('overlaps')}(", (extents,), ")", compact=True)
        self.line(f"{overlap} = ", found, "", *stmt.arrays)
        for k, (out, array) in enumerate(zip(stmt.outs, arrays, strict=True)):
            name = self.names.get(out, self.expr.scope.discard)
            self.line(f"{name} = ", f"{use('shadow')}({array}, {overlap}, {k})")
            self.assigned.add(name)
            self.bound.add(name)

    def signed(self, value: ir.Atom, array: ir.Atom) -> tuple[str, str]:
        """A term that is added to ``array``: its sign, and the rest."""
        assert isinstance(array.type, Array)
        negated = self.expr.folded(value, "neg", Scalar(array.type.dtype), INT)
        if negated is not None:
            return "-", self.expr.at(negated.args[0])
        if self.expr.is_negative(value):
            return "-", self.expr.at(value).removeprefix("-")
        return "+", self.expr.at(value)

    def whole(self, dst: ir.Atom) -> str:
        """An assignment target for the whole of an array; a view's own index does."""
        if isinstance(dst, ir.Value) and isinstance(self.folding.inlined.get(dst), ir.View):
            return self.expr.at(dst)
        scalar = isinstance(dst.type, Array) and dst.type.ndim == 0
        return f"{self.expr.at(dst, Prec.CALL)}[{'...' if scalar else ':'}]"

    def call(self, stmt: ir.Call, name: str | None = None) -> None:
        item = self.expr.called(stmt)
        result = self.expr.scope.callee(stmt).result(stmt)
        used = [out for out in stmt.outs if self.folding.uses[out]]
        if name is None and not used:
            self.line("", item, "", *stmt.args)
            return
        self.assigned.update([name] if name else (self.names[out] for out in used))
        show = self.unused if name is None else lambda _: name
        target = self.expr.scope.unpack(result, iter(stmt.outs), show, self.expr.packs)
        self.target(target, item, *stmt.args)

    def unused(self, value: ir.Atom) -> str:
        """The target for ``value``: its name, if anything reads it."""
        assert isinstance(value, ir.Value)
        return self.names[value] if self.folding.uses[value] else self.expr.scope.discard

    def target(self, target: Item, item: Item, *atoms: ir.Atom) -> None:
        """``target = item``."""
        lines, head = before(target, item, self.depth)
        self.lines += lines
        self.line(head, item, "", *atoms)


def _is_bookkeeping(stmt: ir.Stmt) -> bool:
    """True for index arithmetic and memory: no part of adjoints, often moved out of loops."""
    match stmt:
        case ir.Compute(out=out):
            return out.type == INT
        case ir.Alloc() | ir.Dim() | ir.Grow() | ir.Shadows():
            return True
        case _:
            return False


def _opens(text: str) -> bool:
    """True if formatters put the expression between parentheses rather than break a bracket."""
    return " " in text or text.isidentifier()


def _called(function: str, items: Sequence[str]) -> Group:
    return Group(f"{function}(", tuple(items), ")")
