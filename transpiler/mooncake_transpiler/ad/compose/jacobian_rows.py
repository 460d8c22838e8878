"""The rows of a Jacobian, by reverse mode: one pullback for each number in the result.

    y, residuals = f_fwd(x)
    y_bar = np.zeros(len(y))
    for row in range(len(y)):
        y_bar[row] = 1.0
        jac[row] = f_pullback(residuals, y_bar)
        y_bar[row] = 0.0

They serve functions with one number or array as their result that leave their arguments alone, so
that the pullback can be called again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.ad.compose.numbers_in_a_row import Row, position
from mooncake_transpiler.ad.subject import Derived
from mooncake_transpiler.border.borders import Action
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import INT, Array, DType, Scalar, Type, leaves


@dataclass(frozen=True, slots=True)
class Rows:
    """``f_fwd`` and ``f_pullback`` of a function with one result."""

    fwd: ir.Func
    pullback: ir.Func

    @classmethod
    def of(cls, result: Type, targets: Sequence[ir.Value], reverse: Derived) -> Rows | None:
        """The functions of ``reverse`` that make rows of ``result``; None if they can't."""
        fwd, pullback = reverse.funcs[:2]
        (*types,) = leaves(result)
        if fwd.border.action is not Action.NONE or len(types) != 1:
            return None
        same = all(_dtype(target.type) is _dtype(types[0]) for target in targets)
        return cls(fwd, pullback) if same else None

    def forward(self, args: Sequence[ir.Atom], b: Builder) -> tuple[ir.Value, list[ir.Value]]:
        """The result, and the residuals."""
        y, *residuals = (ir.Value("", type_) for type_ in leaves(self.fwd.result))
        b.add(ir.Call((y, *residuals), self.fwd.name, tuple(args), b.origin))
        return y, residuals

    def gradient(
        self, residuals: Sequence[ir.Atom], y_bar: ir.Atom, b: Builder
    ) -> tuple[ir.Value, ...]:
        """The gradient for one cotangent."""
        outs = tuple(ir.Value("", type_) for type_ in leaves(self.pullback.result))
        b.add(ir.Call(outs, self.pullback.name, (*residuals, y_bar), b.origin))
        return outs

    def of_number(
        self, dtype: DType, residuals: Sequence[ir.Value], row: Row, b: Builder
    ) -> ir.Value:
        """The Jacobian of a number, with respect to the numbers in ``row``."""
        bars = self.gradient(residuals, ir.Const(1.0, Scalar(dtype)), b)
        if not row.is_flat:
            return bars[0]
        jac = b.alloc(Array(dtype, 1), row.axes, hint="jac")
        row.put(jac, (), bars, b)
        return jac

    def whole(self, y: ir.Value, residuals: Sequence[ir.Value], row: Row, b: Builder) -> ir.Value:
        """The Jacobian of the array ``y``, with respect to the numbers in ``row``."""
        assert isinstance(y.type, Array)
        dtype = Scalar(y.type.dtype)
        own = b.shape(y)
        jac = b.alloc(Array(y.type.dtype, len(own) + len(row.axes)), (*own, *row.axes), hint="jac")
        y_bar = b.alloc(y.type, own, ir.zero(dtype), "y_bar")
        at, c = ir.Value("row", INT), b.child()
        index = position(at, own, c)
        c.store(y_bar, index, ir.Const(1.0, dtype))
        row.put(jac, index, self.gradient(residuals, y_bar, c), c)
        c.store(y_bar, index, ir.zero(dtype))
        zero, one = ir.ZERO, ir.ONE
        b.add(ir.For((), at, zero, b.product(own), one, (), (), c.block(), origin=b.origin))
        return jac


def _dtype(type_: Type) -> DType | None:
    return type_.dtype if isinstance(type_, Scalar | Array) else None
