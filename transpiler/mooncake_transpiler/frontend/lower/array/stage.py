"""The compiler's side of library functions: what they emit, in the function being lowered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from mooncake_rules.arrays import Arr, Num, Value, elementwise
from mooncake_rules.arrays.stage import Rule
from mooncake_rules.library import FUNCTIONS
from mooncake_rules.library.memory_orders import laid_out

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import aliasing, blocks
from mooncake_transpiler.frontend.lower.array.ordering import Number, Ordering
from mooncake_transpiler.frontend.lower.failure import failing
from mooncake_transpiler.frontend.lower.memory import reshaping, storage
from mooncake_transpiler.frontend.lower.scalar import kinds, scalars, weak_numbers, widths
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.ir.builder import index_of
from mooncake_transpiler.ir.function_names import in_library, primitive_name
from mooncake_transpiler.types import Array, ArrayLibrary, DType, Scalar

T = TypeVar("T")
NATIVE = (DType.BOOL, DType.INT64, DType.FLOAT64, DType.COMPLEX128)


@dataclass(frozen=True, slots=True, eq=False)
class LoweringStage(Ordering):
    """``mooncake_rules.arrays.Stage`` for the function under ``ctx``; ``node`` is the call."""

    @property
    def minimal(self) -> bool:
        return self.ctx.functions.minimal

    @property
    def stretching(self) -> bool:
        return self.ctx.functions.stretching

    @property
    def on_device(self) -> bool:
        root = self.ctx.root
        return root is not None and root.library is ArrayLibrary.CUPY

    # ---- between numbers and atoms --------------------------------------------------------------

    def number(self, atom: ir.Atom) -> Number:
        """``atom`` as library functions see it: plain where it is known ahead of time."""
        dtype = scalars.dtype(atom)
        if isinstance(atom, ir.Const) and dtype in NATIVE:
            return atom.value
        return Num(self, atom, dtype.value)

    def size(self, atom: ir.Atom) -> Num | int:
        found = self.number(atom)
        assert isinstance(found, Num | int)
        return found

    def _stand_in(self, value: Value) -> ir.Atom:
        """An atom with the type of ``value``, of an array that of its elements."""
        if isinstance(value, Arr):
            return ir.Undef(Scalar(DType(value.dtype)))
        return self.atom(value)

    # ---- scalars --------------------------------------------------------------------------------

    def op(self, name: str, *args: Number) -> Number:
        atoms = self.atoms(args)
        if name in ("where", "select"):
            cond = scalars.truth(self.ctx, self.node, atoms[0])
            a, b = widths.settled(self.ctx, self.node, f"np.{name}", atoms[1:])
            return self.number(scalars.select(self.ctx, cond, a, b, "", name))
        return self.number(scalars.compute(self.ctx, self.node, name, atoms, "", Kind.NUMPY))

    def result(self, name: str, *args: Value) -> str:
        stand_ins = [self._stand_in(arg) for arg in args]
        if name in ("where", "select"):
            sides = widths.settled(self.ctx, self.node, f"np.{name}", stand_ins[1:])
            return scalars.promote(sides).value
        return scalars.result(self.ctx, self.node, name, stand_ins, Kind.NUMPY).dtype.value

    def cast(self, x: Number, dtype: str) -> Number:
        return self.number(scalars.cast(self.ctx, self.atom(x), Scalar(DType(dtype))))

    def element(self, x: Number, dtype: str) -> Number:
        known = self.atom(x)
        if not isinstance(known, ir.Const) or dtype == "bool":
            return x
        const = scalars.convert_const(known, Scalar(DType(dtype)))
        return Num(self, kinds.marked(self.ctx, const, Kind.NUMPY), dtype)

    def promote(self, *args: Value) -> str:
        stand_ins = [self._stand_in(arg) for arg in args]
        return scalars.promote(weak_numbers.among(self.ctx, self.node, stand_ins, stand_ins)).value

    # ---- control --------------------------------------------------------------------------------

    def nest(self, shape: Sequence[Num | int], body: Callable[..., None]) -> None:
        def run(_: object, *index: Num | int) -> tuple[Number, ...]:
            body(*index)
            return ()

        self.fold(shape, (), run)

    def fold(
        self,
        shape: Sequence[Num | int],
        inits: Sequence[Number],
        body: Callable[..., Sequence[Number]],
    ) -> tuple[Number, ...]:
        return tuple(map(self.number, self._level(shape, (), self.atoms(inits), body)))

    def _level(
        self,
        shape: Sequence[Num | int],
        index: tuple[Num | int, ...],
        inits: tuple[ir.Atom, ...],
        body: Callable[..., Sequence[Number]],
    ) -> tuple[ir.Atom, ...]:
        """The loop over the first axis of ``shape`` that ``index`` lacks, and those inside it."""
        axis = len(index)
        if axis == len(shape):
            found = body(tuple(map(self.number, inits)), *index)
            return blocks.converted(self.ctx, self.atoms(found), inits)
        if isinstance(shape[axis], int) and shape[axis] == 1:
            return self._level(shape, (*index, 0), inits, body)
        ctx = self.ctx
        counter = index_of(axis)
        params = tuple(ir.Value("", init.type) for init in inits)
        yields: list[ir.Atom] = []

        def iteration() -> None:
            at = (*index, Num(self, counter, "int64"))
            yields.extend(self._level(shape, at, params, body))

        block = ctx.in_child(iteration).block(yields)
        outs = tuple(ir.Value("", init.type) for init in inits)
        hi = self.atom(shape[axis])
        ctx.builder.add(
            ir.For(
                outs, counter, ir.ZERO, hi, ir.ONE, params, inits, block, False, ctx.builder.origin
            )
        )
        return outs

    def choose(
        self,
        cond: Num | bool,
        then: Callable[[], Sequence[Number]],
        orelse: Callable[[], Sequence[Number]],
    ) -> tuple[Number, ...]:
        if not isinstance(cond, Num):
            return tuple((then if cond else orelse)())
        outs = blocks.choose(
            self.ctx, self.atom(cond), lambda: self.atoms(then()), lambda: self.atoms(orelse())
        )
        return tuple(map(self.number, outs))

    def loop(
        self,
        inits: Sequence[Number],
        cond: Callable[..., Num | bool],
        body: Callable[..., Sequence[Number]],
    ) -> tuple[Number, ...]:
        def run(params: Sequence[ir.Value]) -> tuple[ir.Atom, ...]:
            return self.atoms(body(*map(self.number, params)))

        outs = blocks.loop(
            self.ctx,
            self.atoms(inits),
            lambda params: self.atom(cond(*map(self.number, params))),
            run,
        )
        return tuple(map(self.number, outs))

    def before(self) -> Callable[[Callable[[], T]], T]:
        return partial(self.ctx.at, self.ctx.builder)

    def require(
        self, cond: Num | bool, message: str, exc: str = "ValueError", *numbers: Num | complex
    ) -> None:
        if not isinstance(cond, Num):
            if not cond:
                raise self.refuse(message.format(*numbers) if numbers else message, None, "MK216")
            return
        told = self.atoms(numbers)
        failing.require(self.ctx, self.node, self.atom(cond), message, exc, told)

    def refuse(self, message: str, help: str | None = None, code: str = "MK303") -> Exception:
        refuse = self.ctx.unroll if code == "MK310" else self.ctx.refuse
        return refuse(self.node, code, message, help)

    # ---- arrays ---------------------------------------------------------------------------------

    def array(self, value: ir.Atom) -> Arr:
        """An array in memory, as library functions see it."""
        assert isinstance(value.type, Array)
        dtype = value.type.dtype

        def at(*index: Num | int) -> Number:
            if isinstance(value, ir.Undef):
                return Num(self, ir.Undef(Scalar(dtype)), dtype.value)
            return Num(self, self.ctx.builder.load(value, self.atoms(index)), dtype.value)

        shape = tuple(map(self.size, storage.shape(self.ctx, value)))
        layout = storage.layout_of(self.ctx, value)
        reads = frozenset((self.ctx.memory.base(value),))
        return Arr(self, dtype.value, shape, at, value, True, reads, layout=layout)

    def new(
        self, shape: Sequence[Num | int], dtype: str, fill: bool | int | float | None = None
    ) -> Arr:
        filler = None
        if fill is not None:
            filler = scalars.convert_const(scalars.constant(fill), Scalar(DType(dtype)))
        return self.array(storage.alloc(self.ctx, DType(dtype), self.atoms(shape), filler))

    def _memory(self, array: Arr) -> ir.Value | ir.Undef:
        assert isinstance(array.memory, ir.Value | ir.Undef)
        return array.memory

    def store(self, array: Arr, index: Sequence[Num | int], value: Number) -> None:
        item = scalars.cast(self.ctx, self.atom(value), Scalar(DType(array.dtype)))
        self.ctx.builder.store(self._memory(array), self.atoms(index), item)

    def add(self, array: Arr, index: Sequence[Num | int], value: Number) -> None:
        if array.dtype == "bool":
            self.store(array, index, self.op("add", array.at(*index), value))
            return
        item = scalars.cast(self.ctx, self.atom(value), Scalar(DType(array.dtype)))
        self.ctx.builder.accum(self._memory(array), self.atoms(index), item)

    def keep(self, array: Arr) -> Arr:
        return array if array.memory is not None else self.array(self.value(array))

    def value(self, array: Arr, hint: str = "") -> ir.Atom:
        """``array`` in memory; a delayed one is computed by a loop nest."""
        if array.memory is not None:
            return self._memory(array)
        shape, layout = self.atoms(array.shape), self.layout(array)
        out = storage.alloc(self.ctx, DType(array.dtype), shape, None, hint, layout)
        self.fill(self.array(out), array)
        if array.shows:  # a copy, where NumPy has a view
            self.ctx.memory.shown[out] = array.reads
        return out

    def fill(self, target: Arr, source: Arr) -> None:
        """``target[...] = source``, of the same shape, element by element."""
        fine = source.fine
        if fine is None:
            self.nest(target.shape, lambda *index: self.store(target, index, source.at(*index)))
            return

        def one(*index: Num | int) -> None:
            self.store(
                target, blocks.coarse(self, fine.shape, source.groups, index), fine.at(*index)
            )

        self.nest(fine.shape, one)

    def copied(self, array: Arr, order: str = "") -> Arr:
        ways = {
            "C": self.c_order(array.shape), "F": self.f_order(array.shape), "K": self.like(array),
        }  # fmt: skip
        layout = ways.get(order)
        if not isinstance(array.memory, ir.Value):
            return replace(array, shows=False, layout=layout)
        return self.array(storage.copy(self.ctx, array.memory, "", layout))

    def writable(self, array: object) -> Arr:
        if not isinstance(array, Arr):
            raise self.refuse("what is written to must be an array", None, "MK213")
        if array.memory is None:
            raise self.refuse("an expression can't be written to", None, "MK213")
        if isinstance(array.memory, ir.Value):
            aliasing.writable(self.ctx, self.node, array.memory)
        return array

    def apart(self, source: Arr, target: Arr) -> Arr:
        if not aliasing.meets(self.ctx, target, source):
            return source
        return self.keep(source) if source.memory is None else self.copied(source)

    def contiguous(self, array: Arr) -> Arr:
        if not isinstance(array.memory, ir.Value):
            return replace(array, layout=self.c_order(array.shape))
        return self.array(reshaping.contiguous(self.ctx, array.memory))

    def view(self, array: Arr, index: Sequence[object], axes: Sequence[int] = ()) -> Arr:
        array = self.keep(array)
        if all(item == slice(None) for item in index) and tuple(axes) in (
            (),
            tuple(range(array.ndim)),
        ):
            return array
        found = tuple(self._item(item) for item in index)
        return self.array(storage.view(self.ctx, self._memory(array), found, tuple(axes)))

    def _item(self, item: object) -> ir.Index:
        match item:
            case None:
                return ir.NewAxis()
            case slice(start=lo, stop=hi, step=step):
                return ir.Slice(*(None if x is None else self.atom(x) for x in (lo, hi, step)))
            case Num() | int():
                return self.atom(item)
            case _:
                raise AssertionError(item)

    def part(self, array: Arr, name: str) -> Arr:
        value = self._memory(array)
        if isinstance(value, ir.Undef):
            assert isinstance(value.type, Array)
            return self.array(ir.Undef(Array(value.type.dtype.real, array.ndim)))
        return self.array(storage.part(self.ctx, value, name))

    def reshape(self, array: Arr, shape: Sequence[Num | int]) -> Arr:
        base = self._memory(self.keep(array))
        return self.array(reshaping.reshape(self.ctx, base, self.atoms(shape)))

    def ravel(self, array: Arr, size: Num | int) -> Arr:
        base = self._memory(self.keep(array))
        return self.array(reshaping.ravel(self.ctx, base, self.atom(size)))

    def flat(self, array: Arr, size: Num | int) -> Arr:
        base = self._memory(self.keep(array))
        return self.array(reshaping.flat(self.ctx, base, self.atom(size)))

    def shrunk(self, size: Num | int, by: int) -> Num | int:
        if not isinstance(size, Num):
            return max(size - by, 0)
        return self.size(storage.shrunk(self.ctx, self.atom(size), by))

    def half(self, size: Num | int) -> Num | int:
        if not isinstance(size, Num):
            return size // 2 + 1
        return self.size(storage.half(self.ctx, self.atom(size)))

    def same(self, a: Num | int, b: Num | int) -> bool:
        return self.ctx.sizes.same(self.atom(a), self.atom(b))

    def at_most_one(self, size: Num | int) -> bool:
        return self.atom(size) in self.ctx.sizes.units

    def equate(self, a: Num | int, b: Num | int) -> None:
        self.ctx.sizes.equate(self.atom(a), self.atom(b))

    # ---- calls ----------------------------------------------------------------------------------

    def primitive(
        self, name: str, args: Sequence[Value], results: Sequence[tuple[str, int]]
    ) -> tuple[Num | Arr, ...]:
        given = tuple(self.value(a) if isinstance(a, Arr) else self.atom(a) for a in args)
        outs = tuple(
            ir.Value("", Array(DType(dtype), ndim) if ndim else Scalar(DType(dtype)))
            for dtype, ndim in results
        )
        self.ctx.builder.add(ir.Call(outs, primitive_name(name), given, self.ctx.builder.origin))
        self.ctx.memory.local.update(out for out in outs if isinstance(out.type, Array))
        return tuple(
            self.array(out) if isinstance(out.type, Array) else Num(self, out, dtype)
            for out, (dtype, _) in zip(outs, results, strict=True)
        )

    def rule(self, name: str, rule: Rule, *args: object) -> tuple[Num | Arr, ...]:
        return self.ctx.lower.rule(self.ctx, self.node, in_library(name), rule, args)

    def shaped(self, array: Arr, shape: Sequence[Num | int]) -> Arr:
        value = self._memory(array)
        if isinstance(value, ir.Value):
            self.ctx.sizes.shapes[value] = self.atoms(shape)
        return self.array(value)

    def broadcast(self, name: str, *args: Value) -> Value:
        return elementwise(self, name, *args)

    def has(self, function: str) -> bool:
        return function in FUNCTIONS

    def call(self, function: str, *args: object, **keywords: object) -> object:
        result = FUNCTIONS[function].impl(self, *args, **keywords)
        return laid_out(self, function, result, *args)
