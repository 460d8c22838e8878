"""``f_hessian`` and ``f_jacobian``, from outside: dense arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mooncake_runtime.field_names import free

from mooncake_transpiler import ir
from mooncake_transpiler.interface.record import Interface
from mooncake_transpiler.types import (
    INT,
    NONE,
    Array,
    OneOf,
    Scalar,
    Selector,
    Tuple,
    Type,
    is_differentiable,
)

MODES = ("auto", "forward", "reverse")


@dataclass(frozen=True, slots=True)
class DenseInterface(Interface):
    """The derivative with respect to some numbers, as an array: output axes first."""

    @property
    def is_flat(self) -> bool:
        """True if the inputs share one axis: if they are not one array or number."""
        return len(self.wrt_params) > 1 or not isinstance(self.wrt_params[0].type, Scalar | Array)

    @property
    def ndim(self) -> int:
        """The number of axes that the derivative has for its inputs."""
        type_ = self.wrt_params[0].type
        return 1 if self.is_flat else type_.ndim if isinstance(type_, Array) else 0

    def choice(self) -> ir.Param:
        """The keyword that says how a Jacobian is made; its leaf is the number of the option."""
        name = free("mode", {p.name for p in self.func.params})
        type_ = OneOf(tuple(map(Selector, MODES)))
        return ir.Param(name, type_, (ir.Value(f"{name}_case", INT),), f'"{MODES[0]}"', kwonly=True)

    def dense(
        self, suffix: str, of: Type, args: Mapping[ir.Value, ir.Value], body: ir.Block,
        choice: ir.Param | None = None,
    ) -> ir.Func:  # fmt: skip
        """The function with that body of inputs ``args``: the derivative of an ``of``."""
        params = [replace(p, leaves=tuple(args[v] for v in p.leaves)) for p in self.func.params]
        params += [] if choice is None else [choice]
        doc = self.docs.dense(suffix, self.is_flat, "" if choice is None else choice.name)
        return self.make(suffix, params, _of(of, self.ndim), body, doc)


def wider(type_: Type, ndim: int) -> Array:
    """An array with ``ndim`` more axes."""
    assert isinstance(type_, Scalar | Array)
    own = type_.ndim if isinstance(type_, Array) else 0
    return Array(type_.dtype, ndim + own, type_.home)


def _of(type_: Type, ndim: int) -> Type:
    """The type of the derivative of a ``type_`` with respect to an array of rank ``ndim``."""
    match type_:
        case Tuple(items=items):
            return Tuple(tuple(_of(item, ndim) for item in items))
        case Scalar() | Array() if is_differentiable(type_):
            return wider(type_, ndim) if ndim else type_
        case _:
            return NONE
