"""The Kronecker product."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Num, Stage, Table
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.support import as_array

TABLE = Table()


@TABLE.add(
    "numpy.kron",
    "np.kron(x, m)",
    "np.kron(v, w)",
    "np.kron(v, m)",
    "np.kron(a, m)",
    "np.kron(z, v)",
)
def kron(s: Stage, a: object, b: object) -> Arr:
    """Every product of an element of ``a`` and one of ``b``."""
    x, y = as_array(s, a), as_array(s, b)
    rank = max(x.ndim, y.ndim)
    x, y = (_padded(s, array, rank) for array in (x, y))
    fine_shape = tuple(size for pair in zip(x.shape, y.shape, strict=True) for size in pair)
    dtype = s.promote(x, y)

    def at_fine(*index: Num | int) -> Num | complex:
        return s.op("mul", x.at(*index[::2]), y.at(*index[1::2]))

    def at(*index: Num | int) -> Num | complex:
        pairs = zip(index, y.shape, strict=True)
        digits = [size_op(s, op, i, n) for i, n in pairs for op in ("floordiv", "mod")]
        return at_fine(*digits)

    reads = x.reads | y.reads
    shape = tuple(size_op(s, "mul", n, m) for n, m in zip(x.shape, y.shape, strict=True))
    fine = Arr(s, dtype, fine_shape, at_fine, None, False, reads)
    return Arr(s, dtype, shape, at, None, False, reads, fine, (2,) * rank)


def _padded(s: Stage, array: Arr, rank: int) -> Arr:
    """``array`` with leading axes of size 1."""
    extra = rank - array.ndim
    kept = s.keep(array)
    if not extra:
        return kept
    return kept.lazy((1,) * extra + kept.shape, lambda *i: kept.at(*i[extra:]))
