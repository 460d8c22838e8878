"""Random functions of the normal form, with branches, loops, jumps, memory and calls."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from mooncake_transpiler import ir
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, FLOAT, INT, NONE, Array, DType, Scalar, Tuple

SIZE = 4  # of every array
ARRAY = Array(DType.FLOAT64, 1)
MATRIX = Array(DType.FLOAT64, 2)
HINTS = ("", "", "", "s", "t", "y", "x_bar", "t1")
RESULT = Tuple((FLOAT, Tuple((INT, BOOL)), NONE))


@dataclass(slots=True)
class Generator:
    """Draws statements; ``visible`` are the atoms that may be used."""

    rng: random.Random
    depth: int = 3
    callee: ir.Func | None = None
    budget: int = 60
    turns: bool = False  # draw new axes, transposed views and other shapes, too
    visible: list[ir.Atom] = field(default_factory=list)

    # ---- atoms ----------------------------------------------------------------------------------

    def hint(self) -> str:
        return self.rng.choice(HINTS)

    def pick(self, type_: Scalar | Array) -> ir.Atom:
        known = [a for a in self.visible if a.type == type_]
        if isinstance(type_, Scalar) and (not known or self.rng.random() < 0.15):
            return self.const(type_)
        # recent ones, so that chains are folded
        return known[-min(len(known), 1 + int(self.rng.expovariate(0.5)))]

    def const(self, type_: Scalar) -> ir.Const:
        if type_ == BOOL:
            return ir.Const(self.rng.random() < 0.5, BOOL)
        if type_ == INT:
            return ir.Const(self.rng.choice((-2, -1, 0, 1, 3)), INT)
        return ir.Const(self.rng.choice((-1.5, -0.0, 0.5, 1.0, 2.0, 1e-20)), FLOAT)

    def scalar_type(self) -> Scalar:
        return self.rng.choice((FLOAT, FLOAT, FLOAT, INT, BOOL))

    def index(self, b: Builder) -> ir.Atom:
        if self.rng.random() < 0.5:
            return ir.int_const(self.rng.randrange(-SIZE, SIZE))
        return b.compute("mod", (self.pick(INT), ir.int_const(SIZE)), INT)

    # ---- statements -----------------------------------------------------------------------------

    def block(self, size: int, b: Builder) -> None:
        for _ in range(size):
            if self.budget <= 0:
                return
            self.budget -= 1
            kinds = ["compute"] * 8 + ["load"] * 3 + ["store", "accum", "grow", "view"]
            if self.callee is not None:
                kinds += ["call"]
            if self.depth > 0:
                kinds += ["if"] * 3 + ["for", "for", "while"]
            getattr(self, self.rng.choice(kinds) + "_")(b)

    def compute_(self, b: Builder) -> None:
        type_ = self.scalar_type()
        if type_ == FLOAT:
            op = self.rng.choice(("add", "sub", "mul", "add", "sub", "neg", "math.atan", "cast"))
            arity = 1 if op in ("neg", "math.atan", "cast") else 2
            kind = self.rng.choice((INT, BOOL)) if op == "cast" else FLOAT
        elif type_ == INT:
            op, arity, kind = self.rng.choice((("add", 2, INT), ("sub", 2, INT), ("neg", 1, INT)))
        else:
            op, arity, kind = self.rng.choice(
                (
                    ("lt", 2, FLOAT),
                    ("ge", 2, INT),
                    ("not", 1, BOOL),
                    ("and", 2, BOOL),
                    ("eq", 2, INT),
                )
            )
        args = [self.pick(kind) for _ in range(arity)]
        if self.rng.random() < 0.1 and type_ != BOOL:
            op, args = "select", [self.pick(BOOL), self.pick(type_), self.pick(type_)]
        value: ir.Value = b.compute(op, args, type_, self.hint())
        if type_ == INT:  # keep it small
            value = b.compute("mod", (value, ir.int_const(97)), INT, self.hint())
        self.visible.append(value)

    def load_(self, b: Builder) -> None:
        self.visible.append(b.load(self.pick(ARRAY), [self.index(b)], self.hint()))

    def store_(self, b: Builder) -> None:
        array, at = self.pick(ARRAY), self.index(b)
        b.store(array, [at], self.pick(FLOAT))

    def accum_(self, b: Builder) -> None:
        array, at = self.pick(ARRAY), self.index(b)
        b.accum(array, [at], self.pick(FLOAT))

    def view_(self, b: Builder) -> None:
        """Something with whole arrays of the one size."""
        kinds = ("view", "copy", "alloc", "sum", "assign", "addto")
        kind = self.rng.choice((*kinds, "column", "square") if self.turns else kinds)
        array, out = self.pick(ARRAY), ir.Value(self.hint(), ARRAY)
        match kind:
            case "view":
                b.add(ir.View(out, array, (ir.Slice(step=ir.int_const(-1)),)))
            case "copy":
                b.add(ir.Copy(out, array))
            case "column":
                self.column(array, out, b)
            case "square":
                self.square(array, out, b)
            case "alloc":
                b.add(ir.Alloc(out, (ir.int_const(SIZE),), ir.Const(0.0, FLOAT)))
            case "sum":
                total = ir.Value(self.hint(), FLOAT)
                b.add(ir.Sum(total, array))
                self.visible.append(total)
                return
            case "assign":
                b.add(ir.Assign(array, self.pick(self.rng.choice((FLOAT, ARRAY)))))
                return
            case _:
                b.add(ir.AddTo(array, self.pick(FLOAT)))
                return
        self.visible.append(out)

    def column(self, array: ir.Atom, out: ir.Value, b: Builder) -> None:
        """The same array as a column, of which ``out`` is the part with or without its axis."""
        column, zero = ir.Value(self.hint(), MATRIX), ir.int_const(0)
        axes = self.rng.choice(((), (1, 0)))
        whole, new = ir.Slice(), ir.NewAxis()
        b.add(ir.View(column, array, (new, whole) if axes else (whole, new), None, axes))
        self.visible.append(b.load(column, [self.index(b), zero], self.hint()))
        if self.rng.random() < 0.5:
            b.accum(column, [self.index(b), zero], self.pick(FLOAT))
        turned = ir.Slice(step=ir.int_const(self.rng.choice((1, -1))))
        b.add(ir.View(out, column, (turned, zero)))

    def square(self, array: ir.Atom, out: ir.Value, b: Builder) -> None:
        """A matrix and its transpose, with another shape twice: a copy of that."""
        two, size = ir.int_const(SIZE // 2), ir.int_const(SIZE)
        square, turned = ir.Value(self.hint(), MATRIX), ir.Value(self.hint(), MATRIX)
        b.add(ir.Reshape(square, array, (two, two)))
        b.add(ir.View(turned, square, (), None, (1, 0)))
        place = [b.compute("mod", (self.pick(INT), two), INT) for _ in range(2)]
        self.visible.append(b.load(turned, place, self.hint()))
        flat = ir.Value(self.hint(), ARRAY)
        b.add(ir.Reshape(flat, self.rng.choice((turned, square)), (size,)))
        b.add(ir.Copy(out, flat))

    def grow_(self, b: Builder) -> None:
        """The same array or a larger copy, cut back to the one size."""
        grown, out = ir.Value(self.hint(), ARRAY), ir.Value(self.hint(), ARRAY)
        size = self.rng.choice((ir.int_const(SIZE), ir.int_const(SIZE + 2), self.pick(INT)))
        b.add(ir.Grow(grown, self.pick(ARRAY), size))
        b.add(ir.View(out, grown, (ir.Slice(hi=ir.int_const(SIZE)),)))
        self.visible.append(out)

    def call_(self, b: Builder) -> None:
        assert self.callee is not None
        outs = tuple(ir.Value(self.hint(), type_) for type_ in (FLOAT, INT, BOOL))
        args = (self.pick(ARRAY), self.pick(FLOAT), self.pick(INT))
        b.add(ir.Call(outs, self.callee.name, args))
        self.visible += outs

    # ---- control --------------------------------------------------------------------------------

    def inner(self, b: Builder, size: int, extra: tuple[ir.Value, ...] = ()) -> Builder:
        child = b.child()
        self.visible += extra
        self.depth -= 1
        self.block(size, child)
        self.depth += 1
        return child

    def close(self, child: Builder, types: list[Scalar | Array], known: int) -> ir.Block:
        block = child.block([self.pick(type_) for type_ in types])
        del self.visible[known:]
        return block

    def types(self) -> list[Scalar | Array]:
        return [
            self.rng.choice((self.scalar_type(), FLOAT, ARRAY)) if i else self.scalar_type()
            for i in range(self.rng.randrange(4))
        ]

    def outs(self, types: list[Scalar | Array], b: Builder) -> tuple[ir.Value, ...]:
        return tuple(ir.Value(self.hint(), type_) for type_ in types)

    def if_(self, b: Builder) -> None:
        cond, types, known = self.pick(BOOL), self.types(), len(self.visible)
        arms = []
        for _ in range(2):
            child = self.inner(b, self.rng.choice((0, 0, 1, 3)))
            if self.rng.random() < 0.03 and self.depth < 3:
                child.add(ir.Raise("ValueError", 'it\'s "so"'))
                del self.visible[known:]
                arms.append(child.block([ir.Undef(type_) for type_ in types]))
            else:
                arms.append(self.close(child, types, known))
        outs = self.outs(types, b)
        b.add(ir.If(outs, cond, *arms))
        self.visible += outs

    def carried(
        self, b: Builder
    ) -> tuple[list[Scalar | Array], tuple[ir.Value, ...], list[ir.Atom]]:
        types = self.types()
        hints = [self.hint() for _ in types]
        params = tuple(ir.Value(h, type_) for h, type_ in zip(hints, types, strict=True))
        return types, params, [self.pick(type_) for type_ in types]

    def flag(self, child: Builder, b: Builder) -> ir.Atom:
        """An exit flag: often the result of a branch at the end of the body."""
        if self.rng.random() < 0.3:
            return self.pick(BOOL)
        known = len(self.visible)
        types: list[Scalar | Array] = [FLOAT]
        arms = []
        flags = [ir.Const(True, BOOL), ir.Const(False, BOOL)]
        self.rng.shuffle(flags)
        cond = self.pick(BOOL)
        for flag in flags:
            arm = self.inner(child, self.rng.choice((0, 1, 2)))
            arms.append(ir.Block(tuple(arm.stmts), (flag, *self.close(arm, types, known).yields)))
        outs = (ir.Value("", BOOL), ir.Value(self.hint(), FLOAT))
        child.add(ir.If(outs, cond, *arms))
        self.visible.append(outs[1])
        return outs[0]

    def for_(self, b: Builder) -> None:
        lo, hi, step = self.rng.choice(((0, 3, 1), (1, 4, 1), (3, -1, -1), (0, 0, 1), (0, 5, 2)))
        bound = b.compute("mod", (self.pick(INT), ir.int_const(4)), INT)
        top: ir.Atom = bound if self.rng.random() < 0.5 and step > 0 else ir.int_const(hi)
        types, params, inits = self.carried(b)
        index, known = ir.Value(self.rng.choice(("i", "", "j")), INT), len(self.visible)
        child = self.inner(b, self.rng.randrange(5), (index, *params))
        leaves = self.rng.random() < 0.4
        flag = self.flag(child, b) if leaves else None
        body = self.close(child, types, known)
        outs = self.outs(types, b)
        if flag is not None:
            param, out = ir.Value("", BOOL), ir.Value(self.rng.choice(("", "found")), BOOL)
            params, outs, inits = (param, *params), (out, *outs), [ir.Const(False, BOOL), *inits]
            body = ir.Block(body.stmts, (flag, *body.yields))
        b.add(
            ir.For(outs, index, ir.int_const(lo), top, ir.int_const(step), params, tuple(inits),
                   body, leaves)
        )  # fmt: skip
        self.visible += outs

    def while_(self, b: Builder) -> None:
        """Counts to a few, so that it ends; the condition may need statements."""
        types, params, inits = self.carried(b)
        count, known = ir.Value(self.rng.choice(("k", "")), INT), len(self.visible)
        test = self.inner(b, self.rng.choice((0, 0, 2)), (count, *params))
        below = test.compute("lt", (count, ir.int_const(3)), BOOL)
        cond = test.block([test.compute("and", (below, self.pick(BOOL)), BOOL)])
        del self.visible[known:]
        child = self.inner(b, self.rng.randrange(4), (count, *params))
        more = child.compute("add", (count, ir.int_const(1)), INT, count.hint)
        body = self.close(child, types, known)
        outs = (ir.Value("", INT), *self.outs(types, b))
        loop = ir.Block(body.stmts, (more, *body.yields))
        starts = (ir.int_const(0), *inits)
        b.add(ir.While(outs, (count, *params), starts, cond, loop))
        self.visible += outs


def random_func(
    rng: random.Random, name: str = "m:f", callee: ir.Func | None = None, turns: bool = False
) -> ir.Func:
    """A function of an array, a float and an int, that writes to the array."""
    x, a, n = ir.Value("x", ARRAY), ir.Value("a", FLOAT), ir.Value("n", INT)
    generator = Generator(rng, visible=[x, a, n], callee=callee, turns=turns)
    b = Builder()
    generator.block(14, b)
    leaves = [generator.pick(FLOAT), generator.pick(INT), generator.pick(BOOL)]
    if rng.random() < 0.5:  # results of a branch at the end
        known = len(generator.visible)
        types: list[Scalar | Array] = [FLOAT, INT]
        cond = generator.pick(BOOL)
        arms = [generator.close(generator.inner(b, 2), types, known) for _ in range(2)]
        outs = (ir.Value("", FLOAT), ir.Value("", INT))
        b.add(ir.If(outs, cond, *arms))
        leaves[:2] = outs
    params = tuple(ir.Param(v.hint, v.type, (v,)) for v in (x, a, n))
    return ir.Func(name, params, RESULT, b.block(leaves))
