"""Functions of ``mooncake_runtime.kernels`` that the normal form calls as ``rt:name``.

What numba lacks, or what BLAS and LAPACK do faster than loops. Their results are new arrays and
scalars. None has a derivative of its own: the library functions that use them have rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

PREFIX = "rt:"

# For each axis of the result the argument, and the axis of it, that have the same extent.
Sizes = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Primitive:
    """``writes``: the positions of the arguments that are written (added to or overwritten).

    ``sizes`` gives, for the ranks of the arguments, the shape of the only result. It may be left
    out, but then the result can't be carried by a loop that is differentiated.
    """

    name: str
    writes: tuple[int, ...] = ()
    sizes: Callable[[Sequence[int]], Sizes] | None = None


def _matmul(ranks: Sequence[int]) -> Sizes:
    left = [(0, 0)] if ranks[0] == 2 else []
    return left + ([(1, 1)] if ranks[1] == 2 else [])


def _like(argument: int) -> Callable[[Sequence[int]], Sizes]:
    """The shape function of a primitive whose result has the shape of one argument."""
    return lambda ranks: [(argument, axis) for axis in range(ranks[argument])]


_ALL = (
    Primitive("matmul", sizes=_matmul),  # a @ b of ranks 1 and 2, not both 1
    Primitive("matmul_add", (2,)),  # c += a @ b; a and b of rank 1: the outer product
    Primitive("cholesky", sizes=_like(0)),  # a -> lower triangle
    Primitive("cholesky_push", sizes=_like(0)),  # its result, tangent of a -> its tangent
    Primitive("cholesky_pull", sizes=_like(0)),  # its result, cotangent of that -> that of a
    Primitive("solve_triangular", sizes=_like(1)),  # a, b, lower, trans, unit
    Primitive(
        "solve_triangular_any", sizes=_like(1)
    ),  # likewise; nan if singular, 0 for a column of 0
    Primitive("lu"),  # a -> packed factors, pivots
    Primitive("lu_solve", sizes=_like(2)),  # packed, pivots, b, trans
    Primitive("lu_solve_any", sizes=_like(2)),  # likewise
    Primitive("solve", sizes=_like(1)),  # a, b
    Primitive("inv", sizes=_like(0)),  # a
    Primitive("sylvester", sizes=_like(2)),  # a, b, q -> x with a x + x b = q
    Primitive("cofactors", sizes=_like(0)),  # a
    Primitive("qr"),  # a -> q, r
    Primitive("svd"),  # a -> u, s, vt
    Primitive("eigh"),  # a, upper -> values, vectors
    Primitive("eig"),  # a -> complex values, complex vectors
    Primitive("fft", sizes=_like(0)),  # a, inverse
    Primitive("argsort", sizes=_like(0)),  # a
    Primitive("searchsorted", sizes=_like(1)),  # a, v, right
    Primitive("indefinite"),  # a -> whether cholesky fails
    Primitive("singular"),  # a -> whether solve and inv fail
    Primitive("same_overlap"),  # x, y, x_bar, y_bar -> whether the latter overlap as the former
)

PRIMITIVES: Mapping[str, Primitive] = {PREFIX + p.name: p for p in _ALL}
