"""Functions of ``mooncake_runtime.kernels`` that the normal form calls as ``rt:name``.

What numba lacks, or what BLAS and LAPACK do faster than loops. Their results are new arrays and
scalars. One row of the table has all there is to know about a primitive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mooncake_rules import pullbacks as pull
from mooncake_rules import pushforwards as push
from mooncake_rules.library.contraction import matmul_rule
from mooncake_rules.library.decompositions import qr_rule, svd_rule
from mooncake_rules.library.eigenvalues import eigh_rule
from mooncake_rules.library.factors import lu_factor_rule, lu_solve_any_rule, lu_solve_rule
from mooncake_rules.library.fourier import fft_rule
from mooncake_rules.library.linalg import (
    cholesky_rule,
    inv_rule,
    solve_triangular_any_rule,
    solve_triangular_rule,
)
from mooncake_rules.library.matrix_equations import sylvester_rule
from mooncake_rules.pullbacks import Rule
from mooncake_rules.pushforward_equations import sylvester
from mooncake_rules.pushforwards import Push

PREFIX = "rt:"

# For each axis of a result the argument, and the axis of it, that have the same extent.
Sizes = Sequence[tuple[int, int]]
Shaping = Callable[[Sequence[int]], Sequence[Sizes]]


@dataclass(frozen=True, slots=True)
class Primitive:
    """``writes``: the positions of the arguments that are written: read and overwritten, or, if it
    ``adds``, added to.

    ``sizes`` gives, for the ranks of the arguments, the shapes of the results. It may be left out,
    but then no result can be carried by a loop that is differentiated.

    ``push`` and ``pull`` are the rules of forward mode, and of reverse mode where derivatives are
    differentiated again (`pushforwards.py`, `pullbacks.py`). Reverse mode itself needs no ``pull``:
    the library functions that use primitives have rules. Without rules are primitives of which
    integers, bools and random numbers come out, and the eigenvalues of matrices that are not
    symmetric.
    """

    name: str
    sizes: Shaping | None = None
    push: Push | None = None
    pull: Rule | None = None
    writes: tuple[int, ...] = ()
    adds: bool = False


def _of_product(ranks: Sequence[int]) -> Sequence[Sizes]:
    left = [(0, 0)] if ranks[0] == 2 else []
    return [left + ([(1, 1)] if ranks[1] == 2 else [])]


def like(argument: int) -> Shaping:
    """The shape function of a primitive whose only result has the shape of one argument."""
    return lambda ranks: [[(argument, axis) for axis in range(ranks[argument])]]


_SQUARE, _SIDE = ((0, 0), (0, 1)), ((0, 0),)  # shapes made of that of a square first argument


_ALL = (
    # a @ b of ranks 1 and 2, not both 1
    Primitive("matmul", _of_product, push.matmul, matmul_rule),
    # the same where 0 times infinity is 0: for products with cotangents and tangents
    Primitive("strong_matmul", _of_product, push.matmul, pull.strong_matmul),
    # c += a @ b, strongly; a and b of rank 1: the outer product
    Primitive("matmul_add", None, push.matmul_add, pull.added, writes=(2,), adds=True),
    # a -> lower triangle; then that and the tangent of a -> its tangent, its cotangent -> that of a
    Primitive("cholesky", like(0), push.cholesky, cholesky_rule),
    Primitive("cholesky_push", like(0), push.cholesky_push, pull.cholesky_push),
    Primitive("cholesky_pull", like(0), push.cholesky_pull, pull.cholesky_pull),
    # a, b, lower, trans, unit; the second: nan if singular, 0 for a column of 0
    Primitive("solve_triangular", like(1), push.solve_triangular, solve_triangular_rule),
    Primitive(
        "solve_triangular_any", like(1), push.solve_triangular_any, solve_triangular_any_rule
    ),
    # a, which is square -> packed factors, pivots
    Primitive("lu", lambda _: (_SQUARE, _SIDE), push.lu, lu_factor_rule),
    Primitive("pivots"),  # a, of any shape -> the pivots of its factors
    # packed, pivots, b, trans; the second of any matrix
    Primitive("lu_solve", like(2), push.lu_solve, lu_solve_rule),
    Primitive("lu_solve_any", like(2), push.lu_solve_any, lu_solve_any_rule),
    Primitive("solve", like(1), push.solve, pull.solve),  # a, b
    Primitive("inv", like(0), push.inv, inv_rule),  # a
    Primitive("sylvester", like(2), sylvester, sylvester_rule),  # a, b, q -> x with a x + x b = q
    Primitive("cofactors", like(0), push.cofactors, pull.cofactors),  # a
    Primitive("qr", None, push.qr, qr_rule),  # a -> q, r
    Primitive("svd", None, push.svd, svd_rule),  # a -> u, s, vt
    # a, upper -> values, vectors
    Primitive("eigh", lambda _: (_SIDE, _SQUARE), push.eigh, eigh_rule),
    # a -> complex values, complex vectors
    Primitive("eig", lambda _: (_SIDE, _SQUARE), push.eig),
    Primitive("fft", like(0), push.fft, fft_rule),  # a, inverse
    Primitive("argsort", like(0)),  # a
    Primitive("searchsorted", like(1)),  # a, v, right
    Primitive("indefinite"),  # a -> whether cholesky fails
    Primitive("singular"),  # a -> whether solve and inv fail
    Primitive("pcg64"),  # integers -> state of a generator
    Primitive("mt19937"),  # integer -> state of an older generator
    Primitive("next_word", writes=(0,)),  # state of such
    Primitive("next_double", writes=(0,)),  # state
    Primitive("next_normal", writes=(0,)),  # state
    Primitive("next_exponential", writes=(0,)),  # state
    Primitive("next_bounded", writes=(0,)),  # state, largest
    Primitive("same_overlap"),  # x, y, x_bar, y_bar -> whether the latter overlap as the former
)

PRIMITIVES: Mapping[str, Primitive] = {PREFIX + p.name: p for p in _ALL}


def pushforward(name: str) -> Push | None:
    """The pushforward of a primitive, or of a library function that has one of its own."""
    known = PRIMITIVES.get(name)
    return push.LIBRARY.get(name) if known is None else known.push
