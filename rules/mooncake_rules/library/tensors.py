"""Equations and inverses of tensors: those of the matrices that they are when axes are grouped."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Stage, Table, fix_axis, product
from mooncake_rules.arrays.sizes import Shape
from mooncake_rules.library.arguments import holds, whole_number
from mooncake_rules.library.linalg import inv, solve
from mooncake_rules.library.matrices import LINALG_ERROR
from mooncake_rules.library.support import as_array
from mooncake_rules.library.views import flattened, transposed

TABLE = Table()

FOUR = "(5.0 * np.eye(len(v)) + np.outer(v, u))"


def _grouped(s: Stage, a: Arr, rows: Shape, columns: Shape, what: str) -> Arr:
    """``a`` as a square matrix."""
    height, width = product(s, rows), product(s, columns)
    if not s.same(height, width):
        s.require(holds(s, "eq", height, width), f"{what}: the matrix must be square", LINALG_ERROR)
        s.equate(height, width)
    return s.reshape(a, (height, width))


@TABLE.add(
    "numpy.linalg.tensorsolve",
    "np.linalg.tensorsolve(m, w)", "np.linalg.tensorsolve(m[:, None], w[:, None])",
    "np.linalg.tensorsolve(m[None, :, :, None], w[None])",
    f"np.linalg.tensorsolve({FOUR}.reshape(2, 2, 2, 2), m[:2, :2], {{axes}})",
    "np.linalg.tensorsolve(np.eye(4).reshape(2, 2, 4) + v, m[1:, 1:])",
    axes=(None, (0,), (0, 2), (1,)),
)  # fmt: skip
def tensorsolve(s: Stage, a: object, b: object, axes: object = None) -> Arr:
    """``x`` with ``tensordot(a, x, x.ndim) == b``; ``axes`` of ``a`` come last."""
    array, right = as_array(s, a), as_array(s, b)
    if axes is not None:
        if not isinstance(axes, tuple | list):
            raise s.refuse("tensorsolve: axes must be a constant tuple", None, "MK310")
        last = [fix_axis(s, axis, array.ndim) for axis in axes]
        rest = [k for k in range(array.ndim) if k not in last]
        array = transposed(s, array, [*rest, *last])
    if array.ndim <= right.ndim:
        raise s.refuse("tensorsolve: a must have more axes than b", None, "MK214")
    rows, columns = array.shape[: right.ndim], array.shape[right.ndim :]
    found = solve(s, _grouped(s, array, rows, columns, "tensorsolve"), flattened(s, right))
    return s.reshape(found, columns)


@TABLE.add(
    "numpy.linalg.tensorinv",
    "np.linalg.tensorinv(m, ind=1)", "np.linalg.tensorinv(m[None, :, :, None])",
    f"np.linalg.tensorinv({FOUR}.reshape({{shape}}), {{ind}})",
    shape=((2, 2, 2, 2), (2, 2, 4), (4, 2, 2)), ind=(1, 2, 3),
)  # fmt: skip
def tensorinv(s: Stage, a: object, ind: object = 2) -> Arr:
    """The inverse of ``a`` as a matrix: its first ``ind`` axes are the rows."""
    array, count = as_array(s, a), whole_number(s, ind, "ind")
    if not 0 < count < array.ndim:
        raise s.refuse(f"tensorinv: ind={count} of an array of rank {array.ndim}", None, "MK214")
    rows, columns = array.shape[:count], array.shape[count:]
    found = inv(s, _grouped(s, array, rows, columns, "tensorinv"))
    return s.reshape(found, (*columns, *rows))
