"""Expressions of Python for values, with parentheses only where Python needs them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from mooncake_rules.op import Prec, Result, ScalarOp
from mooncake_rules.op_names import Home, home
from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import WholeAxis, through
from mooncake_transpiler.emit.choice import (
    LOOSE,
    dtype_of,
    inverse_power,
    is_complex,
    levels,
    natural,
    spelled,
    unsigned,
)
from mooncake_transpiler.emit.folding import Folding
from mooncake_transpiler.emit.imports import KERNELS
from mooncake_transpiler.emit.layout import Group
from mooncake_transpiler.emit.literals import BUILTIN, Constants, Text
from mooncake_transpiler.emit.merged_checks import shape_test
from mooncake_transpiler.emit.module_scope import ModuleScope, Packs
from mooncake_transpiler.emit.whole_shapes import is_shape
from mooncake_transpiler.ir.function_names import is_primitive
from mooncake_transpiler.types import (
    COMPLEX,
    FLOAT,
    INT,
    NARROW,
    UNSIGNED,
    Array,
    DType,
    Scalar,
    Tuple,
    Type,
    leaves,
)

_AUGMENTED = {"add": "+=", "sub": "-=", "mul": "*=", "div": "/="}
_OPPOSITE, _OTHER_SIGN = {"eq": "ne", "ne": "eq"}, {"add": "sub", "sub": "add"}
_SINGLE, _DOUBLE = (DType.FLOAT32, DType.COMPLEX64), (DType.FLOAT64, DType.COMPLEX128)
_OPPOSITE_INT = {"lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


class Expressions(Constants):
    """Prints values of one function: variables by name, folded values as what computes them."""

    def __init__(
        self,
        folding: Folding,
        names: Mapping[ir.Value, str],
        scope: ModuleScope,
        packs: Packs | None = None,
    ) -> None:
        super().__init__(scope.imported)
        self.folding = folding
        self.names = names
        self.scope = scope
        self.packs = packs or {}

    def at(self, atom: ir.Atom, level: int = LOOSE) -> str:
        return self.atom(atom).at(level)

    def atom(self, atom: ir.Atom) -> Text:
        match atom:
            case ir.Const():
                return self.const(atom)
            case ir.Undef(type=type_):
                return self.zero(type_)
            case ir.Value():
                stmt = self.folding.inlined.get(atom)
                return Text(self.names[atom]) if stmt is None else self.compute(stmt)

    # ---- statements that compute a value --------------------------------------------------------

    def compute(self, stmt: ir.Stmt) -> Text:
        """The right-hand side of a statement with one result."""
        match stmt:
            case ir.Compute():
                return self.scalar(stmt)
            case ir.Dim(array=array, axis=axis):
                return Text(f"{self.at(array, Prec.CALL)}.shape[{axis}]")
            case ir.Load(base=base, index=index):
                return Text(self.element(base, index))
            case ir.View():
                return Text(self.view(stmt))
            case ir.Reshape(base=base, shape=shape):
                return Text(f"{self.use('reshaped')}({self.at(base)}, {self.shape(shape)})")
            case ir.Alloc():
                return self.alloc(stmt)
            case ir.Copy(src=src):
                return Text(f"{self.at(src, Prec.CALL)}.copy()")
            case ir.Sum(array=array):
                return Text(f"{self.numpy('sum')}({self.at(array)})")
            case ir.Global(module=module, name=name):
                return Text(self.scope.globals[module, name])
            case ir.If():
                return self.conditional(stmt)
            case ir.Call():
                return self.call(stmt)
            case (
                ir.Store() | ir.Accum() | ir.Assign() | ir.AddTo() | ir.Raise() | ir.Print()
                | ir.Shadows() | ir.For() | ir.While() | ir.Reserve() | ir.Grow() | ir.NewStack()
                | ir.Push() | ir.Pop()
            ):  # fmt: skip
                raise AssertionError(f"{type(stmt).__name__} is no expression")

    def alloc(self, stmt: ir.Alloc) -> Text:
        assert isinstance(stmt.out.type, Array)
        dtype = stmt.out.type.dtype
        shape = self.shape(stmt.shape)
        suffix = self.dtype_argument(dtype)
        match stmt.fill:
            case None:
                return Text(f"{self.numpy('empty')}({shape}{suffix})")
            case ir.Const(value=value) if value in (0, 1) and math.copysign(1, value.real) > 0:
                return Text(f"{self.numpy('ones' if value else 'zeros')}({shape}{suffix})")
            case fill:
                return Text(f"{self.numpy('full')}({shape}, {self.at(fill)}{suffix})")

    def shape(self, sizes: tuple[ir.Atom, ...]) -> str:
        """The size, the tuple of sizes, or ``x.shape`` where they are the sizes of ``x``."""
        made = [self.folding.inlined.get(size) for size in sizes if isinstance(size, ir.Value)]
        if len(sizes) == len(made) > 1 and is_shape(made) and isinstance(made[0], ir.Dim):
            return f"{self.at(made[0].array, Prec.CALL)}.shape"
        texts = [self.at(size) for size in sizes]
        return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"

    def call(self, stmt: ir.Call) -> Text:
        path = _leaf_path(self.scope.callee(stmt).result(stmt))
        return Text(f"{self.called(stmt)}{path}")

    def exception(self, exc: str | ir.ProgramClass) -> str:
        """The name of the class of a ``Raise`` here."""
        if isinstance(exc, ir.ProgramClass):
            return self.scope.globals[exc.module, exc.name]
        module, _, name = exc.rpartition(".")
        if module.startswith("numpy."):
            return self.numpy(f"{module.removeprefix('numpy.')}.{name}")
        return self.use(name)

    def called(self, stmt: ir.Call) -> Group:
        if is_primitive(stmt.func):
            self.use(KERNELS)
        return self.scope.call(stmt, self.at, self.packs)

    # ---- arrays ---------------------------------------------------------------------------------

    def element(self, base: ir.Atom, index: tuple[ir.Atom, ...]) -> str:
        """``base[index]``; through a folded view without slices it is an element of its base."""
        while isinstance(base, ir.Value):
            view = self.folding.inlined.get(base)
            if not isinstance(view, ir.View) or view.part:
                break
            found = through(view, index)
            known = tuple(position for position in found if not isinstance(position, WholeAxis))
            if len(known) < len(found):
                break
            base, index = view.base, known
        return f"{self.at(base, Prec.CALL)}[{self.index(index) or '()'}]"

    def view(self, stmt: ir.View) -> str:
        base = self.at(stmt.base, Prec.CALL)
        if stmt.part:
            assert not stmt.index
            assert not stmt.axes
            return f"{base}.{stmt.part}"
        if not stmt.axes:
            assert isinstance(stmt.out.type, Array)
            whole = ", ".join(":" * stmt.out.type.ndim)  # numba lacks x[...] of Fortran order
            return f"{base}[{self.index(stmt.index) or whole or '...'}]"
        if any(item != ir.Slice() for item in stmt.index):
            base = f"{base}[{self.index(stmt.index)}]"
        if stmt.axes == tuple(reversed(range(len(stmt.axes)))):
            return f"{base}.T"
        return f"{self.numpy('transpose')}({base}, {stmt.axes})"

    def index(self, items: tuple[ir.Index, ...]) -> str:
        return ", ".join(map(self.item, items))

    def item(self, item: ir.Index) -> str:
        match item:
            case ir.Slice():
                return self.slice(item)
            case ir.NewAxis():
                return self.numpy("newaxis")
            case _:
                return self.at(item)

    def other_shape(self, array: ir.Atom, sizes: tuple[ir.Atom, ...] | ir.Atom) -> Text:
        found = f"{self.at(array, Prec.CALL)}.shape"
        if isinstance(sizes, tuple):
            return Text(f"{found} != {self.shape(sizes)}", Prec.COMPARE)
        return Text(f"{found} != {self.at(sizes, Prec.CALL)}.shape", Prec.COMPARE)

    def slice(self, item: ir.Slice) -> str:
        """``lo:hi:step``, with blanks around the colons where a part is not simple."""
        lo, hi, step = (None if a is None else self.atom(a) for a in (item.lo, item.hi, item.step))
        parts = [lo, hi] if step is None else [lo, hi, step]
        simple = all(p is None or p.text.lstrip("-").replace("_", "a").isalnum() for p in parts)
        texts = ["" if p is None else p.text for p in parts]
        if simple:
            return ":".join(texts)
        return re.sub(" *: +: *", " :: ", " : ".join(texts)).strip(" ")

    # ---- scalar ops -----------------------------------------------------------------------------

    def scalar(self, stmt: ir.Compute) -> Text:
        match stmt.op:
            case "cast":
                return self.cast(stmt.args[0], stmt.out.type)
            case "detach":
                return self.atom(stmt.args[0])
            case "not":
                return self.negated(stmt.args[0])
            case "select" | "where" if all(a.type == stmt.out.type for a in stmt.args[1:]):
                return self.choice(*stmt.args)
            case "np.maximum" if all(a.type == INT for a in stmt.args):
                return Text(f"{self.use('max')}({', '.join(map(self.at, stmt.args))})")
            case "pow" if (inverse := inverse_power(stmt)) is not None:
                return self.inverse(inverse, stmt.out.type)
            case "or" if (test := shape_test(stmt, self.folding)) is not None:
                return self.other_shape(*test)
            case "neg" if (inner := self.folded(stmt.args[0], "neg")) is not None:
                return self.atom(inner.args[0])
        op, args = self.tidied(stmt)
        texts = self.arguments(op, args)
        if op.name in _OTHER_SIGN and self.is_negative(args[1]):
            op = OPS[_OTHER_SIGN[op.name]]
            texts[1] = texts[1].removeprefix("-")
        hugs = op.name == "pow" and all(map(_hugs, texts))
        template = "{0}**{1}" if hugs else self.spelled(op.template)
        text = Text(template.format(*texts), op.precedence)
        assert isinstance(stmt.out.type, Scalar)
        dtype = stmt.out.type.dtype
        if natural(op, args, dtype):
            return text
        if home(op.name) is Home.RUNTIME and dtype.is_int:  # Python's int, which has to fit
            return self.converted(f"{self.numpy('int64')}({text.text})", stmt.out.type)
        return self.converted(text.text, stmt.out.type)

    def inverse(self, of: ir.Compute | ir.Atom, type_: Type) -> Text:
        text = (self.scalar(of) if isinstance(of, ir.Compute) else self.atom(of)).at(Prec.UNARY)
        found = Text(f"1.0 / {text}", Prec.MUL)
        return found if type_ == FLOAT else self.converted(found.text, type_)

    def folded(self, atom: ir.Atom, op: str, *types: Type) -> ir.Compute | None:
        """The statement that computes ``atom``, if that is a folded ``op`` (of ``types``)."""
        match self.folding.inlined.get(atom):
            case ir.Compute() as stmt if stmt.op == op and (not types or stmt.out.type in types):
                return stmt
        return None

    def choice(self, cond: ir.Atom, then: ir.Atom, orelse: ir.Atom) -> Text:
        """A conditional expression; ``max(b, a)`` for ``a if a > b else b``, which is the same."""
        test = self.folding.inlined.get(cond)
        if isinstance(test, ir.Compute) and test.op in ("gt", "lt", "ge", "le"):
            arms, tested = [self.at(then), self.at(orelse)], [self.at(a) for a in test.args]
            if arms in (tested, tested[::-1]) and {a.type for a in test.args} == {then.type}:
                return self.extreme(test.op, arms, arms == tested, then.type)
        text = f"{self.at(then, Prec.OR)} if {self.at(cond, Prec.OR)} else {self.at(orelse)}"
        return Text(text, Prec.SELECT)

    def extreme(self, op: str, arms: list[str], in_order: bool, type_: Type) -> Text:
        """``max`` or ``min`` of two values; the first is taken unless the second is beyond it."""
        if op in ("ge", "le") and type_ != INT:  # not so for NaN
            a, b = arms if in_order else arms[::-1]
            sign = ">=" if op == "ge" else "<="
            return Text(f"{arms[1]} if not {a} {sign} {b} else {arms[0]}", Prec.SELECT)
        name = self.use("max" if (op in ("gt", "ge")) == in_order else "min")
        first, second = arms if type_ == INT else arms[::-1]
        return Text(f"{name}({first}, {second})")

    def tidied(self, stmt: ir.Compute) -> tuple[ScalarOp, tuple[ir.Atom, ...]]:
        """``a + -b`` as ``a - b``, ``a - -b`` as ``a + b``, ``2 != n`` as ``n != 2``: the same."""
        if stmt.op in _OPPOSITE and isinstance(stmt.args[0], ir.Const):
            return spelled(stmt), stmt.args[::-1]
        alike = (stmt.out.type, INT)  # not uint8, which wraps
        if stmt.op in _OTHER_SIGN and (inner := self.folded(stmt.args[1], "neg", *alike)):
            return OPS[_OTHER_SIGN[stmt.op]], (stmt.args[0], inner.args[0])
        return spelled(stmt), stmt.args

    def is_negative(self, atom: ir.Atom) -> bool:
        """True if ``atom`` is a folded product that begins with a sign; that may go in front."""
        stmt = self.folding.inlined.get(atom)
        match stmt:
            case ir.Compute(op="mul" | "div", args=(first, _), out=out) if out.type == FLOAT:
                if not self.at(atom).startswith("-"):  # of another dtype: np.float32(-0.5)
                    return False
                if isinstance(first, ir.Const):
                    return not isinstance(first.value, complex) and first.value < 0
                return self.folded(first, "neg") is not None or self.is_negative(first)
            case _:
                return False

    def arguments(self, op: ScalarOp, args: tuple[ir.Atom, ...]) -> list[str]:
        wide = any(dtype_of(arg) in _DOUBLE for arg in args)
        if op.precedence != Prec.COMPARE and any(dtype_of(arg) is DType.UINT64 for arg in args):
            args = tuple(map(unsigned, args))
        pairs = zip(args, levels(op), strict=True)
        return [self.argument(op, a, level, wide) for a, level in pairs]

    def argument(self, op: ScalarOp, atom: ir.Atom, level: int, wide: bool) -> str:
        dtype = dtype_of(atom)
        single = dtype in _SINGLE and (wide or home(op.name) is Home.MATH)
        narrow = dtype is not None and not dtype.is_differentiable and dtype is not DType.INT64
        if single or (narrow and op.result is Result.FLOAT and op.precedence == Prec.CALL):
            # numba and NumPy would compute in less precision: what is wide may be Python's number
            return self.cast(atom, COMPLEX if is_complex(atom) else FLOAT).text
        text = self.atom(atom)
        if op.name == "neg" and text.level in (Prec.POWER, Prec.UNARY):
            return f"({text.text})"
        return text.at(level)

    def cast(self, atom: ir.Atom, type_: Type) -> Text:
        text, dtype = self.at(atom), dtype_of(atom)
        assert isinstance(type_, Scalar)
        if dtype is DType.BOOL and type_.dtype in _DOUBLE:
            text = f"{self.use('int')}({text})"  # numba converts bools to int only
        if dtype in UNSIGNED and type_.dtype is DType.INT64:
            text = f"{self.numpy('int64')}({text})"  # numba's int() is uint64
        if type_.dtype in NARROW and self.folding.may_be_pythons(atom):
            text = f"{self.numpy('int64')}({text})"  # Python's integer would have to fit
        if dtype in _SINGLE and type_.dtype in _DOUBLE:  # numba's float() is float32
            return Text(f"{self.numpy(type_.dtype.value)}({text})")
        return self.converted(text, type_)

    def converted(self, text: str, type_: Type) -> Text:
        assert isinstance(type_, Scalar)
        dtype = type_.dtype
        name = self.use(BUILTIN[dtype]) if dtype in BUILTIN else self.numpy(dtype.value)
        return Text(f"{name}({text})")

    def conditional(self, stmt: ir.If) -> Text:
        """A branch with one result as ``and``, ``or``, ``not`` or a conditional expression."""
        then, orelse = stmt.then.yields[0], stmt.orelse.yields[0]
        if isinstance(orelse, ir.Const) and orelse.value is False:
            if isinstance(then, ir.Const) and then.value is True:
                return self.atom(stmt.cond)
            return Text(f"{self.at(stmt.cond, Prec.AND)} and {self.at(then, Prec.AND)}", Prec.AND)
        if isinstance(then, ir.Const) and then.value is True:
            return Text(f"{self.at(stmt.cond, Prec.OR)} or {self.at(orelse, Prec.OR)}", Prec.OR)
        if isinstance(then, ir.Const) and then.value is False:
            negated = self.negated(stmt.cond)
            if isinstance(orelse, ir.Const) and orelse.value is True:
                return negated
            return Text(f"{negated.at(Prec.AND)} and {self.at(orelse, Prec.AND)}", Prec.AND)
        return self.choice(stmt.cond, then, orelse)

    def negated(self, cond: ir.Atom) -> Text:
        stmt = self.folding.inlined.get(cond)
        if isinstance(stmt, ir.Compute):
            if stmt.op == "not":
                return self.atom(stmt.args[0])
            opposite = _OPPOSITE.get(stmt.op)
            if all(dtype_of(a) is DType.INT64 for a in stmt.args):
                opposite = opposite or _OPPOSITE_INT.get(stmt.op)
            if opposite is not None:
                return self.scalar(ir.Compute(stmt.out, opposite, stmt.args))
        if isinstance(cond, ir.Const):
            return Text(repr(not cond.value))
        return Text(f"not {self.at(cond, Prec.NOT)}", Prec.NOT)

    def augmented(self, name: str, stmt: ir.Stmt) -> tuple[str, str] | None:
        """``s += e`` for ``s = s + e``, where ``name`` is ``s``."""
        if not isinstance(stmt, ir.Compute) or stmt.op not in _AUGMENTED:
            return None
        op, (first, second) = self.tidied(stmt)
        assert isinstance(stmt.out.type, Scalar)
        own = isinstance(first, ir.Value) and self.names.get(first) == name
        if not own or op.name not in _AUGMENTED or not natural(op, stmt.args, stmt.out.type.dtype):
            return None
        sign, text = _AUGMENTED[op.name], self.at(second)
        if op.name in ("add", "sub") and self.is_negative(second):
            sign, text = "-=" if op.name == "add" else "+=", text.removeprefix("-")
        return f"{name} {sign} ", text


def _hugs(text: str) -> bool:
    """True if formatters write a power with this operand without blanks."""
    return text.removeprefix("-").replace(".", "a").replace("_", "a").isalnum()


def _leaf_path(type_: Type) -> str:
    """The subscripts that lead to the only leaf of a result."""
    if not isinstance(type_, Tuple):
        return ""
    for i, item in enumerate(type_.items):
        if next(leaves(item), None) is not None:
            return f"[{i}]{_leaf_path(item)}"
    return ""
