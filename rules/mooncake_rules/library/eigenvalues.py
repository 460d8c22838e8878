"""Eigenvalues and eigenvectors of Hermitian matrices.

Pullbacks: Giles (2008); of complex vectors, besides, what keeps their phases as LAPACK has them.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.contraction import adjoint
from mooncake_rules.library.linalg import Bars, Results
from mooncake_rules.library.matrices import floats, half, over_gaps, scaled_columns, square
from mooncake_rules.library.stacks import arrays, for_each
from mooncake_rules.library.support import is_complex, real_dtype

TABLE = Table()

EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")


@TABLE.add("numpy.linalg.eigh", "np.linalg.eigh(p)[0]", "np.abs(np.linalg.eigh(p)[1])",
           "np.linalg.eigh(p, UPLO={side})", "np.linalg.eigh(m + 1j * p, {side})",
           "np.linalg.eigh(np.stack((p, m)), UPLO={side})[0]",
           "np.abs(np.linalg.eigh(np.stack((p, m + m.T)))[1])",
           "np.linalg.eigh(z @ z.conj().T + p)[0]", side=("L", "U"))  # fmt: skip
def eigh(s: Stage, a: object, UPLO: str = "L") -> EighResult:
    given = floats(s, square(s, a, "eigh"))
    if UPLO not in ("L", "U"):
        raise s.refuse("UPLO must be 'L' or 'U'")

    results = ((real_dtype(given.dtype), given.shape[-1:]), (given.dtype, given.shape[-2:]))

    def one(matrix: Arr) -> Sequence[object]:
        return s.rule("eigh", eigh_rule, matrix, UPLO == "U")

    return EighResult(*for_each(s, one, results, (given, 2), what="eigh"))


@TABLE.add("numpy.linalg.eigvalsh", "np.linalg.eigvalsh(p)", "np.linalg.eigvalsh(p, 'U')",
           "np.linalg.eigvalsh(np.stack((p, m + m.T)))", "np.linalg.eigvalsh(m + 1j * p)",
           "np.linalg.eigvalsh(np.stack((m + 1j * p, p)), 'U')")  # fmt: skip
def eigvalsh(s: Stage, a: object, UPLO: str = "L") -> Arr:
    given = floats(s, square(s, a, "eigvalsh"))
    if UPLO not in ("L", "U"):
        raise s.refuse("UPLO must be 'L' or 'U'")

    def one(matrix: Arr) -> Sequence[object]:
        return s.rule("eigvalsh", _eigvalsh, matrix, UPLO == "U")

    results = ((real_dtype(given.dtype), given.shape[-1:]),)
    (values,) = arrays(for_each(s, one, results, (given, 2), what="eigvalsh"))
    return values


def _eigvalsh(s: Stage, a: Arr, upper: bool) -> Results:
    """The pullback of eigenvalues: ``V diag(w_bar) V^H``, in the triangle that is read."""
    w, v = _eigenpairs(s, a, upper)

    def pullback(w_bar: Arr) -> Bars:
        return (half(s, scaled_columns(s, v, w_bar) @ adjoint(s, v), upper),)

    return (w,), pullback


def _eigenpairs(s: Stage, a: Arr, upper: bool) -> tuple[Arr, Arr]:
    w, v = s.primitive("eigh", (a, upper), ((real_dtype(a.dtype), 1), (a.dtype, 2)))
    assert isinstance(w, Arr)
    assert isinstance(v, Arr)
    s.equate(*a.shape)
    return s.shaped(w, a.shape[:1]), s.shaped(v, a.shape)


def eigh_rule(s: Stage, a: Arr, upper: bool) -> Results:
    """The pullback of ``eigh``: ``V (diag(w_bar) + (V^H V_bar) / gaps) V^H``, in one triangle."""
    w, v = _eigenpairs(s, a, upper)

    def pullback(w_bar: Arr, v_bar: Arr) -> Bars:
        free = _without_phases(s, v, v_bar, upper)
        inner = s.keep(over_gaps(s, adjoint(s, v) @ free, w))
        s.nest(w.shape, lambda i: s.add(inner, (i, i), w_bar.at(i)))
        return (half(s, v @ inner @ adjoint(s, v), upper),)

    return (w, v), pullback


def _without_phases(s: Stage, v: Arr, v_bar: Arr, upper: bool) -> Arr:
    """The cotangent of eigenvectors before each was turned so that one item is real."""
    if not is_complex(v.dtype):
        return v_bar
    rows, columns = v.shape

    def turned(j: Num | int) -> Num | complex:
        def step(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex]:
            term = s.op("mul", s.op("np.conj", v_bar.at(i, j)), v.at(i, j))
            return (s.op("add", accs[0], s.op("np.imag", term)),)

        (total,) = s.fold((rows,), (s.cast(0, real_dtype(v.dtype)),), step)
        return s.op("mul", total, phase_factor(s, v, row, j))

    free, row = s.copied(v_bar), real_row(s, v, upper)

    def one(j: Num | int) -> None:
        s.add(free, (row, j), s.op("complex", s.cast(0, real_dtype(v.dtype)), turned(j)))

    s.nest((columns,), one)
    return free


def real_row(s: Stage, v: Arr, upper: bool) -> Num | int:
    """The row of complex eigenvectors that LAPACK makes real: the first, or for "U" the last."""
    return size_op(s, "sub", v.shape[0], 1) if upper else 0


def phase_factor(s: Stage, v: Arr, row: Num | int, j: Num | int) -> Num | complex:
    """The inverse of the item of an eigenvector that is real.

    0 where that is hardly more than rounding: then its phase is anything.
    """
    item = s.op("np.real", v.at(row, j))
    flat = s.op("lt", s.op("np.abs", item), 1e-8 if v.dtype == "complex128" else 1e-4)
    one, zero = (s.cast(k, real_dtype(v.dtype)) for k in (1, 0))
    return s.op("select", flat, zero, s.op("div", one, s.op("select", flat, one, item)))
