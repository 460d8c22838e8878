"""The derivative functions of reverse mode, from outside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mooncake_runtime.field_names import field_names, free

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import has_objects
from mooncake_transpiler.border.borders import Action, Check
from mooncake_transpiler.interface.cotangents import given, grad_type, named, of_gradient
from mooncake_transpiler.interface.last_values import holders, last_values
from mooncake_transpiler.interface.record import Interface, class_name, labels
from mooncake_transpiler.ir.function_names import reverse_name
from mooncake_transpiler.types import NONE, Array, Scalar, Tuple, Type, leaves


@dataclass(frozen=True, slots=True)
class ReverseInterface(Interface):
    """The derivative functions of reverse mode around given bodies."""

    @property
    def grad_type(self) -> Tuple:
        """The result of the gradient; with more than one parameter a NamedTuple."""
        items = tuple(grad_type(p.type) for p in self.wrt_params)
        if len(items) == 1:
            return Tuple(items)
        name = class_name(self.name, "Grad")
        return Tuple(items, field_names(self.wrt), name, doc=self.docs.fields())

    @property
    def structs(self) -> tuple[Tuple, ...]:
        """The NamedTuples to define."""
        given_by_name = grad_type(self.result) if has_objects(self.result) else NONE
        return (*named(self.grad_type), *named(given_by_name))

    @property
    def y_bar_name(self) -> str:
        """The parameter for the cotangent of the result."""
        return free("y_bar", {p.name for p in self.func.params})

    @property
    def y_bar_paths(self) -> list[str]:
        """The user's names for the leaves of the cotangent of the result."""
        return list(labels(self.result, self.y_bar_name))

    @property
    def _grad(self) -> Type:
        return self.grad_type if self.grad_type.names else self.grad_type.items[0]

    def _slots(self) -> Tuple:
        """The result of the pullback: one slot per parameter."""
        return Tuple(
            tuple(grad_type(p.type) if p.name in self.wrt else NONE for p in self.func.params)
        )

    def result_bars(self) -> list[ir.Value | None]:
        """One cotangent per leaf of the result (None where it carries no float)."""
        types = list(leaves(self.result))
        taken = {v.hint for v in self.func.inputs}
        names = ["y_bar"] if len(types) == 1 else [f"y{k}_bar" for k in range(len(types))]
        values = [ir.Value(free(n, taken), t) for n, t in zip(names, types, strict=True)]
        wanted = set(of_gradient(self.result, iter(values)))
        return [value if value in wanted else None for value in values]

    def _make(
        self, suffix: str, params: Sequence[ir.Param], result: Type, body: ir.Block, doc: str,
        action: Action = Action.NONE, apart: tuple[Check, ...] | None = None,
    ) -> ir.Func:  # fmt: skip
        checks = self.apart if apart is None else apart
        border = replace(self.func.border, action=action, holders=holders(self.func), apart=checks)
        return self.make(suffix, params, result, body, doc, border)

    def value_and_grad(self, vjp: ir.Func, *, forward: bool = False) -> ir.Func:
        """``f_value_and_grad``: ``vjp`` for the cotangent 1; ``forward``: tangents move in it."""
        params, call = self._of_vjp(vjp)
        result = Tuple((self.result, self._grad))
        doc = self.docs.value_and_grad(self._deciding(vjp.body), forward=forward)
        return self._make("value_and_grad", params, result, ir.Block((call,), call.outs), doc)

    def grad(self, vjp: ir.Func) -> ir.Func:
        """``f_grad``: the gradient alone."""
        params, call = self._of_vjp(vjp)
        body = ir.Block((call,), call.outs[1:])
        return self._make("grad", params, self._grad, body, self.docs.grad())

    def _deciding(self, body: ir.Block) -> tuple[str, ...]:
        """The numbers that the function asks, without a cotangent in the ``body`` of ``f_vjp``.

        They decide over branches and the like: a root that is found by bisection does not follow.
        """
        own = self.wrt_leaves
        bars = body.yields[len(body.yields) - len(own) :]
        still = {leaf for leaf, bar in zip(own, bars, strict=True) if isinstance(bar, ir.Const)}
        asked = still.intersection(ir.used_in(self.func.body))
        return tuple(p.name for p in self.wrt_params if asked.intersection(p.leaves))

    def _of_vjp(self, vjp: ir.Func) -> tuple[tuple[ir.Param, ...], ir.Call]:
        """Parameters, and a call of ``vjp`` with them where the cotangent is 1."""
        params, type_ = _fresh(self.func.params), self.result
        assert isinstance(type_, Scalar)
        given = {p.name: p.leaves for p in params}
        seed = (ir.Const(1.0, type_),)
        args = (a for p in vjp.params for a in given.get(p.name, seed))
        outs = (ir.Value("value", type_), *self._bars())
        return params, ir.Call(outs, vjp.name, tuple(args))

    def unfused_grad(self, body: ir.Block) -> ir.Func:
        """``f_grad`` with that body, to be differentiated again."""
        return self._make("grad", self.func.params, self._grad, body, self.docs.unfused_grad())

    def fwd(self, residuals: Sequence[ir.Value], body: ir.Block) -> ir.Func:
        last = last_values(self.func)
        result = Tuple((self.result, *last, self._residuals(residuals)))
        action = Action.ASSIGN if last else Action.NONE
        return self._make("fwd", self.func.params, result, body, self.docs.fwd(), action)

    def pullback(
        self, residuals: Sequence[ir.Value], y_bars: Sequence[ir.Value | None], body: ir.Block
    ) -> ir.Func:
        packed = ir.Param("residuals", self._residuals(residuals), tuple(residuals))
        params = (packed, self._y_bar(y_bars))
        action = Action.RESTORE if last_values(self.func) else Action.NONE
        doc = self.docs.pullback(self.y_bar_name)
        return self._make("pullback", params, self._slots(), body, doc, action, ())

    def _residuals(self, values: Sequence[ir.Value]) -> Tuple:
        return Tuple(tuple(v.type for v in values), alias=class_name(self.name, "Residuals"))

    def _bars(self) -> tuple[ir.Value, ...]:
        """New values for the cotangents of the differentiated parameters."""
        return tuple(ir.cotangent(v) for v in self.wrt_leaves)

    def _y_bar(self, y_bars: Sequence[ir.Value | None]) -> ir.Param:
        types = leaves(self.result)
        bars = [bar or ir.Value("", t) for bar, t in zip(y_bars, types, strict=True)]
        kept = tuple(of_gradient(self.result, iter(bars)))
        return ir.Param(self.y_bar_name, given(self.result), kept, is_cotangent=True)

    def reverse_inputs(self) -> tuple[dict[ir.Value, ir.Value], list[ir.Value | None]]:
        """The shadows of the float array inputs, and the cotangents of the result's leaves."""
        shadows = {
            v: ir.Value(f"{v.hint}_bar", v.type)
            for v in self.func.inputs
            if isinstance(v.type, Array) and v.type.dtype.is_differentiable
        }
        return shadows, self.result_bars()

    def reverse(
        self, shadows: Iterable[ir.Value], y_bars: Sequence[ir.Value | None], body: ir.Block
    ) -> ir.Func:
        # No defaults: the compiler gives all arguments, and those that follow have none.
        params = [replace(p, default=None) for p in self.func.params]
        for value in (*shadows, *(bar for bar in y_bars if bar is not None)):
            name = free(value.hint, {p.name for p in params})
            params.append(ir.Param(name, value.type, (value,)))
        types = tuple(a.type for a in body.yields)
        result = Tuple(types) if types else NONE
        made = self._make("reverse", params, result, body, self.docs.reverse(), apart=())
        return replace(made, name=reverse_name(self.func.name))

    def vjp(
        self, y_bars: Sequence[ir.Value | None], body: ir.Block, *, forward: bool = False
    ) -> ir.Func:
        """``f_vjp`` with that body; ``forward``: tangents move in it, which it says."""
        params, y_bar = self.func.params, self._y_bar(y_bars)
        result = Tuple((self.result, self._grad))
        # A default can't stand before y_bar, which has none; keyword-only parameters come last.
        positional = [replace(p, default=None) for p in params if not p.kwonly]
        keywords = [p for p in params if p.kwonly]
        signature = (*positional, y_bar, *keywords)
        doc = self.docs.vjp(self.y_bar_name, self._deciding(body), forward=forward)
        return self._make("vjp", signature, result, body, doc)


def _fresh(params: Sequence[ir.Param]) -> tuple[ir.Param, ...]:
    return tuple(
        replace(p, leaves=tuple(ir.Value(v.hint, v.type) for v in p.leaves)) for p in params
    )
