"""Names, parameters, results and docstrings of the derivative functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from keyword import iskeyword

from mooncake_transpiler import ir
from mooncake_transpiler.types import NONE, Array, Scalar, Tuple, Type, is_differentiable, leaves


def grad_type(type_: Type) -> Type:
    """The type of a cotangent: floats keep theirs, what carries no float is None."""
    match type_:
        case Scalar(dtype=dtype) | Array(dtype=dtype):
            return type_ if dtype.is_differentiable else NONE
        case Tuple(items=items):
            return replace(type_, items=tuple(map(grad_type, items)), cls=None, names=None)
        case _:
            return NONE


class Signatures:
    """The derivative functions of ``func`` around given bodies."""

    def __init__(self, func: ir.Func, wrt: tuple[str, ...]) -> None:
        self._func = func
        self._module, self._name = func.name.split(":")
        self._wrt = [p for p in func.params if p.name in wrt]
        self.wrt_leaves = [v for p in self._wrt for v in p.leaves if is_differentiable(v.type)]
        self.grad_type = self._grad_type()

    def _grad_type(self) -> Tuple:
        """The result of the gradient; with more than one parameter a NamedTuple."""
        items = tuple(grad_type(p.type) for p in self._wrt)
        if len(items) == 1:
            return Tuple(items)
        return Tuple(items, _fields([p.name for p in self._wrt]), _class_name(self._name))

    @property
    def _grad(self) -> Type:
        return self.grad_type if self.grad_type.names else self.grad_type.items[0]

    def _slots(self) -> Tuple:
        """The result of the pullback: one slot per parameter."""
        names = {p.name for p in self._wrt}
        return Tuple(
            tuple(grad_type(p.type) if p.name in names else NONE for p in self._func.params)
        )

    def result_bars(self) -> list[ir.Value | None]:
        """One cotangent per leaf of the result (None where it carries no float)."""
        types = list(leaves(self._func.result))
        single = len(types) == 1
        return [
            ir.Value("y_bar" if single else f"y{k}_bar", t) if is_differentiable(t) else None
            for k, t in enumerate(types)
        ]

    def _make(
        self, suffix: str, params: Sequence[ir.Param], result: Type, body: ir.Block, doc: str
    ) -> ir.Func:
        name = f"{self._module}:{self._name}_{suffix}"
        return ir.Func(name, tuple(params), result, body, doc, self._func.origin)

    def value_and_grad(self, body: ir.Block) -> ir.Func:
        doc = f"Value of `{self._name}` and its gradient with respect to {self._about()}."
        result = Tuple((self._func.result, self._grad))
        return self._make("value_and_grad", self._func.params, result, body, doc)

    def grad(self, fused: ir.Func) -> ir.Func:
        """``f_grad``: the gradient alone."""
        params = _fresh(self._func.params)
        outs = tuple(ir.Value("", t) for t in leaves(fused.result))
        call = ir.Call(outs, fused.name, _leaves(params))
        doc = f"Gradient of `{self._name}` with respect to {self._about()}."
        return self._make("grad", params, self._grad, ir.Block((call,), outs[1:]), doc)

    def fwd(self, residuals: Sequence[ir.Value], body: ir.Block) -> ir.Func:
        doc = f"Value of `{self._name}`, and the residuals for `{self._name}_pullback`."
        result = Tuple((self._func.result, Tuple(tuple(v.type for v in residuals))))
        return self._make("fwd", self._func.params, result, body, doc)

    def pullback(
        self, residuals: Sequence[ir.Value], y_bars: Sequence[ir.Value | None], body: ir.Block
    ) -> ir.Func:
        packed = ir.Param("residuals", Tuple(tuple(v.type for v in residuals)), tuple(residuals))
        doc = (
            f"Cotangents of the parameters of `{self._name}` for the cotangent `y_bar` of its "
            "result: one slot per parameter, None where it is not differentiated."
        )
        return self._make("pullback", (packed, self._y_bar(y_bars)), self._slots(), body, doc)

    def _y_bar(self, y_bars: Sequence[ir.Value | None]) -> ir.Param:
        kept = tuple(bar for bar in y_bars if bar is not None)
        name = _free("y_bar", {p.name for p in self._func.params})
        return ir.Param(name, grad_type(self._func.result), kept)

    def reverse_inputs(self) -> tuple[dict[ir.Value, ir.Value], list[ir.Value | None]]:
        """The shadows of the float array inputs, and the cotangents of the result's leaves."""
        shadows = {
            v: ir.Value(f"{v.hint}_bar", v.type)
            for v in self._func.inputs
            if isinstance(v.type, Array) and v.type.dtype.is_differentiable
        }
        return shadows, self.result_bars()

    def reverse(
        self, shadows: Iterable[ir.Value], y_bars: Sequence[ir.Value | None], body: ir.Block
    ) -> ir.Func:
        more = [*shadows, *(bar for bar in y_bars if bar is not None)]
        params = (*self._func.params, *(ir.Param(v.hint, v.type, (v,)) for v in more))
        types = tuple(a.type for a in body.yields)
        doc = (
            f"Runs `{self._name}` again and reverses it: adds to the shadows of its arrays and "
            "returns the cotangents of its float parameters."
        )
        return self._make("reverse", params, Tuple(types) if types else NONE, body, doc)

    def vjp(self, fwd: ir.Func, pullback: ir.Func) -> ir.Func:
        """``f_vjp``: the split pair in one call."""
        # A default can't stand before y_bar, which has none.
        params = tuple(replace(p, default=None) for p in _fresh(self._func.params))
        y_bar = self._y_bar(self.result_bars())
        outs = tuple(ir.Value("", t) for t in leaves(fwd.result))
        count = len(list(leaves(self._func.result)))
        values, residuals = outs[:count], outs[count:]
        bars = tuple(ir.Value("", t) for t in leaves(pullback.result))
        body = ir.Block(
            (
                ir.Call(outs, fwd.name, _leaves(params)),
                ir.Call(bars, pullback.name, (*residuals, *y_bar.leaves)),
            ),
            (*values, *bars),
        )
        doc = f"Value of `{self._name}`, and its gradient for the cotangent `y_bar` of the result."
        result = Tuple((self._func.result, self._grad))
        return self._make("vjp", (*params, y_bar), result, body, doc)

    def _about(self) -> str:
        names = [f"`{p.name}`" for p in self._wrt]
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _class_name(function: str) -> str:
    """A name of its own for each function: ``FitLineGrad`` for ``fit_line``."""
    if re.fullmatch(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*", function):
        return "".join(part.capitalize() for part in function.split("_")) + "Grad"
    return f"{function.lstrip('_')}_Grad"


def _fields(names: Sequence[str]) -> tuple[str, ...]:
    """Names of fields for parameters; those of a NamedTuple can't begin with an underscore."""
    fields: list[str] = []
    for name in names:
        field = name.lstrip("_")
        usable = field.isidentifier() and not iskeyword(field)
        taken = {*fields, *names} - {name}
        fields.append(_free(field if usable else f"arg{field}", taken))
    return tuple(fields)


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _fresh(params: Sequence[ir.Param]) -> tuple[ir.Param, ...]:
    return tuple(
        replace(p, leaves=tuple(ir.Value(v.hint, v.type) for v in p.leaves)) for p in params
    )


def _leaves(params: Sequence[ir.Param]) -> tuple[ir.Value, ...]:
    return tuple(v for p in params for v in p.leaves)
