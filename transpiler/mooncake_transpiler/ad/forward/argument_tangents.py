"""The tangents of the arguments of a public function.

Arrays that the function writes have their tangents written, too, in place: the arrays given. An
argument that is not differentiated but written starts with a zero tangent. If it may overlap one
that is differentiated, all of them get zeros that overlap where they do, and what is given is
copied in, and out at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.ad.forward.push import TangentWriter
from mooncake_transpiler.ad.forward.tangents import Dots
from mooncake_transpiler.analysis.memory import Memory
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import Array, is_differentiable


@dataclass(frozen=True, slots=True)
class Argument:
    """An input that is differentiated, and the tangents of it that the caller gives.

    ``units``: the shape of the input, where the tangents are all of its unit vectors in order,
    from lane ``first`` on, and zeros in the other lanes.
    """

    value: ir.Value
    dots: tuple[ir.Value, ...]
    units: tuple[int, ...] | None = None
    first: int = 0


def bind(
    push: TangentWriter, inputs: Sequence[ir.Value], given: Sequence[Argument], b: Builder
) -> None:
    """Give all active inputs a tangent."""
    by_value = {argument.value: argument.dots for argument in given}
    for argument in given:
        push.tangents.set(argument.value, argument.dots)
        if argument.units and argument.value not in push.memories.written_params:
            push.tangents.set_units(argument.value, argument.units, argument.first)
    for arrays in _written(push, inputs).values():
        missing = [v for v in arrays if v not in by_value]
        if missing and len(arrays) == 1:
            push.tangents.set(missing[0], push.tangents.zeros(missing[0], b))
        elif missing:
            _overlapping(push, arrays, by_value, b)


def _written(push: TangentWriter, inputs: Sequence[ir.Value]) -> dict[Memory, list[ir.Value]]:
    """The inputs in active memory that is written."""
    found: dict[Memory, list[ir.Value]] = {}
    for value in inputs:
        if isinstance(value.type, Array) and is_differentiable(value.type):
            memory = push.memories.of(value)
            if memory.written and push.activity.active_memory(memory):
                found.setdefault(memory, []).append(value)
    return found


def _overlapping(
    push: TangentWriter,
    arrays: Sequence[ir.Value],
    given: dict[ir.Value, tuple[ir.Value, ...]],
    b: Builder,
) -> None:
    lanes = []
    for lane in range(push.tangents.lanes):
        outs = tuple(ir.Value(f"{push.tangents.hint(v, lane)}_shadow", v.type) for v in arrays)
        b.add(ir.Shadows(outs, tuple(arrays), b.origin))
        lanes.append(outs)
        for value, out in zip(arrays, outs, strict=True):
            if value in given:
                b.add(ir.Assign(out, given[value][lane], b.origin))
    for value, dots in zip(arrays, zip(*lanes, strict=True), strict=True):
        push.tangents.set(value, dots)


def hand_back(push: TangentWriter, given: Sequence[Argument], b: Builder) -> None:
    """Write the final tangents of arguments into the arrays given for them."""
    for argument in given:
        dots: Dots | None = push.tangents.get(argument.value)
        if argument.value in push.memories.written_params and dots is not None:
            for dot, mine in zip(argument.dots, dots, strict=True):
                if mine is not dot:
                    b.add(ir.Assign(dot, mine, b.origin))
