"""Systems of equations as SciPy has them: with what is said of their matrices beforehand."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value
from mooncake_rules.library import linalg
from mooncake_rules.library.arguments import flag, one_of
from mooncake_rules.library.factors import cho_factor, cho_solve
from mooncake_rules.library.linalg import each_square, each_system, inv_rule, solve_triangular
from mooncake_rules.library.matrices import floats, hermitian, square
from mooncake_rules.library.support import as_array, is_complex

TABLE = Table()

GENERAL, POSITIVE = "general", "positive definite"
SYMMETRIC, HERMITIAN = "symmetric", "hermitian"
UPPER, LOWER = "upper triangular", "lower triangular"
SHORT = {"gen": GENERAL, "pos": POSITIVE, "sym": SYMMETRIC, "her": HERMITIAN}
LONG = (GENERAL, POSITIVE, SYMMETRIC, HERMITIAN, UPPER, LOWER)


def assumed(s: Stage, assume_a: object) -> str:
    """The long name of what a matrix is said to be; nothing said is a general one."""
    if assume_a is None:
        return GENERAL  # SciPy looks for a structure then, and reads all of the matrix
    if assume_a in ("diagonal", "tridiagonal", "banded"):
        help_ = "leave assume_a out where the other elements are zero"
        raise s.refuse(f"assume_a={assume_a!r} is not supported", help_)
    name = one_of(s, assume_a, "assume_a", (*SHORT, *LONG))
    return SHORT.get(name, name)


def as_read(s: Stage, a: Arr, kind: str, lower: bool) -> Arr:
    """The matrix that SciPy sees: where it is said to be symmetric, one triangle tells all."""
    if kind == SYMMETRIC and is_complex(a.dtype):

        def at(i: Num | int, j: Num | int) -> Num | complex:
            own = s.op("ge" if lower else "le", i, j)
            return s.op("select", own, a.at(i, j), a.at(j, i))

        return s.keep(a.lazy(a.shape, at))
    if kind in (SYMMETRIC, HERMITIAN):
        return s.keep(hermitian(s, a, upper=not lower))
    return a


@TABLE.add(
    "scipy.linalg.solve", "scipy.linalg.solve(m, w)", "scipy.linalg.solve(np.stack((m, p)), t)",
    "scipy.linalg.solve(m + p, x + 1.0, overwrite_a=True, overwrite_b=True, check_finite=False)",
    "scipy.linalg.solve(m, x, transposed=True)",
    "scipy.linalg.solve(p, w, assume_a={kind}, lower={flag})",
    "scipy.linalg.solve(m, x, {flag}, assume_a={indefinite})",
    "scipy.linalg.solve(np.stack((m, p)), t, assume_a={indefinite})",
    "scipy.linalg.solve(m + 1j * p, z, assume_a={indefinite}, lower={flag})",
    "scipy.linalg.solve(z @ z.conj().T + p, w, assume_a='pos', lower={flag})",
    kind=("gen", "pos", "sym", "her", None),
    indefinite=("general", "sym", "hermitian", "upper triangular", "lower triangular"),
    flag=(False, True),
)  # fmt: skip
def solve(
    s: Stage, a: object, b: object, lower: bool = False, overwrite_a: bool = False,
    overwrite_b: bool = False, check_finite: bool = True, assume_a: object = None,
    transposed: bool = False,
) -> Arr:  # fmt: skip
    # What overwrite_a and overwrite_b leave in the arrays is anybody's guess: here, what was there.
    kind, is_lower = assumed(s, assume_a), flag(s, lower, "lower")
    given = square(s, a, "solve")
    if flag(s, transposed, "transposed"):
        if is_complex(given.dtype):
            raise s.refuse("transposed=True is not for complex matrices", "solve(a.T, b)")
        if kind != GENERAL:
            raise s.refuse("transposed=True with assume_a is not supported", "solve(a.T, b)")
        given = as_array(s, s.call("numpy.swapaxes", given, -1, -2))
    if kind == POSITIVE:
        return cho_solve(s, cho_factor(s, given, is_lower), b)
    if kind in (UPPER, LOWER):
        return solve_triangular(s, given, b, lower=kind == LOWER)

    def one(x: Arr, y: Arr) -> Sequence[object]:
        return s.rule("solve", linalg.solve_rule, as_read(s, x, kind, is_lower), y)

    return each_system(s, one, given, b, "solve")


@TABLE.add(
    "scipy.linalg.inv", "scipy.linalg.inv(m)", "scipy.linalg.inv(np.stack((m, p))) * a",
    "scipy.linalg.inv(m + p, overwrite_a=True, check_finite=False)",
    "scipy.linalg.inv(m + 1j * p, assume_a={kind}, lower={flag})",
    "scipy.linalg.inv(p, assume_a={kind}, lower={flag})",
    kind=("gen", "sym", "her"), flag=(False, True),
)  # fmt: skip
def inv(
    s: Stage, a: object, overwrite_a: bool = False, check_finite: bool = True, *,
    assume_a: object = None, lower: bool = False,
) -> Arr:  # fmt: skip
    kind, is_lower = assumed(s, assume_a), flag(s, lower, "lower")
    if kind not in (GENERAL, SYMMETRIC, HERMITIAN):
        help_ = "solve(a, np.eye(len(a)), assume_a=...)"
        raise s.refuse(f"inv: assume_a={kind!r} is not supported", help_)

    def one(x: Arr) -> Sequence[object]:
        return s.rule("inv", inv_rule, as_read(s, x, kind, is_lower))

    return each_square(s, one, floats(s, square(s, a, "inv")), "inv")


@TABLE.add("scipy.linalg.det", "scipy.linalg.det(m)", "scipy.linalg.det(np.stack((m, p)))",
           "scipy.linalg.det(m + 1j * p, True, False)")  # fmt: skip
def det(s: Stage, a: object, overwrite_a: bool = False, check_finite: bool = True) -> Value:
    return linalg.det(s, a)
