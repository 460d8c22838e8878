"""The derivative functions of forward mode, from outside."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from mooncake_runtime.field_names import free

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import has_objects
from mooncake_transpiler.border.borders import Action, Rebound, way
from mooncake_transpiler.interface.cotangents import (
    given,
    grad_type,
    named,
    of_gradient,
    tangent_leaves,
)
from mooncake_transpiler.interface.last_values import holders, last_values
from mooncake_transpiler.interface.record import Interface, labels
from mooncake_transpiler.types import (
    KEYS,
    NONE,
    Array,
    Direction,
    Tuple,
    Type,
    is_differentiable,
    leaves,
)


@dataclass(frozen=True, slots=True)
class ForwardInterface(Interface):
    """``f_jvp`` and ``f_hvp``: the parameters of ``f``, then a tangent for each of ``wrt``.

    ``dots``: the differentiated leaves, and the places of arrays in lists, with their tangents.
    """

    dots: dict[ir.Value, ir.Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        taken = {v.hint for v in self.func.inputs}
        for param in self.wrt_params:
            for v in of_gradient(param.type, iter(param.leaves)):
                self.dots[v] = ir.Value(free(f"{v.hint}_dot", taken), v.type)

    @property
    def tangents(self) -> list[tuple[ir.Value, ir.Value]]:
        """The differentiated leaves, and their tangents."""
        return [(v, dot) for v, dot in self.dots.items() if is_differentiable(v.type)]

    @property
    def structs(self) -> tuple[Tuple, ...]:
        """The NamedTuples to define."""
        by_name = (grad_type(p.type) for p in self.func.params if has_objects(p.type))
        last = (grad_type(one.type, Direction.TANGENT) for one in self._rebound)
        types = (self._y_dot, *by_name, *last)
        return tuple(struct for type_ in types for struct in named(type_))

    def carried(self) -> Iterator[int]:
        """The results that have a tangent: floats the user returns, and last values of fields.

        Also the shapes of arrays in lists, which are those of their tangents.
        """
        yield from tangent_leaves(self.result)
        start = sum(1 for _ in leaves(self.result))
        for one in self._last:
            if one in self._rebound:
                yield from (start + k for k in tangent_leaves(one.type))
            start += sum(1 for _ in leaves(one.type))

    @property
    def _rebound(self) -> tuple[Rebound, ...]:
        """The rebound fields whose tangents are assigned, too."""
        mine = (one for one in self._last if one.root in self.wrt)
        return tuple(one for one in mine if is_differentiable(one.type) or self._emptied(one))

    def _emptied(self, one: Rebound) -> bool:
        """True for a field that is always None in the end, and had a tangent."""
        types = {param.name: param.type for param in self.func.params}
        return one.type == NONE and is_differentiable(way(types[one.root], one.root, one.path)[1])

    @property
    def _last(self) -> tuple[Rebound, ...]:
        """The fields whose last values are results."""
        border = self.func.border
        return border.rebound if border.action is Action.ASSIGN else ()

    @property
    def _y_dot(self) -> Tuple:
        return Tuple((grad_type(self.result, Direction.TANGENT),))

    def jvp(self, body: ir.Block, *, refers: bool = False) -> ir.Func:
        """``f_jvp`` with the given body; ``refers``: it stands beside functions of reverse mode."""
        dots = self._dot_params()
        func = self.func
        result = [self.result, *last_values(func), *self._y_dot.items]
        names = dict(zip(self.wrt, (dot.name for dot in dots), strict=True))
        tangents = tuple(
            Rebound(
                re.sub(r"^\w+", lambda m: names[m[0]], one.path),
                grad_type(one.type, Direction.TANGENT),
                one.in_place,
            )
            for one in self._rebound
        )
        if tangents:
            result.append(Tuple(tuple(one.type for one in tangents)))
        alike = tuple(
            (re.sub(r"^\w+", lambda m: names[m[0]], one.holder), one.path)
            for one in self._last
            if one.relinks and one.root in self.wrt
        )
        border = replace(
            func.border, holders=holders(func), tangents=tangents, apart=self.apart, alike=alike
        )
        doc = self.docs.jvp(dots, refers=refers)
        return self.make("jvp", self._params(dots), Tuple(tuple(result)), body, doc, border)

    def shapes(self) -> Iterator[tuple[ir.Value, ir.Value, str]]:
        """The arrays that are differentiated, their tangents, and the message for a wrong shape."""
        primals = {dot: value for value, dot in self.dots.items()}
        known = _labels(self.func.params)
        for dot, path in _labels(self._dot_params()).items():
            if isinstance(dot.type, Array):
                value = primals[dot]
                what = "be that" if dot.type == KEYS else "have the shape"
                yield value, dot, f"{self.name}: {path} must {what} of {known[value]}"

    @property
    def dot_names(self) -> tuple[str, ...]:
        """The parameters for tangents."""
        return tuple(param.name for param in self._dot_params())

    def _dot_params(self) -> list[ir.Param]:
        """The parameters for tangents; any tuple will do for one, and keywords stay keywords."""
        found, taken = [], {p.name for p in self.func.params}
        for param in self.wrt_params:
            name = free(f"{param.name}_dot", taken)
            taken.add(name)
            own = tuple(self.dots[v] for v in of_gradient(param.type, iter(param.leaves)))
            type_ = given(param.type)
            found.append(ir.Param(name, type_, own, kwonly=param.kwonly, dims=param.dims))
        return found

    def hvp(self, body: ir.Block, gradient: Type) -> ir.Func:
        """``f_hvp`` with the given body, which yields a ``gradient`` and its tangent."""
        dots = self._dot_params()
        result, doc = Tuple((gradient, gradient)), self.docs.hvp(dots)
        return self.make("hvp", self._params(dots), result, body, doc)

    def _params(self, dots: Sequence[ir.Param]) -> tuple[ir.Param, ...]:
        """The parameters of the user's function, then ``dots``; keyword-only ones come last."""
        params = [replace(p, default=None) if not p.kwonly else p for p in self.func.params]
        positional = [p for p in (*params, *dots) if not p.kwonly]
        return (*positional, *(p for p in (*params, *dots) if p.kwonly))


def _labels(params: Sequence[ir.Param]) -> dict[ir.Value, str]:
    """The leaves of ``params``, with the names that users know them by."""
    return {
        leaf: label
        for param in params
        for leaf, label in zip(param.leaves, labels(param.type, param.name), strict=True)
    }
