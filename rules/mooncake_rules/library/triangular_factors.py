"""``P L U``: triangular factors of matrices of any shape, as matrices."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Num, Stage, Table
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import flag
from mooncake_rules.library.factors import lu_factor
from mooncake_rules.library.lanes import detached
from mooncake_rules.library.linalg import solve_triangular
from mooncake_rules.library.matrices import one_real
from mooncake_rules.library.support import as_array
from mooncake_rules.library.views import plus

TABLE = Table()

Size = Num | int


@TABLE.add(
    "scipy.linalg.lu", "scipy.linalg.lu(m)", "scipy.linalg.lu(x)", "scipy.linalg.lu(x.T)",
    "scipy.linalg.lu(m, permute_l=True)", "scipy.linalg.lu(x[:, ::-1], True)",
    "scipy.linalg.lu(np.exp(x.T), True)", "scipy.linalg.lu(m[::-1], p_indices=True)",
    "scipy.linalg.lu(x.T, p_indices=True)",
)  # fmt: skip
def lu(
    s: Stage, a: object, permute_l: bool = False, overwrite_a: bool = False,
    check_finite: bool = True, p_indices: bool = False,
) -> tuple[Arr, ...]:  # fmt: skip
    """``scipy.linalg.lu``; the row exchanges have no derivative."""
    given = one_real(s, as_array(s, a), "lu")
    rows, columns = given.shape
    order = s.new((rows,), "int64")  # the rows of ``given`` in the order of L's
    s.nest((rows,), lambda i: s.store(order, (i,), i))
    size, top = rows, given
    if not s.same(rows, columns):
        size = size_op(s, "np.minimum", rows, columns)
        matrix = s.keep(as_array(s, detached(s, given)))
        (pivots,) = s.primitive("pivots", (matrix,), (("int64", 1),))
        assert isinstance(pivots, Arr)
        _exchange(s, order, pivots, size)
        top = given.lazy((size, size), lambda i, j: given.at(_at(order, i), j))
    packed, again = lu_factor(s, top)
    _exchange(s, order, again, size)  # what is on top is in order already, but for ties
    lower = _lower(s, packed, given, order, flag(s, permute_l, "permute_l"))
    upper = _upper(s, packed, given, order)
    if permute_l:
        return lower, upper
    return _permutation(s, order, size, given.dtype, flag(s, p_indices, "p_indices")), lower, upper


def _at(order: Arr, i: Size) -> Size:
    found = order.at(i)
    assert isinstance(found, Num | int)
    return found


def _exchange(s: Stage, order: Arr, pivots: Arr, size: Size) -> None:
    """Exchange item i for item ``pivots[i]``, for one i after the other."""

    def one(i: Size) -> None:
        other = _at(pivots, i)
        first, second = order.at(i), order.at(other)
        s.store(order, (i,), second)
        s.store(order, (other,), first)

    s.nest((size,), one)


def _lower(s: Stage, packed: Arr, given: Arr, order: Arr, permuted: bool) -> Arr:
    """L; or P L, its rows in the order of the matrix."""
    size, rows = packed.shape[0], given.shape[0]
    out = s.new((rows, size), packed.dtype)

    def place(i: Size) -> Size:
        return _at(order, i) if permuted else i

    def one(i: Size, j: Size) -> None:
        above = s.op("select", s.op("eq", i, j), s.cast(1, out.dtype), s.cast(0, out.dtype))
        item = s.op("select", s.op("gt", i, j), packed.at(i, j), above)
        s.store(out, (place(i), j), item)

    s.nest((size, size), one)
    if s.same(rows, given.shape[1]):
        return out
    rest = size_op(s, "sub", rows, size)
    turned = given.lazy((size, rest), lambda j, i: given.at(_at(order, plus(s, size, i)), j))
    found = solve_triangular(s, packed, turned, trans=1)
    s.nest((rest, size), lambda i, j: s.store(out, (place(plus(s, size, i)), j), found.at(j, i)))
    return out


def _upper(s: Stage, packed: Arr, given: Arr, order: Arr) -> Arr:
    size, columns = packed.shape[0], given.shape[1]
    out = s.new((size, columns), packed.dtype)

    def one(i: Size, j: Size) -> None:
        item = s.op("select", s.op("le", i, j), packed.at(i, j), s.cast(0, out.dtype))
        s.store(out, (i, j), item)

    s.nest((size, size), one)
    if s.same(given.shape[0], columns):
        return out
    rest = size_op(s, "sub", columns, size)
    beside = given.lazy((size, rest), lambda i, j: given.at(_at(order, i), plus(s, size, j)))
    found = solve_triangular(s, packed, beside, lower=True, unit_diagonal=True)
    s.nest(found.shape, lambda i, j: s.store(out, (i, plus(s, size, j)), found.at(i, j)))
    return out


def _permutation(s: Stage, order: Arr, count: Size, dtype: str, indices: bool) -> Arr:
    """The matrix P, or for each row of the matrix that of L; without columns, SciPy's is empty."""
    size = order.shape[0]
    if not s.same(size, count):
        found = s.op("select", s.op("eq", count, 0), 0, size)
        assert isinstance(found, Num | int)
        size = found
    if indices:
        out = s.new((size,), "int32")
        s.nest((size,), lambda i: s.store(out, (_at(order, i),), i))
    else:
        out = s.new((size, size), dtype, 0)
        s.nest((size,), lambda i: s.store(out, (_at(order, i), i), 1))
    return out
