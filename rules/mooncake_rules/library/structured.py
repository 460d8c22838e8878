"""Matrices made of a few numbers: diagonal blocks, constant diagonals, companions."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Num, Stage, Table, elementwise
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import holds, integer
from mooncake_rules.library.shape import at_least
from mooncake_rules.library.support import as_array, astype, floating, is_complex
from mooncake_rules.library.views import flattened, plus

TABLE = Table()

Size = Num | int


def vector(s: Stage, a: object, what: str) -> Arr:
    array = as_array(s, a)
    if array.ndim > 1:
        raise s.refuse(f"{what} takes vectors, got rank {array.ndim}", "loop over them", "MK214")
    return flattened(s, array)


@TABLE.add(
    "scipy.linalg.block_diag", "scipy.linalg.block_diag(x, m)", "scipy.linalg.block_diag(a, v, z)",
    "scipy.linalg.block_diag(x)", "scipy.linalg.block_diag(x * y, [[a, 1.0], [2, b]], idx)",
    "scipy.linalg.block_diag(m, [], w)", "scipy.linalg.block_diag(v[:, None], x.T, b)",
)  # fmt: skip
def block_diag(s: Stage, *arrs: object) -> Arr:
    """Matrices one after the other along the diagonal; vectors are rows."""
    blocks = [as_array(s, a) for a in arrs or ((),)]
    if any(block.ndim > 2 for block in blocks):
        raise s.refuse("block_diag of stacks of matrices is not supported", None, "MK214")
    blocks = [at_least(s, block, 2) for block in blocks]
    rows: list[Size] = [0]
    columns: list[Size] = [0]
    for block in blocks:
        rows.append(plus(s, rows[-1], block.shape[0]))
        columns.append(plus(s, columns[-1], block.shape[1]))
    out = s.new((rows.pop(), columns.pop()), s.promote(*blocks), 0)
    for block, i0, j0 in zip(blocks, rows, columns, strict=True):

        def one(i: Size, j: Size, block: Arr = block, i0: Size = i0, j0: Size = j0) -> None:
            s.store(out, (plus(s, i0, i), plus(s, j0, j)), block.at(i, j))

        s.nest(block.shape, one)
    return out


# ---- constant along diagonals -------------------------------------------------------------------


def _joined(s: Stage, first: Arr, other: Arr) -> Arr:
    """``first`` and what follows the first element of ``other``, in memory."""
    size, rest = first.shape[0], s.shrunk(other.shape[0], 1)
    out = s.new((plus(s, size, rest),), s.promote(first, other))
    s.nest((size,), lambda i: s.store(out, (i,), first.at(i)))
    s.nest((rest,), lambda i: s.store(out, (plus(s, size, i),), other.at(plus(s, i, 1))))
    return out


@TABLE.add(
    "scipy.linalg.toeplitz", "scipy.linalg.toeplitz(v)", "scipy.linalg.toeplitz(v, w)",
    "scipy.linalg.toeplitz(w, v)", "scipy.linalg.toeplitz(z[0])", "scipy.linalg.toeplitz(z[0], v)",
    "scipy.linalg.toeplitz((a, b, 0.0), v)", "scipy.linalg.toeplitz(a, v)",
    "scipy.linalg.toeplitz(np.exp(v))", "scipy.linalg.toeplitz(v, idx)",
)  # fmt: skip
def toeplitz(s: Stage, c: object, r: object = None) -> Arr:
    """The first column is ``c``, the first row ``r``, but for its first element, or ``conj(c)``."""
    column = vector(s, c, "toeplitz")
    size = column.shape[0]
    last = size_op(s, "sub", size, 1)
    if r is None and not is_complex(column.dtype):
        kept = column if column.cheap else s.keep(column)

        def mirrored(i: Size, j: Size) -> Num | complex:
            return kept.at(size_op(s, "abs", size_op(s, "sub", i, j)))

        return kept.lazy((size, size), mirrored)
    column = s.keep(column)
    if r is None:
        row = as_array(s, elementwise(s, "np.conj", column))
    else:
        row = vector(s, r, "toeplitz")
    turned = column.lazy((size,), lambda i: column.at(size_op(s, "sub", last, i)))
    values = _joined(s, turned, row)

    def at(i: Size, j: Size) -> Num | complex:
        return values.at(plus(s, size_op(s, "sub", last, i), j))

    return values.lazy((size, row.shape[0]), at)


@TABLE.add(
    "scipy.linalg.hankel", "scipy.linalg.hankel(v)", "scipy.linalg.hankel(v, w)",
    "scipy.linalg.hankel(w, v)", "scipy.linalg.hankel(z[0], v)",
    "scipy.linalg.hankel((a, b), x[0])",
    "scipy.linalg.hankel(np.exp(v))",
)  # fmt: skip
def hankel(s: Stage, c: object, r: object = None) -> Arr:
    """The first column is ``c``, the last row ``r``, but for its first element, or zeros."""
    column = vector(s, c, "hankel")
    if r is None:
        row = column.lazy(column.shape, lambda i: s.cast(0, column.dtype))
    else:
        row = vector(s, r, "hankel")
    values = _joined(s, column, row)
    return values.lazy((column.shape[0], row.shape[0]), lambda i, j: values.at(plus(s, i, j)))


@TABLE.add(
    "scipy.linalg.circulant", "scipy.linalg.circulant(v)", "scipy.linalg.circulant(z[0])",
    "scipy.linalg.circulant((a, b, 2.0))", "scipy.linalg.circulant(np.sin(w)) @ m",
)  # fmt: skip
def circulant(s: Stage, c: object) -> Arr:
    """Each column is the one before moved down by one."""
    column = vector(s, c, "circulant")
    kept = column if column.cheap else s.keep(column)
    size = kept.shape[0]

    def at(i: Size, j: Size) -> Num | complex:
        down = size_op(s, "sub", i, j)
        row = s.op("select", s.op("lt", down, 0), plus(s, down, size), down)
        assert isinstance(row, Num | int)
        return kept.at(row)

    return kept.lazy((size, size), at)


@TABLE.add(
    "scipy.linalg.hilbert", "scipy.linalg.hilbert({n}) * a",
    "scipy.linalg.hilbert(len(v)) @ v", n=(0, 1, 3),
)  # fmt: skip
def hilbert(s: Stage, n: object) -> Arr:
    """``1 / (i + j + 1)``."""
    size = integer(s, n, "n")

    def at(i: Size, j: Size) -> Num | complex:
        return s.op("div", 1.0, plus(s, plus(s, i, j), 1))

    return Arr(s, "float64", (size, size), at)


@TABLE.add(
    "scipy.linalg.companion", "scipy.linalg.companion(v)", "scipy.linalg.companion((a, b, 2.0))",
    "scipy.linalg.companion(z[0])", "scipy.linalg.companion(v[:2])",
)  # fmt: skip
def companion(s: Stage, a: object) -> Arr:
    """The matrix whose eigenvalues are the roots of the polynomial with these coefficients."""
    given = vector(s, a, "companion")
    given = s.keep(astype(s, given, floating(given.dtype)))
    size = size_op(s, "sub", given.shape[0], 1)
    s.require(holds(s, "ge", size, 1), "companion needs at least 2 coefficients")
    first = given.at(0)
    s.require(holds(s, "ne", first, 0), "the first coefficient must not be zero")
    out = s.new((size, size), given.dtype, 0)

    def row(j: Size) -> None:
        s.store(out, (0, j), s.op("div", s.op("neg", given.at(plus(s, j, 1))), first))

    s.nest((size,), row)
    s.nest((size_op(s, "sub", size, 1),), lambda i: s.store(out, (plus(s, i, 1), i), 1))
    return out
