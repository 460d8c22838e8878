"""The normal form as text, for tests, ``--print-ir`` and error messages.

    func m:f(x: float64[:], a: float64) -> float64
      n: int64 = dim x, 0
      s.2: float64 = for i in 0..n step 1 (s = 0.0):
        t1: float64 = load x[i]
        s.1: float64 = add s, t1
        yield s.1
      return s.2

Values get their hint as name, numbered where that is taken; temporaries are ``t1``, ``t2`` …
"""

from __future__ import annotations

from collections.abc import Iterable

from mooncake_transpiler import ir
from mooncake_transpiler.types import BOOL, COMPLEX, FLOAT, INT

_INDENT = "  "
_LITERALS = {BOOL: bool, INT: int, FLOAT: float, COMPLEX: complex}  # written without a type


def format_func(func: ir.Func) -> str:
    """The text of a function."""
    names = ValueNames(func.inputs, func.body)
    lines = [f"func {func.name}({_params(func, names)}) -> {func.result}"]
    return "\n".join([*lines, *_block(func.body, names, 1, "return")]) + "\n"


def format_block(block: ir.Block) -> str:
    """The text of a block; values bound outside of it are named where they are first used."""
    return "\n".join(_block(block, ValueNames((), block), 0, "yield")) + "\n"


def format_program(program: ir.Program) -> str:
    """The text of all functions."""
    return "\n".join(format_func(func) for func in program.funcs.values())


class ValueNames:
    """A unique name for each value, in order of binding."""

    def __init__(self, inputs: Iterable[ir.Value], block: ir.Block) -> None:
        self._names: dict[ir.Value, str] = {}
        self._counts: dict[str, int] = {}
        self._temporaries = 0
        self._hints = {v.hint for v in inputs} | set(_hints(block))
        for value in inputs:
            self(value)
        self._name_block(block)

    def __call__(self, value: ir.Value) -> str:
        name = self._names.get(value)
        if name is None:
            name = self._names[value] = self._new(value.hint)
        return name

    def _new(self, hint: str) -> str:
        if hint:
            count = self._counts.get(hint, 0)
            self._counts[hint] = count + 1
            return f"{hint}.{count}" if count else hint
        self._temporaries += 1
        while (name := f"t{self._temporaries}") in self._hints:
            self._temporaries += 1
        return name

    def _name_block(self, block: ir.Block) -> None:
        for stmt in block.stmts:
            for value in ir.binders(stmt):
                self(value)
            for inner in ir.blocks(stmt):
                self._name_block(inner)
            for value in ir.outs(stmt):
                self(value)


def _hints(block: ir.Block) -> Iterable[str]:
    for stmt in ir.walk(block):
        yield from (v.hint for v in (*ir.outs(stmt), *ir.binders(stmt)))


def _params(func: ir.Func, names: ValueNames) -> str:
    parts: list[str] = []
    kwonly = False
    for param in func.params:
        if param.kwonly and not kwonly:
            parts.append("*")
        kwonly = param.kwonly
        leaves = [names(leaf) for leaf in param.leaves]
        text = param.name if leaves == [param.name] else f"{param.name}({', '.join(leaves)})"
        default = "" if param.default is None else f" = {param.default}"
        parts.append(f"{text}: {param.type}{default}")
    return ", ".join(parts)


def _block(block: ir.Block, names: ValueNames, level: int, end: str) -> list[str]:
    pad = _INDENT * level
    lines: list[str] = []
    for stmt in block.stmts:
        lines += _lines(stmt, names, level)
    if block.yields:
        lines.append(f"{pad}{end} {_atoms(block.yields, names)}")
    return lines or [f"{pad}pass"]


def _lines(stmt: ir.Stmt, names: ValueNames, level: int) -> list[str]:
    lines = [_INDENT * level + format_stmt(stmt, names)]
    for k, inner in enumerate(ir.blocks(stmt)):
        if isinstance(stmt, ir.If) and k and not (inner.stmts or inner.yields):
            continue
        if k:
            lines.append(_INDENT * level + ("else:" if isinstance(stmt, ir.If) else "do:"))
        lines += _block(inner, names, level + 1, "yield")
    return lines


def format_stmt(stmt: ir.Stmt, names: ValueNames) -> str:
    """The text of one statement (of ``If`` and the loops: its first line)."""
    bound = ", ".join(f"{names(v)}: {v.type}" for v in ir.outs(stmt))
    text = _text(stmt, names)
    return f"{bound} = {text}" if bound else text


