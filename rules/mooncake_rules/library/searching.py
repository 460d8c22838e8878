"""Positions in sorted arrays."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Num, Stage, Table, Value
from mooncake_rules.arrays.sizes import size_op
from mooncake_rules.library.arguments import flag, one_of
from mooncake_rules.library.support import as_array

TABLE = Table()

Number = Num | complex


def position(s: Stage, at: Arr, value: Number, op: str) -> Num | int:
    """The first index at which not ``at(i) op value``, which holds up to there only."""

    def halve(lo: Num | int, hi: Num | int) -> tuple[Number, ...]:
        middle = size_op(s, "floordiv", size_op(s, "add", lo, hi), 2)
        before = s.op(op, at.at(middle), value)
        after = size_op(s, "add", middle, 1)
        return s.op("select", before, after, lo), s.op("select", before, hi, middle)

    found, _ = s.loop((0, at.shape[0]), lambda lo, hi: s.op("lt", lo, hi), halve)  # type: ignore[arg-type,return-value]
    assert isinstance(found, Num | int)
    return found


@TABLE.add(
    "numpy.searchsorted ndarray.searchsorted",
    "v[np.searchsorted(np.array([0.0, 0.1, 0.2]), w, side={side})]",
    "np.searchsorted([0.0, 1.0, 2.0], x, {side}) * a",
    "np.searchsorted([0, 2, 2, 3], idx, {side}) * a",
    "v[np.searchsorted([0.0, 1.0, 2.0], a)]",
    side=("left", "right"),
)
def searchsorted(
    s: Stage, a: object, v: object, side: str = "left", sorter: object = None
) -> Value:
    """The positions at which ``v`` keeps the sorted ``a`` in order if inserted: by bisection."""
    side = one_of(s, side, "side", ("left", "right"))
    table = s.keep(as_array(s, a))
    if table.ndim != 1:
        raise s.refuse("searchsorted takes a vector to search in", None, "MK214")
    if sorter is not None:
        order, plain = s.keep(as_array(s, sorter)), table
        table = plain.lazy(plain.shape, lambda i: plain.at(order.at(i)))
    op = "lt" if side == "left" else "le"
    if not isinstance(v, Arr | tuple | list):
        return position(s, table, as_array(s, v).at(), op)
    values = as_array(s, v)
    return values.lazy(
        values.shape, lambda *i: position(s, table, values.at(*i), op), "int64", False
    )


@TABLE.add(
    "numpy.digitize",
    "np.digitize(x, [-1.0, 0.0, 1.0], right={right}) * a",
    "np.digitize(idx, [2, 1, 1], right={right}) * a",
    "v[np.digitize(a, [0.0, 1.0])]",
    right=(False, True),
)
def digitize(s: Stage, x: object, bins: object, right: bool = False) -> Value:
    """The number of the bin of each element of ``x``; ``bins`` increase or decrease."""
    edges, right = s.keep(as_array(s, bins)), flag(s, right, "right")
    if edges.ndim != 1:
        raise s.refuse("digitize takes a vector of bins", None, "MK214")
    size = edges.shape[0]
    falls = _falls(s, edges)

    def at(i: Num | int) -> Number:
        """The bins as they increase."""
        back = size_op(s, "sub", size_op(s, "sub", size, 1), i)
        k = s.op("select", falls, back, i)
        assert isinstance(k, Num | int)
        return edges.at(k)

    rising = edges.lazy(edges.shape, at)

    def place(value: Number) -> Number:
        op = "lt" if right else "le"
        return s.choose(
            falls,
            lambda: (size_op(s, "sub", size, position(s, rising, value, op)),),
            lambda: (position(s, edges, value, op),),
        )[0]

    if not isinstance(x, Arr | tuple | list):
        return place(as_array(s, x).at())
    values = as_array(s, x)
    return values.lazy(values.shape, lambda *i: place(values.at(*i)), "int64", False)


def _falls(s: Stage, edges: Arr) -> Num | bool:
    """True if ``edges`` decrease; requires them to be monotonic."""

    def step(accs: tuple[Number, ...], i: Num | int) -> tuple[Number, ...]:
        one, other = edges.at(i), edges.at(size_op(s, "add", i, 1))
        return (
            s.op("and", accs[0], s.op("le", one, other)),
            s.op("and", accs[1], s.op("ge", one, other)),
        )

    rises, falls = s.fold((s.shrunk(edges.shape[0], 1),), (True, True), step)
    fine, found = s.op("or", rises, falls), s.op("not", rises)
    assert isinstance(fine, Num | bool)
    assert isinstance(found, Num | bool)
    s.require(fine, "bins must be monotonically increasing or decreasing")
    return found
