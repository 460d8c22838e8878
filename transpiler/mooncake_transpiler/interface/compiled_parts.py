"""Instances of the user's classes at the border between Python and compiled code.

Compiled code sees the parts of objects only: a function in plain Python takes them out of the
arguments, and puts objects together that are results (``wrappers``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import has_objects, is_open, structs
from mooncake_transpiler.border.borders import Action
from mooncake_transpiler.border.homes import is_handed
from mooncake_transpiler.border.paths import paths
from mooncake_transpiler.types import Tuple, Type, leaves


def takes_objects(func: ir.Func) -> bool:
    """True if compiled code can't have the signature of ``func``."""
    types = (func.result, *(param.type for param in func.params))
    return func.border.action is not Action.NONE or any(map(has_objects, types))


def hands_over(func: ir.Func) -> bool:
    """True if ``func`` takes or gives arrays of another library than its own."""
    return any(map(is_handed, (func.result, *(param.type for param in func.params))))


def flattened(func: ir.Func) -> tuple[ir.Func, tuple[str, ...]]:
    """``func`` with a parameter for each part of an object, and tuples as results.

    f(p: P) -> P            becomes         f(p_x: float, p_y: float) -> tuple[float, float]

    Also what messages call the parameters: ``p.x``, ``p.y``.
    """
    names = {param.name for param in func.params}
    pairs = [pair for param in func.params for pair in _parts(param, names)]
    is_apart = takes_objects(func) or hands_over(func)
    result = without_objects(func.result) if is_apart else func.result
    return replace(func, params=tuple(p for p, _ in pairs), result=result), tuple(
        label for _, label in pairs
    )


def _parts(param: ir.Param, taken: set[str]) -> Iterator[tuple[ir.Param, str]]:
    if not has_objects(param.type):
        yield param, param.name
        return
    taken.remove(param.name)
    for k, (leaf, path) in enumerate(_labelled(param)):
        name = leaf.hint or f"{param.name}_{k}"
        while name in taken:
            name += "_"
        taken.add(name)
        yield ir.Param(name, leaf.type, (leaf,)), path


def _labelled(param: ir.Param) -> Iterator[tuple[ir.Value, str]]:
    seen: set[str] = set()
    for leaf, path in zip(param.leaves, paths(param.type, param.name), strict=True):
        label, number = path, 0
        while label in seen:
            number += 1
            label = f"{path}.or_{number}"
        seen.add(label)
        yield leaf, label


def without_objects(type_: Type) -> Type:
    """``type_`` with tuples of their parts in place of objects."""
    match type_:
        case Tuple(names=None, items=items, alias=alias) if is_made(type_):
            return Tuple(tuple(map(without_objects, items)), alias=alias)
        case _ if is_made(type_):
            return Tuple(tuple(leaves(type_)))
        case _:
            return type_


def is_made(type_: Type) -> bool:
    """True if Python converts a result of compiled code into a value of ``type_``."""
    if isinstance(type_, Tuple) and is_handed(type_):
        return True
    return is_open(type_) or any(struct.names is not None for struct in structs(type_))
