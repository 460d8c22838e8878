"""Random functions as values: nested ones that rebind what they see, lambdas, chosen, passed on."""

from __future__ import annotations

from tests.property.writer import Lines, Simple, Writer


def define(w: Writer) -> Lines:
    name, v, c = w.fresh("h"), w.fresh("v"), w.fresh("v")
    if w.chance(0.3):
        lines = w.function(f"def {name}({v}, {c}={w.leaf()}):", (v, c))
    else:
        lines = w.function(f"def {name}({v}):", (v,))
    w.names.functions.append(name)
    return lines + (call(w) if w.chance(0.5) else [])


def short(w: Writer) -> Lines:
    name, v, c = w.fresh("h"), w.fresh("v"), w.fresh("v")
    with w.scope():
        value = w.leaf()
        w.names.floats += [v, v, c]
        keeps, late = f"{name} = lambda {v}, {c}={value}: {w.bounded()}", w.bounded()
    w.names.functions.append(name)
    forms = (keeps, f"{name} = _scaled({value})", f"{name} = _counter({value})")
    if c not in late:
        forms = (*forms, f"{name} = lambda {v}: {late}")
    return [w.choice(forms)]


def choose(w: Writer) -> Lines:
    name = w.fresh("h")
    options = [*w.names.functions, "math.sin", "math.tanh", f"_scaled({w.leaf()})"]
    value = f"{w.choice(options)} if {w.condition(0)} else {w.choice(options)}"
    w.names.functions.append(name)
    return [f"{name} = {value}", *call(w)]


def call(w: Writer) -> Lines:
    if not w.names.functions:
        return define(w)
    h, value, place = w.pick(w.names.functions), w.bounded(1), w.target()
    return [w.choice((
        f"{place} += 0.5 * math.sin({h}({value}))", f"{place} = _twice({h}, {value})",
        f"{h}({value})",
        f"{place} = math.tanh({h}({value}) + {h}({w.leaf()}))",
        f"{place} += 0.1 * math.sin(sum({h}(v_) for v_ in {w.vector()}))",
    ))]  # fmt: skip


SIMPLE: tuple[Simple, ...] = (define, define, short, choose, call, call, call, call)
