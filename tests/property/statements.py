"""Random statements about numbers, elements of arrays, views of them, and calls."""

from __future__ import annotations

from tests.property.names import COLUMNS, LENGTH, ROWS, Array
from tests.property.writer import Lines, Simple, Writer


def assign(w: Writer) -> Lines:
    if w.chance(0.4):
        name, value = w.fresh("v"), w.bounded()
        w.names.floats.append(name)
        return [f"{name} = {value}"]
    return [f"{w.target()} = {w.bounded()}"]


def update(w: Writer) -> Lines:
    form = w.choice((
        "{0} += {1}", "{0} -= 0.3 * {1}", "{0} *= math.cos({1})", "{0} = 0.7 * {0} + {1}",
        "{0} += {1} * {1}", "{0} /= 1.5 + math.sin({1})", "{0} = math.sin({0} + {1})",
    ))  # fmt: skip
    return [form.format(w.target(), w.bounded())]


def count(w: Writer) -> Lines:
    return [w.choice(("p += 1", "p += 2", "p = " + w.integer()))]


def store(w: Writer) -> Lines:
    target = w.element(w.pick(w.names.arrays))
    return [w.choice((
        f"{target} = {w.bounded()}", f"{target} = {w.bounded()}", f"{target} += {w.bounded()}",
        f"{target} += {w.bounded()}", f"{target} -= {w.bounded()}",
        f"{target} *= math.cos({w.number(1)})",
    ))]  # fmt: skip


def swap(w: Writer) -> Lines:
    a, b = w.target(), w.target()
    c, d = (w.element(w.pick(w.names.arrays)) for _ in "cd")
    return [
        w.choice(
            (f"{a}, {b} = {b}, {a}", f"{a}, {b} = 0.5 * {b} + a, {a} * b", f"{c}, {d} = {d}, {c}")
        )
    ]


def walrus(w: Writer) -> Lines:
    return [f"s = 0.5 * (t := {w.bounded(1)}) + t * t"]


def call(w: Writer) -> Lines:
    """A helper without effects."""
    value = w.bounded(1)
    form = w.choice((
        f"_poly({value})", f"_late({value}, {w.choice(w.names.ints)} % 4)",
        f"_deep({w.choice(w.names.ints)} % 3, {value})",
    ))  # fmt: skip
    return [f"{w.target()} += 0.5 * {form}"]


def writes(w: Writer) -> Lines:
    """A helper that writes into what it is given."""
    vector = w.vector()
    bump = f"_bump({vector}, {w.index(LENGTH)}, {w.bounded(1)})"
    return [w.choice((f"t = math.sin({bump})", bump, f"_smear({vector}, {w.choice('12')})"))]


def pair(w: Writer) -> Lines:
    return [f"s, t = _pair(s, {w.bounded(1)})", "t = math.tanh(t)"]


def local(w: Writer) -> Lines:
    name = w.fresh("w")
    size = w.choice((f"{LENGTH}", "len(x)", "x.shape[0]"))
    make = w.choice((
        f"np.zeros({size})", "np.zeros_like(x)", "y.copy()", f"np.full({size}, s)",
        "np.ones(len(y))", f"{w.vector()}.copy()",
    ))  # fmt: skip
    w.names.arrays.append(Array(name, (LENGTH,)))
    return [f"{name} = {make}"]


def view(w: Writer) -> Lines:
    name, vector = w.fresh("z"), w.vector()
    value, length = w.choice((
        (f"m[{w.index(ROWS)}]", COLUMNS), (f"m[:, {w.index(COLUMNS)}]", ROWS),
        (f"g[:, {w.index(COLUMNS)}]", LENGTH), (f"{vector}[1:4]", 3), (f"{vector}[::-1]", LENGTH),
        (f"{vector}[::2]", 3), (f"{vector}[-2:0:-1]", 3), (vector, LENGTH),
    ))  # fmt: skip
    w.names.arrays.append(Array(name, (length,)))
    return [f"{name} = {value}"]


def choose(w: Writer) -> Lines:
    name = w.fresh("c")
    value = f"{w.vector()} if {w.condition(0)} else {w.vector()}"
    w.names.arrays.append(Array(name, (LENGTH,)))
    return [f"{name} = {value}"]


def rebind(w: Writer) -> Lines:
    vector = w.vector()
    return [
        w.choice(("x, w = w, x", f"w = {vector}", f"w = {vector}.copy()", f"w = {vector}[::-1]"))
    ]


SIMPLE: tuple[Simple, ...] = (
    assign, assign, update, update, count, store, store, store, store, swap, walrus, call, writes,
    pair, local, view, view, choose, rebind,
)  # fmt: skip
