"""Checks that a function is in the normal form: run after each pass in tests.

Scope is the tree: a value is visible after its binding in the same block and in blocks nested
there. Everything that a statement requires of its operands' types is checked.
"""

from __future__ import annotations

from typing import NoReturn

from mooncake_rules.primitives import PRIMITIVES
from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.ir.function_names import is_primitive
from mooncake_transpiler.ir.printer import ValueNames, format_stmt
from mooncake_transpiler.types import BOOL, INT, Array, Scalar, Stack, Type, leaves


class InvalidIR(Exception):
    """The normal form is broken: a defect of the transpiler, not of the user's program."""


def verify(
    func: ir.Func, program: ir.Program | None = None, form: ir.Form = ir.Form.DIFFERENTIABLE
) -> None:
    """Raise ``InvalidIR`` unless ``func`` is well formed, and of the tape has what ``form`` may.

    Calls are checked within ``program``.
    """
    checker = _Checker(func, program, form)
    for param in func.params:
        types = tuple(leaf.type for leaf in param.leaves)
        if types != tuple(leaves(param.type)):
            raise InvalidIR(f"{func.name}: leaves of parameter {param.name} do not match its type")
        for leaf in param.leaves:
            checker.bind(leaf)
    checker.block(func.body, tuple(leaves(func.result)), func.name)


