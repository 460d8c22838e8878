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
from mooncake_transpiler.ad.compose.columns import position
from mooncake_transpiler.ad.subject import Derived
from mooncake_transpiler.borders import Action
from mooncake_transpiler.builder import Builder
from mooncake_transpiler.types import INT, Array, DType, Scalar, Type, leaves


@dataclass(frozen=True, slots=True)
class Rows:
    """``f_fwd`` and ``f_pullback`` of a function with one result."""

    fwd: ir.Func
    pullback: ir.Func

    @classmethod
    def of(cls, result: Type, target: ir.Value, reverse: Derived) -> Rows | None:
        """The functions of ``reverse`` that make rows of ``result``; None if they can't."""
        fwd, pullback = reverse.funcs[:2]
        (*types,) = leaves(result)
        if fwd.border.action is not Action.NONE or len(types) != 1:
            return None
        return cls(fwd, pullback) if _dtype(types[0]) is _dtype(target.type) else None

    def forward(self, args: Sequence[ir.Atom], b: Builder) -> tuple[ir.Value, list[ir.Value]]:
        """The result, and the residuals."""
        y, *residuals = (ir.Value("", type_) for type_ in leaves(self.fwd.result))
        b.add(ir.Call((y, *residuals), self.fwd.name, tuple(args), b.origin))
        return y, residuals

    def row(self, residuals: Sequence[ir.Atom], y_bar: ir.Atom, b: Builder) -> ir.Value:
        """The gradient for one cotangent."""
        (type_,) = leaves(self.pullback.result)
        out = ir.Value("", type_)
        b.add(ir.Call((out,), self.pullback.name, (*residuals, y_bar), b.origin))
        return out

    def whole(
        self,
        y: ir.Value,
        residuals: Sequence[ir.Value],
        sizes: Sequence[ir.Atom],
        b: Builder,
    ) -> ir.Value:
        """The Jacobian of the array ``y``; ``sizes`` are those of the argument."""
        assert isinstance(y.type, Array)
        dtype = Scalar(y.type.dtype)
        own = [b.dim(y, axis) for axis in range(y.type.ndim)]
        jac = b.alloc(Array(y.type.dtype, len(own) + len(sizes)), (*own, *sizes), hint="jac")
        y_bar = b.alloc(y.type, own, ir.zero(dtype), "y_bar")
        at, c = ir.Value("row", INT), b.child()
        index = position(at, own, c)
        c.store(y_bar, index, ir.Const(1.0, dtype))
        bar = self.row(residuals, y_bar, c)
        view = ir.Value("", bar.type)
        c.add(ir.View(view, jac, (*index, *(ir.Slice() for _ in sizes)), c.origin))
        c.add(ir.Assign(view, bar, c.origin))
        c.store(y_bar, index, ir.zero(dtype))
        zero, one = ir.int_const(0), ir.int_const(1)
        b.add(ir.For((), at, zero, b.product(own), one, (), (), c.block(), origin=b.origin))
        return jac


def _dtype(type_: Type) -> DType | None:
    return type_.dtype if isinstance(type_, Scalar | Array) else None
