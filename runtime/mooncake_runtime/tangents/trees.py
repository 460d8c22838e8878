"""Values as trees: leaves in tuples, lists, dicts and structs, which may share parts and be cyclic.

``rebuild`` is the one walk that everything else is made of. What is by value (scalars, tuples,
NamedTuples, frozen dataclasses) is visited at each place where it occurs, what has an address
(arrays, lists, dicts, mutable dataclasses, instances of other classes written in Python) once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from copy import copy as shallow_copy
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from types import EllipsisType, NoneType
from typing import Any

import numpy as np

from mooncake_runtime.field_names import field_names
from mooncake_runtime.spec import describe

Tree = Any
Key = Any  # an index, a field name or the key of a dict
Leaf = Callable[..., Tree]  # of a path and the leaf's counterparts in each tree

WITHOUT_TANGENT = (
    NoneType, Enum, bool, int, str, bytes, range, slice, EllipsisType,
    np.bool_, np.integer, np.dtype,
)  # fmt: skip
MISSING = object()
_HEAP_TYPE = 1 << 9  # the flag of classes that are made at run time, as those of Python are


@dataclass(frozen=True, slots=True)
class Path:
    """The path from a value to a part of it: ``.x[0]['key']``."""

    parent: Path | None = None
    label: str = ""

    def __str__(self) -> str:
        labels: list[str] = []
        path: Path | None = self
        while path is not None:
            labels.append(path.label)
            path = path.parent
        return "".join(reversed(labels))

    @property
    def place(self) -> str:
        """The path for a message."""
        return str(self) or "the top"


# ---- kinds of values ----------------------------------------------------------------------------


def has_tangent(leaf: Tree) -> bool:
    """True if a leaf is a real or complex scalar or array; TypeError if it is of no known type.

    Functions have no tangent: what they capture is constant.
    """
    if isinstance(leaf, WITHOUT_TANGENT) or callable(leaf):
        return False
    if isinstance(leaf, float | complex | np.inexact):
        return True
    if isinstance(leaf, np.ndarray) and leaf.dtype.kind not in "OV":
        return leaf.dtype.kind in "fc"
    raise TypeError(f"there is no tangent type for {describe(leaf)}")


def carries(tree: Tree) -> bool:
    """True if any leaf has a tangent."""
    return any(has_tangent(leaf) for _, leaf in leaves(tree))


def is_container(tree: Tree) -> bool:
    return isinstance(tree, tuple | list | dict) or _is_dataclass(tree) or _is_instance(tree)


def has_address(tree: Tree) -> bool:
    """True if ``tree`` is identified by its address: it can be changed in place."""
    if _is_dataclass(tree):
        return not type(tree).__dataclass_params__.frozen
    return isinstance(tree, np.ndarray | list | dict) or _is_instance(tree)


def _is_dataclass(tree: Tree) -> bool:
    return is_dataclass(tree) and not isinstance(tree, type)


def _is_instance(tree: Tree) -> bool:
    """True for an instance of a class written in Python, which is nothing but its attributes."""
    if isinstance(tree, WITHOUT_TANGENT):
        return False
    *classes, _ = type(tree).__mro__  # the last one is object
    return bool(classes) and all(map(_is_written_in_python, classes))


def _is_written_in_python(cls: type) -> bool:
    if not cls.__flags__ & _HEAP_TYPE:
        return False
    module = sys.modules.get(cls.__module__)
    if module is None or cls.__module__ == "__main__":
        return True
    file = getattr(module, "__file__", None)
    if file is None:  # a module without a spec was made by hand, of text
        return getattr(module, "__spec__", None) is None
    return bool(file.endswith(".py"))


# ---- parts --------------------------------------------------------------------------------------


def _names(tree: Tree) -> tuple[str, ...] | None:
    """The fields of a struct that are set; None for what is no struct."""
    if isinstance(tree, tuple):
        return getattr(tree, "_fields", None)
    if _is_dataclass(tree):
        return tuple(f.name for f in fields(tree) if hasattr(tree, f.name))
    return _attributes(tree) if _is_instance(tree) else None


def _attributes(tree: Tree) -> tuple[str, ...]:
    """The attributes of an instance that are set, those in slots first."""
    slots = (name for cls in reversed(type(tree).__mro__) for name in _slots(cls))
    return (*(name for name in slots if hasattr(tree, name)), *getattr(tree, "__dict__", ()))


def _slots(cls: type) -> Iterator[str]:
    """The names in ``__slots__`` of the class itself, private ones as they are stored."""
    found = vars(cls).get("__slots__", ())
    for name in (found,) if isinstance(found, str) else found:
        if name not in ("__dict__", "__weakref__"):
            is_private = name.startswith("__") and not name.endswith("__")
            yield f"_{cls.__name__.lstrip('_')}{name}" if is_private else name


def _parts(path: Path, *trees: Tree) -> Iterator[tuple[Key, Path, list[Tree]]]:
    """The parts of a container, each with its counterparts in the other trees.

    A counterpart of None has parts None. TypeError or ValueError where the structures differ.
    """
    first, *others = trees
    for other in others:
        _check_structure(path, first, other)
    names = _names(first)
    for key, part in _items(first, names):
        where = f".{key}" if names is not None else f"[{key!r}]"
        yield key, Path(path, where), [part, *(_part(path, o, key, names) for o in others)]


def _items(tree: Tree, names: tuple[str, ...] | None) -> Iterator[tuple[Key, Tree]]:
    if names is not None:
        yield from ((name, getattr(tree, name)) for name in names)
    elif isinstance(tree, dict):
        yield from ((key, tree[key]) for key in tuple(tree))
    else:
        yield from enumerate(tree)


def _part(path: Path, other: Tree, key: Key, names: tuple[str, ...] | None) -> Tree:
    """The part of ``other`` at ``key``; the structure was checked."""
    if other is None:
        return None
    if names is None:
        return other[key]
    if type(other) is tuple:
        return other[names.index(str(key))]
    found = getattr(other, _spelled(str(key), names, other), MISSING)
    if found is MISSING:
        raise TypeError(f"{describe(other)} has no field {key!r} at {path.place}")
    return found


def _spelled(name: str, names: tuple[str, ...], other: Tree) -> str:
    """The name that ``other`` has for the field ``name``: gradients have no leading underscores."""
    if hasattr(other, name):
        return name
    here = dict(zip(names, field_names(names), strict=True))
    theirs = _names(other) or ()
    there = dict(zip(field_names(theirs), theirs, strict=True))
    return there.get(name, here.get(name, name))


def _check_structure(path: Path, first: Tree, other: Tree) -> None:
    """TypeError or ValueError unless ``other`` can be a counterpart of a container."""
    if other is None:
        return
    names = _names(first)
    if names is not None:
        if type(other) is tuple:
            _check(path, len(names) == len(other), first, other)
        theirs = _names(other) or ()
        spelled = (_spelled(name, names, other) for name in names)
        known = {*names, *field_names(names), *spelled}
        for name in (n for n in theirs if n not in known):
            if carries(getattr(other, name)):
                raise ValueError(f"{path}.{name} is set in one {describe(first)} only")
    elif isinstance(first, dict):
        _check(path, isinstance(other, dict) and first.keys() == other.keys(), first, other)
    else:
        _check(path, isinstance(other, tuple | list) and len(first) == len(other), first, other)


def _check(path: Path, fits: bool, first: Tree, other: Tree) -> None:
    if not fits:
        raise ValueError(f"{describe(first)} and {describe(other)} do not fit at {path.place}")


# ---- the walk -----------------------------------------------------------------------------------


def fresh(tree: Tree) -> Tree:
    """A new container of the same kind, to be filled; an empty list for what becomes a tuple."""
    if isinstance(tree, tuple):
        return []
    return shallow_copy(tree) if isinstance(tree, list | dict) else object.__new__(type(tree))


def in_place(tree: Tree) -> Tree:
    """``tree`` itself if it can be changed."""
    return tree if has_address(tree) else fresh(tree)


def no_stop(tree: Tree) -> bool:
    return False


@dataclass(slots=True)
class _Frame:
    """A container under construction, and where it belongs."""

    source: Tree
    target: Tree
    key: Key
    parts: Iterator[tuple[Key, Path, list[Tree]]]

    def finished(self) -> Tree:
        if isinstance(self.source, tuple):
            return tuple.__new__(type(self.source), self.target)
        return self.target

    def put(self, key: Key, value: Tree) -> None:
        if isinstance(self.source, tuple):
            self.target.append(value)
        elif isinstance(self.target, list | dict):
            self.target[key] = value
        else:
            object.__setattr__(self.target, str(key), value)  # past a frozen class's guard


def rebuild(
    leaf: Leaf,
    *trees: Tree,
    shell: Callable[[Tree], Tree] = fresh,
    stop: Callable[[Tree], bool] = no_stop,
    once: Callable[[Tree], bool] = has_address,
) -> Tree:
    """The containers of the first tree, with ``leaf(path, *leaves)`` in place of its leaves.

    Leaves are visited left to right. The other trees match the first one, or have None for
    whole parts of it. That for which ``once`` holds is visited once with the same counterparts, so
    what is reached twice stays one object. Containers are made by ``shell`` without calling
    ``__init__``; those for which ``stop`` holds count as leaves.
    """
    done: dict[tuple[int, ...], tuple[Tree, list[Tree]]] = {}
    root: list[Tree] = [None]
    stack = [_Frame(root, root, 0, iter([(0, Path(), list(trees))]))]
    while stack:
        frame = stack[-1]
        step = next(frame.parts, None)
        if step is None:
            stack.pop()
            if stack:
                stack[-1].put(frame.key, frame.finished())
            continue
        key, path, parts = step
        first, ids = parts[0], tuple(map(id, parts))
        if ids in done:
            frame.put(key, done[ids][0])
            continue
        if is_container(first) and not stop(first):
            value = shell(first)
            stack.append(_Frame(first, value, key, _parts(path, *parts)))
        else:
            value = leaf(path, *parts)
            frame.put(key, value)
        if once(first):
            done[ids] = value, parts  # which keeps the ids taken
    return root[0]


def leaves(*trees: Tree) -> list[Any]:
    """``(path, leaf, ...)`` for the leaves that are not None in all trees, left to right.

    An array that is reached twice is listed once, unless its counterparts differ.
    """
    found: list[tuple[Tree, ...]] = []

    def collect(path: Path, *parts: Tree) -> None:
        if any(part is not None for part in parts):
            found.append((path, *parts))

    rebuild(collect, *trees)
    return found


def map_leaves(function: Callable[[Tree], Tree], tree: Tree) -> Tree:
    """``function`` applied to each leaf that is not None."""
    return rebuild(lambda path, leaf: None if leaf is None else function(leaf), tree)
