"""The pushforwards of the primitives: tangents of results from tangents of arguments.

Also of the few library functions whose bodies, which forward mode would differentiate, have a
worse one. Stated with primitives and elementwise expressions only, so that they can be
differentiated again.

Formulas: Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
differentiation" (2008); for the singular vectors Townsend, "Differentiating the singular value
decomposition" (2016); for QR Walter and Lehmann (2013); for the pseudo-inverse Golub and Pereyra,
"The differentiation of pseudo-inverses and nonlinear least squares problems" (1973).

``push(s, args, outs, dots)`` is given the arguments (flags are plain bools), the results, and the
tangents of the arguments by position, without those that are zero. It returns the tangent of each
result that carries floats, and adds to the tangent of an argument that is written. The results of
a library function are followed by what it keeps for its pullback, which gets no tangent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mooncake_rules.arrays import Arr, Num, Stage
from mooncake_rules.library.contraction import adjoint, conj
from mooncake_rules.library.decompositions import inverses, turning
from mooncake_rules.library.eigenvalues import phase_factor, real_row
from mooncake_rules.library.linalg import SOLVE, SOLVE_ANY, determinant, triangular
from mooncake_rules.library.matrices import (
    conjugate,
    hermitian,
    over_gaps,
    scaled_columns,
    transposed,
    triangle,
)
from mooncake_rules.library.support import addition, call_like, is_complex, real_dtype
from mooncake_rules.pushforward_equations import polar, sqrtm
from mooncake_rules.pushforward_terms import (
    Args,
    Dots,
    Index,
    arrays,
    diagonal_of,
    exchanged,
    minus,
    plus,
    product,
    skew,
    twice_hermitian,
    unit_lower,
)

Push = Callable[[Stage, Args, Args, Dots], Sequence[Arr | Num | complex]]


# ---- products -----------------------------------------------------------------------------------


def matmul(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """``a_dot b + a b_dot``."""
    a, b = arrays(args)
    found = product(s, dots.get(0, a), b if 0 in dots else dots[1])
    if 0 in dots and 1 in dots:
        s.primitive("matmul_add", (a, dots[1], found), ())
    return (found,)


def matmul_add(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """``c_dot += a_dot b + a b_dot``."""
    a, b, _ = arrays(args)
    if 0 in dots:
        s.primitive("matmul_add", (dots[0], b, dots[2]), ())
    if 1 in dots:
        s.primitive("matmul_add", (a, dots[1], dots[2]), ())
    return ()


def fft(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """The transform of ``a_dot``, as it is linear."""
    inverse = args[1]
    assert isinstance(inverse, bool)
    return (call_like(s, "fft", (dots[0], inverse), dots[0]),)


# ---- systems of equations -----------------------------------------------------------------------


def cholesky(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """``L phi(L^-1 A_dot L^-H)``; phi: the lower triangle with half the diagonal."""
    (factor,) = arrays(outs)
    return (call_like(s, "cholesky_push", (factor, dots[0]), factor),)


def cholesky_push(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """From ``X L^H + L X^H = A_dot``: X moves like that for ``A_dot - X L_dot^H - L_dot X^H``."""
    (factor, _), (x,) = arrays(args), arrays(outs)
    change = None
    if 0 in dots:
        change = twice_hermitian(s, product(s, x, adjoint(s, dots[0])))
    right = s.keep(minus(dots.get(1), change))
    return (call_like(s, "cholesky_push", (factor, right), x),)


def cholesky_pull(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """From ``low((B + B^H) L) = low(L_bar)``: B moves like that for ``L_bar - (B + B^H) L_dot``."""
    (factor, _), (bar,) = arrays(args), arrays(outs)
    change = None
    if 0 in dots:
        change = product(s, twice_hermitian(s, bar), dots[0])
    right = s.keep(minus(dots.get(1), change))
    return (call_like(s, "cholesky_pull", (factor, right), bar),)


def solve_triangular_any(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    return solve_triangular(s, args, outs, dots, SOLVE_ANY)


def solve_triangular(
    s: Stage, args: Args, outs: Args, dots: Dots, solver: str = SOLVE
) -> Sequence[Arr]:
    """``T^-1 (b_dot - T_dot x)``, where T_dot is the triangle that is read."""
    (a, _), (x,) = arrays(args), arrays(outs)
    lower, trans, unit = (bool(flag) for flag in args[2:])
    change = None
    if 0 in dots:
        turned = s.keep(triangle(s, dots[0], lower, -1 if unit else 0))
        change = product(s, transposed(s, turned) if trans else turned, x)
    right = s.keep(minus(dots.get(1), change))
    return (triangular(s, a, right, int(lower), int(trans), int(unit), solver),)


def solve(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """``A^-1 (b_dot - A_dot x)``."""
    (a, _), (x,) = arrays(args), arrays(outs)
    change = product(s, dots[0], x) if 0 in dots else None
    return (call_like(s, "solve", (a, s.keep(minus(dots.get(1), change))), x),)


def inv(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """``-B A_dot B`` for the inverse B."""
    (inverse,) = arrays(outs)
    found = product(s, product(s, inverse, dots[0]), inverse)
    return (minus(None, found),)


def lu(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """``L_dot = L low(F)``, ``U_dot = up(F) U`` with ``F = L^-1 P A_dot U^-1``; A is square.

    For a singular A that is nan.
    """
    packed, pivots = arrays(outs)
    square = s.op("eq", packed.shape[0], packed.shape[1])
    assert isinstance(square, Num | bool)
    s.require(square, "the factors of a matrix that is not square have no derivative")
    moved = exchanged(s, dots[0], pivots)
    left = triangular(s, packed, moved, lower=1, unit=1)
    inner = triangular(s, packed, transposed(s, left), lower=0, trans=1, solver=SOLVE_ANY)  # F^T
    f = transposed(s, inner)
    lower, upper = unit_lower(s, packed), s.keep(triangle(s, packed, False))
    l_dot = product(s, lower, s.keep(triangle(s, f, True, -1)))
    u_dot = product(s, s.keep(triangle(s, f, False)), upper)
    return (plus(l_dot, u_dot),)


def lu_solve_any(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    return lu_solve(s, args, outs, dots, "lu_solve_any")


def lu_solve(s: Stage, args: Args, outs: Args, dots: Dots, name: str = "lu_solve") -> Sequence[Arr]:
    """``A^-1 (b_dot - A_dot x)`` with ``A_dot = P^T (L_dot U + L U_dot)``; or of the transpose."""
    (packed, pivots, _), (x,), trans = arrays(args), arrays(outs), bool(args[3])
    change = None
    if 0 in dots:
        lower, upper = unit_lower(s, packed), s.keep(triangle(s, packed, False))
        l_dot = s.keep(triangle(s, dots[0], True, -1))
        u_dot = s.keep(triangle(s, dots[0], False))
        if trans:
            turned = [transposed(s, m) for m in (lower, upper, l_dot, u_dot)]
            w = exchanged(s, x, pivots)
            one = product(s, turned[3], product(s, turned[0], w))
            change = plus(one, product(s, turned[1], product(s, turned[2], w)))
        else:
            one = product(s, l_dot, product(s, upper, x))
            both = plus(one, product(s, lower, product(s, u_dot, x)))
            change = exchanged(s, s.keep(both), pivots, back=True)
    right = s.keep(minus(dots.get(2), change))
    return (call_like(s, name, (packed, pivots, right, trans), x),)


def cofactors(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """``det(U V) conj(U) K conj(V)`` for ``A = U S V``, ``P = U^H A_dot V^H`` and products p of all
    other singular values: ``K[i, i] = sum of P[k, k] p[i, k]``, ``K[i, j] = -P[j, i] p[i, j]``.

    That is the derivative of the cofactors of a diagonal matrix; no gaps between singular values.
    """
    (a,), a_dot = arrays(args), dots[0]
    size, dtype = a.shape[0], a.dtype
    u, sigma, v = s.primitive("svd", (a,), ((dtype, 2), (real_dtype(dtype), 1), (dtype, 2)))
    assert isinstance(u, Arr)
    assert isinstance(sigma, Arr)
    assert isinstance(v, Arr)
    turn = s.op("mul", determinant(s, u), determinant(s, v))
    p = product(s, adjoint(s, u), product(s, a_dot, adjoint(s, v)))
    inner = s.new((size, size), dtype, 0.0)

    def others(i: Index, j: Index) -> Num | complex:
        def step(accs: Sequence[Num | complex], k: Index) -> tuple[Num | complex]:
            own = s.op("or", s.op("eq", k, i), s.op("eq", k, j))
            return (s.op("select", own, accs[0], s.op("mul", accs[0], sigma.at(k))),)

        return s.fold((size,), (turn,), step)[0]

    def add(i: Index, j: Index) -> None:
        same, zero, others_of = s.op("eq", i, j), s.cast(0, dtype), others(i, j)
        diagonal, beside = s.op("mul", p.at(j, j), others_of), s.op("mul", p.at(j, i), others_of)
        s.add(inner, (i, i), s.op("select", same, zero, diagonal))
        s.add(inner, (i, j), s.op("select", same, zero, s.op("neg", beside)))

    s.nest((size, size), add)
    return (product(s, conj(s, u), product(s, inner, conj(s, v))),)


def det(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Num | complex]:
    """The sum of the products of tangents and cofactors: of singular matrices, too."""
    (a,), a_dot = arrays(args), dots[0]
    partials = call_like(s, "cofactors", (a,), a)

    def step(accs: Sequence[Num | complex], i: Index, j: Index) -> tuple[Num | complex]:
        term = s.op("mul", partials.at(i, j), a_dot.at(i, j))
        return (s.op(addition(a.dtype), accs[0], term),)

    return s.fold(a.shape, (s.cast(0, a.dtype),), step)


# ---- orthogonal factors -------------------------------------------------------------------------


def qr(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """With ``A = Q (U V)``, ``C = Q^H X_dot U^-1`` and W the skew part that C has below its diagonal:
    ``U_dot = (C - W) U``, ``Q_dot = X_dot U^-1 - Q (C - W)``, and V is ``Q^H Y``.
    """  # noqa: E501
    (a,), (q, r), a_dot = arrays(args), arrays(outs), dots[0]
    size = q.shape[1]
    head, tail = (slice(None), slice(None, size)), (slice(None), slice(size, None))
    u = s.view(r, head)
    turned = triangular(s, u, transposed(s, s.view(a_dot, head)), lower=0, trans=1)
    right = transposed(s, turned)  # X_dot U^-1
    c = product(s, adjoint(s, q), right)
    upper = s.keep(minus(c, skew(s, c)))
    q_dot = s.keep(minus(right, product(s, q, upper)))
    u_dot = product(s, upper, u)
    v_dot = product(s, adjoint(s, q_dot), s.view(a, tail))
    s.primitive("matmul_add", (adjoint(s, q), s.view(a_dot, tail), v_dot), ())
    r_dot = s.new(r.shape, r.dtype)
    zero = s.cast(0, r.dtype)

    def first(i: Index, j: Index) -> None:
        s.store(r_dot, (i, j), s.op("select", s.op("le", i, j), u_dot.at(i, j), zero))

    def rest(i: Index, j: Index) -> None:
        at = s.op("add", j, size)
        assert isinstance(at, Num | int)
        s.store(r_dot, (i, at), v_dot.at(i, j))

    s.nest((size, size), first)
    others = s.op("sub", r.shape[1], size)
    assert isinstance(others, Num | int)
    s.nest((size, others), rest)
    return q_dot, r_dot


def svd(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """With ``P = U^H A_dot V``: ``s_dot = diag(P)``, ``U_dot = U (P S + S P^H) / gaps + (1 - U U^H)
    A_dot V / S``, and V likewise, where the gaps are those of the squares of s. Of the phases of
    complex vectors, which are free, only those of U move.
    """
    (u, sigma, vt), a_dot = arrays(outs), dots[0]
    size = sigma.shape[0]
    squares = s.keep(sigma.lazy((size,), lambda i: s.op("mul", sigma.at(i), sigma.at(i))))
    above, beside = (inverses(s, sigma, extent) for extent in a_dot.shape)
    v = s.keep(adjoint(s, vt))
    av, au = product(s, a_dot, v), product(s, adjoint(s, a_dot), u)
    p = product(s, adjoint(s, u), av)

    def turn_u(i: Index, j: Index) -> Num | complex:
        one = s.op("mul", p.at(i, j), sigma.at(j))
        return s.op("add", one, s.op("mul", sigma.at(i), conjugate(s, p.at(j, i), p.dtype)))

    def turn_v(i: Index, j: Index) -> Num | complex:
        one = s.op("mul", sigma.at(i), p.at(i, j))
        return s.op("add", one, s.op("mul", conjugate(s, p.at(j, i), p.dtype), sigma.at(j)))

    def over(turn: Callable[[Index, Index], Num | complex]) -> Arr:
        return s.keep(over_gaps(s, p.lazy((size, size), turn), squares))

    def moved(basis: Arr, inner: Arr, image: Arr, inverse: Arr) -> Arr:
        shown = product(s, basis, product(s, adjoint(s, basis), image))
        outside = scaled_columns(s, minus(image, shown), inverse)
        return plus(product(s, basis, inner), outside)

    inner_u, inner_v = over(turn_u), over(turn_v)
    if is_complex(p.dtype):
        s.nest((size,), lambda i: s.add(inner_u, (i, i), turning(s, p.at(i, i), sigma.at(i))))
    v_dot = s.keep(moved(v, inner_v, au, beside))
    return moved(u, inner_u, av, above), diagonal_of(s, p, size), adjoint(s, v_dot)


def eigh(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """With ``P = V^H A_dot V``: ``w_dot = diag(P)`` and ``V_dot = V (P / gaps)``.

    Complex vectors turn, besides, so that one row of them stays real.
    """
    (values, vectors), upper = arrays(outs), bool(args[1])
    image = product(s, s.keep(hermitian(s, dots[0], upper)), vectors)
    p = product(s, adjoint(s, vectors), image)
    turned = s.keep(over_gaps(s, p, values))
    moved = product(s, vectors, turned)
    if not is_complex(vectors.dtype):
        return diagonal_of(s, p, values.shape[0]), moved

    row = real_row(s, vectors, upper)

    def at(i: Index, j: Index) -> Num | complex:
        back = s.op("mul", s.op("np.imag", moved.at(row, j)), phase_factor(s, vectors, row, j))
        turn = s.op("complex", s.cast(0, values.dtype), back)
        return s.op("sub", moved.at(i, j), s.op("mul", vectors.at(i, j), turn))

    return diagonal_of(s, p, values.shape[0]), moved.lazy(moved.shape, at)


def eig(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    raise s.refuse("eig has no derivative", "use eigh for symmetric matrices")


# ---- library functions --------------------------------------------------------------------------


def solve_by_factors(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """``A^-1 (b_dot - A_dot x)``, by the factors of A."""
    x, factors, pivots = arrays(outs)
    change = product(s, dots[0], x) if 0 in dots else None
    right = s.keep(minus(dots.get(1), change))
    return (call_like(s, "lu_solve", (factors, pivots, right, False), x),)


def slogdet(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Num | complex]:
    """The real part of the trace of ``A^-1 A_dot``; the imaginary part turns a complex sign."""
    (a,), (factors, pivots), sign = arrays(args), arrays(outs), outs[0]
    inner = call_like(s, "lu_solve_any", (factors, pivots, dots[0], False), a)

    def step(accs: Sequence[Num | complex], i: Index) -> tuple[Num | complex]:
        return (s.op("add", accs[0], inner.at(i, i)),)

    (trace,) = s.fold((a.shape[0],), (s.cast(0, a.dtype),), step)
    if not is_complex(a.dtype):
        return 0.0, trace
    turn = s.op("complex", s.cast(0, real_dtype(a.dtype)), s.op("np.imag", trace))
    assert isinstance(sign, Num)
    return s.op("mul", sign, turn), s.op("np.real", trace)


def pinv(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """``-B A_dot B + B B^H A_dot^H (1 - A B) + (1 - B A) A_dot^H B^H B``."""
    (a,), b, a_dot = arrays(args), arrays(outs)[0], dots[0]
    turned, turned_dot = s.keep(adjoint(s, b)), s.keep(adjoint(s, a_dot))
    first = product(s, product(s, b, a_dot), b)
    left = product(s, product(s, b, turned), turned_dot)
    second = minus(left, product(s, product(s, left, a), b))
    right = product(s, product(s, turned_dot, turned), b)
    third = minus(right, product(s, product(s, b, a), right))
    return (minus(plus(second, third), first),)


# Library functions that have a pushforward of their own.
LIBRARY: Mapping[str, Push] = {
    "rules:solve": solve_by_factors,
    "rules:slogdet": slogdet,
    "rules:det": det,
    "rules:pinv": pinv,
    "rules:sqrtm": sqrtm,
    "rules:polar": polar,
}
