"""Arrays that a loop carries become integers that tell which array it is.

    for t in 0..n (u = a, v = b):        for t in 0..n (k = 0, m = 1):
      ...                                  u = a if k == 0 else b; v = a if m == 0 else b
      yield v, u                           ...
                                           yield m, k

So the reverse sweep finds the same array and the same shadow again: which one it was is an
ordinary integer, saved like any other. A loop stays as it is if it carries arrays that are made,
or cut out of others, inside it.
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.facts import Loop
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.types import BOOL, INT, Array


def tag_arrays(func: ir.Func) -> ir.Func:
    """``func`` with integers carried in place of arrays, wherever that is possible."""
    return replace(func, body=_block(func.body))


def _block(block: ir.Block) -> ir.Block:
    b = Builder()
    for stmt in block.stmts:
        b.origin = stmt.origin
        tagging = _Tagging(stmt) if isinstance(stmt, ir.For | ir.While) else None
        if tagging is not None and tagging.is_possible:
            tagging.emit(b)
        else:
            b.add(_inner(stmt))
    return b.block(block.yields)


def _inner(stmt: ir.Stmt) -> ir.Stmt:
    return ir.with_blocks(stmt, tuple(map(_block, ir.blocks(stmt))))


class _Tagging:
    """One loop, and the arrays from outside that the arrays it carries can be."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._carried = [k for k, p in enumerate(loop.params) if isinstance(p.type, Array)]
        self._inside = {v for s in ir.walk(loop.body) for v in (*ir.outs(s), *ir.binders(s))}
        self._chosen = {
            out: (stmt, k)
            for stmt in ir.walk(loop.body)
            if isinstance(stmt, ir.If)
            for k, out in enumerate(stmt.outs)
        }
        self._tags: dict[ir.Value, ir.Atom] = {
            loop.params[k]: ir.Value("", INT) for k in self._carried
        }
        self._sources: dict[ir.Value, int] = {}
        ends = [a for k in self._carried for a in (loop.inits[k], loop.body.yields[k])]
        in_condition = isinstance(loop, ir.While) and any(
            a in self._tags for s in ir.walk(loop.cond) for a in ir.operands(s)
        )
        self.is_possible = (
            bool(self._carried) and not in_condition and all(tuple(map(self._find, ends)))
        )

    def _find(self, atom: ir.Atom) -> bool:
        """Note what ``atom`` can be; False if that is made inside the loop."""
        if atom in self._tags:
            return True
        if not isinstance(atom, ir.Value):
            return False
        if atom in self._chosen:
            stmt, k = self._chosen[atom]
            return all(tuple(self._find(arm.yields[k]) for arm in (stmt.then, stmt.orelse)))
        if atom in self._inside:
            return False
        self._sources.setdefault(atom, len(self._sources))
        return True

    def emit(self, b: Builder) -> None:
        """Append the loop over tags, and what its results are."""
        loop = self._loop
        body = Builder(loop.origin)
        for k in self._carried:
            self._choose(self._tags[loop.params[k]], loop.params[k], body)
        for stmt in loop.body.stmts:
            body.add(_inner(self._with_tags(stmt)))
        outs = list(loop.outs)
        params, inits, yields = list(loop.params), list(loop.inits), list(loop.body.yields)
        for k in self._carried:
            tag = self._tags[loop.params[k]]
            assert isinstance(tag, ir.Value)
            outs[k], params[k] = ir.Value("", INT), tag
            inits[k], yields[k] = self._tag(inits[k]), self._tag(yields[k])
        b.add(
            replace(
                loop,
                outs=tuple(outs),
                params=tuple(params),
                inits=tuple(inits),
                body=body.block(yields),
            )
        )
        for k in self._carried:
            self._choose(outs[k], loop.outs[k], b)

    def _tag(self, atom: ir.Atom) -> ir.Atom:
        assert isinstance(atom, ir.Value)
        if atom in self._tags:
            return self._tags[atom]
        return ir.int_const(self._sources[atom])

    def _with_tags(self, stmt: ir.Stmt) -> ir.Stmt:
        """``stmt``; branches that choose between carried arrays choose between their tags, too."""
        if not isinstance(stmt, ir.If):
            return stmt
        arms = [
            replace(arm, stmts=tuple(map(self._with_tags, arm.stmts)))
            for arm in (stmt.then, stmt.orelse)
        ]
        wanted = [
            k
            for k, out in enumerate(stmt.outs)
            if isinstance(out.type, Array) and self._is_known(out)
        ]
        tags = [ir.Value("", INT) for _ in wanted]
        blocks = [
            ir.Block(arm.stmts, (*arm.yields, *(self._tag(arm.yields[k]) for k in wanted)))
            for arm in arms
        ]
        self._tags.update((stmt.outs[k], tag) for k, tag in zip(wanted, tags, strict=True))
        return replace(stmt, outs=(*stmt.outs, *tags), then=blocks[0], orelse=blocks[1])

    def _is_known(self, atom: ir.Atom) -> bool:
        if atom in self._tags or atom in self._sources:
            return True
        if isinstance(atom, ir.Value) and atom in self._chosen:
            stmt, k = self._chosen[atom]
            return all(self._is_known(arm.yields[k]) for arm in (stmt.then, stmt.orelse))
        return False

    def _choose(self, tag: ir.Atom, out: ir.Value, b: Builder) -> None:
        """``out`` = the array that ``tag`` stands for."""
        sources = list(self._sources)
        rest: ir.Block = ir.Block((), (sources[-1],))
        for k in range(len(sources) - 2, -1, -1):
            inner = Builder(b.origin)
            chosen = out if k == 0 else ir.Value("", out.type)
            is_this = inner.compute("eq", (tag, ir.int_const(k)), BOOL)
            inner.add(ir.If((chosen,), is_this, ir.Block((), (sources[k],)), rest, b.origin))
            if k == 0:
                for stmt in inner.stmts:
                    b.add(stmt)
                return
            rest = inner.block([chosen])
        both = ir.Block((), (sources[0],))  # only one array: a name for it
        b.add(ir.If((out,), ir.Const(True, BOOL), both, both, b.origin))
