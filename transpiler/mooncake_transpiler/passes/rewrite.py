"""What the passes share: statements with other operands or results, and a rebuilding walk.

Whatever does not change is kept as the same object, so a pass that finds nothing returns the very
function that it was given. Stacks are arrays by now (`ad/stacks.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from mooncake_transpiler import ir

Use = Callable[[ir.Atom], ir.Atom]
Bind = Callable[[ir.Value], ir.Value]


def same(a: ir.Atom, b: ir.Atom) -> bool:
    """Whether two atoms certainly are the same value (0.0 and -0.0 are not)."""
    return a is b or key(a) == key(b)


def key(atom: ir.Atom) -> object:
    """A hashable that is equal for the same atoms."""
    match atom:
        case ir.Const(value=value, type=type_):
            return (repr(value), type_)
        case ir.Value() | ir.Undef():
            return atom


def fresh(value: ir.Value) -> ir.Value:
    """A new value with the name and type of ``value``."""
    return ir.Value(value.hint, value.type)


def bound_in(block: ir.Block) -> set[ir.Value]:
    """All values that the statements of ``block`` bind, at any depth."""
    return {v for stmt in ir.walk(block) for v in (*ir.outs(stmt), *ir.binders(stmt))}


def with_operands(stmt: ir.Stmt, use: Use) -> ir.Stmt:
    """``stmt`` with ``use`` applied to its own operands (not to those inside its blocks)."""
    for atom in ir.operands(stmt):
        if use(atom) is not atom:
            break
    else:
        return stmt

    def uses(atoms: Iterable[ir.Atom]) -> tuple[ir.Atom, ...]:
        return tuple([use(atom) for atom in atoms])

    match stmt:
        case ir.Compute() | ir.Call():
            return replace(stmt, args=uses(stmt.args))
        case ir.Alloc():
            return replace(stmt, shape=uses(stmt.shape))
        case ir.Shadows():
            return replace(stmt, arrays=uses(stmt.arrays))
        case ir.Dim() | ir.Sum():
            return replace(stmt, array=use(stmt.array))
        case ir.Grow():
            return replace(stmt, array=use(stmt.array), size=use(stmt.size))
        case ir.View():
            return replace(stmt, base=use(stmt.base), index=_view_index(stmt.index, use))
        case ir.Load():
            return replace(stmt, base=use(stmt.base), index=uses(stmt.index))
        case ir.Store() | ir.Accum():
            base, value = use(stmt.base), use(stmt.value)
            return replace(stmt, base=base, index=uses(stmt.index), value=value)
        case ir.Copy():
            return replace(stmt, src=use(stmt.src))
        case ir.Assign() | ir.AddTo():
            return replace(stmt, dst=use(stmt.dst), src=use(stmt.src))
        case ir.If():
            return replace(stmt, cond=use(stmt.cond))
        case ir.For():
            lo, hi, step = use(stmt.lo), use(stmt.hi), use(stmt.step)
            return replace(stmt, lo=lo, hi=hi, step=step, inits=uses(stmt.inits))
        case ir.While():
            return replace(stmt, inits=uses(stmt.inits))
        case ir.Print():
            shown = tuple(a if isinstance(a, str) else use(a) for a in stmt.args)
            return replace(stmt, args=shown)
        case ir.Raise() | ir.Global() | ir.NewStack() | ir.Push() | ir.Pop():
            return stmt


def _view_index(index: tuple[ir.Index, ...], use: Use) -> tuple[ir.Index, ...]:
    def part(atom: ir.Atom | None) -> ir.Atom | None:
        return None if atom is None else use(atom)

    return tuple(
        ir.Slice(part(i.lo), part(i.hi), part(i.step)) if isinstance(i, ir.Slice) else use(i)
        for i in index
    )


def with_results(stmt: ir.Stmt, bind: Bind) -> ir.Stmt:
    """``stmt`` with ``bind`` applied to all values that it binds itself."""
    match stmt:
        case ir.Compute() | ir.Alloc() | ir.Dim() | ir.View() | ir.Load() | ir.Copy() | ir.Sum():
            return replace(stmt, out=bind(stmt.out))
        case ir.Global() | ir.Grow():
            return replace(stmt, out=bind(stmt.out))
        case ir.Call() | ir.If() | ir.Shadows():
            return replace(stmt, outs=tuple(map(bind, stmt.outs)))
        case ir.While():
            outs, params = tuple(map(bind, stmt.outs)), tuple(map(bind, stmt.params))
            return replace(stmt, outs=outs, params=params)
        case ir.For():
            outs, params = tuple(map(bind, stmt.outs)), tuple(map(bind, stmt.params))
            return replace(stmt, outs=outs, index=bind(stmt.index), params=params)
        case ir.Store() | ir.Accum() | ir.Assign() | ir.AddTo() | ir.Raise() | ir.Print():
            return stmt
        case ir.NewStack() | ir.Push() | ir.Pop():
            return stmt


def only_carried(stmt: ir.For | ir.While, keep: Iterable[bool]) -> ir.For | ir.While:
    """The loop with only those carried values for which ``keep`` is true."""
    kept = [k for k, keeps in enumerate(keep) if keeps]
    if len(kept) == len(stmt.params):
        return stmt
    body = ir.Block(stmt.body.stmts, tuple(stmt.body.yields[k] for k in kept))
    return replace(
        stmt,
        outs=tuple(stmt.outs[k] for k in kept),
        params=tuple(stmt.params[k] for k in kept),
        inits=tuple(stmt.inits[k] for k in kept),
        body=body,
    )


class Rewriter:
    """Rebuilds blocks in order, statement by statement.

    A pass overrides ``statement``: it emits what stands in place of the statement, and notes in
    ``env`` which atoms stand for values that are gone.
    """

    def __init__(self) -> None:
        self.env: dict[ir.Value, ir.Atom] = {}
        self.stmts: list[ir.Stmt] = []  # of the block under construction
        self.hints: dict[ir.Value, str] = {}  # names for temporaries

    def run(self, func: ir.Func) -> ir.Func:
        body = self.block(func.body)
        if self.hints:
            body = _Namer(self.hints).block(body)
        return func if body is func.body else replace(func, body=body)

    def put(self, value: ir.Value, atom: ir.Atom) -> None:
        """``atom`` stands for ``value``; a temporary takes over the user's name for it."""
        self.env[value] = atom
        if value.hint and isinstance(atom, ir.Value) and not atom.hint:
            self.hints.setdefault(atom, value.hint)

    def use(self, atom: ir.Atom) -> ir.Atom:
        return self.env.get(atom, atom) if isinstance(atom, ir.Value) else atom

    def emit(self, stmt: ir.Stmt) -> None:
        self.stmts.append(stmt)

    def statement(self, stmt: ir.Stmt) -> None:
        self.emit(self.inside(with_operands(stmt, self.use)))

    def inside(self, stmt: ir.Stmt) -> ir.Stmt:
        """``stmt`` with its blocks rebuilt."""
        inner = ir.blocks(stmt)
        if not inner:
            return stmt
        rebuilt = tuple([self.block(block) for block in inner])
        unchanged = all(a is b for a, b in zip(rebuilt, inner, strict=True))
        return stmt if unchanged else ir.with_blocks(stmt, rebuilt)

    def block(self, block: ir.Block) -> ir.Block:
        outer, self.stmts = self.stmts, []
        for stmt in block.stmts:
            self.statement(stmt)
        stmts, self.stmts = self.stmts, outer
        yields = tuple([self.use(atom) for atom in block.yields])
        unchanged = _identical(stmts, block.stmts) and _identical(yields, block.yields)
        return block if unchanged else ir.Block(tuple(stmts), yields)


