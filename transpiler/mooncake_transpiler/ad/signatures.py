"""Names, parameters, results and docstrings of the derivative functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from keyword import iskeyword
from typing import TypeVar

from mooncake_transpiler import ir
from mooncake_transpiler.ad.border import holders, kept_apart, last_values, without_last_values
from mooncake_transpiler.ad.calls import reverse_name
from mooncake_transpiler.ad.docs import Docs
from mooncake_transpiler.analysis.memory import Memories, Mutated
from mooncake_transpiler.borders import Action
from mooncake_transpiler.types import (
    NONE,
    Array,
    ClassRef,
    List,
    OneOf,
    Scalar,
    StructKind,
    Tuple,
    Type,
    has_objects,
    is_differentiable,
    leaves,
    paths,
)

A = TypeVar("A", bound=ir.Atom)


def grad_type(type_: Type, suffix: str = "Bar") -> Type:
    """The type of a cotangent: floats keep theirs, what carries no float is None.

    ``suffix``: what its NamedTuples are called, behind the names of the user's.
    """
    match type_:
        case Scalar(dtype=dtype) | Array(dtype=dtype):
            return type_ if dtype.is_differentiable else NONE
        case Tuple(items=items, names=names, cls=cls):
            parts = tuple(grad_type(item, suffix) for item in items)
            if names is None:
                return Tuple(parts)
            name = cls or str(type_.alias).partition(" | ")[0]  # of a type made by ``given``
            return Tuple(parts, _fields(list(names)), f"{name}{suffix}", _derived(type_))
        case OneOf(options=options) if is_differentiable(type_):
            return OneOf(tuple(grad_type(option, suffix) for option in options))
        case List(item=item) if is_differentiable(type_):
            return List(grad_type(item, suffix))
        case _:
            return NONE


def _derived(type_: Tuple) -> ClassRef | None:
    """The class that a NamedTuple of ours is the derivative of, if that is no NamedTuple."""
    return replace(type_.of, kind=StructKind.DERIVED) if type_.of and type_.is_object else None


def given(type_: Type) -> Type:
    """The type of a parameter for a tangent or cotangent of a ``type_``.

    Any tuple will do for a tuple, and any object with the names of its fields for an object.
    """
    return _by_name(type_) if has_objects(type_) else plain(grad_type(type_))


def _by_name(type_: Type) -> Type:
    match type_:
        case Tuple(items=items, names=names, cls=cls):
            parts = tuple(map(_by_name, items))
            if names is None:
                return Tuple(parts)
            of = None if type_.of is None else replace(type_.of, kind=StructKind.DERIVED)
            return Tuple(parts, names, None, of, f"{cls} | {cls}Bar" if cls else type_.alias)
        case OneOf(options=options) if is_differentiable(type_):
            return OneOf(tuple(map(_by_name, options)))
        case List(item=item) if is_differentiable(type_):
            return List(_by_name(item))
        case _:
            return grad_type(type_)


def plain(type_: Type) -> Type:
    """``type_`` without the names of fields: any tuple will do."""
    match type_:
        case Tuple(items=items):
            return Tuple(tuple(map(plain, items)))
        case _:
            return type_


def named(type_: Type) -> Iterator[Tuple]:
    """The NamedTuples that ``type_`` is made of, inner ones first."""
    match type_:
        case Tuple(items=items) | OneOf(options=items):
            for item in items:
                yield from named(item)
            if isinstance(type_, Tuple) and type_.names is not None:
                yield type_
        case List(item=item):
            yield from named(item)
        case _:
            return


class Signatures:
    """The derivative functions of ``func`` around given bodies."""

    def __init__(self, func: ir.Func, wrt: tuple[str, ...], mutated: Mutated | None = None) -> None:
        self._func = without_last_values(func)
        self._last_values = last_values(func)
        self._module, self.name = func.name.split(":")
        self._wrt = [p for p in func.params if p.name in wrt]
        self.wrt_leaves = [v for p in self._wrt for v in of_gradient(p.type, iter(p.leaves))]
        self.grad_type = self._grad_type()
        written = Memories(func, mutated).written_params
        self._apart = kept_apart(func, written)
        self._docs = Docs(
            self.name,
            func.params,
            wrt=tuple(p.name for p in self._wrt),
            written=tuple(p.name for p in func.params if not written.isdisjoint(p.leaves)),
            result=self._func.result,
            y_bar_name=self.y_bar_name,
        )

    def _grad_type(self) -> Tuple:
        """The result of the gradient; with more than one parameter a NamedTuple."""
        items = tuple(grad_type(p.type) for p in self._wrt)
        if len(items) == 1:
            return Tuple(items)
        return Tuple(items, _fields([p.name for p in self._wrt]), self._class("Grad"))

    @property
    def structs(self) -> tuple[Tuple, ...]:
        """The NamedTuples to define."""
        given_by_name = grad_type(self._func.result) if has_objects(self._func.result) else NONE
        return (*named(self.grad_type), *named(given_by_name))

    def _class(self, suffix: str) -> str:
        return _class_name(self.name, suffix)

    @property
    def y_bar_name(self) -> str:
        """The parameter for the cotangent of the result."""
        return free("y_bar", {p.name for p in self._func.params})

    @property
    def y_bar_paths(self) -> list[str]:
        """The user's names for the leaves of the cotangent of the result."""
        found = paths(self._func.result, self.y_bar_name)
        return [path.removesuffix(".spans") for path in found]

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
        taken = {v.hint for v in self._func.inputs}
        names = ["y_bar"] if len(types) == 1 else [f"y{k}_bar" for k in range(len(types))]
        values = [ir.Value(free(n, taken), t) for n, t in zip(names, types, strict=True)]
        wanted = set(of_gradient(self._func.result, iter(values)))
        return [value if value in wanted else None for value in values]

    def _make(
        self,
        suffix: str,
        params: Sequence[ir.Param],
        result: Type,
        body: ir.Block,
        doc: str,
        action: Action = Action.NONE,
    ) -> ir.Func:
        name = f"{self._module}:{self.name}_{suffix}"
        apart = () if suffix in ("pullback", "reverse") else self._apart
        held = holders(self._func)
        border = replace(self._func.border, action=action, holders=held, apart=apart)
        return ir.Func(name, tuple(params), result, body, doc, self._func.origin, border=border)

    def value_and_grad(self, vjp: ir.Func, *, forward: bool = False) -> ir.Func:
        """``f_value_and_grad``: ``vjp`` for the cotangent 1; ``forward``: tangents move in it."""
        params, call = self._of_vjp(vjp)
        result = Tuple((self._func.result, self._grad))
        doc = self._docs.value_and_grad(forward=forward)
        return self._make("value_and_grad", params, result, ir.Block((call,), call.outs), doc)

    def grad(self, vjp: ir.Func) -> ir.Func:
        """``f_grad``: the gradient alone."""
        params, call = self._of_vjp(vjp)
        body = ir.Block((call,), call.outs[1:])
        return self._make("grad", params, self._grad, body, self._docs.grad())

    def _of_vjp(self, vjp: ir.Func) -> tuple[tuple[ir.Param, ...], ir.Call]:
        """Parameters, and a call of ``vjp`` with them where the cotangent is 1."""
        params, type_ = _fresh(self._func.params), self._func.result
        assert isinstance(type_, Scalar)
        given = {p.name: p.leaves for p in params}
        seed = (ir.Const(1.0, type_),)
        args = (a for p in vjp.params for a in given.get(p.name, seed))
        outs = (ir.Value("value", type_), *self._bars())
        return params, ir.Call(outs, vjp.name, tuple(args))

    def unfused_grad(self, body: ir.Block) -> ir.Func:
        """``f_grad`` with that body, to be differentiated again."""
        doc = self._docs.unfused_grad()
        return self._make("grad", self._func.params, self._grad, body, doc)

    def fwd(self, residuals: Sequence[ir.Value], body: ir.Block) -> ir.Func:
        last = self._last_values
        result = Tuple((self._func.result, *last, self._residuals(residuals)))
        action = Action.ASSIGN if last else Action.NONE
        return self._make("fwd", self._func.params, result, body, self._docs.fwd(), action)

    def pullback(
        self, residuals: Sequence[ir.Value], y_bars: Sequence[ir.Value | None], body: ir.Block
    ) -> ir.Func:
        packed = ir.Param("residuals", self._residuals(residuals), tuple(residuals))
        params = (packed, self._y_bar(y_bars))
        action = Action.RESTORE if self._last_values else Action.NONE
        return self._make("pullback", params, self._slots(), body, self._docs.pullback(), action)

    def _residuals(self, values: Sequence[ir.Value]) -> Tuple:
        return Tuple(tuple(v.type for v in values), alias=self._class("Residuals"))

    def _bars(self) -> tuple[ir.Value, ...]:
        """New values for the cotangents of the differentiated parameters."""
        return tuple(ir.Value(f"{v.hint}_bar" if v.hint else "", v.type) for v in self.wrt_leaves)

    def _y_bar(self, y_bars: Sequence[ir.Value | None]) -> ir.Param:
        types = leaves(self._func.result)
        bars = [bar or ir.Value("", t) for bar, t in zip(y_bars, types, strict=True)]
        kept = tuple(of_gradient(self._func.result, iter(bars)))
        return ir.Param(self.y_bar_name, given(self._func.result), kept)

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
        # No defaults: the compiler gives all arguments, and those that follow have none.
        params = [replace(p, default=None) for p in self._func.params]
        for value in (*shadows, *(bar for bar in y_bars if bar is not None)):
            name = free(value.hint, {p.name for p in params})
            params.append(ir.Param(name, value.type, (value,)))
        types = tuple(a.type for a in body.yields)
        result = Tuple(types) if types else NONE
        made = self._make("reverse", params, result, body, self._docs.reverse())
        return replace(made, name=reverse_name(self._func.name))

    def split_vjp(self, fwd: ir.Func, pullback: ir.Func) -> ir.Func:
        """``f_vjp``: the split pair in one call."""
        params = _fresh(self._func.params)
        y_bar = self._y_bar(self.result_bars())
        values = tuple(ir.Value("", t) for t in leaves(self._func.result))
        if len(values) == 1:
            values = (ir.Value("y", values[0].type),)
        last = tuple(ir.Value("", t) for type_ in self._last_values for t in leaves(type_))
        count = len(values) + len(last)
        residuals = tuple(ir.Value("", t) for t in leaves(fwd.result))[count:]
        outs, bars = (*values, *last, *residuals), self._bars()
        body = ir.Block(
            (
                ir.Call(outs, fwd.name, _leaves(params)),
                ir.Call(bars, pullback.name, (*residuals, *y_bar.leaves)),
            ),
            (*values, *bars),
        )
        return self._vjp_of(params, y_bar, body)

    def vjp(
        self, y_bars: Sequence[ir.Value | None], body: ir.Block, *, forward: bool = False
    ) -> ir.Func:
        """``f_vjp`` with that body; ``forward``: tangents move in it, which it says."""
        return self._vjp_of(self._func.params, self._y_bar(y_bars), body, forward=forward)

    def _vjp_of(
        self, params: Sequence[ir.Param], y_bar: ir.Param, body: ir.Block, *, forward: bool = False
    ) -> ir.Func:
        result = Tuple((self._func.result, self._grad))
        # A default can't stand before y_bar, which has none; keyword-only parameters come last.
        positional = [replace(p, default=None) for p in params if not p.kwonly]
        keywords = [p for p in params if p.kwonly]
        signature = (*positional, y_bar, *keywords)
        return self._make("vjp", signature, result, body, self._docs.vjp(forward=forward))