def _text(stmt: ir.Stmt, names: ValueNames) -> str:
    def a(atom: ir.Atom) -> str:
        return _atom(atom, names)

    match stmt:
        case ir.Compute(op=op, args=args):
            return f"{op} {_atoms(args, names)}"
        case ir.Alloc(shape=shape, fill=fill):
            kind = "growable" if stmt.growable else "alloc"
            return f"{kind} ({_atoms(shape, names)})" + ("" if fill is None else f" fill {a(fill)}")
        case ir.Shadows(arrays=arrays):
            return f"shadows {_atoms(arrays, names)}"
        case ir.Dim(array=array, axis=axis):
            return f"dim {a(array)}, {axis}"
        case ir.Global(module=module, name=name):
            return f"global {module}:{name}"
        case ir.View(base=base, part=part) if part:
            return f"view {a(base)}.{part}"
        case ir.View(base=base, index=index, axes=axes):
            turned = f" axes {', '.join(map(str, axes))}" if axes else ""
            return f"view {a(base)}[{', '.join(_index(i, names) for i in index)}]{turned}"
        case ir.Reshape(base=base, shape=shape):
            return f"reshape {a(base)} ({_atoms(shape, names)}){_sharing(stmt)}"
        case ir.Load() | ir.Store() | ir.Accum() | ir.Copy() | ir.Assign() | ir.AddTo() | ir.Sum():
            return _access(stmt, names)
        case ir.Raise(exc=exc, message=message, fields=held, numbers=numbers):
            told = [p if isinstance(p, str) else a(p) for p in (*numbers, *held)]
            behind = f" with {', '.join(told)}" if told else ""
            return f"raise {exc}" + ("" if message is None else f"({message!r})") + behind
        case ir.Print(args=printed, through=through):
            shown = (repr(p) if isinstance(p, str) else a(p) for p in printed)
            return f"print({', '.join(shown)})" + (f" by {through}" if through else "")
        case ir.Call() | ir.If() | ir.For() | ir.While():
            return _control(stmt, names)
        case ir.NewStack() | ir.Push() | ir.Pop() | ir.Grow() | ir.Reserve():
            return _taped(stmt, names)


def _access(
    stmt: ir.Load | ir.Store | ir.Accum | ir.Copy | ir.Assign | ir.AddTo | ir.Sum, names: ValueNames
) -> str:
    """The text of a statement that reads or writes elements."""

    def a(atom: ir.Atom) -> str:
        return _atom(atom, names)

    match stmt:
        case ir.Load(base=base, index=at):
            return f"load {a(base)}[{_atoms(at, names)}]"
        case ir.Store(base=base, index=at, value=value):
            return f"{a(base)}[{_atoms(at, names)}] = {a(value)}"
        case ir.Accum(base=base, index=at, value=value):
            return f"{a(base)}[{_atoms(at, names)}] += {a(value)}"
        case ir.Copy(src=src):
            return f"copy {a(src)}{_sharing(stmt)}"
        case ir.Assign(dst=dst, src=src):
            return f"{a(dst)}[...] = {a(src)}"
        case ir.AddTo(dst=dst, src=src):
            return f"{a(dst)}[...] += {a(src)}"
        case ir.Sum(array=array):
            return f"sum {a(array)}"


def _sharing(stmt: ir.Reshape | ir.Copy) -> str:
    """The sharing that `passes/sharing.py` has not decided yet, if any."""
    done = ir.Sharing.ANY if isinstance(stmt, ir.Reshape) else ir.Sharing.COPY
    return "" if stmt.sharing is done else f" {stmt.sharing.value}"


def _control(stmt: ir.Call | ir.If | ir.For | ir.While, names: ValueNames) -> str:
    match stmt:
        case ir.Call(func=func, args=args):
            return f"call {func}({_atoms(args, names)})"
        case ir.If(cond=cond):
            return f"if {_atom(cond, names)}:"
        case ir.For(index=index, lo=lo, hi=hi, step=step):
            lo_hi = f"{_atom(lo, names)}..{_atom(hi, names)}"
            head = f"for {names(index)} in {lo_hi} step {_atom(step, names)}"
        case ir.While():
            head = "while"
    pairs = zip(stmt.params, stmt.inits, strict=True)
    carried = ", ".join(f"{names(p)} = {_atom(i, names)}" for p, i in pairs)
    return head + (f" ({carried})" if carried else "") + (" exit:" if stmt.exit else ":")


def _taped(stmt: ir.Taped, names: ValueNames) -> str:
    match stmt:
        case ir.NewStack():
            return "newstack"
        case ir.Push(stack=stack, values=values):
            return f"push {names(stack)}, {_atoms(values, names)}"
        case ir.Pop(stack=stack, shape=shape):
            return f"pop {names(stack)}" + (f" ({_atoms(shape, names)})" if shape else "")
        case (
            ir.Grow(array=array, size=size, shape=shape)
            | ir.Reserve(array=array, size=size, shape=shape)
        ):
            kind = "grow" if isinstance(stmt, ir.Grow) else "reserve"
            return f"{kind} {_atoms((array, size, *shape), names)}"


def _atoms(atoms: Iterable[ir.Atom], names: ValueNames) -> str:
    return ", ".join(_atom(atom, names) for atom in atoms)


def _atom(atom: ir.Atom, names: ValueNames) -> str:
    match atom:
        case ir.Value():
            return names(atom)
        case ir.Const(value=value, type=type_):
            natural = type(value) is _LITERALS.get(type_)
            return repr(value) if natural else f"{value!r}:{type_}"
        case ir.Undef():
            return "undef"


def _index(index: ir.Index, names: ValueNames) -> str:
    match index:
        case ir.Slice(lo=lo, hi=hi, step=step):
            parts = ["" if a is None else _atom(a, names) for a in (lo, hi, step)]
            return ":".join(parts if step is not None else parts[:2])
        case ir.NewAxis():
            return "new"
        case _:
            return _atom(index, names)
