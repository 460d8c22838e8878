"""Functions that assign fields of objects: the last values of these are results beside the user's.

Their cotangents are zero, so reverse mode takes no notice of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.border.borders import (
    Action,
    Apart,
    Check,
    Disjoint,
    Distinct,
    Rebound,
    Unshared,
    way,
)
from mooncake_transpiler.border.paths import fields, paths
from mooncake_transpiler.types import Array, List, OneOf, Scalar, Tuple, Type, leaves


def user_result(func: ir.Func) -> Type:
    """The result type of the user's function, without last values of fields."""
    if func.border.action is Action.ASSIGN:
        assert isinstance(func.result, Tuple)
        return func.result.items[0]
    return func.result


def has_gradient(func: ir.Func) -> bool:
    """True if the user's function returns one real number."""
    result = user_result(func)
    return isinstance(result, Scalar) and result.dtype.is_float


def last_values(func: ir.Func) -> tuple[Type, ...]:
    """The type of the last values of rebound fields, which is an item of the result, if any."""
    if func.border.action is Action.ASSIGN:
        assert isinstance(func.result, Tuple)
        return func.result.items[1:2]
    return ()


def user_results(func: ir.Func) -> tuple[ir.Atom, ...]:
    """The leaves of the result of the user's function, without last values of fields."""
    return func.body.yields[: sum(1 for _ in leaves(user_result(func)))]


def without_last_values(func: ir.Func) -> ir.Func:
    """``func`` with the user's results alone."""
    if func.border.action is not Action.ASSIGN:
        return func
    return replace(
        func,
        result=user_result(func),
        body=ir.Block(func.body.stmts, user_results(func)),
        border=replace(func.border, action=Action.NONE),
    )


def holders(func: ir.Func) -> tuple[tuple[str, Type], ...]:
    """The objects whose fields ``func`` assigns, by path, with their types."""
    types = {param.name: param.type for param in func.params}
    found = {one.holder: one.root for one in func.border.rebound}
    return tuple((path, way(types[root], root, path)[1]) for path, root in found.items())


# ---- lists --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Held:
    """A list among the parameters."""

    path: str
    type: List
    optional: bool


def kept_apart(func: ir.Func, written: Collection[ir.Value]) -> tuple[Check, ...]:
    """The checks that lists do not hold what is written: they come as copies, which do not follow.

    That is arrays that are ``written``, and objects whose fields are assigned; objects in lists
    whose fields are must be different ones.
    """
    lists = [one for param in func.params for one in _lists(param.type, param.name, False)]
    found = (
        *_apart_from_arrays(func, lists, written),
        *_apart_from_objects(func, lists),
        *(check for one in lists for check in _told_apart(func, one)),
        *_disjoint(lists),
        *(_unshared(func, lists, one) for one in func.border.rebound if one.in_place),
    )
    return tuple(dict.fromkeys(found))


def _apart_from_arrays(
    func: ir.Func, lists: Sequence[_Held], written: Collection[ir.Value]
) -> Iterator[Check]:
    """The checks that no array in a list is one that is written."""
    for param in func.params if lists else ():
        for leaf, path in zip(param.leaves, paths(param.type, param.name), strict=True):
            inside = any(path == one.path or path.startswith(f"{one.path}.") for one in lists)
            if leaf in written and isinstance(leaf.type, Array) and not inside:
                for one in lists:
                    for access in _arrays(one.type, leaf.type):
                        yield Apart(one.path, access, path, one.optional)


def _apart_from_objects(func: ir.Func, lists: Sequence[_Held]) -> Iterator[Check]:
    """The checks that no object in a list is one whose fields are assigned."""
    for path, type_ in holders(func):
        options = type_.options if isinstance(type_, OneOf) else (type_,)
        for option in (of for of in options if isinstance(of, Tuple)):
            for one in lists:
                for access in _objects(one.type.item, "", option):
                    yield Apart(one.path, access, path, one.optional)


def _told_apart(func: ir.Func, one: _Held) -> Iterator[Check]:
    """The checks that objects of a list are different ones, where it is told which one is meant."""
    if one.path in func.border.told_apart:
        yield Distinct(one.path)
        for param in func.params:
            for path in _objects_at(param.type, param.name, one.type.item):
                yield Apart(one.path, "", path)


def _disjoint(lists: Sequence[_Held]) -> Iterator[Check]:
    """The checks that no object is reached by links from two places."""
    linked = [(one, one.type.item) for one in lists if one.type.links]
    for k, (one, item) in enumerate(linked):
        for other, its in linked[k + 1 :]:
            if its == item:
                yield Disjoint(one.path, other.path)


def _unshared(func: ir.Func, lists: Sequence[_Held], written: Rebound) -> Unshared:
    """The check that arrays in a list of objects, which are written, are no others."""
    assert isinstance(written.type, List)
    assert isinstance(written.type.item, Array)
    array, access = written.type.item, written.access
    items = written.holder
    others = (
        path
        for param in func.params
        for leaf, path in zip(param.leaves, paths(param.type, param.name), strict=True)
        if not any(path == one.path or path.startswith(_inside(one.path)) for one in lists)
        and isinstance(leaf.type, Array)
        and leaf.type.dtype.real is array.dtype.real
    )
    listed = ((one.path, part, one.optional) for one in lists for part in _arrays(one.type, array))
    apart = tuple(one for one in listed if one[:2] != (items, access))
    return Unshared(items, access, tuple(others), apart)


def _inside(path: str) -> tuple[str, str]:
    """The beginnings of paths to fields of the items at ``path``."""
    return f"{path}.", f'{path}["'


def _objects_at(type_: Type, path: str, like: Type) -> Iterator[str]:
    """The paths, below ``path`` and outside of lists, to objects of the class of ``like``."""
    match type_:
        case Tuple():
            if isinstance(like, Tuple) and type_.is_mutable and type_.of == like.of:
                yield path
            for inner, item in fields(type_, path):
                yield from _objects_at(item, inner, like)
        case OneOf(options=options):
            for option in options:
                yield from _objects_at(option, path, like)
        case _:
            return


def _lists(type_: Type, path: str, optional: bool) -> Iterator[_Held]:
    match type_:
        case List():
            yield _Held(path, type_, optional)
        case Tuple():
            for inner, item in fields(type_, path):
                yield from _lists(item, inner, optional)
        case OneOf(options=options):
            for option in options:
                yield from _lists(option, path, True)
        case _:
            return


def _arrays(of: List, like: Array) -> Iterator[str]:
    """The paths in an item to arrays that may share memory with one of type ``like``."""
    for leaf, access in zip(leaves(of.item), paths(of.item, ""), strict=True):
        if isinstance(leaf, Array) and leaf.dtype.real is like.dtype.real:
            yield access


def _objects(item: Type, access: str, like: Tuple) -> Iterator[str]:
    """The paths in an item to objects of the class of ``like``."""
    if isinstance(item, Tuple):
        if item.is_mutable and item.of == like.of:
            yield access
        for inner, part in fields(item, access):
            yield from _objects(part, inner, like)
