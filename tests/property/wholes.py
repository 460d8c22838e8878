"""Random views and whole-array expressions of a given shape."""

from __future__ import annotations

from tests.property.names import COLUMNS, LENGTH, Array
from tests.property.writer import Lines, Simple, Writer

UNARY = (
    "np.sin({})", "np.tanh({})", "0.5 * ({})", "-({})", "np.cos({}) * 0.7", "np.exp(-({}) ** 2)",
    "np.sqrt(1.0 + ({}) ** 2)", "np.abs({})",
)  # fmt: skip
BINARY = (
    "({}) * ({})", "({}) + ({})", "0.5 * ({}) - ({})", "np.maximum({}, {})",
    "({}) / (1.5 + ({}) ** 2)",
)  # fmt: skip
PERMUTED = ("np.roll({}, {})", "np.concatenate(({0}[{1}:], {0}[:{1}]))", "np.cumsum({}) * 0.3")
SHAPES = (
    *((LENGTH,),) * 4, (LENGTH - 1,), (LENGTH - 2,), (LENGTH - 2,), (COLUMNS,), (2,), (2, 2),
    (3, 2),
)  # fmt: skip


def cut(w: Writer, length: int, size: int) -> str:
    """A slice of ``size`` items out of ``length``."""
    if size == length:
        return w.choice((":", ":", ":", "::-1"))
    low = w.random.randrange(length - size + 1)
    forms = [f"{low}:{low + size}"] * 2
    if low + size < length:
        forms.append(f"{low}:{low + size - length}")
    forms += [f":{size}", f"{-size}:"]
    forms.append(f"{low + size - 1}:{low - 1}:-1" if low else f"{size - 1}::-1")
    if 2 * size - 1 <= length:
        forms.append(f":{2 * size - 1}:2")
    return w.choice(forms)


def view(w: Writer, shape: tuple[int, ...]) -> str:
    """A part of an array, of that shape."""
    forms: list[str] = []
    for array in w.names.arrays:
        forms += (_line if len(shape) == 1 else _plane)(w, array, shape)
    return w.pick(forms)


def _line(w: Writer, array: Array, shape: tuple[int, ...]) -> list[str]:
    (n,), name = shape, array.name
    if len(array.shape) == 1:
        if array.shape == shape and w.chance(0.7):
            return 2 * [name]
        return [f"{name}[{cut(w, array.shape[0], n)}]"] if array.shape[0] >= n else []
    rows, columns = array.shape
    forms: list[str] = []
    if columns >= n:
        forms.append(f"{name}[{w.index(rows)}, {cut(w, columns, n)}]")
    if rows >= n:
        forms.append(f"{name}[{cut(w, rows, n)}, {w.index(columns)}]")
    return forms


def _plane(w: Writer, array: Array, shape: tuple[int, ...]) -> list[str]:
    if len(array.shape) == 1:
        return []
    (rows, columns), (r, c) = array.shape, shape
    forms: list[str] = []
    if rows >= r and columns >= c:
        forms.append(f"{array.name}[{cut(w, rows, r)}, {cut(w, columns, c)}]")
    if rows >= c and columns >= r:
        forms.append(f"{array.name}.T[{cut(w, columns, r)}, {cut(w, rows, c)}]")
    return forms


def whole(w: Writer, shape: tuple[int, ...], depth: int = 2) -> str:
    """An array expression; like ``number``, of some size."""
    if depth == 0 or w.chance(0.2):
        return _part(w, shape)
    if w.chance(0.4):
        return w.choice(UNARY).format(whole(w, shape, depth - 1))
    a = whole(w, shape, depth - 1)
    if w.chance(0.1):
        b = whole(w, shape, 0)
        return f"np.where({view(w, shape)} > {w.random.uniform(-0.8, 0.8):.4f}, {a}, {b})"
    b = w.leaf() if w.chance(0.35) else whole(w, shape, depth - 1)
    if len(shape) == 2 and w.chance(0.4):
        b = view(w, shape[1:]) if w.chance(0.5) else f"{view(w, shape[:1])}[:, None]"
    return w.choice(BINARY).format(*((a, b) if w.chance(0.7) else (b, a)))


def bounded(w: Writer, shape: tuple[int, ...], depth: int = 1) -> str:
    """An array of numbers between -2 and 2, or just parts of arrays."""
    if w.chance(0.25):
        return _part(w, shape)
    if w.chance(0.2):
        return f"0.5 * {view(w, shape)} + 0.4 * {view(w, shape)}"
    return w.choice(UNARY[:2]).format(whole(w, shape, depth))


