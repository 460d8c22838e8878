"""The layouts in memory of what library functions make, in the function being lowered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import libcst as cst
from mooncake_rules.arrays import Arr, Num

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state import layouts
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.layouts import Layout, Layouts

Number = Num | complex


@dataclass(frozen=True, slots=True, eq=False)
class Ordering:
    """The part of ``mooncake_rules.arrays.Stage`` that knows sizes and layouts."""

    ctx: Context
    node: cst.CSTNode

    def atom(self, number: Number) -> ir.Atom:
        if not isinstance(number, Num):
            return scalars.constant(number)
        assert isinstance(number.atom, ir.Value | ir.Const | ir.Undef)
        return number.atom

    def atoms(self, numbers: Sequence[Number]) -> tuple[ir.Atom, ...]:
        return tuple(map(self.atom, numbers))

    # ---- layouts --------------------------------------------------------------------------------

    @property
    def _layouts(self) -> Layouts:
        return Layouts(self.ctx.sizes.same)

    def layout(self, array: Arr) -> Layout:
        known = array.layout
        return known if isinstance(known, tuple) else layouts.fresh(self.atoms(array.shape))

    def like(self, array: Arr) -> Layout:
        layout = self.layout(array)
        return self._layouts.like(self.atoms(array.shape), layout)

    def c_order(self, shape: Sequence[Num | int]) -> Layout:
        return layouts.c_order(self.atoms(shape))

    def f_order(self, shape: Sequence[Num | int]) -> Layout:
        return layouts.in_order(self.atoms(shape), range(len(shape))[::-1])

    def in_order(self, array: Arr) -> Arr:
        return self.laid_out(array, self.c_order(array.shape))

    def laid_out(self, array: Arr, layout: object) -> Arr:
        assert isinstance(layout, tuple)
        if isinstance(array.memory, ir.Value):
            self.ctx.memory.layouts[array.memory] = layout
        return replace(array, layout=layout)

    def any_order(self, shape: Sequence[Num | int]) -> Layout:
        return layouts.fresh(self.atoms(shape))

    def gathered(
        self, base: Arr, axes: Sequence[int], indices: Sequence[Arr], common: Sequence[Num | int],
        at: int,
    ) -> Layout:  # fmt: skip
        whole = zip(self.atoms(base.shape), self.layout(base), strict=True)
        left = [pair for k, pair in enumerate(whole) if k not in axes]
        rest = tuple(size for size, _ in left), tuple(stride for _, stride in left)
        inner = self._layouts.like(*rest)
        step = layouts.product(rest[0])
        outer = tuple(stride * step for stride in self.elementwise(indices, common))
        return (*inner[:at], *outer, *inner[at:])

    def joined(self, parts: Sequence[Arr], axis: int, shape: Sequence[Num | int]) -> Layout:
        known = [(self.atoms(one.shape), self.layout(one)) for one in parts]
        return self._layouts.joined(known, axis, self.atoms(shape))

    def with_axis(self, array: Arr, axis: int) -> Layout:
        layout = self.layout(array)
        return (*layout[:axis], layouts.NONE, *layout[axis:])

    def fortran(self, array: Arr, shape: Sequence[Num | int]) -> Layout:
        of, own, layout = self._layouts, self.atoms(array.shape), self.layout(array)
        return of.fortran(own, layout, self.atoms(shape))

    def elementwise(self, operands: Sequence[Arr], shape: Sequence[Num | int]) -> Layout:
        known = [(self.atoms(one.shape), self.layout(one)) for one in operands]
        return self._layouts.elementwise(known, self.atoms(shape))
