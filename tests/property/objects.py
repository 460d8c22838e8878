"""Random statements about dataclasses and NamedTuples: made, changed, shared, chosen."""

from __future__ import annotations

from tests.property.names import LENGTH
from tests.property.wholes import bounded
from tests.property.writer import Lines, Simple, Writer


def made(w: Writer, cls: str) -> str:
    """A new object; its arrays may be those of others."""
    vector = w.vector()
    match cls:
        case "State":
            return (
                f"State({_array(w)}, {_array(w)}, {w.bounded(1)}{w.choice((', p', ', n=1', ''))})"
            )
        case "Spring":
            return f"Spring({w.bounded(1)}, {vector})"
        case "Pair":
            return f"Pair({w.bounded(1)}, {_array(w)})"
        case _:
            return f"Pack({existing(w, 'State')}, {existing(w, 'Spring')}, {w.leaf()})"


def _array(w: Writer) -> str:
    """An array that exists, a view of one, or a new one."""
    vector = w.vector()
    forms = (vector, vector, f"{vector}[::-1]", f"{vector}.copy()", f"g[:, {w.index(3)}]")
    return w.choice((*forms, bounded(w, (LENGTH,))))


def existing(w: Writer, cls: str) -> str:
    """An object that has a name, or a new one."""
    found = w.names.of(cls)
    return w.pick(found) if found and w.chance(0.8) else made(w, cls)


def make(w: Writer) -> Lines:
    cls = w.choice(("State", "State", "State", "Spring", "Pair", "Pack"))
    value, name = made(w, cls), w.fresh(cls[0].lower() + "o")
    w.names.bind(name, cls)
    return [f"{name} = {value}"]


def another_name(w: Writer) -> Lines:
    old = w.pick([*w.names.objects] or [""])
    if not old:
        return make(w)
    name = w.fresh("o")
    w.names.bind(name, w.names.objects[old])
    return [f"{name} = {old}"]


def rebind(w: Writer) -> Lines:
    """A name of an object for another one, which shares some of its arrays."""
    state = _state(w)
    name = w.choice([n for n in w.names.of("State") if n.isidentifier()] or [""])
    value = w.choice((
        f"{state}.grown({w.bounded(1)})", f"replace({state}, t={w.bounded(1)})",
        f"replace({state}, x={_array(w)})", f"_kick({state}, {w.bounded(1)})", made(w, "State"),
        f"_lend({w.vector()}, {state}, {w.leaf()})",
    ))  # fmt: skip
    if not name or w.chance(0.5):
        name = w.fresh("o")
        w.names.bind(name, "State")
    return [f"{name} = {value}"]


def choose(w: Writer) -> Lines:
    """One object or another; what may be either cannot always be changed."""
    cls, name = w.choice(("State", "Spring", "Pair")), w.fresh("o")
    a, b = (existing(w, cls) if w.chance(0.2) else made(w, cls) for _ in "ab")
    lines = [f"{name} = {a} if {w.condition(0)} else {b}"]
    w.names.bind(name, cls)
    return lines


def change(w: Writer) -> Lines:
    """A field of an object is assigned to."""
    packs = w.names.of("Pack")
    if packs and w.chance(0.15):
        return [f"{w.pick(packs)}.inner = {existing(w, 'State')}"]
    if packs and w.chance(0.15):
        return [f"{w.pick(packs)}.spring = {existing(w, 'Spring')}"]
    state, vector = _state(w), w.vector()
    return [w.choice((
        f"{state}.x = {_array(w)}", f"{state}.v = {_array(w)}", f"{state}.x = {vector}",
        f"{state}.x = {state}.v", f"{state}.x, {state}.v = {state}.v, {state}.x",
        f"{state}.x, w = w, {state}.x", f"w = {state}.x", f"{state}.n += 1",
        f"{state}.v += {bounded(w, (LENGTH,))}", f"{state}.x *= {w.bounded(1)}",
        f"{state}.x[:] = {bounded(w, (LENGTH,))}", f"{state}.t = {w.bounded()}",
    ))]  # fmt: skip


def method(w: Writer) -> Lines:
    packs, state = w.names.of("Pack"), _state(w)
    if packs and w.chance(0.25):
        return [f"{w.pick(packs)}.step({w.bounded(1)})"]
    push = f"{state}.push({w.index(LENGTH)}, {w.bounded(1)})"
    return [w.choice((
        push, f"{w.target()} = math.sin({push})", f"{state}.turn()",
        f"{state}.drift({w.bounded(1)})", f"s = math.sin({state}.energy)",
        f"_kick({state}, {w.bounded(1)})",
    ))]  # fmt: skip


def unpack(w: Writer) -> Lines:
    pairs, value = w.names.of("Pair"), w.fresh("v")
    if not pairs:
        return make(w)
    form = w.choice((f"{value}, w = {w.pick(pairs)}", f"{value} = {w.pick(pairs)}.first"))
    w.names.floats.append(value)
    return [form]


def _state(w: Writer) -> str:
    return w.pick(w.names.of("State"))


SIMPLE: tuple[Simple, ...] = (
    make, make, another_name, rebind, choose, change, change, change, change, method, method,
    method, unpack,
)  # fmt: skip
