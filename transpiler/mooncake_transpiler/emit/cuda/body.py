"""The body of a kernel: statements of the normal form as lines of CUDA C++."""

from __future__ import annotations

import re

from mooncake_rules.op import Prec
from mooncake_runtime.device_indices import INDEX

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda import ctext, row_lanes
from mooncake_transpiler.emit.cuda.kernel_operands import SUMS, Kernel, Mode, Operand
from mooncake_transpiler.emit.folding import Folding, fold
from mooncake_transpiler.emit.literals import Text
from mooncake_transpiler.types import NONE, Array, DType, Scalar

PAD = "    "
LONG = 84  # characters of a line: longer ones are taken apart

# Names that mean something in a kernel: of C++, of CUDA and of CuPy's text around the body.
_TAKEN = frozenset(
    {"alignas", "alignof", "and", "asm", "auto", "bool", "break", "case", "catch", "char",
     "class", "const", "constexpr", "continue", "decltype", "default", "delete", "do",
     "double", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
     "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
     "noexcept", "not", "nullptr", "operator", "or", "private", "protected", "public",
     "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct",
     "switch", "template", "this", "throw", "true", "try", "typedef", "typeid", "typename",
     "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor",
     "blockDim", "blockIdx", "complex", "gridDim", "half", "i", "n", "in0", "out0",
     "index", "indices", "ptrdiff_t", "size_t", "special", "threadIdx", "warpSize"}
).union(ctext.FUNCTIONS, {SUMS})  # fmt: skip
_OURS = re.compile(r"(sum|next)\d+")