def _part(w: Writer, shape: tuple[int, ...]) -> str:
    """A view, or a copy of one in another order."""
    if len(shape) == 2 or shape[0] == 1 or w.chance(0.75):
        return view(w, shape)
    (n,) = shape
    if w.chance(0.25):
        at = [w.random.randrange(LENGTH) for _ in range(n)]
        return f"{w.vector()}[np.array({at})]"
    if shape == (LENGTH,) and w.chance(0.2):
        return f"g[:, {w.choice((':2', '1:', '::2'))}] @ {view(w, (2,))}"
    return w.choice(PERMUTED).format(view(w, shape), w.random.randrange(1, n))


# ---- statements ---------------------------------------------------------------------------------


def store(w: Writer) -> Lines:
    """Into a part of an array, often from one that overlaps it."""
    shape = w.choice(SHAPES)
    value, op = bounded(w, shape), w.choice(("=", "=", "=", "+=", "-=", "*="))
    if op == "*=":
        value = f"np.cos({value})"
    return [f"{_target(w, shape, op)} {op} {value}"]


def _target(w: Writer, shape: tuple[int, ...], op: str) -> str:
    """A view that is written, never a name that is bound to something else."""
    target = view(w, shape)
    if target not in (array.name for array in w.names.arrays):
        return target
    is_variable = target.isidentifier() or target.endswith((".x", ".v"))
    return target if op != "=" and is_variable else target + w.choice(("[:]", "[...]"))


def shift(w: Writer) -> Lines:
    """Parts of one array that overlap."""
    name, n = w.vector(), w.random.randrange(2, LENGTH)
    a, b = cut(w, LENGTH, n), cut(w, LENGTH, n)
    op = w.choice(("=", "+=", "-="))
    value = w.choice(("{}", "0.5 * {}", "np.sin({})", "{} * " + w.choice(w.names.floats)))
    return [f"{name}[{a}] {op} {value.format(f'{name}[{b}]')}"]


def fill(w: Writer) -> Lines:
    op = w.choice(("=", "+="))
    return [f"{_target(w, w.choice(SHAPES), op)} {op} {w.bounded(1)}"]


def new(w: Writer) -> Lines:
    """Another array, under a new name or an old one."""
    value = bounded(w, (LENGTH,))
    if w.chance(0.4):
        return [f"w = {value}"]
    name = w.fresh("z")
    w.names.arrays.append(Array(name, (LENGTH,)))
    return [f"{name} = {value}"]


def part(w: Writer) -> Lines:
    """A view gets a name."""
    name, shape = w.fresh("z"), w.choice(SHAPES)
    value = view(w, shape)
    w.names.arrays.append(Array(name, shape))
    return [f"{name} = {value}"]


def transposed(w: Writer) -> Lines:
    name = w.fresh("z")
    array = w.choice([a for a in w.names.arrays if len(a.shape) == 2])
    w.names.arrays.append(Array(name, array.shape[::-1]))
    return [f"{name} = {array.name}.T"]


def reduced(w: Writer) -> Lines:
    shape = w.choice(SHAPES)
    form = w.choice(("np.sum({}) * 0.3", "np.mean({})", "np.max({})", "math.sin(np.sum({}))"))
    return [f"{w.target()} = {form.format(whole(w, shape))}"]


def masked(w: Writer) -> Lines:
    name, other = w.vector(), w.vector()
    border = f"{w.random.uniform(-0.8, 0.8):.4f}"
    op = w.choice(("= ", "+= ", "*= 0.5 * "))
    return [f"{name}[{other} > {border}] {op}{w.bounded(1)}"]


def scattered(w: Writer) -> Lines:
    name, n = w.vector(), w.random.randrange(1, 4)
    at = f"np.array({[w.random.randrange(LENGTH) for _ in range(n)]})"
    if w.chance(0.5):
        return [f"np.add.at({name}, {at}, {bounded(w, (n,))})"]
    return [f"{name}[{at}] {w.choice(('=', '+='))} {bounded(w, (n,))}"]


SIMPLE: tuple[Simple, ...] = (
    store, store, store, shift, shift, fill, new, new, part, part, transposed, reduced, reduced,
    masked, scattered,
)  # fmt: skip
