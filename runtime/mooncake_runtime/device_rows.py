"""Sums over some axes: rows that several threads of a block work on, the lanes, and columns."""

from __future__ import annotations

import math
from functools import cache
from importlib import import_module
from typing import Any

from mooncake_runtime.device import BLOCK, TYPES
from mooncake_runtime.device_indices import INDEX, OF_INDICES

SHORT = 32  # rows of fewer elements are one thread's
LONG = 1024  # columns of more elements are several threads'
MANY = 2**17  # threads that a GPU is busy with

# The terms of a column, one in so many ``parts``, that one thread adds up.
COLUMN_PARTS = f"""
    {INDEX}
    const long long after = (index)i % (index)width;
    const long long part = (index)i / (index)width % (index)parts;
    const long long before = (index)i / (index)width / (index)parts;
    {{type}} total = 0;
    for (long long k = part; k < count; k += parts) {{{{
        total += terms[(before * count + k) * width + after];
    }}}}
    sums = total;
"""


def row_lanes(size: int) -> int:
    """The number of lanes for rows of ``size`` elements: a power of two."""
    return 1 if size < SHORT else min(BLOCK, 1 << (size.bit_length() - 1))


def row_threads(lanes: int) -> int:
    """The number of threads of a block: a row is one block's, or many are."""
    return BLOCK if lanes == 1 else lanes


def axis_sum(array: Any, axis: int) -> Any:
    """``cp.sum(array, axis=axis)`` of a C-contiguous array, in a fixed order.

    Where few long columns are summed, many threads work on each of them.
    """
    cupy = import_module("cupy")
    count, width = array.shape[axis], math.prod(array.shape[axis + 1 :])
    columns = math.prod(array.shape[:axis]) * width
    while count > LONG and 0 < columns < MANY and str(array.dtype) in TYPES:
        parts = min(count // SHORT, -(-MANY // columns))
        sums = cupy.empty((*array.shape[:axis], parts, *array.shape[axis + 1 :]), array.dtype)
        _column_parts(str(array.dtype))(array, count, width, parts, sums)
        array, count = sums, parts
    return cupy.sum(array, axis=axis)


def largest(array: Any, start: Any) -> Any:
    """The largest of ``start`` and all elements, or NaN where that is one of them."""
    return _extreme(array, start, "max", "maximum")


def smallest(array: Any, start: Any) -> Any:
    """The smallest of ``start`` and all elements, or NaN where that is one of them."""
    return _extreme(array, start, "min", "minimum")


def largest_number(array: Any, start: Any) -> Any:
    """The largest of ``start`` and all elements that are not NaN."""
    return _extreme(array, start, "nanmax", "fmax")


def smallest_number(array: Any, start: Any) -> Any:
    """The smallest of ``start`` and all elements that are not NaN."""
    return _extreme(array, start, "nanmin", "fmin")


def _extreme(array: Any, start: Any, of_all: str, of_two: str) -> Any:
    cupy = import_module("cupy")
    if not array.size:
        return cupy.full((), start, array.dtype)
    return getattr(cupy, of_two)(getattr(cupy, of_all)(array), start)


@cache
def _column_parts(dtype: str) -> Any:
    return import_module("cupy").ElementwiseKernel(
        f"raw {dtype} terms, int64 count, int64 width, int64 parts",
        f"{dtype} sums",
        COLUMN_PARTS.format(type=TYPES[dtype]),
        "column_parts",
        preamble=OF_INDICES,
    )


# What all lanes are told: the sum of their values, the best of them, or the best and the least
# place where it is, for which a NaN is better than all else. The order is fixed.
OF_LANES = f"""namespace lanes {{
template <typename T> __device__ void sum(T& value, long long lanes) {{
  if (lanes == 1) return;
  __shared__ T parts[{BLOCK}];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (unsigned int w = lanes / 2; w > 0; w >>= 1) {{
    if (threadIdx.x < w) parts[threadIdx.x] += parts[threadIdx.x + w];
    __syncthreads();
  }}
  value = parts[0];
  __syncthreads();
}}
template <typename T> __device__ void keep(T& value, long long lanes, bool largest) {{
  if (lanes == 1) return;
  __shared__ T parts[{BLOCK}];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (unsigned int w = lanes / 2; w > 0; w >>= 1) {{
    if (threadIdx.x < w) {{
      const T a = parts[threadIdx.x], b = parts[threadIdx.x + w];
      parts[threadIdx.x] = (largest ? b > a : b < a) ? b : a;
    }}
    __syncthreads();
  }}
  value = parts[0];
  __syncthreads();
}}
template <typename T>
__device__ void find(T& value, long long& place, long long lanes, bool largest) {{
  if (lanes == 1) return;
  __shared__ T parts[{BLOCK}];
  __shared__ long long places[{BLOCK}];
  parts[threadIdx.x] = value;
  places[threadIdx.x] = place;
  __syncthreads();
  for (unsigned int w = lanes / 2; w > 0; w >>= 1) {{
    if (threadIdx.x < w) {{
      const T a = parts[threadIdx.x], b = parts[threadIdx.x + w];
      const long long at = places[threadIdx.x + w];
      const bool equal = a == b || (a != a && b != b);
      const bool better = a != a || b != b ? a == a : largest ? b > a : b < a;
      if (equal ? at < places[threadIdx.x] : better) {{
        parts[threadIdx.x] = b;
        places[threadIdx.x] = at;
      }}
    }}
    __syncthreads();
  }}
  value = parts[0];
  place = places[0];
  __syncthreads();
}}
template <typename T> __device__ void largest(T& value, long long lanes) {{
  keep(value, lanes, true);
}}
template <typename T> __device__ void smallest(T& value, long long lanes) {{
  keep(value, lanes, false);
}}
template <typename T> __device__ void argmax(T& value, long long& place, long long lanes) {{
  find(value, place, lanes, true);
}}
template <typename T> __device__ void argmin(T& value, long long& place, long long lanes) {{
  find(value, place, lanes, false);
}}
}}
"""
