"""Lists at the border: what derivative functions take apart into arrays and put together.

``path`` says where an item is: ``"cells[{}].x"``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from mooncake_runtime.exact_values import exact_number
from mooncake_runtime.instances import alternative, exactly
from mooncake_runtime.spec import PLAIN

T = TypeVar("T")


def items_of(path: str, value: Any) -> list[tuple[Any, Any]]:
    """The keys and values of a dict, none where it is None; TypeError for anything else."""
    if value is None:
        return []
    if not isinstance(value, Mapping):
        raise TypeError(f"parameter {path}: expected a dict, got {type(value).__name__}")
    return list(value.items())


def items_at(rows: Iterable[Any], *way: int) -> list[list[Any]]:
    """For each of ``rows``, lists of tuples or dicts, what its items have at these indices."""
    found = []
    for row in rows:
        if not isinstance(row, Iterable):
            raise TypeError(f"expected a list or a dict, got {type(row).__name__}")
        items = list(row.items() if isinstance(row, Mapping) else row)
        for k in way:
            items = [item[k] for item in items]
        found.append(items)
    return found


def refill(value: MutableMapping[Any, Any], items: Mapping[Any, Any]) -> None:
    """Let the dict ``value`` have these ``items``, and no others, in their order."""
    if [*value] == [*items]:
        value.update(items)
        return
    value.clear()
    value.update(items)


def alternatives(path: str, values: Iterable[Any], *options: object) -> NDArray[np.int64]:
    """The numbers of the options that the values are; ValueError or TypeError if one is none."""
    found = (alternative(path.format(k), one, *options) for k, one in enumerate(values))
    return np.fromiter(found, np.int64)


def which_are_there(values: Any, none: int) -> NDArray[np.int64]:
    """The number ``none``, which is 0 or 1, for each value that is None; the other for others."""
    return np.array([none if value is None else 1 - none for value in values], np.int64)


def known(values: Any, other: T) -> list[T]:
    """The values, with ``other`` in place of None."""
    return [other if value is None else value for value in values]


def some_of(which: NDArray[np.int64], values: Iterable[T], none: int) -> list[T | None]:
    """The values, and None where ``which`` is ``none``."""
    pairs = zip(which.tolist(), values, strict=True)
    return [None if k == none else value for k, value in pairs]


def numbers_of(path: str, values: Any, dtype: str) -> NDArray[Any]:
    """An array of numbers, one per item; TypeError where an item is none of that ``dtype``."""
    if not isinstance(values, Iterable):
        kind = type(values).__name__
        raise TypeError(f"parameter {path.partition('[{}]')[0]}: expected a list, got {kind}")
    items = list(values)
    try:
        found = np.array(items)
    except ValueError:  # sequences of different lengths
        found = np.array(None)
    if found.ndim != 1 or not (np.can_cast(found.dtype, dtype, "same_kind") or not items):
        _refuse(path, items, dtype)
    if not _is_exact(found, np.dtype(dtype)):
        _refuse_inexact(path, items, dtype)
    return found.astype(dtype)


def _is_exact(found: NDArray[Any], wanted: np.dtype[Any]) -> bool:
    """True if nothing but floats can have been rounded; False if each item must be looked at."""
    if wanted.kind in "biu" or found.dtype.char in "gG":
        return found.dtype == wanted
    digits = 24 if wanted.char in "fF" else 53
    return bool(np.all(np.abs(found) < 2.0**digits))


def _refuse_inexact(path: str, items: Sequence[Any], dtype: str) -> None:
    """Raise TypeError for the first of ``items`` that is another number as a ``dtype``."""
    for k, item in enumerate(items):
        if exact_number(dtype, item) is None:
            kind = type(item).__name__
            raise TypeError(f"parameter {path.format(k)}: {kind} that is no {dtype} exactly")


def _refuse(path: str, items: Sequence[Any], dtype: str) -> None:
    """Raise TypeError for the first of ``items`` that is no number of ``dtype``."""
    for k, item in enumerate(items):
        found = None if isinstance(item, str | bytes) else np.asarray(item)
        if found is None or found.ndim or not np.can_cast(found.dtype, dtype, "same_kind"):
            kind = type(item).__name__
            raise TypeError(f"parameter {path.format(k)}: expected {dtype}, got {kind}")
    _refuse_inexact(path, items, dtype)
    raise TypeError(f"parameter {path.format(0)}: expected {dtype}")


def spans_of(path: str, arrays: Iterable[Any], ndim: int) -> NDArray[np.int64]:
    """A row per array: where its elements start among those of all, and its shape."""
    items = list(arrays)
    spans = np.empty((len(items), ndim + 1), np.int64)
    start = 0
    for k, item in enumerate(items):
        if type(item) not in PLAIN or item.ndim != ndim:
            found = f"rank {item.ndim}" if type(item) in PLAIN else type(item).__name__
            wanted = f"an array of rank {ndim}"
            raise TypeError(f"parameter {path.format(k)}: expected {wanted}, got {found}")
        spans[k, 0] = start
        spans[k, 1:] = item.shape
        start += item.size
    return spans


def elements_of(path: str, arrays: Iterable[Any], dtype: str) -> NDArray[Any]:
    """The elements of all arrays in one; TypeError for other dtypes."""
    items = list(arrays)
    for k, item in enumerate(items):
        if item.dtype != dtype:
            raise TypeError(f"parameter {path.format(k)}: expected {dtype}, got {item.dtype}")
    return np.concatenate([np.empty(0, dtype), *(item.ravel() for item in items)])


def arrays_of(spans: NDArray[np.int64], elements: NDArray[Any]) -> list[NDArray[Any]]:
    """The arrays that ``spans`` tells of."""
    rows: list[list[int]] = spans.tolist()
    return [elements[start : start + int(np.prod(shape))].reshape(shape) for start, *shape in rows]


def tuples_of(*columns: Sequence[Any] | None) -> list[Any]:
    """A tuple per item; in place of a column None, that is what all have there."""
    count = next(len(column) for column in columns if column is not None)
    filled = ([None] * count if column is None else column for column in columns)
    return list(zip(*filled, strict=True))


def instances_of(cls: Callable[..., T], *columns: Sequence[Any] | None) -> list[T]:
    """A ``cls`` per item, made of what the columns hold for it."""
    return [cls(*row) for row in tuples_of(*columns)]


def dicts_of(keys: Sequence[str], *columns: Sequence[Any] | None) -> list[dict[str, Any]]:
    """A dict with these keys per item, made of what the columns hold for it."""
    return [dict(zip(keys, row, strict=True)) for row in tuples_of(*columns)]


def objects_of(cls: type[T], /, **columns: Sequence[Any] | None) -> list[T]:
    """An instance per item with these values of its fields; no ``__init__`` runs."""
    made = []
    for row in tuples_of(*columns.values()):
        one = object.__new__(cls)
        for name, value in zip(columns, row, strict=True):
            object.__setattr__(one, name, value)
        made.append(one)
    return made


def apart(path: str, items: Iterable[object], other: str, value: object) -> None:
    """Raise ValueError if an item of a list is ``value``, which is written, or overlaps with it."""
    for k, item in enumerate(items):
        arrays = isinstance(item, np.ndarray) and isinstance(value, np.ndarray)
        if item is value or (arrays and np.may_share_memory(item, value)):
            message = f"parameter {other}, which is written, is also {path.format(k)}"
            raise ValueError(f"{message}: pass a copy")


def distinct(path: str, items: Iterable[object]) -> None:
    """Raise ValueError if an object stands twice in a list: its fields are assigned."""
    places: dict[int, int] = {}
    for k, item in enumerate(items):
        other = places.setdefault(id(item), k)
        if other != k:
            message = f"{path.format(other)} and {path.format(k)} are one object"
            raise ValueError(f"{message}, and its fields are assigned")


def unshared(path: str, arrays: Sequence[Any], *others: Sequence[Any]) -> None:
    """Raise ValueError if ``arrays``, which are written, share memory with others or each other."""
    found = [one for one in (*arrays, *chain(*others)) if isinstance(one, np.ndarray) and one.size]
    written = {id(one) for one in arrays}
    if any(count > 1 for one, count in Counter(map(id, found)).items() if one in written):
        raise _shared(path)
    places = sorted((*_extent(one), k) for k, one in enumerate(found))
    open_: list[tuple[int, int]] = []  # where they end, of those that the next one may overlap
    for start, end, k in places:
        open_ = [one for one in open_ if one[0] > start]
        for _, other in open_:
            if not written.isdisjoint((id(found[k]), id(found[other]))) and np.shares_memory(
                found[k], found[other]
            ):
                raise _shared(path)
        open_.append((end, k))


def _shared(path: str) -> ValueError:
    return ValueError(
        f"{path.format('i')} is written in place, and shares memory with another array: pass copies"
    )


def _extent(array: NDArray[Any]) -> tuple[int, int]:
    """The addresses of the first byte of ``array``, and of the one behind the last."""
    first = array.__array_interface__["data"][0]
    steps = [(size - 1) * step for size, step in zip(array.shape, array.strides, strict=True)]
    before, behind = sum(s for s in steps if s < 0), sum(s for s in steps if s > 0)
    return first + before, first + behind + array.itemsize


def write_items(arrays: Iterable[NDArray[Any]], values: Iterable[NDArray[Any]]) -> None:
    """Write ``values`` into the arrays in a list."""
    for one, value in zip(arrays, values, strict=True):
        one[...] = value


def all_exactly(path: str, items: Iterable[object], wanted: type, *others: str) -> None:
    """Raise TypeError if an item of a list is of one of the classes called ``others``."""
    for k, item in enumerate(items):
        exactly(path.format(k), item, wanted, *others)


def row_spans_of(path: str, rows: Iterable[Any]) -> NDArray[np.int64]:
    """For each list in ``rows`` where its numbers start among those of all, and their number."""
    items = list(rows)
    for k, row in enumerate(items):
        if not isinstance(row, Sequence) or isinstance(row, str | bytes):
            kind = type(row).__name__
            raise TypeError(f"parameter {path.format(k)}: expected a list, got {kind}")
    sizes = np.array([len(row) for row in items], np.int64)
    return np.stack((np.cumsum(sizes) - sizes, sizes), axis=1)


def row_elements_of(path: str, rows: Iterable[Any], dtype: str) -> NDArray[Any]:
    """The numbers of all lists in one array; TypeError where they are none of that ``dtype``."""
    found = [numbers_of(f"{path.format(k)}[{{}}]", row, dtype) for k, row in enumerate(rows)]
    return np.concatenate([np.empty(0, dtype), *found])


def zipped_rows(*columns: Sequence[Sequence[Any]] | None) -> list[list[tuple[Any, ...]]]:
    """Lists of tuples, of lists of their items; in place of these None, that is what all have."""
    some = next(column for column in columns if column is not None)
    found = []
    for k, like in enumerate(some):
        parts = ([None] * len(like) if column is None else column[k] for column in columns)
        found.append(list(zip(*parts, strict=True)))
    return found


def rows_of(spans: NDArray[np.int64], elements: NDArray[Any]) -> list[list[Any]]:
    """The lists of numbers that ``spans`` tells of: Python's numbers, where it has such."""
    plain = elements.dtype in (np.float64, np.int64, np.complex128, np.bool_)
    return [row.tolist() if plain else list(row) for row in arrays_of(spans, elements)]
