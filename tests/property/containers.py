"""Random statements about lists, tuples and dicts."""

from __future__ import annotations

from tests.property.names import LENGTH, Array, List
from tests.property.objects import existing
from tests.property.writer import Lines, Simple, Writer


def make(w: Writer) -> Lines:
    name, n = w.fresh("l"), w.random.randrange(2, 5)
    forms = [f"[{', '.join(w.bounded(1) for _ in range(n))}]", f"[{w.leaf()}] * {n}"]
    forms.append(f"[{w.leaf()} * i_ + {w.leaf()} for i_ in range({n})]")
    if n == 4:
        vector = w.vector()
        forms.append(f"[math.sin(v_) * {w.leaf()} for v_ in {vector}[1:]]")
        forms.append(f"[v_ + e_ for v_, e_ in zip({vector}[:4], m[:, 1])]")
    w.names.lists[name] = List(n)
    return [f"{name} = {w.choice(forms)}"]


def grow(w: Writer) -> Lines:
    """The length of a list changes, where each statement runs once."""
    if not w.names.lists or not w.straight:
        return put(w)
    name = w.pick([*w.names.lists])
    found = w.names.lists[name]
    if found.length > 2 and w.chance(0.5):
        found.length -= 1
        return [f"{w.target()} = {name}.pop({w.choice(('', '0', '-1', '1'))})"]
    found.length += 1
    if w.chance(0.2):
        found.length += 1
        return [f"{name} += [{w.leaf()}, {w.bounded(1)}]"]
    return [w.choice((f"{name}.append({w.bounded(1)})", f"{name}.insert(1, {w.bounded(1)})"))]


def put(w: Writer) -> Lines:
    if not w.names.lists:
        return make(w)
    a, b = (w.item(w.pick([*w.names.lists])) for _ in "ab")
    return [w.choice((
        f"{a} = {w.bounded(1)}", f"{a} += {w.bounded(1)}", f"{a}, {b} = {b}, {a}",
        f"{a} *= math.cos({w.leaf()})",
    ))]  # fmt: skip


def use(w: Writer) -> Lines:
    if not w.names.lists:
        return make(w)
    name, place = w.pick([*w.names.lists]), w.target()
    return [w.choice((
        f"{place} = math.sin(sum({name}))", f"{place} = sum([v_ * v_ for v_ in {name}]) * 0.2",
        f"{place} = max({name})", f"{place} = _shift({name}, {w.leaf()})",
        f"{place} = np.mean(np.array({name}))", f"{name} = [math.sin(v_) for v_ in {name}]"
        if w.names.lists[name].length and w.straight else f"{place} = {name}[-1]",
    ))]  # fmt: skip


def another_name(w: Writer) -> Lines:
    if not w.names.lists:
        return make(w)
    name, old = w.fresh("l"), w.pick([*w.names.lists])
    length = w.names.lists[old]
    copied = w.choice(("", "", "[:]", ".copy()"))
    w.names.lists[name] = List(length.length) if copied else length
    return [f"{name} = {old}{copied}"]


def of_arrays(w: Writer) -> Lines:
    name, n = w.fresh("b"), w.random.randrange(2, 4)
    vectors = [w.vector() for _ in range(n)]
    w.names.arrays += [Array(f"{name}[{at}]", (LENGTH,)) for at in (0, 1, -1)]
    lines = [f"{name} = [{', '.join(vectors)}]"]
    if w.chance(0.4):
        lines.append(f"{name}[0], {name}[1] = {name}[1], {name}[0]")
    if w.chance(0.4):
        lines += [f"for r_ in {name}:", f"    r_[{w.index(LENGTH)}] += {w.bounded(1)}"]
    if w.chance(0.3):
        lines.append(f"{name}[{w.choice(w.names.ints)} % {n}][1] += {w.bounded(1)}")
    if w.chance(0.2):
        lines.append(f"{name}[1] = {w.vector()}.copy()")
    return lines


def of_states(w: Writer) -> Lines:
    name = w.fresh("b")
    lines = [f"{name} = [{existing(w, 'State')}, {existing(w, 'State')}]"]
    w.names.bind(f"{name}[0]", "State")
    w.names.bind(f"{name}[1]", "State")
    if w.chance(0.4):
        lines += [f"for o_ in {name}:", f"    o_.{w.choice(('turn()', 'drift(s)', 't += a'))}"]
    return lines


def nested(w: Writer) -> Lines:
    name = w.fresh("u")
    vector, other = w.vector(), w.vector()
    value = f"({w.bounded(1)}, {vector}, ({w.leaf()}, {other}))"
    if w.chance(0.5):
        floats, arrays = ([w.fresh(stem) for _ in "ab"] for stem in "vz")
        (c, d), (y, z) = floats, arrays
        lines = [f"{c}, {y}, ({d}, {z}) = {value}"]
    else:
        floats, arrays = [f"{name}[0]", f"{name}[2][0]"], [f"{name}[1]", f"{name}[2][1]"]
        lines = [f"{name} = {value}"]
    w.names.floats += floats
    w.names.arrays += [Array(found, (LENGTH,)) for found in arrays]
    return lines


def keyed(w: Writer) -> Lines:
    name = w.fresh("d")
    vector = w.vector()
    lines = [f"{name} = {{'a': {w.bounded(1)}, 'b': {vector}}}"]
    w.names.floats.append(f"{name}['a']")
    w.names.places.append(f"{name}['a']")
    w.names.arrays.append(Array(f"{name}['b']", (LENGTH,)))
    return lines


SIMPLE: tuple[Simple, ...] = (
    make, make, grow, grow, put, put, use, use, another_name, of_arrays, of_states, nested, keyed,
)  # fmt: skip
