"""Random branches, loops and handlers."""

from __future__ import annotations

from tests.property.names import COLUMNS, LENGTH, ROWS, Array
from tests.property.writer import Lines, Simple, Writer, indented

RANGES = (
    ("range(len(x))", 0, LENGTH - 1), ("range(x.shape[0])", 0, LENGTH - 1),
    (f"range({LENGTH})", 0, LENGTH - 1), ("range(1, len(y))", 1, LENGTH - 1),
    ("range(1, len(y) - 1)", 1, LENGTH - 2), ("range(k)", 0, 2), ("range(3)", 0, 2),
    ("range(len(x) - 1, -1, -1)", 0, LENGTH - 1), ("range(0, len(x), 2)", 0, LENGTH - 1),
    ("range(4, 0, -2)", 2, 4), ("reversed(range(1, 5))", 1, 4), ("range(m.shape[0])", 0, ROWS - 1),
    ("range(m.shape[1])", 0, COLUMNS - 1), ("range(p % 3)", 0, 2), ("range(2, 2)", 2, 2),
)  # fmt: skip


def branch(w: Writer) -> Lines:
    lines = [f"if {w.condition()}:", *w.body()]
    if w.chance(0.25):
        lines += [f"elif {w.condition()}:", *w.body(small=True)]
    if w.chance(0.5):
        lines += ["else:", *w.body()]
    return lines


def loop(w: Writer) -> Lines:
    index = w.fresh("i")
    over, least, most = w.choice(RANGES)
    with w.scope():
        w.names.indices[index] = (least, most)
        head = f"for {index} in {over}:"
        if w.chance(0.2):
            value, vector = w.fresh("e"), w.vector()
            w.names.indices[index] = (0, LENGTH - 1)
            w.names.floats.append(value)
            head = f"for {index}, {value} in enumerate({vector}):"
        lines = [head, *w.body(looping=True)]
    return lines + orelse(w)


def orelse(w: Writer) -> Lines:
    return ["else:", *w.body(small=True)] if w.chance(0.1) else []


def repeat(w: Writer) -> Lines:
    """``while``, by a counter or forever; it ends after a few rounds."""
    count, most = w.fresh("q"), w.random.randrange(1, 5)
    with w.scope():
        w.names.ints.append(count)
        more = f" and {w.condition(0)}" if w.chance(0.5) else ""
        head = f"while {count} < {most}{more}:"
        body = [f"    {count} += 1", *w.body(looping=True)]
        if w.chance(0.3):
            head = "while True:"
            body[1:1] = [f"    if {count} > {most}:", "        break"]
    return [f"{count} = 0", head, *body, *(orelse(w) if head != "while True:" else [])]


def work(w: Writer) -> Lines:
    """A work array that each iteration fills and reads."""
    name, outer, inner = w.fresh("w"), w.fresh("i"), w.fresh("j")
    inside = w.chance(0.3)
    make, filler = f"{name} = np.empty({COLUMNS})", f"for {inner} in range({COLUMNS}):"
    with w.scope():
        w.names.indices[outer] = (0, ROWS - 1)
        with w.scope():
            w.names.indices[inner] = (0, COLUMNS - 1)
            filling = [filler, f"    {name}[{inner}] = {w.bounded()}"]
        w.names.arrays.append(Array(name, (COLUMNS,)))
        using = w.body(looping=True)
        if w.chance(0.5):
            with w.scope():
                w.names.indices[inner] = (0, COLUMNS - 1)
                using = indented([filler, *w.body(looping=True, small=True)])
    body = indented(([make] if inside else []) + filling) + using
    return ([] if inside else [make]) + [f"for {outer} in range(m.shape[0]):", *body]


def triangle(w: Writer) -> Lines:
    i, j = w.fresh("i"), w.fresh("j")
    over = w.choice((f"range({i} + 1, len(x))", f"range({i})", f"range({i} + 1)"))
    with w.scope():
        w.names.indices |= {i: (0, LENGTH - 1), j: (0, LENGTH - 1)}
        inner = indented(w.body(looping=True, small=True))
    return [f"for {i} in range(len(x)):", f"    for {j} in {over}:", *inner]


def rows(w: Writer) -> Lines:
    """Rows of the matrix, one after the other."""
    i, row = w.fresh("i"), w.fresh("r")
    with w.scope():
        w.names.indices[i] = (0, ROWS - 1)
        w.names.arrays.append(Array(row, (COLUMNS,)))
        body = [f"    {row} = m[{i}]", *w.body(looping=True)]
        if w.chance(0.3):
            return [f"for {i}, {row} in enumerate(m):", *body[1:]]
        return [f"for {i} in range(m.shape[0]):", *body]


def attempt(w: Writer) -> Lines:
    """``try``: what was done before the exception stays done."""
    value = w.choice((
        f"t = _checked({w.bounded(1)})", f"if {w.condition(0)}:",
        f"s = math.sqrt({w.leaf()} + 0.01)", f"s += math.log({w.leaf()} + 0.4)",
    ))  # fmt: skip
    caught = w.choice(("ValueError", "ValueError", "Exception", "(KeyError, ValueError)"))
    risky = [value, "    raise ValueError('no')"] if value.endswith(":") else [value]
    lines = ["try:", *(w.body(small=True) if w.chance(0.7) else []), *indented(risky)]
    lines += w.body(small=True) if w.chance(0.6) else []
    lines += [f"except {caught}:", *w.body(small=True)]
    lines += ["else:", *w.body(small=True)] if w.chance(0.25) else []
    # A jump in ``finally`` would make it forget where control was heading: it is refused.
    return lines + (["finally:", f"    s += 0.1 * {w.bounded(1)}"] if w.chance(0.25) else [])


def select(w: Writer) -> Lines:
    lines = [f"match {w.choice(w.names.ints)} % 3:"]
    for pattern in ("0", w.choice(("1 | 2", f"1 if {w.condition(0)}")), "_"):
        lines += indented([f"case {pattern}:", *w.body(small=True)])
    return lines


COMPOUND: tuple[Simple, ...] = (
    branch, branch, branch, loop, loop, loop, loop, repeat, work, triangle, rows, select
)  # fmt: skip
