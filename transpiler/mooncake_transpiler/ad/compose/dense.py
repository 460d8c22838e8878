"""``f_hessian`` and ``f_jacobian``: dense arrays, output axes first, from columns.

    jac = np.empty((0, 0))
    for start in range(0, max(n, 1), 8):
        y0_dot, y1_dot, ... = _f_jacobian_columns(x, start)
        if start == 0:
            jac = np.empty((len(y0_dot), n))
        jac[:, start] = y0_dot
        if start + 1 < n:
            jac[:, start + 1] = y1_dot

With reverse mode at hand, a Jacobian of few rows is made of these (`jacobian_rows.py`), or as the
caller says by ``mode``.

With respect to several inputs, their numbers are in a row, and the last axis is for all of them
(`numbers_in_a_row.py`). How large a result is is known when there is one; there is a pass even for
an empty argument. Where one pass is for all columns, as the declared size says, there is no loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.callees import Callees
from mooncake_transpiler.ad.compose.columns import Columns
from mooncake_transpiler.ad.compose.existence import obstacle
from mooncake_transpiler.ad.compose.jacobian_rows import Rows
from mooncake_transpiler.ad.compose.numbers_in_a_row import Row, plus, position, sizes_of
from mooncake_transpiler.ad.helper_pullbacks import with_helpers
from mooncake_transpiler.ad.subject import Derived, Subject
from mooncake_transpiler.interface.dense_arrays import DenseInterface, wider
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, INT, Array, Scalar, Type, is_differentiable, leaves


def hessian(subject: Subject, gradient: Subject) -> Derived:
    """``f_hessian`` of ``subject``, and what it calls.

    Raises ``Refused`` where something can't be differentiated, twice.
    """
    primal = subject.alone()
    names = DenseInterface.of(primal.func, primal.wrt, primal.callees().changes)
    return _derived(_Dense(names, gradient, "hessian"), gradient.callees())


def jacobian(subject: Subject, reverse: Derived | None = None) -> Derived:
    """``f_jacobian`` of ``subject``, and what it calls.

    It chooses between forward mode and the functions of ``reverse``, if they are there, too.
    """
    if refused := obstacle("jacobian", subject.func, subject.wrt):
        raise refused
    primal, callees = with_helpers(subject.alone(), forward=True)
    names = DenseInterface.of(primal.func, primal.wrt, callees.changes)
    rows = None
    if reverse is not None and not names.written:
        rows = Rows.of(primal.func.result, names.wrt_leaves, reverse)
    return _derived(_Dense(names, primal, "jacobian"), callees, rows)


def _derived(dense: _Dense, callees: Callees, rows: Rows | None = None) -> Derived:
    names = dense.names
    name = f"{names.func.name}_{dense.suffix}.columns"
    columns, pushes = Columns.of(dense.pushed, callees, names.wrt_leaves, name)
    if not names.ndim:
        public = dense.of_number(columns)
    elif rows is not None:
        public = dense.by_shape(columns, rows)
    else:
        public = dense.of_array(columns)
    return dense.pushed.derived([public], (columns.func, *pushes.inner()), callees)


@dataclass(frozen=True, slots=True)
class _Dense:
    """The public function around calls of columns of ``pushed``: the user's, or its gradient."""

    names: DenseInterface
    pushed: Subject
    suffix: str

    # ---- functions ------------------------------------------------------------------------------

    def of_number(self, columns: Columns) -> ir.Func:
        """The derivative with respect to a number: the tangents themselves."""
        b, args = self._start()
        snapshots = self._snapshots(args, b)
        found = [dots[0] for dots in columns.call(tuple(args.values()), ir.ZERO, b)]
        self._restore(snapshots, b)
        return self._public(args, b.block(found))

    def of_array(self, columns: Columns) -> ir.Func:
        """The derivative with respect to an array, or to several inputs, column by column."""
        b, args = self._start()
        snapshots = self._snapshots(args, b)
        found = self._columns(columns, args, snapshots, b)
        return self._public(args, b.block(found))

    def by_shape(self, columns: Columns, rows: Rows) -> ir.Func:
        """A Jacobian by rows if they are fewer than half the columns, each of which costs less.

        The caller may say which by ``mode``.
        """
        b, args = self._start()
        y, residuals = rows.forward(tuple(args.values()), b)
        if isinstance(y.type, Scalar):
            jac = rows.of_number(y.type.dtype, residuals, self._row(args, b), b)
            return self._public(args, b.block((jac,)))
        own = b.product(b.dim(y, axis) for axis in range(_rank(y)))
        row = self._row(args, b)
        double = b.compute("mul", (own, ir.int_const(2)), INT)
        few = b.compute("lt", (double, b.product(row.axes)), BOOL)
        choice = self.names.choice()
        (case,) = choice.leaves
        is_auto, by_rows = (b.compute("eq", (case, ir.int_const(k)), BOOL) for k in (0, 2))
        few = b.compute("select", (is_auto, few, by_rows), BOOL)
        then, orelse = b.child(), b.child()
        whole = then.block((rows.whole(y, residuals, row, then),))
        by_columns = orelse.block(self._columns(columns, args, (), orelse))
        jac = ir.Value("jac", whole.yields[0].type)
        b.add(ir.If((jac,), few, whole, by_columns, b.origin))
        return self._public(args, b.block((jac,)), choice)

    def _columns(
        self,
        columns: Columns,
        args: dict[ir.Value, ir.Value],
        snapshots: Sequence[tuple[ir.Value, ir.Value]],
        b: Builder,
    ) -> list[ir.Value]:
        """All columns: an array for each float result."""
        if not columns.all_at_once:
            return self._loop(columns, args, snapshots, b)
        row = self._row(args, b)
        found = columns.call(tuple(args.values()), ir.ZERO, b)
        self._restore(snapshots, b)
        types = self._types
        shapes = self._shapes(found, row, b)
        made = [
            b.alloc(t, shape, hint=self._hint(types))
            for t, shape in zip(types, shapes, strict=True)
        ]
        for lane in range(columns.lanes):
            index = position(ir.int_const(lane), row.axes, b)
            self._put(made, [dots[lane] for dots in found], index, row, b)
        return made

    def _loop(
        self,
        columns: Columns,
        args: dict[ir.Value, ir.Value],
        snapshots: Sequence[tuple[ir.Value, ir.Value]],
        b: Builder,
    ) -> list[ir.Value]:
        """All columns, as many at a time as there are lanes: an array for each float result."""
        row = self._row(args, b)
        total = b.product(row.axes)
        types = self._types
        nothing = ir.ZERO
        inits = [b.alloc(type_, [nothing] * type_.ndim) for type_ in types]
        params, outs = ([ir.Value(self._hint(types), t) for t in types] for _ in range(2))
        start = ir.Value("start", INT)
        c = b.child()
        found = columns.call(tuple(args.values()), start, c)
        self._restore(snapshots, c)
        first = b.child()
        shapes = self._shapes(found, row, first)
        made = _made(params, shapes, start, first, c)
        for lane in range(columns.lanes):
            at = plus(start, lane, c)
            then = c.child()
            index = position(at, row.axes, then)
            self._put(made, [dots[lane] for dots in found], index, row, then)
            inside = c.compute("lt", (at, total), BOOL)
            c.add(ir.If((), inside, then.block(), ir.Block(()), c.origin))
        is_empty = b.compute("eq", (total, nothing), BOOL)
        end = b.compute("select", (is_empty, ir.ONE, total), INT)
        b.add(
            ir.For(
                tuple(outs), start, nothing, end, ir.int_const(columns.lanes),
                tuple(params), tuple(inits), c.block(made), origin=b.origin,
            )
        )  # fmt: skip
        return outs

    def _row(self, args: dict[ir.Value, ir.Value], b: Builder) -> Row:
        """The places of the arguments' numbers in the last axes of the derivative."""
        names = self.names
        shapes = [sizes_of(names.func, target, args[target], b) for target in names.wrt_leaves]
        return Row.of(shapes, b, is_flat=names.is_flat)

    @property
    def _types(self) -> list[Array]:
        """The types of the arrays of the derivative."""
        floats = [type_ for type_ in leaves(self._result) if is_differentiable(type_)]
        return [wider(type_, self.names.ndim) for type_ in floats]

    def _shapes(
        self, found: Sequence[Sequence[ir.Value]], row: Row, b: Builder
    ) -> list[list[ir.Atom]]:
        """The shapes of these arrays, of which ``found`` are columns."""
        if self._is_one_matrix:
            return [[*row.axes, *row.axes]]
        own = [[b.dim(dots[0], axis) for axis in range(_rank(dots[0]))] for dots in found]
        return [[*sizes, *row.axes] for sizes in own]

    @property
    def _is_one_matrix(self) -> bool:
        """True for the Hessian with respect to several inputs, whose columns are in parts."""
        return self.suffix == "hessian" and self.names.is_flat

    def _hint(self, types: Sequence[Type]) -> str:
        return {"hessian": "hess", "jacobian": "jac"}[self.suffix] if len(types) == 1 else ""

    def _put(
        self, arrays: Sequence[ir.Value], dots: Sequence[ir.Value], index: Sequence[ir.Atom],
        row: Row, b: Builder,
    ) -> None:  # fmt: skip
        """Store one column at ``index``; of a symmetric Hessian it is a row as well."""
        if self.suffix == "hessian":
            row.put(arrays[0], index, dots, b)
            return
        for array, dot in zip(arrays, dots, strict=True):
            if not isinstance(dot.type, Array):
                b.store(array, index, dot)
                continue
            view = ir.Value("", dot.type)
            place = (*((ir.Slice(),) * dot.type.ndim), *index)
            b.add(ir.View(view, array, place, b.origin))
            b.add(ir.Assign(view, dot, b.origin))

    # ---- parts ----------------------------------------------------------------------------------

    @property
    def _result(self) -> Type:
        """The type of what the derivative is of; the numbers of a gradient in parts are a row."""
        if not self._is_one_matrix:
            return self.pushed.func.result
        first = self.names.wrt_leaves[0]
        assert isinstance(first.type, Scalar | Array)
        (owner,) = (param.type for param in self.names.func.params if first in param.leaves)
        home = owner.home if isinstance(owner, Scalar | Array) else None
        return Array(first.type.dtype, 1, home)

    def _start(self) -> tuple[Builder, dict[ir.Value, ir.Value]]:
        """New inputs for the public function, by those of the subject."""
        args = {v: ir.Value(v.hint, v.type) for v in self.names.func.inputs}
        return Builder(free=True), args

    def _public(
        self, args: dict[ir.Value, ir.Value], body: ir.Block, choice: ir.Param | None = None
    ) -> ir.Func:
        return self.names.dense(self.suffix, self._result, args, body, choice)

    def _snapshots(
        self, args: dict[ir.Value, ir.Value], b: Builder
    ) -> list[tuple[ir.Value, ir.Value]]:
        """Copies of the arguments that a pass leaves changed."""
        if self.suffix == "hessian":
            return []  # they are restored as by a gradient
        found = []
        for value, arg in args.items():
            if value in self.names.written:
                copy = ir.Value(f"{arg.hint}_entry", arg.type)
                b.add(ir.Copy(copy, arg, b.origin))
                found.append((arg, copy))
        return found

    def _restore(self, snapshots: Sequence[tuple[ir.Value, ir.Value]], b: Builder) -> None:
        for arg, copy in snapshots:
            b.add(ir.Assign(arg, copy, b.origin))


def _made(
    params: Sequence[ir.Value],
    shapes: Sequence[Sequence[ir.Atom]],
    start: ir.Value,
    then: Builder,
    b: Builder,
) -> list[ir.Value]:
    """The arrays for the results: new ones, by ``then``, in the first pass."""
    first = b.compute("eq", (start, ir.ZERO), BOOL)
    made = []
    for param, shape in zip(params, shapes, strict=True):
        assert isinstance(param.type, Array)
        made.append(then.alloc(param.type, shape))
    outs = tuple(ir.Value(param.hint, param.type) for param in params)
    b.add(ir.If(outs, first, then.block(made), ir.Block((), tuple(params)), b.origin))
    return list(outs)


def _rank(value: ir.Value) -> int:
    return value.type.ndim if isinstance(value.type, Array) else 0
