"""Checks by functions in plain Python of objects and lists, beyond types."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.emit.given import Use, each
from mooncake_transpiler.emit.layout import INDENT, Group, layout, quoted
from mooncake_transpiler.types import List, OneOf, Tuple, Type, fields


def checks(func: ir.Func, name: str, use: Use) -> list[str]:
    """The checks for ``func``: one object can't be given for two that compiled code keeps apart.

    Nor can one of a derived class that has methods of its own stand for one of its base.
    """
    lines = []
    for param in func.params:
        for path, type_, others in _exact(param.type, param.name):
            names = (quoted(path), path, str(type_.cls), *map(quoted, others))
            call = Group(f"{use('exactly')}(", names, ")", compact=True)
            lines += layout("", call, "", 1)
        for path, item in _listed(param.type, param.name):
            for access, type_, others in _exact(item, ""):
                label = quoted(f"{path}[{{}}]{access}")
                names = (label, each(path, access), str(type_.cls), *map(quoted, others))
                call = Group(f"{use('all_exactly')}(", names, ")", compact=True)
                lines += layout("", call, "", 1)
    for one in func.border.apart:
        label = quoted(f"{one.items}[{{}}]{one.access}")
        items = each(one.items, one.access, optional=one.optional)
        names = (label, items, quoted(one.other), one.other)
        lines += layout("", Group(f"{use('apart')}(", names, ")", compact=True), "", 1)
    for pairs, why in (
        (_twin_lists(func), "are one list, and it is changed"),
        (_twins(func), "are one object, and its fields are assigned"),
    ):
        for a, b in pairs:
            message = Group(f"{use('ValueError')}(", (f'"{name}: {a} and {b} {why}"',), ")")
            lines += [f"{INDENT}if {a} is {b}:", *layout("raise ", message, "", 2)]
    return lines


def _twin_lists(func: ir.Func) -> Iterator[tuple[str, str]]:
    """Pairs of lists that the caller may give as one, where one of them is changed."""
    lists = [path for param in func.params for path, _ in _listed(param.type, param.name)]
    changed = {r.holder for r in func.border.rebound if r.is_content}
    for k, path in enumerate(lists):
        yield from ((other, path) for other in lists[:k] if not changed.isdisjoint((path, other)))


def _listed(type_: Type, path: str) -> Iterator[tuple[str, Type]]:
    """The lists in a value of ``type_`` that are there in any case: where, and of what."""
    match type_:
        case List(item=item):
            yield path, item
        case Tuple():
            for inner, item in fields(type_, path):
                yield from _listed(item, inner)
        case _:
            return


def _twins(func: ir.Func) -> Iterator[tuple[str, str]]:
    """Pairs of objects that the caller may give as one, where fields of that are assigned."""
    objects = [
        (path, type_)
        for param in func.params
        for path, type_ in _objects(param.type, param.name)
        if type_.is_mutable
    ]
    rebound = {r.path for r in func.border.rebound}
    for k, (path, type_) in enumerate(objects):
        for other, second in objects[:k]:
            shared = set(type_.names or ()) & set(second.names or ())
            if any(f"{p}.{name}" in rebound for p in (path, other) for name in shared):
                yield other, path


def _objects(type_: Type, path: str) -> Iterator[tuple[str, Tuple]]:
    """The objects in a value of ``type_`` that are there in any case, and where they are."""
    if isinstance(type_, Tuple):
        if type_.is_object:
            yield path, type_
        for inner, item in fields(type_, path):
            yield from _objects(item, inner)


def _exact(type_: Type, path: str) -> Iterator[tuple[str, Tuple, list[str]]]:
    """The objects that must not be of certain derived classes."""
    match type_:
        case Tuple(others=others):
            if others:
                yield path, type_, list(others)
            for inner, item in fields(type_, path):
                yield from _exact(item, inner)
        case OneOf(options=options):
            known = {str(option.cls) for option in options if isinstance(option, Tuple)}
            for option in options:
                if isinstance(option, Tuple) and not known.issuperset(option.others):
                    yield path, option, sorted(set(option.others).difference(known))
        case _:
            return
