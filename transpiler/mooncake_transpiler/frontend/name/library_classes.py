"""Classes of Python's library, written out as a module of the program that uses them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache

import libcst as cst

from mooncake_transpiler.frontend.entities import (
    ClassDecl,
    ClassKind,
    Entity,
    External,
    Module,
    Source,
)
from mooncake_transpiler.frontend.name import library_class_text, record_class_text

TEXT = f"{library_class_text.TEXT}\n\n{record_class_text.TEXT}"
NAME = "%library"  # no program has such a module
RECORD = "record"  # a dict in a list
CLASSES: Mapping[str, str] = {
    "collections.deque": "deque",
    "collections.Counter": "Counter",
    "collections.OrderedDict": "OrderedDict",
    "types.SimpleNamespace": "SimpleNamespace",
    "builtins.set": "set",
    "builtins.frozenset": "set",
}
_MENTIONS = (
    *CLASSES.values(), "{", "dict(", "TypedDict", "iter(", "enumerate(", "reversed(", "itertools",
)  # fmt: skip


def needed(modules: Iterable[Module]) -> Module | None:
    """The module of the classes, if a program may use any; ``{`` may begin a set."""
    if not any(name in module.text for module in modules for name in _MENTIONS):
        return None
    own = (
        "_unchanged", "_fields", "_unsupported", "_in_any_order", "_as_hashed", "_count",
        "_item", "_as_dict", "_set_item", "_shown",
    )  # fmt: skip
    scope: dict[str, Entity] = {name: External(f"mooncake_transpiler.{name[1:]}") for name in own}
    # What stands in it has no place: messages are about the line that calls it.
    return Module(NAME, "", TEXT, _parsed(), {}, False, scope=scope)


def is_mapping(cls: ClassDecl) -> bool:
    """True for the class that is made of a dict, and of nothing else."""
    return (cls.module, cls.name) == (NAME, "_Mapping")


def record_class(source: Source, keys: tuple[str, ...]) -> ClassDecl | None:
    """The class of dicts with these keys, in this order; None if attributes can't have the names.

    Dicts in lists that grow are objects of it: a field for each key.
    """
    model = source.classes.get((NAME, RECORD))
    if model is None or not keys or not all(map(_is_field, keys)):
        return None
    if model.methods.keys() & set(keys):
        return None
    name = f"{RECORD}({', '.join(keys)})"
    return source.classes.setdefault((NAME, name), replace(model, name=name, bases=(model,)))


def _is_field(key: str) -> bool:
    return key.isidentifier() and not key.startswith("_")


def of_items(source: Source, cls: ClassDecl) -> ClassDecl:
    """The class of items of a list that are declared as ``cls``: that of dicts for a TypedDict."""
    if cls.kind is not ClassKind.RECORD:
        return cls
    return record_class(source, tuple(field.name for field in cls.fields)) or cls


def is_record(cls: ClassDecl) -> bool:
    """True for such a class."""
    return cls.module == NAME and cls.name.partition("(")[0] == RECORD


def python_name(cls: ClassDecl) -> str:
    """The name of the class of Python's that ``cls`` stands for; empty for those of no program."""
    if is_record(cls):
        return "builtins.dict"
    return next((name for name, own in CLASSES.items() if own == cls.name), "")


@cache
def _parsed() -> cst.Module:
    return cst.parse_module(TEXT)