def of_gradient(type_: Type, values: Iterator[A]) -> Iterator[A]:
    """The items of ``values``, the leaves of a ``type_``, that its gradient has a leaf for."""
    match type_:
        case OneOf(options=options) if is_differentiable(type_):
            yield next(values)
            for option in options:
                yield from of_gradient(option, values)
        case List(item=item) if is_differentiable(type_):
            for leaf in leaves(item):
                own = [next(values) for _ in leaves(List(leaf))]
                yield from own if is_differentiable(leaf) else ()
        case Tuple(items=items):
            for item in items:
                yield from of_gradient(item, values)
        case _:
            own = [next(values) for _ in leaves(type_)]
            yield from (value for value in own if is_differentiable(value.type))


def _class_name(function: str, suffix: str) -> str:
    """A name of its own for each function: ``FitLineGrad`` for ``fit_line``."""
    if re.fullmatch(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*", function):
        return "".join(part.capitalize() for part in function.split("_")) + suffix
    return f"{function.lstrip('_')}_{suffix}"


def _fields(names: Sequence[str]) -> tuple[str, ...]:
    """Names of fields for parameters; those of a NamedTuple can't begin with an underscore."""
    fields: list[str] = []
    for name in names:
        field = name.lstrip("_")
        usable = field.isidentifier() and not iskeyword(field)
        taken = {*fields, *names} - {name}
        fields.append(free(field if usable else f"arg{field}", taken))
    return tuple(fields)


def free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _fresh(params: Sequence[ir.Param]) -> tuple[ir.Param, ...]:
    return tuple(
        replace(p, leaves=tuple(ir.Value(v.hint, v.type) for v in p.leaves)) for p in params
    )


def _leaves(params: Sequence[ir.Param]) -> tuple[ir.Value, ...]:
    return tuple(v for p in params for v in p.leaves)