class _Checker:
    def __init__(self, func: ir.Func, program: ir.Program | None, form: ir.Form) -> None:
        self.func = func
        self.program = program
        self.form = form
        self.bound: set[ir.Value] = set()
        self.placed: set[ir.Stmt] = set()
        self.visible: set[ir.Value] = set()
        self.stmt: ir.Stmt | None = None

    # ---- errors ---------------------------------------------------------------------------------

    def fail(self, message: str) -> NoReturn:
        where = self.func.name
        if self.stmt is not None:
            names = ValueNames(self.func.inputs, self.func.body)
            where += f": {format_stmt(self.stmt, names)}"
        raise InvalidIR(f"{where}\n  {message}")

    def require(self, holds: bool, message: str) -> None:
        if not holds:
            self.fail(message)

    # ---- scope ----------------------------------------------------------------------------------

    def bind(self, value: ir.Value) -> None:
        self.require(value not in self.bound, f"{value.hint or 'a temporary'} is bound twice")
        self.bound.add(value)
        self.visible.add(value)

    def use(self, atom: ir.Atom) -> None:
        match atom:
            case ir.Value(hint=hint):
                self.require(atom in self.visible, f"{hint or 'a temporary'} is used out of scope")
            case ir.Const(value=value, type=type_):
                self.require(isinstance(type_, Scalar), "a constant that is not a scalar")
                fits = isinstance(value, complex) <= type_.dtype.is_complex
                fits = fits and isinstance(value, float) <= type_.dtype.is_differentiable
                self.require(fits, f"the constant {value!r} is no {type_}")
            case ir.Undef():
                pass

    def block(
        self,
        block: ir.Block,
        types: tuple[Type, ...],
        what: str,
        binders: tuple[ir.Value, ...] = (),
    ) -> None:
        owner = self.stmt
        mine = list(binders)
        for value in binders:
            self.bind(value)
        for stmt in block.stmts:
            self.stmt = stmt
            self.require(stmt not in self.placed, "the statement stands in two places")
            self.placed.add(stmt)
            self.statement(stmt)
            self.stmt = stmt
            for value in ir.outs(stmt):
                self.bind(value)
                mine.append(value)
        for atom in block.yields:
            self.use(atom)
        self.ends(block)
        self.stmt = owner
        found = tuple(a.type for a in block.yields)
        self.require(found == types, f"{what} yields {_show(found)} instead of {_show(types)}")
        self.visible.difference_update(mine)

    def ends(self, block: ir.Block) -> None:
        """Nothing follows a ``Raise``, and its block yields nothing that is defined."""
        for stmt in block.stmts:
            if isinstance(stmt, ir.Raise):
                self.stmt = stmt
                self.require(stmt is block.stmts[-1], "statements after raise")
                defined = any(not isinstance(a, ir.Undef) for a in block.yields)
                self.require(not defined, "the block of a raise yields a defined value")

    # ---- statements -----------------------------------------------------------------------------

    def statement(self, stmt: ir.Stmt) -> None:
        for atom in ir.operands(stmt):
            self.use(atom)
        match stmt:
            case ir.Compute():
                self.compute(stmt)
            case ir.If(outs=outs, cond=cond, then=then, orelse=orelse):
                self.require(cond.type == BOOL, "the condition is no bool")
                types = tuple(v.type for v in outs)
                self.block(then, types, "then")
                self.block(orelse, types, "else")
            case ir.For() | ir.While():
                self.loop(stmt)
            case ir.Call():
                self.call(stmt)
            case ir.Reserve() | ir.NewStack() | ir.Push() | ir.Pop() | ir.Grow():
                self.tape(stmt)
            case ir.Raise() | ir.Print():
                pass
            case ir.Alloc() | ir.Shadows() | ir.Dim() | ir.Global() | ir.View() | ir.Reshape():
                self.arrays(stmt)
            case (
                ir.Load() | ir.Store() | ir.Accum() | ir.Copy() | ir.Assign() | ir.AddTo()
                | ir.Sum()
            ):  # fmt: skip
                self.elements(stmt)

    def compute(self, stmt: ir.Compute) -> None:
        op = OPS.get(stmt.op)
        if op is None:
            self.fail(f"unknown op {stmt.op}")
        self.require(len(stmt.args) == op.arity, f"{stmt.op} takes {op.arity} arguments")
        atoms = (stmt.out, *stmt.args)
        self.require(all(isinstance(a.type, Scalar) for a in atoms), "operands must be scalars")

    def loop(self, stmt: ir.For | ir.While) -> None:
        types = tuple(p.type for p in stmt.params)
        self.require(_types(stmt.inits) == types, "initial values do not match the parameters")
        self.require(_types(stmt.outs) == types, "results do not match the parameters")
        self.require(not stmt.exit or types[:1] == (BOOL,), "an exit loop must carry a bool first")
        match stmt:
            case ir.For(index=index, lo=lo, hi=hi, step=step):
                ints = all(_is_int(a.type) for a in (index, lo, hi, step))
                self.require(ints, "the range is not of integers")
                zero = isinstance(step, ir.Const) and step.value == 0
                self.require(not zero, "the step is zero")
                self.block(stmt.body, types, "body", (index, *stmt.params))
            case ir.While(params=params):
                self.block(stmt.cond, (BOOL,), "condition", params)
                self.bound.difference_update(params)
                self.block(stmt.body, types, "body", params)

    def call(self, stmt: ir.Call) -> None:
        if is_primitive(stmt.func):
            self.primitive(stmt)
            return
        callee = None if self.program is None else self.program.funcs.get(stmt.func)
        if self.program is not None and callee is None:
            self.fail(f"unknown function {stmt.func}")
        if callee is not None:
            self.require(_types(stmt.args) == _types(callee.inputs), "arguments do not match")
            results = tuple(leaves(callee.result))
            self.require(_types(stmt.outs) == results, "results do not match")

    def primitive(self, stmt: ir.Call) -> None:
        known = PRIMITIVES.get(stmt.func)
        if known is None:
            self.fail(f"unknown primitive {stmt.func}")
        for k in known.writes:
            self.require(k < len(stmt.args), f"{stmt.func} takes more arguments")
            self.array(stmt.args[k])
        if known.sizes is not None:
            ranks = [a.type.ndim if isinstance(a.type, Array) else 0 for a in stmt.args]
            found = [v.type.ndim for v in stmt.outs if isinstance(v.type, Array)]
            wanted = list(map(len, known.sizes(ranks)))
            self.require(found == wanted, "the result is of another rank")

    def tape(self, stmt: ir.Taped) -> None:
        self.require(type(stmt) in ir.FORMS[self.form], f"this is not {self.form.value}")
        match stmt:
            case ir.NewStack(out=out):
                self.require(isinstance(out.type, Stack), "the result is no stack")
            case ir.Push(stack=stack, values=items) | ir.Pop(stack=stack, outs=items):
                dtype = stack.type.dtype if isinstance(stack.type, Stack) else None
                single = len(items) == 1 and isinstance(items[0].type, Array)
                good = all(
                    isinstance(i.type, Array if single else Scalar) and i.type.dtype is dtype
                    for i in items
                )
                self.require(good, "the value is not what the stack holds")
            case (
                ir.Grow(array=atom, size=size, shape=shape)
                | ir.Reserve(array=atom, size=size, shape=shape)
            ):
                array = self.array(atom)
                good = array.ndim == 1 + len(shape)
                good = good and (isinstance(stmt, ir.Reserve) or stmt.out.type == array)
                self.require(good, "the array is not one that grows")
                self.indices((size, *shape), array.ndim)

    # ---- memory ---------------------------------------------------------------------------------

    def arrays(
        self, stmt: ir.Alloc | ir.Shadows | ir.Dim | ir.Global | ir.View | ir.Reshape
    ) -> None:
        match stmt:
            case ir.Alloc(out=out, shape=shape, fill=fill, growable=growable):
                array = self.array(out)
                self.indices(shape, array.ndim)
                good = fill is None or fill.type == Scalar(array.dtype)
                self.require(good, "the fill is of another type")
                fixed = not growable or ir.Reserve in ir.FORMS[self.form]
                self.require(fixed, "nothing makes room in the array any more")
            case ir.Shadows(outs=outs, arrays=arrays):
                self.require(_types(outs) == _types(arrays), "shadows do not match their arrays")
            case ir.Dim(out=out, array=array_atom, axis=axis):
                array = self.array(array_atom)
                self.require(0 <= axis < array.ndim, f"no axis {axis}")
                self.require(out.type == INT, "a dimension is an int64")
            case ir.View():
                self.view(stmt)
            case ir.Reshape(out=out, base=base, shape=shape):
                good = out.type == Array(self.array(base).dtype, len(shape))
                self.require(good, "the reshaped array is of another type")
                self.indices(shape, len(shape))
            case ir.Global(out=out):
                self.array(out)

    def elements(
        self, stmt: ir.Load | ir.Store | ir.Accum | ir.Copy | ir.Assign | ir.AddTo | ir.Sum
    ) -> None:
        match stmt:
            case ir.Load(out=item, base=base, index=at):
                self.element(base, at, item)
            case (
                ir.Store(base=base, index=at, value=item)
                | ir.Accum(base=base, index=at, value=item)
            ):
                self.element(base, at, item)
            case ir.Copy(out=out, src=src):
                self.require(self.array(src) == out.type, "a copy has the type of its source")
            case ir.Assign(dst=dst, src=src) | ir.AddTo(dst=dst, src=src):
                array = self.array(dst)
                good = src.type in (array, Scalar(array.dtype))
                self.require(good, "the source is neither such an array nor such a scalar")
            case ir.Sum(out=out, array=array_atom):
                good = out.type == Scalar(self.array(array_atom).dtype)
                self.require(good, "the sum is of another type")

    def array(self, atom: ir.Atom) -> Array:
        if not isinstance(atom.type, Array):
            self.fail("an array is needed")
        return atom.type

    def indices(self, atoms: tuple[ir.Atom, ...], count: int) -> None:
        self.require(len(atoms) == count, f"{count} integers are needed")
        self.require(all(_is_int(a.type) for a in atoms), "an index is no integer")

    def element(self, base: ir.Atom, at: tuple[ir.Atom, ...], item: ir.Atom) -> None:
        array = self.array(base)
        self.indices(at, array.ndim)
        self.require(item.type == Scalar(array.dtype), "the element is of another type")

    def view(self, stmt: ir.View) -> None:
        array = self.array(stmt.base)
        if stmt.part:
            of_complex = array.dtype.is_complex and stmt.part in ("real", "imag")
            good = of_complex or stmt.part == ir.DETACHED
            self.require(good and not stmt.index and not stmt.axes, "a part is of complex numbers")
            array = Array(array.dtype.real, array.ndim)
        atoms = tuple(ir.index_atoms(stmt.index))
        self.indices(atoms, len(atoms))
        added = sum(isinstance(i, ir.NewAxis) for i in stmt.index)
        self.require(len(stmt.index) - added <= array.ndim, "too many indices")
        dropped = sum(not isinstance(i, ir.Slice | ir.NewAxis) for i in stmt.index)
        ndim = array.ndim - dropped + added
        good = stmt.out.type == Array(array.dtype, ndim)
        turned = not stmt.axes or sorted(stmt.axes) == list(range(ndim))
        self.require(turned, "the axes are no permutation")
        self.require(good, "the view is of another type")


def _is_int(type_: Type) -> bool:
    return isinstance(type_, Scalar) and type_.dtype.is_int


def _types(atoms: tuple[ir.Atom, ...]) -> tuple[Type, ...]:
    return tuple(a.type for a in atoms)


def _show(types: tuple[Type, ...]) -> str:
    return f"({', '.join(map(str, types))})"
