"""Stacks become arrays that grow in chunks, and integers that point at their tops.

    while c:                   while c:
      s = g(s)                   a = grow(a, top + 1)
      push t, s                  while c and top + 1 <= size(a):
                                   s = g(s); a[top] = s; top = top + 1

An array variable is never assigned inside a hot loop (that costs reference counting): counted
loops grow before they start, while loops run in an outer loop that grows and an inner one that
pushes until the memory is full. Each iteration of a region leaves the stacks as it found them, so
one stack, created at the beginning, serves all iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad import clone, counting
from mooncake_transpiler.ad.facts import Loop
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.types import BOOL, INT, Array, Stack

FIRST_SIZE = 64  # items of a new stack


@dataclass(frozen=True, slots=True)
class State:
    """A stack at one point of the program."""

    array: ir.Atom
    top: ir.Atom


Part = Callable[[State], ir.Atom]
States = dict[ir.Value, State]


def lower_stacks(blocks: Sequence[ir.Block]) -> list[ir.Block]:
    """``blocks``, which run one after the other, without stacks."""
    lowering = _Lowering(blocks)
    return [lowering.top_level(block) for block in blocks]


class _Lowering:
    def __init__(self, blocks: Sequence[ir.Block]) -> None:
        self._width: dict[ir.Value, int] = {}
        self._stacks: dict[ir.Value, None] = {}
        self._of_arrays: set[ir.Value] = set()  # each push makes room for itself
        for stmt in (s for block in blocks for s in ir.walk(block)):
            if isinstance(stmt, ir.NewStack):
                self._stacks[stmt.out] = None
            elif isinstance(stmt, ir.Push):
                self._width[stmt.stack] = len(stmt.values)
                if isinstance(stmt.values[0].type, Array):
                    self._of_arrays.add(stmt.stack)
        self._states: States = {}
        self._started = False

    def top_level(self, block: ir.Block) -> ir.Block:
        b = Builder()
        if not self._started:
            self._started = True
            for stack in self._stacks:
                assert isinstance(stack.type, Stack)
                array = b.alloc(
                    Array(stack.type.dtype, 1), [ir.int_const(FIRST_SIZE)], None, stack.hint
                )
                self._states[stack] = State(array, counting.ZERO)
        self._block(block, self._states, b)
        return b.block(block.yields)

    # ---- what a statement does to stacks --------------------------------------------------------

    def _used(self, stmt: ir.Stmt) -> list[ir.Value]:
        """The stacks that ``stmt`` pushes or pops, in order of creation."""
        found = set()
        for inner in ir.walk(ir.Block((stmt,))):
            if isinstance(inner, ir.Push | ir.Pop):
                found.add(inner.stack)
        return [stack for stack in self._stacks if stack in found]

    def _pushed(self, block: ir.Block, *, direct: bool) -> list[ir.Value]:
        """The stacks that ``block`` pushes in an iteration of its own, or in loops inside it."""
        own: set[ir.Value] = set()
        nested: set[ir.Value] = set()

        def visit(inner: ir.Block, found: set[ir.Value]) -> None:
            for stmt in inner.stmts:
                if isinstance(stmt, ir.Push):
                    (nested if stmt.stack in self._of_arrays else found).add(stmt.stack)
                into = nested if isinstance(stmt, ir.For | ir.While) else found
                for child in ir.blocks(stmt):
                    visit(child, into)

        visit(block, own)
        return [stack for stack in self._stacks if stack in (own if direct else nested)]

    # ---- statements -----------------------------------------------------------------------------

    def _block(self, block: ir.Block, states: States, b: Builder) -> None:
        for stmt in block.stmts:
            b.origin = stmt.origin
            match stmt:
                case ir.NewStack():
                    pass
                case ir.Push(stack=stack, values=(value,)) if stack in self._of_arrays:
                    states[stack] = self._push_array(states[stack], value, b)
                case ir.Pop(stack=stack, outs=(out,), shape=shape) if stack in self._of_arrays:
                    states[stack] = self._pop_array(states[stack], out, shape, b)
                case ir.Push(stack=stack, values=values):
                    states[stack] = self._push(states[stack], values, b)
                case ir.Pop(stack=stack, outs=outs):
                    states[stack] = self._pop(states[stack], outs, b)
                case ir.If():
                    self._if(stmt, states, b)
                case ir.For() | ir.While() if self._used(stmt):
                    self._loop(stmt, states, b)
                case _:
                    b.add(stmt)

    def _push(self, state: State, values: Sequence[ir.Atom], b: Builder) -> State:
        for k, value in enumerate(values):
            b.store(state.array, [counting.add(state.top, ir.int_const(k), b)], value)
        return State(state.array, self._moved(state.top, len(values), b))

    def _pop(self, state: State, outs: Sequence[ir.Value], b: Builder) -> State:
        top = self._moved(state.top, -len(outs), b)
        for k, out in enumerate(outs):
            b.add(ir.Load(out, state.array, (counting.add(top, ir.int_const(k), b),), b.origin))
        return State(state.array, top)

    def _push_array(self, state: State, value: ir.Atom, b: Builder) -> State:
        assert isinstance(value.type, Array)
        shape = [b.dim(value, axis) for axis in range(value.type.ndim)]
        size = _product(shape, b)
        top = b.compute("add", (state.top, size), INT, _hint(state.top))
        array = _fresh(state.array)
        b.add(ir.Grow(array, state.array, top, b.origin))
        flat = value
        if value.type.ndim != 1:
            flat = ir.Value("", array.type)
            b.add(ir.Reshape(flat, value, (size,), b.origin))
        part = ir.Value("", array.type)
        b.add(ir.View(part, array, (ir.Slice(state.top, top),), b.origin))
        b.add(ir.Assign(part, flat, b.origin))
        return State(array, top)

    def _pop_array(
        self, state: State, out: ir.Value, shape: Sequence[ir.Atom], b: Builder
    ) -> State:
        top = b.compute("sub", (state.top, _product(shape, b)), INT, _hint(state.top))
        part = out if len(shape) == 1 else ir.Value("", state.array.type)
        b.add(ir.View(part, state.array, (ir.Slice(top, state.top),), b.origin))
        if part is not out:
            b.add(ir.Reshape(out, part, tuple(shape), b.origin))
        return State(state.array, top)

    def _moved(self, top: ir.Atom, by: int, b: Builder) -> ir.Value:
        op = "add" if by > 0 else "sub"
        return b.compute(op, (top, ir.int_const(abs(by))), INT, _hint(top))

    def _if(self, stmt: ir.If, states: States, b: Builder) -> None:
        used = self._used(stmt)
        if not used:
            b.add(stmt)
            return
        arms = []
        for block in (stmt.then, stmt.orelse):
            inner, child = dict(states), b.child()
            self._block(block, inner, child)
            arms.append((child, block.yields, inner))
        changed: list[tuple[ir.Value, Part]] = []
        parts: tuple[Part, Part] = (_array, _top)
        for stack in used:
            for part in parts:
                if any(part(inner[stack]) is not part(states[stack]) for *_, inner in arms):
                    changed.append((stack, part))
        outs = tuple(_fresh(part(arms[0][2][stack])) for stack, part in changed)
        blocks = [
            child.block([*yields, *(part(inner[stack]) for stack, part in changed)])
            for child, yields, inner in arms
        ]
        b.add(replace(stmt, outs=(*stmt.outs, *outs), then=blocks[0], orelse=blocks[1]))
        for (stack, part), out in zip(changed, outs, strict=True):
            old = states[stack]
            states[stack] = State(out, old.top) if part is _array else State(old.array, out)

    # ---- loops ----------------------------------------------------------------------------------

    def _loop(self, stmt: Loop, states: States, b: Builder) -> None:
        direct = self._pushed(stmt.body, direct=True)
        if isinstance(stmt, ir.For):
            for stack in direct:
                self._grow(stack, states, self._trips(stmt, b), b)
            self._plain_loop(stmt, states, b)
        elif direct:
            self._chunked(stmt, direct, states, b)
        else:
            self._plain_loop(stmt, states, b)

    def _trips(self, stmt: ir.For, b: Builder) -> ir.Atom:
        return counting.trips(stmt.lo, stmt.hi, stmt.step, b)

    def _grow(self, stack: ir.Value, states: States, pushes: ir.Atom, b: Builder) -> None:
        """Make room for ``pushes`` more pushes."""
        state = states[stack]
        room = counting.mul(pushes, ir.int_const(self._width[stack]), b)
        out = _fresh(state.array)
        b.add(ir.Grow(out, state.array, counting.add(state.top, room, b), b.origin))
        states[stack] = State(out, state.top)

    def _plain_loop(self, stmt: Loop, states: States, b: Builder) -> None:
        """``stmt`` with the tops of its stacks carried, and the arrays that grow inside."""
        carried = self._carried(stmt, self._pushed(stmt.body, direct=False))
        params = [_fresh(part(states[stack])) for stack, part in carried]
        inits = tuple(part(states[stack]) for stack, part in carried)
        inner, child = dict(states), b.child()
        _set(inner, carried, params)
        self._block(stmt.body, inner, child)
        yields = [*stmt.body.yields, *(part(inner[stack]) for stack, part in carried)]
        outs = tuple(_fresh(p) for p in params)
        b.add(
            replace(
                stmt,
                outs=(*stmt.outs, *outs),
                params=(*stmt.params, *params),
                inits=(*stmt.inits, *inits),
                body=child.block(yields),
            )
        )
        _set(states, carried, outs)

    def _carried(self, stmt: Loop, growing: Iterable[ir.Value]) -> list[tuple[ir.Value, Part]]:
        used = self._used(stmt)
        arrays = [stack for stack in used if stack in set(growing)]
        return [*((stack, _array) for stack in arrays), *((stack, _top) for stack in used)]

    def _chunked(self, stmt: ir.While, direct: list[ir.Value], states: States, b: Builder) -> None:
        """An outer loop that grows the stacks around an inner one that fills them."""
        nested = self._pushed(stmt.body, direct=False)
        carried = self._carried(stmt, [*direct, *nested])
        params = [clone.fresh(p) for p in stmt.params]
        own = [_fresh(part(states[stack])) for stack, part in carried]
        inits = tuple(part(states[stack]) for stack, part in carried)
        outer, child = dict(states), b.child()
        _set(outer, carried, own)
        for stack in direct:
            self._grow(stack, outer, counting.ONE, child)
        inner = replace(
            stmt,
            outs=tuple(map(clone.fresh, stmt.outs)),
            inits=tuple(params),
            cond=self._with_room(stmt.cond, direct, outer, child),
        )
        last = self._inner_loop(inner, direct, outer, child)
        renamed = dict(zip(stmt.params, params, strict=True))
        outs = tuple(_fresh(p) for p in own)
        b.add(
            ir.While(
                (*stmt.outs, *outs),
                (*params, *own),
                (*stmt.inits, *inits),
                clone.block(stmt.cond, renamed),
                child.block([*last, *(part(outer[stack]) for stack, part in carried)]),
                stmt.exit,
                stmt.origin,
            )
        )
        _set(states, carried, outs)

    def _inner_loop(
        self, stmt: ir.While, direct: list[ir.Value], states: States, b: Builder
    ) -> tuple[ir.Value, ...]:
        """The loop that pushes until a stack is full; its condition knows the tops as params."""
        nested = self._pushed(stmt.body, direct=False)
        carried = self._carried(stmt, nested)
        params = [_fresh(part(states[stack])) for stack, part in carried]
        inits = tuple(part(states[stack]) for stack, part in carried)
        tops: dict[ir.Value, ir.Atom] = {}
        for init, param in zip(inits, params, strict=True):
            assert isinstance(init, ir.Value)
            tops[init] = param
        inner, child = dict(states), b.child()
        _set(inner, carried, params)
        self._block(stmt.body, inner, child)
        outs = tuple(_fresh(p) for p in params)
        yields = [*stmt.body.yields, *(part(inner[stack]) for stack, part in carried)]
        b.add(
            replace(
                stmt,
                outs=(*stmt.outs, *outs),
                params=(*stmt.params, *params),
                inits=(*stmt.inits, *inits),
                cond=clone.block(stmt.cond, tops),
                body=child.block(yields),
            )
        )
        _set(states, carried, outs)
        return stmt.outs

    def _with_room(
        self, cond: ir.Block, direct: list[ir.Value], states: States, b: Builder
    ) -> ir.Block:
        """``cond``, and room for one more push on each stack."""
        inner = Builder(b.origin)
        for stmt in cond.stmts:
            inner.add(stmt)
        (result,) = cond.yields
        for stack in direct:
            size = b.dim(states[stack].array, 0)
            after = counting.add(states[stack].top, ir.int_const(self._width[stack]), inner)
            fits = inner.compute("le", (after, size), BOOL)
            result = inner.compute("and", (result, fits), BOOL)
        return inner.block([result])


def _product(sizes: Sequence[ir.Atom], b: Builder) -> ir.Atom:
    total: ir.Atom = counting.ONE
    for size in sizes:
        total = size if total is counting.ONE else counting.mul(total, size, b)
    return total


def _array(state: State) -> ir.Atom:
    return state.array


def _top(state: State) -> ir.Atom:
    return state.top


def _hint(atom: ir.Atom) -> str:
    return atom.hint if isinstance(atom, ir.Value) else "top"


def _fresh(atom: ir.Atom) -> ir.Value:
    return ir.Value(_hint(atom), atom.type)


def _set(
    states: States,
    carried: Sequence[tuple[ir.Value, Part]],
    atoms: Sequence[ir.Atom],
) -> None:
    for (stack, part), atom in zip(carried, atoms, strict=True):
        old = states[stack]
        states[stack] = State(atom, old.top) if part is _array else State(old.array, atom)
