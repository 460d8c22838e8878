"""Indices of iterations, taken apart by divisions of 32 bits where CuPy counts these by 32 bits.

CuPy compiles a kernel anew for each way of counting, when it is first launched so. With up to 2**31
iterations an index, and the size of each axis, are numbers of 32 bits without sign.
"""

from __future__ import annotations

OF_INDICES = """namespace indices {
template <int ndim> __device__ unsigned int width(const CIndexer<ndim, true>&);
template <int ndim> __device__ long long width(const CIndexer<ndim, false>&);
}
"""

# The first line of a kernel that takes its index apart.
INDEX = "using index = decltype(indices::width(_ind));"