def _identical(new: list[ir.Stmt] | tuple[ir.Atom, ...], old: tuple[object, ...]) -> bool:
    return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))


class _Namer(Rewriter):
    """Gives names to the temporaries that are bound here."""

    def __init__(self, names: dict[ir.Value, str]) -> None:
        super().__init__()
        self.names = names

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = with_operands(stmt, self.use)
        if any(value in self.names for value in (*ir.outs(stmt), *ir.binders(stmt))):
            stmt = with_results(stmt, self.bind)
        self.emit(self.inside(stmt))

    def bind(self, value: ir.Value) -> ir.Value:
        if value not in self.names:
            return value
        named = self.env[value] = ir.Value(self.names[value], value.type)
        return named


class Cloner(Rewriter):
    """Copies blocks, binding fresh values; ``env`` maps the free ones."""

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = with_results(with_operands(stmt, self.use), self.bind)
        self.emit(self.inside(stmt))

    def bind(self, value: ir.Value) -> ir.Value:
        twin = self.env[value] = fresh(value)
        return twin


def clone(block: ir.Block, env: dict[ir.Value, ir.Atom] | None = None) -> ir.Block:
    """A copy of ``block`` that binds fresh values; ``env`` replaces values that it only uses."""
    cloner = Cloner()
    cloner.env.update(env or {})
    return cloner.block(block)
