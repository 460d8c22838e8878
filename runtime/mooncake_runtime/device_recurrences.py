"""Linear recurrences, many parts of which are made at a time."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from mooncake_runtime.device import TYPES

PART = 32  # steps that one thread makes


def recurrence(factors: Any, terms: Any, start: Any, reverse: bool) -> Any:
    """``start``, and the numbers that follow it by ``x = factors[k] * x + terms[k]`` for all ``k``.

    With ``reverse`` the last factor and term come first, and the last number is ``start``. Each
    part of the steps is made one linear function, so numbers are rounded in another way than one by
    one.
    """
    if reverse:
        return recurrence(factors[::-1], terms[::-1], start, False)[::-1]
    states = import_module("cupy").empty(terms.size + 1, terms.dtype)
    states[:1] = start
    _fill(factors, terms, states)
    return states


def _fill(factors: Any, terms: Any, states: Any) -> None:
    """Make all of ``states`` but the first, which is there."""
    count, dtype = terms.size, str(terms.dtype)
    if not count:
        return
    parts = -(-count // PART)
    if parts > 1:  # where each part starts
        cupy = import_module("cupy")
        part_factors, part_terms = cupy.empty(parts - 1, dtype), cupy.empty(parts - 1, dtype)
        _composed(dtype)(factors, terms, part_factors, part_terms)
        _fill(part_factors, part_terms, states[: (parts - 1) * PART + 1 : PART])
    _followed(dtype)(factors, terms, count, states, size=parts)


@cache
def _composed(dtype: str) -> Any:
    """A kernel that makes one linear function of each part."""
    type_ = TYPES[dtype]
    return import_module("cupy").ElementwiseKernel(
        f"raw {dtype} factors, raw {dtype} terms",
        f"{dtype} factor, {dtype} term",
        f"""
        {type_} a = 1, b = 0;
        for (long long k = i * {PART}; k < (i + 1) * {PART}; ++k) {{
            a = factors[k] * a;
            b = factors[k] * b + terms[k];
        }}
        factor = a;
        term = b;
        """,
        "recurrence_parts",
    )


@cache
def _followed(dtype: str) -> Any:
    """A kernel that makes the numbers within each part; those that start one are there."""
    return import_module("cupy").ElementwiseKernel(
        f"raw {dtype} factors, raw {dtype} terms, int64 count",
        f"raw {dtype} states",
        f"""
        {TYPES[dtype]} state = states[i * {PART}];
        for (long long k = i * {PART}; k < count && k < (i + 1) * {PART}; ++k) {{
            state = factors[k] * state + terms[k];
            if ((k + 1) % {PART} != 0 || k + 1 == count) states[k + 1] = state;
        }}
        """,
        "recurrence",
    )