class Body:
    """The statements of a kernel as lines of C++."""

    def __init__(self, kernel: Kernel, pins: frozenset[ir.Value] = frozenset()) -> None:
        """``pins`` are to be variables, as lines are too long otherwise."""
        self.kernel = kernel
        self.operands = {op.value: op for op in kernel.operands}
        self.folding = self._fold(pins.union(self._repeated(), self._shared()))
        self.pins: set[ir.Value] = set()  # what would make lines shorter
        self.taken = set(_TAKEN)
        self.names: dict[ir.Value, str] = {}
        for op in kernel.operands:
            self.name(op.value)
        self.out: list[str] = []
        self.quoted: int | None = None

    def _fold(self, pinned: frozenset[ir.Value]) -> Folding:
        yields = tuple(atom for terms in self.kernel.terms for _, atom in terms)
        block = ir.Block(self.kernel.stmts, yields)
        return fold(ir.Func("kernel", (), NONE, block), pinned)

    def _repeated(self) -> list[ir.Value]:
        """The folded operands of ops whose text has them more than once."""
        stmts = ir.walk(ir.Block(self.kernel.stmts))
        found = (s for s in stmts if isinstance(s, ir.Compute) and ctext.is_named(s))
        return [a for s in found for a in s.args if isinstance(a, ir.Value)]

    def _shared(self) -> list[ir.Value]:
        """Numbers told to other lanes, and elements that must be read where they are."""
        stmts = self.kernel.stmts
        calls = [s for s in stmts if isinstance(s, ir.Call)]
        loads = [s.out for s in stmts if isinstance(s, ir.Load) and calls]
        mixed = {value for value, op in self.operands.items() if op.is_mixed}
        walked = ir.walk(ir.Block(stmts)) if mixed else ()
        loads += (s.out for s in walked if isinstance(s, ir.Load) and s.base in mixed)
        return [*loads, *(out for call in calls for out in call.outs)]

    # ---- names ----------------------------------------------------------------------------------

    def name(self, value: ir.Value) -> str:
        if value not in self.names:
            hint = re.sub(r"\W", "_", value.hint, flags=re.ASCII).strip("_")
            is_fine = hint[:1].isalpha() and not _OURS.fullmatch(hint)
            base, stem, number = (hint, f"{hint}_", 2) if is_fine else ("", "t", 1)
            while not base or base in self.taken:
                base, number = f"{stem}{number}", number + 1
            self.taken.add(base)
            self.names[value] = base
        return self.names[value]

    def parameter(self, operand: Operand) -> str:
        raw = "raw " if operand.mode is Mode.RAW else ""
        return f"{raw}{operand.dtype.value} {self.name(operand.value)}"

    def special(self) -> list[str]:
        """The functions of the runtime that the text calls."""
        found = map(ctext.special, ir.walk(ir.Block(self.kernel.stmts)))
        return sorted({name for name in found if name is not None})

    def asks_lanes(self) -> bool:
        """True if the text calls functions of lanes."""
        calls = (stmt for stmt in self.kernel.stmts if isinstance(stmt, ir.Call))
        return any(stmt.func != row_lanes.BARRIER for stmt in calls)

    # ---- lines ----------------------------------------------------------------------------------

    def lines(self) -> list[str]:
        self.block(ir.Block(self.kernel.stmts), PAD[:0])
        for k, terms in enumerate(self.kernel.terms):
            for subtracted, atom in terms:
                text = self.typed(atom, self.kernel.dtype).text
                self.out.append(f"sum{k} {'-' if subtracted else '+'}= {text};")
                self.shorten(atom)
        return [*self.positions(), *self.out]

    def positions(self) -> list[str]:
        """The indices that the body asks for, from CuPy's flat index ``i``."""
        if not self.takes_apart():
            return []
        lines = []
        rest = "(index)i"
        for k in reversed(range(len(self.kernel.axes))):
            axis, size = self.kernel.axes[k], self.size(self.kernel.trips[k])
            if axis in self.names:
                text = f"{rest} % {size}" if k else rest
                lines.append(f"const long long {self.names[axis]} = {text};")
            rest = f"{rest} / {size}"
        return [INDEX, *lines[::-1]]

    def takes_apart(self) -> bool:
        """True if the body asks for indices of several axes."""
        used = [axis for axis in self.kernel.axes if axis in self.names]
        return bool(used) and self.names[used[0]] != "i"

    def size(self, trip: ir.Atom) -> str:
        """The size of an axis, in as many bits as indices have."""
        text = self.at(trip)
        return text.text if isinstance(trip, ir.Const) else f"(index){text.at(Prec.UNARY)}"

    def block(self, block: ir.Block, pad: str) -> None:
        for stmt in self.folding.roots(block):
            self.comment(stmt, pad)
            self.statement(stmt, pad)
            self.shorten(*ir.operands(stmt))

    def shorten(self, *atoms: ir.Atom) -> None:
        """Let a folded number of ``atoms`` be a variable if the last line is too long."""
        width = len(self.out[-1]) if self.out else 0
        if width <= LONG or self.out[-1].lstrip().startswith("//"):
            return
        parts = {part for atom in atoms for part in self.folding.parts(atom)}
        numbers = [p for p in self.folding.inlined if p in parts and isinstance(p.type, Scalar)]
        if numbers:
            lengths = {part: len(self.at(part).text) for part in numbers}
            self.pins.add(min(numbers, key=lambda part: abs(lengths[part] - width // 2)))

    def comment(self, stmt: ir.Stmt, pad: str) -> None:
        origin = stmt.origin
        if origin is not None and origin.index != self.quoted:
            self.quoted = origin.index
            text = origin.text.rstrip("\\ ").replace("\\", "\\\\").replace('"""', "'''")
            self.out.append(f"{pad}// {text}")

    def statement(self, stmt: ir.Stmt, pad: str) -> None:
        match stmt:
            case ir.If() if stmt not in self.folding.ternary:
                self.branch(stmt, pad)
            case ir.For():
                self.counted(stmt, pad)
            case ir.While():
                self.conditional(stmt, pad)
            case ir.Call():
                self.over_lanes(stmt, pad)
            case ir.Store(base=base, index=index, value=value):
                self.out.append(f"{pad}{self.element(base, index)} = {self.stored(base, value)};")
            case ir.Accum(base=ir.Value() as base, index=index, value=value):
                element, added = self.element(base, index), self.stored(base, value)
                if self.operands[base].is_atomic:
                    self.out.append(f"{pad}{_atomic(base, element, added)};")
                else:
                    self.out.append(f"{pad}{element} += {added};")
            case ir.Load(out=out, base=ir.Value() as base) if self.is_given(base):
                self.names[out] = self.name(base)
            case _:
                (out,) = ir.outs(stmt)
                text = self.compute(stmt).text
                self.out.append(f"{pad}const {self.type(out)} {self.name(out)} = {text};")

    def over_lanes(self, stmt: ir.Call, pad: str) -> None:
        """Let all lanes of a row do one thing together: variables of each become those of all."""
        *parts, count = map(self.name, (a for a in stmt.args if isinstance(a, ir.Value)))
        if stmt.func == row_lanes.BARRIER:
            self.out.append(f"{pad}if ({count} > 1) __syncthreads();")
            return
        self.names.update(zip(stmt.outs, parts, strict=True))
        self.out.append(f"{pad}{stmt.func}({', '.join((*parts, count))});")

    def is_given(self, base: ir.Value) -> bool:
        """True if the element of ``base`` has a name already, and stays what it is."""
        operand = self.operands[base]
        return operand.mode is not Mode.RAW and not (operand.is_written or operand.is_mixed)

    def stored(self, base: ir.Atom, value: ir.Atom) -> str:
        assert isinstance(base.type, Array)
        return self.typed(value, base.type.dtype).text

    def branch(self, stmt: ir.If, pad: str) -> None:
        live = [k for k, out in enumerate(stmt.outs) if self.folding.uses[out]]
        for k in live:
            self.out.append(f"{pad}{self.type(stmt.outs[k])} {self.name(stmt.outs[k])};")
        self.out.append(f"{pad}if ({self.at(stmt.cond).text}) {{")
        self.arm(stmt, stmt.then, live, pad)
        start = len(self.out)
        self.out.append(f"{pad}}} else {{")
        self.arm(stmt, stmt.orelse, live, pad)
        if len(self.out) == start + 1:
            self.out.pop()
        self.out.append(f"{pad}}}")

    def arm(self, stmt: ir.If, arm: ir.Block, live: list[int], pad: str) -> None:
        self.block(arm, pad + PAD)
        for k in live:
            if not isinstance(arm.yields[k], ir.Undef):
                self.move(stmt.outs[k], arm.yields[k], pad + PAD)

    def move(self, target: ir.Value, source: ir.Atom, pad: str) -> None:
        text = self.like(source, target).text
        added = self.folding.inlined.get(source)
        match added:
            case ir.Compute(op="add" | "radd" | "sub", args=(ir.Value() as first, other)) if (
                self.names.get(first) == self.name(target) and first.type == added.out.type
            ):
                sign = "-" if added.op == "sub" else "+"
                text = self.like(other, target).text
                self.out.append(f"{pad}{self.name(target)} {sign}= {text};")
                return
            case _:
                pass
        if text != self.name(target):
            self.out.append(f"{pad}{self.name(target)} = {text};")

    def counted(self, stmt: ir.For, pad: str) -> None:
        self.carried(stmt, pad)
        index = self.name(stmt.index)
        step = self.at(stmt.step).text
        sign = ">" if step.startswith("-") else "<"
        change = {"1": f"++{index}", "-1": f"--{index}"}.get(step, f"{index} += {step}")
        lo, hi = self.at(stmt.lo).text, self.at(stmt.hi).at(Prec.BITOR)
        self.out.append(f"{pad}for (long long {index} = {lo}; {index} {sign} {hi}; {change}) {{")
        self.iteration(stmt, pad)

    def conditional(self, stmt: ir.While, pad: str) -> None:
        self.carried(stmt, pad)
        self.out.append(f"{pad}while (true) {{")
        self.block(stmt.cond, pad + PAD)
        self.out.append(f"{pad}{PAD}if (!{self.at(stmt.cond.yields[0]).at(Prec.UNARY)}) break;")
        self.iteration(stmt, pad)

    def carried(self, stmt: ir.For | ir.While, pad: str) -> None:
        """The variables of a loop, which have their last values behind it."""
        for param, out, init in zip(stmt.params, stmt.outs, stmt.inits, strict=True):
            text = self.like(init, param).text
            self.out.append(f"{pad}{self.type(param)} {self.name(param)} = {text};")
            self.names[out] = self.names[param]

    def iteration(self, stmt: ir.For | ir.While, pad: str) -> None:
        inner = pad + PAD
        self.block(stmt.body, inner)
        changed = [(p, y) for p, y in zip(stmt.params, stmt.body.yields, strict=True) if p is not y]
        carried = set(stmt.params)
        crossing = len(changed) > 1 and any(
            v in carried and v is not p for p, y in changed for v in self.folding.variables(y)
        )
        if crossing:
            texts = [(p, self.like(y, p).text) for p, y in changed]
            for k, (p, text) in enumerate(texts):
                self.out.append(f"{inner}const {self.type(p)} next{k} = {text};")
            for k, (p, _) in enumerate(texts):
                self.out.append(f"{inner}{self.name(p)} = next{k};")
        else:
            for p, y in changed:
                self.move(p, y, inner)
        if stmt.exit:
            self.out.append(f"{inner}if ({self.name(stmt.params[0])}) break;")
        self.out.append(f"{pad}}}")

    # ---- expressions ----------------------------------------------------------------------------

    def type(self, value: ir.Value) -> str:
        assert isinstance(value.type, Scalar)
        return ctext.TYPES[value.type.dtype]

    def at(self, atom: ir.Atom) -> Text:
        match atom:
            case ir.Const(type=Scalar(dtype=dtype)):
                return ctext.literal(atom, dtype)
            case ir.Undef(type=Scalar() as type_):
                return ctext.literal(ir.zero(type_), type_.dtype)
            case ir.Value():
                if (stmt := self.folding.inlined.get(atom)) is not None:
                    return self.compute(stmt)
                if atom in self.kernel.axes and len(self.kernel.axes) == 1:
                    self.names[atom] = "i"
                return Text(self.name(atom))
            case _:
                raise AssertionError(f"{atom} in a kernel")

    def like(self, atom: ir.Atom, other: ir.Value) -> Text:
        assert isinstance(other.type, Scalar)
        return self.typed(atom, other.type.dtype)

    def typed(self, atom: ir.Atom, dtype: DType) -> Text:
        """``atom``, a number or an array without axes, as a ``dtype``."""
        assert isinstance(atom.type, Scalar | Array)
        if isinstance(atom, ir.Const):
            return ctext.literal(atom, dtype)
        match self.folding.inlined.get(atom):
            case ir.Compute(op="cast", args=(ir.Value() as narrow,)) if (
                dtype is DType.FLOAT32
                and narrow.type == Scalar(dtype)
                and atom.type.dtype is DType.FLOAT64
            ):
                return self.at(narrow)  # made wide and narrow again, it is the same
            case _:
                text = self.at(atom)
        if atom.type.dtype.is_complex and dtype is DType.BOOL:
            zero = ctext.literal(ir.Const(0j, Scalar(atom.type.dtype)), atom.type.dtype)
            return Text(f"{text.at(Prec.BITOR)} != {zero.text}", Prec.COMPARE)
        return text if atom.type.dtype is dtype else ctext.cast(text, dtype)

    def compute(self, stmt: ir.Stmt) -> Text:
        match stmt:
            case ir.Compute(op=op, args=(arg,), out=out) if op in ctext.SAME or op == "cast":
                return self.like(arg, out)
            case ir.Compute(op=op, args=(cond, a, b), out=out) if op in ctext.CHOICES:
                return self.choice(cond, self.like(a, out), self.like(b, out))
            case ir.Compute(args=args):
                dtype = ctext.operand_dtype(stmt)
                return ctext.spelled(stmt, [self.typed(arg, dtype) for arg in args])
            case ir.Load(base=base, index=index):
                return Text(self.element(base, index))
            case ir.If(cond=cond, then=then, orelse=orelse, outs=(out,)):
                arms = self.like(then.yields[0], out), self.like(orelse.yields[0], out)
                return self.choice(cond, *arms)
            case _:
                raise AssertionError(f"{type(stmt).__name__} in a kernel")

    def choice(self, cond: ir.Atom, then: Text, orelse: Text) -> Text:
        text = f"{self.at(cond).at(Prec.OR)} ? {then.at(Prec.OR)} : {orelse.at(Prec.SELECT)}"
        return Text(text, Prec.SELECT)

    def element(self, base: ir.Atom, index: tuple[ir.Atom, ...]) -> str:
        assert isinstance(base, ir.Value)
        operand = self.operands[base]
        name = self.name(base)
        if operand.mode is not Mode.RAW:
            return name
        flat = self.at(index[0])
        for atom, size in zip(index[1:], operand.sizes, strict=True):
            step = f"{flat.at(Prec.MUL)} * {self.at(size).at(Prec.UNARY)}"
            flat = Text(f"{step} + {self.at(atom).at(Prec.MUL)}", Prec.ADD)
        return f"{name}[{flat.text}]"


def _atomic(base: ir.Value, element: str, added: str) -> str:
    """An addition in any order; CUDA has it for 64-bit integers without sign, of the same bits."""
    assert isinstance(base.type, Array)
    if base.type.dtype is not DType.INT64:
        return f"atomicAdd(&{element}, {added})"
    unsigned = "unsigned long long"
    return f"atomicAdd(({unsigned}*)&{element}, ({unsigned}){added})"
