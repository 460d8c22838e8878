"""Places that several iterations write: sorted, so that equal ones are runs, in their order.

What belongs to one place is done in a fixed order, so results are the same bits every time.
"""

from __future__ import annotations

import math
from functools import cache
from importlib import import_module
from typing import Any

from mooncake_runtime.device import TYPES
from mooncake_runtime.device_indices import INDEX, OF_INDICES

PART = 32  # terms that one thread adds up


def runs(places: Any) -> tuple[Any, Any, Any]:
    """Runs of equal ``places``: the order that sorts them, in which they keep theirs; for each
    the first of its run; and for that the end of the run, for others themselves.
    """
    cupy = import_module("cupy")
    order = cupy.argsort(places.reshape(-1))  # stable
    starts, ends = cupy.empty_like(order), cupy.empty_like(order)
    _run_bounds()(places, order, order.size, starts, ends)
    return order, starts, ends


@cache
def _run_bounds() -> Any:
    return import_module("cupy").ElementwiseKernel(
        "raw int64 places, raw int64 order, int64 count",
        "int64 starts, int64 ends",
        """
        const long long place = places[order[i]];
        long long low = 0, high = i;
        while (low < high) {
            const long long at = (low + high) / 2;
            if (places[order[at]] < place) low = at + 1; else high = at;
        }
        starts = low;
        long long last = i, beyond = low == i ? count : i + 1;
        while (beyond - last > 1) {
            const long long at = (last + beyond) / 2;
            if (places[order[at]] == place) last = at; else beyond = at;
        }
        ends = low == i ? beyond : i;
        """,
        "run_bounds",
    )


def offsets(counts: Any) -> tuple[Any, int]:
    """Starts of rows that have so many elements each, and their number together.

    The host waits for that number.
    """
    cupy = import_module("cupy")
    if not counts.size:
        return counts, 0
    ends = cupy.cumsum(counts.reshape(-1))
    return ends.reshape(counts.shape) - counts, int(ends[-1])


def add_at(base: Any, places: Any, order: Any, starts: Any, terms: Any) -> None:
    """``base[places[k]] += terms[k]`` for all ``k``; a place that is negative is none.

    ``places`` are those of the first axes of ``base``, counted in C order; the last axes of
    ``terms`` are those of ``base``, or the first parts of them. Long runs are added up by parts.
    """
    if not terms.size:
        return
    own = terms.shape[places.ndim :]
    base = base[(*(slice(None),) * (base.ndim - len(own)), *map(slice, own))]
    width, count, step = math.prod(own), places.size, 1
    given = order, starts, places, width, count
    while step * PART < count:
        sums = terms if step > 1 else import_module("cupy").empty((count, *own), terms.dtype)
        _parts_added(str(terms.dtype), step == 1, False)(*given, step, terms, sums, size=terms.size)
        terms, step = sums, step * PART
    kernel = _parts_added(str(terms.dtype), step == 1, True)
    kernel(*given, step, terms, base, size=terms.size)


@cache
def _parts_added(dtype: str, is_first: bool, is_last: bool) -> Any:
    """A kernel in which each of some threads adds up so many terms of one run, ``step`` apart.

    The first such kernel takes them in order; the last one adds them to the array.
    """
    term = "order[at]" if is_first else "at"
    stored = (
        "if (places[order[k]] >= 0) sums[places[order[k]] * width + column] += sum;"
        if is_last
        else "sums[k * width + column] = sum;"
    )
    return import_module("cupy").ElementwiseKernel(
        "raw int64 order, raw int64 starts, raw int64 places, int64 width, int64 count, "
        f"int64 step, raw {dtype} terms",
        f"raw {dtype} sums",
        f"""
        {INDEX}
        const long long k = (index)i / (index)width, column = (index)i % (index)width;
        const long long start = starts[k];
        if ((k - start) % (step * {PART}) == 0) {{
            {TYPES[dtype]} sum = 0;
            const long long end = k + step * {PART} < count ? k + step * {PART} : count;
            for (long long at = k; at < end && starts[at] == start; at += step) {{
                sum += terms[{term} * width + column];
            }}
            {stored}
        }}
        """,
        "add_at",
        preamble=OF_INDICES,
    )
