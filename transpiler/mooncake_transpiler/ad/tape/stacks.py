"""Lowering of stacks to arrays that grow in chunks, and integers that point at their tops.

So do the growable arrays of the program, whose tops are integers of its own.

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

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.facts import Loop
from mooncake_transpiler.ad.reverse import counting
from mooncake_transpiler.ad.tape import capacity, growables
from mooncake_transpiler.ad.tape.growables import (
    Growables,
    Part,
    StackState,
    States,
    array_of,
    enlarge,
    fresh,
    name_of,
    top_of,
    value_of,
)
from mooncake_transpiler.ir import cloning
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, INT, Array, Stack


def lower_stacks(blocks: Sequence[ir.Block], *, chunked: bool = True) -> list[ir.Block]:
    """``blocks``, which run one after the other, without stacks and growable arrays.

    Where ``chunked``, a ``while`` becomes two loops, and stacks grow in the outer one only; else
    each iteration looks if there is room, and conditions are stated once.
    """
    lowering = StackLowering(blocks, chunked=chunked)
    return [lowering.top_level(block) for block in blocks]


def without_growables(func: ir.Func) -> ir.Func:
    """``func`` with arrays that loops and branches carry in place of growable ones."""
    if not any(isinstance(stmt, ir.Alloc) and stmt.growable for stmt in ir.walk(func.body)):
        return func
    return replace(func, body=lower_stacks([func.body])[0])


class StackLowering:
    """Threads the arrays of stacks and their tops through blocks."""

    def __init__(self, blocks: Sequence[ir.Block], *, chunked: bool = True) -> None:
        self._is_chunked = chunked
        self._width: dict[ir.Value, int] = {}
        self._stacks: dict[ir.Value, None] = {}
        self._of_arrays: set[ir.Value] = set()  # each push makes room for itself
        self._growables = Growables(blocks)
        self._growable = self._growables.arrays
        for stmt in (s for block in blocks for s in ir.walk(block)):
            if isinstance(stmt, ir.NewStack):
                self._stacks[stmt.out] = None
            elif isinstance(stmt, ir.Push):
                self._width[stmt.stack] = len(stmt.values)
                if isinstance(stmt.values[0].type, Array):
                    self._of_arrays.add(stmt.stack)
        self._states = States()
        self._started = False

    def top_level(self, block: ir.Block) -> ir.Block:
        b = Builder()
        if not self._started:
            self._started = True
            for stack in self._stacks:
                assert isinstance(stack.type, Stack)
                array = ir.Value(stack.hint, Array(stack.type.dtype, 1))
                b.add(self.memory(array))
                self._states.of[stack] = StackState(array, ir.ZERO)
        return self._filled(block, self._states, b)

    def memory(self, array: ir.Value) -> ir.Alloc:
        """The statement that makes the ``array`` of a new stack."""
        return ir.Alloc(array, (ir.int_const(growables.FIRST_SIZE),))

    def enlarged(self, array: ir.Atom, size: ir.Atom, b: Builder) -> ir.Value:
        """The ``array`` of a stack, with room for ``size`` items."""
        found = fresh(array)
        b.add(ir.Grow(found, array, size, b.origin))
        return found

    # ---- what a statement does to stacks --------------------------------------------------------

    def _used(self, stmt: ir.Stmt, states: States) -> list[ir.Value]:
        """The stacks that ``stmt`` pushes or pops, and what it reserves, in order of creation."""
        found = set()
        for inner in ir.within(stmt):
            if isinstance(inner, ir.Push | ir.Pop):
                found.add(inner.stack)
            elif isinstance(inner, ir.Reserve) and inner.array not in states.roomy:
                found.add(value_of(inner.array))
        return [v for v in (*self._stacks, *self._growable) if v in found and v in states.of]

    def pushed(self, loop: Loop, states: States, *, direct: bool) -> list[ir.Value]:
        """The stacks and arrays to which ``loop`` pushes a known number of items, or any other."""
        own: set[ir.Value] = set()
        nested: set[ir.Value] = set()

        def visit(inner: ir.Block, found: set[ir.Value]) -> None:
            for stmt in inner.stmts:
                if isinstance(stmt, ir.Push):
                    (nested if stmt.stack in self._of_arrays else found).add(stmt.stack)
                into = nested if isinstance(stmt, ir.For | ir.While) else found
                for child in ir.blocks(stmt):
                    visit(child, into)

        visit(loop.body, own)
        rooms = self._growables.rooms(loop)
        for array in self._used(loop, states):
            if array in self._growable:
                (own if array in rooms else nested).add(array)
        found = own if direct else nested
        return [v for v in (*self._stacks, *self._growable) if v in found and v in states.of]

    # ---- statements -----------------------------------------------------------------------------

    def _filled(
        self,
        block: ir.Block,
        states: States,
        b: Builder,
        more: Callable[[], Sequence[ir.Atom]] = tuple,
    ) -> ir.Block:
        """``block`` behind the statements of ``b``; it yields ``more``, too."""
        self._block(block, states, b)
        yields = [self._growables.now(atom, states, b) for atom in block.yields]
        return b.block([*yields, *more()])

    def _block(self, block: ir.Block, states: States, b: Builder) -> None:
        for stmt in block.stmts:
            b.origin = stmt.origin
            if self._growable:
                stmt = self._growables.current(stmt, states, b)
            match stmt:
                case ir.NewStack():
                    pass
                case ir.Push(stack=stack, values=(value,)) if stack in self._of_arrays:
                    states.of[stack] = self._push_array(states.of[stack], value, b)
                case ir.Pop(stack=stack, outs=(out,), shape=shape) if stack in self._of_arrays:
                    states.of[stack] = self._pop_array(states.of[stack], out, shape, b)
                case ir.Push(stack=stack, values=values):
                    states.of[stack] = self.push(states.of[stack], values, b)
                case ir.Pop(stack=stack, outs=outs):
                    states.of[stack] = self._pop(states.of[stack], outs, b)
                case ir.Alloc(out=out) if out in self._growable:
                    self._growables.begin(stmt, states, b)
                case ir.Reserve(array=array, size=size, shape=shape) if array in self._growable:
                    if array not in states.roomy:
                        enlarge(value_of(array), size, shape, states, b)
                case ir.If():
                    self._if(stmt, states, b)
                case ir.For() | ir.While() if not (self._growable or self._used(stmt, states)):
                    b.add(stmt)
                case ir.For() | ir.While():
                    self.loop(stmt, states, b)
                case _:
                    ir.without_blocks(stmt)
                    b.add(stmt)

    # ---- stacks ---------------------------------------------------------------------------------

    def push(self, state: StackState, values: Sequence[ir.Atom], b: Builder) -> StackState:
        for k, value in enumerate(values):
            b.store(state.array, [counting.add(state.top, ir.int_const(k), b)], value)
        return StackState(state.array, self._moved(state.top, len(values), b))

    def _pop(self, state: StackState, outs: Sequence[ir.Value], b: Builder) -> StackState:
        top = self._moved(state.top, -len(outs), b)
        for k, out in enumerate(outs):
            b.add(ir.Load(out, state.array, (counting.add(top, ir.int_const(k), b),), b.origin))
        return StackState(state.array, top)

    def _push_array(self, state: StackState, value: ir.Atom, b: Builder) -> StackState:
        assert isinstance(value.type, Array)
        size = _product(b.shape(value), b)
        top = b.compute("add", (state.top, size), INT, name_of(state.top))
        array = self.enlarged(state.array, top, b)
        flat = value
        if value.type.ndim != 1:
            flat = ir.Value("", array.type)
            b.add(ir.Reshape(flat, value, (size,), b.origin))
        part = ir.Value("", array.type)
        b.add(ir.View(part, array, (ir.Slice(state.top, top),), b.origin))
        b.add(ir.Assign(part, flat, b.origin))
        return StackState(array, top)

    def _pop_array(
        self, state: StackState, out: ir.Value, shape: Sequence[ir.Atom], b: Builder
    ) -> StackState:
        top = b.compute("sub", (state.top, _product(shape, b)), INT, name_of(state.top))
        part = out if len(shape) == 1 else ir.Value("", state.array.type)
        b.add(ir.View(part, state.array, (ir.Slice(top, state.top),), b.origin))
        if part is not out:
            b.add(ir.Reshape(out, part, tuple(shape), b.origin))
        return StackState(state.array, top)

    def _moved(self, top: ir.Atom, by: int, b: Builder) -> ir.Value:
        op = "add" if by > 0 else "sub"
        return b.compute(op, (top, ir.int_const(abs(by))), INT, name_of(top))

    def _if(self, stmt: ir.If, states: States, b: Builder) -> None:
        used = self._used(stmt, states)
        if not used and not self._growable:
            b.add(stmt)
            return
        arms = []
        for block in (stmt.then, stmt.orelse):
            inner, child = states.copy(), b.child()
            arms.append((self._filled(block, inner, child), inner))
        changed: list[tuple[ir.Value, Part]] = []
        parts: tuple[Part, Part] = (array_of, top_of)
        for stack in used:
            for part in parts:
                if any(part(inner.of[stack]) is not part(states.of[stack]) for _, inner in arms):
                    changed.append((stack, part))
        outs = tuple(fresh(part(arms[0][1].of[stack])) for stack, part in changed)
        blocks = [
            replace(arm, yields=(*arm.yields, *(part(inner.of[stack]) for stack, part in changed)))
            for arm, inner in arms
        ]
        b.add(replace(stmt, outs=(*stmt.outs, *outs), then=blocks[0], orelse=blocks[1]))
        states.set(changed, outs)

    # ---- loops ----------------------------------------------------------------------------------

    def loop(self, stmt: Loop, states: States, b: Builder) -> None:
        direct = self.pushed(stmt, states, direct=True)
        if isinstance(stmt, ir.For):
            trips = counting.trips(stmt.lo, stmt.hi, stmt.step, b) if direct else ir.ZERO
            for stack in direct:
                self._grow(stack, stmt, stmt.inits, states, trips, b)
        if isinstance(stmt, ir.While) and direct and self._is_chunked:
            self._chunked(stmt, direct, states, b)
        else:
            self.plain_loop(stmt, direct, states, b)

    def _grow(
        self,
        stack: ir.Value,
        loop: Loop,
        carried: Sequence[ir.Atom],
        states: States,
        trips: ir.Atom,
        b: Builder,
    ) -> None:
        """Make room for ``trips`` more iterations of ``loop``, which then starts as ``carried``."""
        known = None if stack in self._stacks else self._growables.rooms(loop)[stack]
        if known is None or isinstance(known, capacity.Counted):
            sizes = [self._size(stack, loop, carried, states, trips, b)]
        else:
            assert isinstance(loop, ir.For)
            sizes = capacity.last_sizes(loop, known, b)
        for size in sizes:
            enlarge(stack, size, () if known is None else known.shape, states, b)

    def _size(
        self,
        stack: ir.Value,
        loop: Loop,
        carried: Sequence[ir.Atom],
        states: States,
        trips: ir.Atom,
        b: Builder,
    ) -> ir.Atom:
        """The size that the iterations need."""
        if stack in self._stacks:
            pushed = counting.mul(trips, ir.int_const(self._width[stack]), b)
            return counting.add(states.of[stack].top, pushed, b)
        known = self._growables.rooms(loop)[stack]
        assert isinstance(known, capacity.Counted)
        return known.size(carried, trips, b)

    def plain_loop(
        self, stmt: Loop, direct: Sequence[ir.Value], states: States, b: Builder
    ) -> None:
        """``stmt`` with the tops of its stacks carried, and the arrays that grow inside.

        There is room for what it pushes and reserves in ``direct``; a ``while`` makes it each time.
        """
        each = direct if isinstance(stmt, ir.While) else ()
        self._threaded(stmt, direct, each, {}, states, b)

    def _threaded(
        self,
        stmt: Loop,
        direct: Iterable[ir.Value],
        each: Sequence[ir.Value],
        sizes: Mapping[ir.Value, ir.Value],
        states: States,
        b: Builder,
    ) -> None:
        """The same, with room made for ``each`` in each iteration, while all is below ``sizes``."""
        growing = [*each, *self.pushed(stmt, states, direct=False)]
        carried = self._carried(stmt, growing, states)
        inits = states.get(carried)
        params = [*map(fresh, inits)]
        inner, child = states.copy(), b.child()
        inner.roomy |= {array for array in direct if array in self._growable}
        inner.set(carried, params)
        if isinstance(stmt, ir.While) and (self._growable or sizes):
            stmt = replace(stmt, cond=self._with_room(stmt, sizes, inner, b.child()))
        for stack in each:
            self._grow(stack, stmt, stmt.params, inner, ir.ONE, child)
        body = self._filled(stmt.body, inner, child, lambda: inner.get(carried))
        outs = tuple(map(fresh, params))
        b.add(ir.with_carried(stmt, outs, params, inits, body))
        states.set(carried, outs)

    def _carried(
        self, stmt: Loop, growing: Iterable[ir.Value], states: States
    ) -> list[tuple[ir.Value, Part]]:
        used = self._used(stmt, states)
        arrays = [stack for stack in used if stack in set(growing)]
        tops = [stack for stack in used if stack in self._stacks]
        return [*((stack, array_of) for stack in arrays), *((stack, top_of) for stack in tops)]

    def _chunked(self, stmt: ir.While, direct: list[ir.Value], states: States, b: Builder) -> None:
        """An outer loop that grows the stacks around an inner one that fills them."""
        carried = self._carried(stmt, [*direct, *self.pushed(stmt, states, direct=False)], states)
        params = [ir.fresh(p) for p in stmt.params]
        inits = states.get(carried)
        own = [*map(fresh, inits)]
        outer, child = states.copy(), b.child()
        outer.set(carried, own)
        cond = self._filled(stmt.cond, outer.copy(), b.child())
        for stack in direct:
            self._grow(stack, stmt, params, outer, ir.ONE, child)
        sizes = {stack: child.dim(outer.of[stack].array, 0) for stack in direct}
        part = replace(stmt, outs=tuple(map(ir.fresh, stmt.outs)), inits=tuple(params))
        self._threaded(part, direct, (), sizes, outer, child)
        outs, renamed = tuple(map(fresh, own)), dict(zip(stmt.params, params, strict=True))
        whole = replace(stmt, params=tuple(params), cond=cloning.block(cond, renamed))
        body = child.block([*part.outs, *outer.get(carried)])
        b.add(ir.with_carried(whole, outs, own, inits, body))
        states.set(carried, outs)

    def _with_room(
        self, loop: ir.While, sizes: Mapping[ir.Value, ir.Value], states: States, b: Builder
    ) -> ir.Block:
        """The condition of ``loop``, and room for what one more iteration pushes and reserves.

        ``sizes`` tells how much there is of the memory that is made beforehand.
        """
        cond = self._filled(loop.cond, states.copy(), b)
        (result,) = cond.yields
        for stack, size in sizes.items():
            after = self._size(stack, loop, loop.params, states, ir.ONE, b)
            fits = b.compute("le", (after, size), BOOL)
            result = b.compute("and", (result, fits), BOOL)
        return b.block([result])


def _product(sizes: Sequence[ir.Atom], b: Builder) -> ir.Atom:
    total: ir.Atom = ir.ONE
    for size in sizes:
        total = size if total is ir.ONE else counting.mul(total, size, b)
    return total
