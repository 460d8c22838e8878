"""Checks by functions in plain Python of objects and lists, beyond types."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_transpiler import ir
from mooncake_transpiler.border.borders import CONTENT, Apart, Check, Disjoint, Distinct, Unshared
from mooncake_transpiler.border.paths import fields
from mooncake_transpiler.emit.given.given_objects import Use, each
from mooncake_transpiler.emit.given.reach import Reach
from mooncake_transpiler.emit.layout import INDENT, Group, layout, quoted
from mooncake_transpiler.types import NONE, List, OneOf, Tuple, Type


def checks(func: ir.Func, name: str, use: Use) -> list[str]:
    """The checks for ``func``: one object can't be given for two that compiled code keeps apart.

    Nor can one of a derived class that has methods of its own stand for one of its base.
    """
    lines = []
    reach = Reach.of(func, use)
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
        lines += layout("", _check(one, reach), "", 1)
    for written in func.border.tangents:
        if written.in_place:
            own = Unshared(written.holder, written.access)
            lines += layout("", _check(own, reach), "", 1)
    for pairs, why in (
        (_twin_lists(func), "are one list, and it is changed"),
        (_twins(func), "are one object, and its fields are assigned"),
    ):
        for a, b, field in pairs:
            tests = dict.fromkeys((*reach.tests(a + field), *reach.tests(b)))
            message = Group(f"{use('ValueError')}(", (f'"{name}: {a} and {b} {why}"',), ")")
            lines.append(f"{INDENT}if {' and '.join((*tests, f'{a} is {b}'))}:")
            lines += layout("raise ", message, "", 2)
    return lines


def _check(one: Check, reach: Reach) -> Group:
    """The call that makes the check."""
    use = reach.use
    if isinstance(one, Disjoint):
        (own, its), path, other = one.held, quoted(one.path), quoted(one.other)
        return Group(f"{use('unlinked')}(", (path, own, other, its), ")", compact=True)
    label = f"{one.items}[{{}}]"
    match one:
        case Distinct(items=items):
            return Group(f"{use('distinct')}(", (quoted(label), items), ")")
        case Apart(items=items, access=access, other=written, optional=optional):
            held = each(items, access, optional=optional)
            names = (quoted(label + access), held, quoted(written), reach.value(written, NONE))
            return Group(f"{use('apart')}(", names, ")", compact=True)
        case Unshared(items=items, access=access, others=others, listed=listed):
            lists = [each(path, part, optional=optional) for path, part, optional in listed]
            if others:
                lists.append(f"[{', '.join(reach.value(other, NONE) for other in others)}]")
            parts = (quoted(label + access), each(items, access), *lists)
            return Group(f"{use('unshared')}(", parts, ")", compact=True)


def _twin_lists(func: ir.Func) -> Iterator[tuple[str, str, str]]:
    """Pairs of lists that the caller may give as one, where one is changed; and what they hold."""
    lists = [path for param in func.params for path, _ in _listed(param.type, param.name)]
    changed = {r.holder for r in func.border.rebound if r.is_content}
    for k, path in enumerate(lists):
        for other in lists[:k]:
            if not changed.isdisjoint((path, other)):
                yield other, path, CONTENT


def _listed(type_: Type, path: str) -> Iterator[tuple[str, Type]]:
    """The lists in a value of ``type_`` that are there in any case: where, and of what."""
    match type_:
        case List(item=item):
            yield type_.held or path, item
        case Tuple():
            for inner, item in fields(type_, path):
                yield from _listed(item, inner)
        case _:
            return


def _twins(func: ir.Func) -> Iterator[tuple[str, str, str]]:
    """Pairs of objects that the caller may give as one, where fields of that are assigned.

    And such a field.
    """
    objects = [
        (path, type_)
        for param in func.params
        for path, type_ in _objects(param.type, param.name)
        if type_.is_mutable
    ]
    rebound = {r.path for r in func.border.rebound}
    for k, (path, type_) in enumerate(objects):
        for other, second in objects[:k]:
            shared = [name for name in type_.names or () if name in (second.names or ())]
            assigned = (
                n for n in shared if not rebound.isdisjoint((f"{path}.{n}", f"{other}.{n}"))
            )
            field = next(assigned, None)
            if field is not None and path != other:
                yield other, path, f".{field}"


def _objects(type_: Type, path: str) -> Iterator[tuple[str, Tuple]]:
    """The objects in a value of ``type_``, and where they are; not all may be there."""
    match type_:
        case Tuple():
            if type_.is_object:
                yield path, type_
            for inner, item in fields(type_, path):
                yield from _objects(item, inner)
        case OneOf(options=options):
            for option in options:
                yield from _objects(option, path)
        case _:
            return


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
