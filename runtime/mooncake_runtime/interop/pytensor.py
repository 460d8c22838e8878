"""Generated functions as PyTensor ops: ``op(module, "f")``, also for PyMC's samplers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, cast

import numba
import numpy as np
from numba.extending import overload, register_jitable
from pytensor import tensor as pt
from pytensor.gradient import DisconnectedType, grad_not_implemented
from pytensor.graph import Apply, Op, Variable
from pytensor.link.numba.dispatch import numba_funcify

from mooncake_runtime.interop.derivatives import ArraySlot, Derivatives, derivatives


def op(module: ModuleType, name: str) -> Op:
    """``name`` of the generated ``module`` as an op, to be called with variables or values.

    Its gradient is ``<name>_vjp``, an op of its own. In numba mode the compiled functions are
    called directly, elsewhere from Python. Raises TypeError for parameters and results that are
    not numbers and arrays.
    """
    return _Value(derivatives(module, name))


class _Generated(Op):  # type: ignore[misc]
    """An op of the derivative functions of one function; two of the same are equal."""

    def __init__(self, of: Derivatives) -> None:
        self.of = of

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Generated) or type(self) is not type(other):
            return False
        return self.of.fwd is other.of.fwd

    def __hash__(self) -> int:
        return hash((type(self), self.of.fwd))

    def __str__(self) -> str:
        return f"{type(self).__name__.strip('_')}({self.of.name})"

    def _inputs(self, slots: Sequence[ArraySlot], values: Sequence[Any]) -> list[Variable]:
        found = [pt.as_tensor_variable(value) for value in values]
        return [pt.cast(var, str(s.dtype)) for s, var in zip(slots, found, strict=True)]


class _Value(_Generated):
    """The function itself."""

    def make_node(self, *args: Any) -> Apply:
        inputs = self._inputs(self.of.params, args)
        return Apply(self, inputs, [_variable(slot) for slot in self.of.results])

    def perform(self, node: Apply, inputs: Sequence[Any], outputs: Sequence[list[Any]]) -> None:
        y, _ = self.of.fwd(*self.of.given(inputs))
        for cell, slot, value in zip(outputs, self.of.results, self.of.values(y), strict=True):
            cell[0] = np.asarray(value, slot.dtype)

    def pullback(
        self,
        inputs: Sequence[Variable],
        outputs: Sequence[Variable],
        cotangents: Sequence[Variable],
    ) -> list[Variable]:
        bars = [_zeros(y) if _is_open(c) else c for y, c in zip(outputs, cotangents, strict=True)]
        found = _Vjp(self.of)(*inputs, *bars, return_list=True)
        made = iter(found)
        return [next(made) if has else DisconnectedType()() for has in self.of.cotangents]

    L_op = pullback  # its name in PyTensor 2

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        return [[has] * len(self.of.results) for has in self.of.cotangents]


class _Vjp(_Generated):
    """The cotangents of the parameters, of the arguments and the cotangents of the results."""

    def make_node(self, *args: Any) -> Apply:
        inputs = self._inputs((*self.of.params, *self.of.results), args)
        slots = (self.of.params[k] for k in self.of.differentiated())
        return Apply(self, inputs, [_variable(slot) for slot in slots])

    def perform(self, node: Apply, inputs: Sequence[Any], outputs: Sequence[list[Any]]) -> None:
        count = len(self.of.params)
        seed = self.of.seed(inputs[count:])
        _, grad = self.of.vjp(*self.of.given(inputs[:count]), seed)
        for cell, part in zip(outputs, self.of.parts(grad), strict=True):
            cell[0] = np.asarray(part)

    def pullback(
        self,
        inputs: Sequence[Variable],
        outputs: Sequence[Variable],
        cotangents: Sequence[Variable],
    ) -> list[Variable]:
        return [grad_not_implemented(self, k, var) for k, var in enumerate(inputs)]

    L_op = pullback


def _variable(slot: ArraySlot) -> Variable:
    return pt.tensor(dtype=str(slot.dtype), shape=(None,) * slot.ndim)


def _zeros(y: Variable) -> Variable:
    return pt.zeros_like(y)


def _is_open(cotangent: Variable) -> bool:
    return isinstance(cotangent.type, DisconnectedType)


# ---- numba mode, where numbers are arrays without axes ------------------------------------------


def _taken(arg: Any) -> Any:
    """``arg`` as a generated function takes it."""
    raise NotImplementedError


@overload(_taken, strict=False)
def _overload_taken(arg: Any) -> Callable[..., Any]:
    if isinstance(arg, numba.types.Array) and arg.ndim == 0:
        return lambda arg: arg[()]
    if isinstance(arg, numba.types.Array):
        return lambda arg: arg.copy()  # the function may write it, and works on C order
    return lambda arg: arg


def _all_taken(args: Any) -> Any:
    """The items of a tuple, each as a generated function takes it."""
    raise NotImplementedError


@overload(_all_taken, strict=False)
def _overload_all_taken(args: Any) -> Callable[..., Any]:
    if len(args) == 1:
        return lambda args: (_taken(args[0]),)
    return lambda args: (_taken(args[0]), *_all_taken(args[1:]))


def _all_given(values: Any) -> Any:
    """The items of a tuple as arrays."""
    raise NotImplementedError


@overload(_all_given, strict=False)
def _overload_all_given(values: Any) -> Callable[..., Any]:
    if len(values) == 1:
        return lambda values: (np.asarray(values[0]),)
    return lambda values: (np.asarray(values[0]), *_all_given(values[1:]))


@numba_funcify.register(_Value)  # type: ignore[untyped-decorator]
def _compiled_value(op: _Value, **_: Any) -> Callable[..., Any]:
    fwd, is_tuple = op.of.fwd, op.of.is_tuple

    @register_jitable
    def all_of(y: Any) -> Any:
        return y if is_tuple else (y,)

    @numba.njit
    def value(*args: Any) -> Any:
        y, _ = fwd(*_all_taken(args))
        return _all_given(all_of(y))

    return value if len(op.of.results) > 1 else _first(value)


@numba_funcify.register(_Vjp)  # type: ignore[untyped-decorator]
def _compiled_vjp(op: _Vjp, **_: Any) -> Callable[..., Any]:
    vjp, count, is_tuple = op.of.vjp, len(op.of.params), op.of.is_tuple
    several = sum(op.of.cotangents) > 1

    @register_jitable
    def seed_of(bars: Any) -> Any:
        return bars if is_tuple else bars[0]

    @register_jitable
    def all_of(grad: Any) -> Any:
        return grad if several else (grad,)

    @numba.njit
    def cotangents(*args: Any) -> Any:
        taken = _all_taken(args)
        _, grad = vjp(*taken[:count], seed_of(taken[count:]))
        return _all_given(all_of(grad))

    return cotangents if several else _first(cotangents)


def _first(function: Callable[..., Any]) -> Callable[..., Any]:
    @numba.njit
    def first(*args: Any) -> Any:
        return function(*args)[0]

    return cast(Callable[..., Any], first)
