"""Bounds and literals from annotations, at run time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Literal, get_args, get_origin, get_type_hints

import numpy as np

from mooncake_transpiler.frontend.annotation.dims import parse_dims
from mooncake_transpiler.frontend.entities import Bounds, Dim

FAR = 1.0  # how far a range reaches that is open at one end


def hints_of(annotated: object) -> Mapping[str, object]:
    """The annotations of a function or class; none where they can't be evaluated."""
    try:
        return get_type_hints(annotated, include_extras=True)
    except (NameError, TypeError, AttributeError):  # such as names that only type checkers import
        return {}


def choices_of(hint: object) -> Sequence[object]:
    """The values of a ``Literal``."""
    if get_origin(hint) is Annotated:
        return choices_of(get_args(hint)[0])
    return get_args(hint) if get_origin(hint) is Literal else ()


def dims_of(hint: object, rank: int) -> tuple[Dim, ...] | None:
    """The sizes in ``Annotated[NDArray[np.float64], "n 3"]`` or of jaxtyping, of so many axes."""
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    for text in (*notes, getattr(hint, "dim_str", None)):
        with suppress(ValueError):
            dims = parse_dims(text) if isinstance(text, str) else ()
            if len(dims) == rank:
                return dims
    return None


def bounds_of(hint: object) -> Bounds | None:
    """The range in ``Annotated[float, Gt(0), Lt(2)]``: of objects with ``gt``, ``le`` and so on."""
    if get_origin(hint) is not Annotated:
        return None
    notes = get_args(hint)[1:]
    lows = _known(b for n in notes for b in (_beyond(n, "gt", np.inf), _bound(n, "ge")))
    highs = _known(b for n in notes for b in (_beyond(n, "lt", -np.inf), _bound(n, "le")))
    if not lows and not highs:
        return None
    low = max(lows) if lows else min(highs) - FAR
    high = min(highs) if highs else max(lows) + FAR
    return (low, high) if low < high else None


def _known(bounds: Iterable[float | None]) -> list[float]:
    return [bound for bound in bounds if bound is not None]


def _bound(note: object, name: str) -> float | None:
    bound = getattr(note, name, None)
    if isinstance(bound, bool) or not isinstance(bound, int | float):
        return None
    return float(bound)


def _beyond(note: object, name: str, towards: float) -> float | None:
    """The next number after a bound that is left out itself."""
    bound = _bound(note, name)
    return None if bound is None else float(np.nextafter(bound, towards))
