"""Name, parameters, result and docstring of ``f_jvp``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.border import holders, kept_apart, last_values, user_result
from mooncake_transpiler.ad.docs import Docs
from mooncake_transpiler.ad.signatures import free, given, grad_type, named, of_gradient
from mooncake_transpiler.analysis.memory import Memories, Mutated
from mooncake_transpiler.borders import Action, Apart, Border, Rebound
from mooncake_transpiler.types import (
    SPANS,
    Array,
    Tuple,
    Type,
    has_objects,
    is_differentiable,
    leaves,
    paths,
)


@dataclass(frozen=True, slots=True)
class JvpSignature:
    """``f_jvp``: the parameters of ``f``, then a tangent for each that is differentiated."""

    func: ir.Func
    wrt: tuple[str, ...]
    tangents: tuple[tuple[ir.Value, ir.Value], ...]  # differentiated leaves, and their tangents
    written: tuple[str, ...]
    apart: tuple[Apart, ...]
    spans: tuple[tuple[ir.Value, ir.Value], ...]  # of arrays in lists, and of their tangents
    refers: bool = False  # the docstring refers to the functions of reverse mode

    @classmethod
    def of(
        cls, func: ir.Func, wrt: Sequence[str], changes: Mutated, *, refers: bool = False
    ) -> JvpSignature:
        mine = (p for p in func.params if p.name in wrt)
        leaves = (v for p in mine for v in of_gradient(p.type, iter(p.leaves)))
        taken = {v.hint for v in func.inputs}
        pairs = [(v, ir.Value(free(f"{v.hint}_dot", taken), v.type)) for v in leaves]
        written = Memories(func, changes).written_params
        return cls(
            func,
            tuple(p.name for p in func.params if p.name in wrt),
            tuple((v, dot) for v, dot in pairs if is_differentiable(v.type)),
            tuple(p.name for p in func.params if not written.isdisjoint(p.leaves)),
            kept_apart(func, written),
            tuple((v, dot) for v, dot in pairs if v.type == SPANS),
            refers,
        )

    @property
    def wrt_leaves(self) -> list[ir.Value]:
        return [value for value, _ in self.tangents]

    @property
    def structs(self) -> tuple[Tuple, ...]:
        """The NamedTuples to define."""
        by_name = (grad_type(p.type) for p in self.func.params if has_objects(p.type))
        last = (grad_type(one.type, "Dot") for one in self._rebound)
        types = (self._y_dot, *by_name, *last)
        return tuple(struct for type_ in types for struct in named(type_))

    def carried(self) -> Iterator[int]:
        """The results that have a tangent: floats the user returns, and last values of fields.

        Also the shapes of arrays in lists, which are those of their tangents.
        """
        func = self.func
        yield from tangent_leaves(user_result(func))
        start = sum(1 for _ in leaves(user_result(func)))
        for one in self._last:
            if one in self._rebound:
                yield from (start + k for k in tangent_leaves(one.type))
            start += sum(1 for _ in leaves(one.type))

    @property
    def _rebound(self) -> tuple[Rebound, ...]:
        """The rebound fields whose tangents are assigned, too."""
        mine = (one for one in self._last if one.root in self.wrt)
        return tuple(one for one in mine if is_differentiable(one.type))

    @property
    def _last(self) -> tuple[Rebound, ...]:
        """The fields whose last values are results."""
        border = self.func.border
        return border.rebound if border.action is Action.ASSIGN else ()

    @property
    def _y_dot(self) -> Tuple:
        return Tuple((grad_type(user_result(self.func), "Dot"),))

    def jvp(self, body: ir.Block) -> ir.Func:
        """``f_jvp`` with the given body."""
        dots = self._dot_params()
        func = self.func
        result = [user_result(func), *last_values(func), *self._y_dot.items]
        names = dict(zip(self.wrt, (dot.name for dot in dots), strict=True))
        tangents = tuple(
            Rebound(re.sub(r"^\w+", lambda m: names[m[0]], one.path), grad_type(one.type, "Dot"))
            for one in self._rebound
        )
        if tangents:
            result.append(Tuple(tuple(one.type for one in tangents)))
        return ir.Func(
            f"{func.name}_jvp", self._params(dots), Tuple(tuple(result)), body,
            self._docs.jvp(dots, refers=self.refers), func.origin,
            border=replace(
                func.border, holders=holders(func), tangents=tangents, apart=self.apart
            ),
        )  # fmt: skip

    def shapes(self) -> Iterator[tuple[ir.Value, ir.Value, str]]:
        """The arrays that are differentiated, their tangents, and the message for a wrong shape."""
        primals = {dot: value for value, dot in (*self.tangents, *self.spans)}
        labels = {v: path for p in self.func.params for v, path in _labelled(p)}
        for param in self._dot_params():
            for dot, path in _labelled(param):
                if isinstance(dot.type, Array) and dot in primals:
                    value = primals[dot]
                    message = f"{path} must have the shape of {labels[value]}"
                    yield value, dot, f"{self.func.name.partition(':')[2]}: {message}"

    @property
    def dot_names(self) -> tuple[str, ...]:
        """The parameters for tangents."""
        return tuple(param.name for param in self._dot_params())

    def _dot_params(self) -> list[ir.Param]:
        """The parameters for tangents; any tuple will do for one, and keywords stay keywords."""
        found, taken = [], {p.name for p in self.func.params}
        hints = {v.hint for v in self.func.inputs}
        of = dict((*self.tangents, *self.spans))
        for param in self.func.params:
            if param.name in self.wrt:
                name = free(f"{param.name}_dot", taken)
                taken.add(name)
                leaves = tuple(
                    of[v] if v in of else ir.Value(free(f"{v.hint}_dot", hints), v.type)
                    for v in of_gradient(param.type, iter(param.leaves))
                )
                type_ = given(param.type)
                found.append(ir.Param(name, type_, leaves, kwonly=param.kwonly, dims=param.dims))
        return found

    def hvp(self, body: ir.Block, gradient: Type) -> ir.Func:
        """``f_hvp`` with the given body, which yields a ``gradient`` and its tangent."""
        dots = self._dot_params()
        result, doc = Tuple((gradient, gradient)), self._docs.hvp(dots)
        name = f"{self.func.name}_hvp"
        border = Border(apart=self.apart)
        return ir.Func(name, self._params(dots), result, body, doc, self.func.origin, border=border)

    def _params(self, dots: Sequence[ir.Param]) -> tuple[ir.Param, ...]:
        """The parameters of the user's function, then ``dots``; keyword-only ones come last."""
        params = [replace(p, default=None) if not p.kwonly else p for p in self.func.params]
        positional = [p for p in (*params, *dots) if not p.kwonly]
        return (*positional, *(p for p in (*params, *dots) if p.kwonly))

    @property
    def _docs(self) -> Docs:
        return Docs(self.func.name.rpartition(":")[2], self.func.params, self.wrt, self.written,
                    user_result(self.func), "")  # fmt: skip


def _labelled(param: ir.Param) -> Iterator[tuple[ir.Value, str]]:
    """The leaves of ``param``, with the names that users know them by."""
    for leaf, path in zip(param.leaves, paths(param.type, param.name), strict=True):
        yield leaf, path.removesuffix(".spans")


def tangent_leaves(type_: Type) -> Iterator[int]:
    """The leaves of a ``type_`` that its tangent has, as positions."""
    values = [ir.Value("", leaf) for leaf in leaves(type_)]
    yield from (values.index(value) for value in of_gradient(type_, iter(values)))
