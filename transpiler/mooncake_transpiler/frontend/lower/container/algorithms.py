"""Methods of lists whose length is known at run time only, written in Python.

They are lowered in line where they are called, like nested functions of the program.
"""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import begun_growing
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.scalar.scalars import constant
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import type_of
from mooncake_transpiler.frontend.lower.state.operands import Closure, Frame, Items, Operand, Static
from mooncake_transpiler.frontend.lower.state.syntax import functions_in
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import Array

TEXT = '''
def insert(xs, at, value):
    n = len(xs)
    if at < 0:
        at = max(at + n, 0)
    xs.append(value)
    for k in range(n, at, -1):
        xs[k] = xs[k - 1]
    if at < n:
        xs[at] = value

def pop(xs, at):
    found = xs[at]
    for k in range(at, len(xs) - 1):
        xs[k] = xs[k + 1]
    xs.pop()
    return found

def transposed(rows):
    count = min([len(row) for row in rows], default=0)
    return [tuple([row[k] for row in rows]) for k in range(count)]

def check_widths(rows):
    count = min([len(row) for row in rows], default=0)
    for k in range(1, len(rows)):
        first, own = len(rows[0]), len(rows[k])
        if own == count < first and k == 1:
            raise ValueError("zip() argument 2 is shorter than argument 1")
        if own == count < first:
            raise ValueError(f"zip() argument {k + 1} is shorter than arguments 1-{k}")
        if own > count == first and k == 1:
            raise ValueError("zip() argument 2 is longer than argument 1")
        if own > count == first:
            raise ValueError(f"zip() argument {k + 1} is longer than arguments 1-{k}")

def index(xs, value):
    for k in range(len(xs)):
        if xs[k] == value:
            return k
    raise ValueError(f"{value} is not in list")

def index_where(equal, value):
    for k in range(len(equal)):
        if equal[k]:
            return k
    raise ValueError(f"{value} is not in list")

def index_in_tuple_where(equal):
    for k in range(len(equal)):
        if equal[k]:
            return k
    raise ValueError("tuple.index(x): x not in tuple")

def take_out(xs, value):
    for k in range(len(xs)):
        if xs[k] == value:
            xs.pop(k)
            return
    raise ValueError("list.remove(x): x not in list")

def count(xs, value):
    total = 0
    for x in xs:
        if x == value:
            total += 1
    return total

def reverse(xs):
    n = len(xs)
    for k in range(n // 2):
        xs[k], xs[n - 1 - k] = xs[n - 1 - k], xs[k]

def equal(xs, ys):
    if len(xs) != len(ys):
        return False
    for k in range(len(xs)):
        if xs[k] != ys[k]:
            return False
    return True

def contains(xs, value):
    for x in xs:
        if x == value:
            return True
    return False

def joined(xs, ys):
    found = list(xs)
    for y in ys:
        found.append(y)
    return found

def repeated(value, count):
    return [value for _ in range(count)]

def all_repeated(values, count):
    return [value for _ in range(count) for value in values]

def extend(xs, ys):
    for y in ys:
        xs.append(y)

def keys(xs, key):
    return [key(x) for x in xs]

def ordered(xs, keys):
    return [xs[k] for k in np.argsort(np.array(keys), kind="stable")]

def ordered_down(xs, keys):
    return [xs[k] for k in np.argsort(-np.array(keys), kind="stable")]

def merged(xs, keys, backwards):
    n = len(keys)
    order = np.arange(n)
    other = np.arange(n)
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            middle = min(start + width, n)
            end = min(middle + width, n)
            first, second = start, middle
            for k in range(start, end):
                take = second < end
                if take and first < middle:
                    one, two = keys[order[first]], keys[order[second]]
                    take = one < two if backwards else two < one
                if take:
                    other[k] = order[second]
                    second += 1
                else:
                    other[k] = order[first]
                    first += 1
        order[:] = other
        width *= 2
    return [xs[k] for k in order]

def listed(xs):
    return list(xs)

def place(pairs, key):
    for k in range(len(pairs)):
        if pairs[k][0] == key:
            return k
    return len(pairs)

def found(pairs, at, key):
    if at < len(pairs):
        return pairs[at][1]
    raise KeyError(key)

def found_by_tuple(pairs, at, key):
    if at < len(pairs):
        return pairs[at][1]
    raise KeyError(f"{key}")

def found_by_text(pairs, at, key):
    if at < len(pairs):
        return pairs[at][1]
    raise KeyError(key)

def found_by_made_text(pairs, at, key):
    if at < len(pairs):
        return pairs[at][1]
    raise KeyError("a key that is not there")

def put_all(found, pairs):
    for key, value in pairs:
        found[key] = value

def found_or(pairs, at, default):
    return pairs[at][1] if at < len(pairs) else default

def found_or_put(pairs, at, key, make):
    if at < len(pairs):
        return pairs[at][1]
    value = make()
    pairs.append((key, value))
    return value

def found_there(pairs, at, key, value):
    if at < len(pairs):
        return pairs[at][1]
    raise RuntimeError("dictionary changed size during iteration")

def put(pairs, at, key, value):
    if at < len(pairs):
        pairs[at] = (key, value)
    else:
        pairs.append((key, value))

def put_there(pairs, at, key, value):
    if at < len(pairs):
        pairs[at] = (key, value)
    else:
        raise RuntimeError("dictionary changed size during iteration")

def set_default(pairs, at, key, default):
    if at < len(pairs):
        return pairs[at][1]
    pairs.append((key, default))
    return default

def with_keys(keys, value):
    return {key: value for key in keys}

def remove(pairs, at):
    n = len(pairs)
    for k in range(at, n - 1):
        pairs[k] = pairs[k + 1]
    if at < n:
        pairs.pop()

def taken_last(pairs):
    if not pairs:
        raise KeyError("popitem(): dictionary is empty")
    return pairs.pop()

def length(xs):
    return len(xs)

def item(xs, k):
    return xs[k]

def between(xs, first, end):
    return list(xs[first:end])

def put_between(xs, first, end, ys):
    n = len(xs)
    first = 0 if first is None else max(first + n, 0) if first < 0 else min(first, n)
    end = n if end is None else max(end + n, 0) if end < 0 else min(end, n)
    new = list(ys)
    rest = xs[max(first, end):]
    while len(xs) > first:
        xs.pop()
    for y in new:
        xs.append(y)
    for x in rest:
        xs.append(x)

def numbered(count, item):
    return [item(k) for k in range(count)]

def column(xs, k):
    return [x[k] for x in xs]

def put_back(xs, ys):
    for k in range(len(xs)):
        xs[k] = ys[k]
'''  # fmt: skip
KNOWN = ("len", "max", "min", "range", "list", "KeyError", "RuntimeError", "ValueError")


def run(ctx: Context, name: str, *args: Operand) -> Operand:
    """The function ``name`` of the text above."""
    frame = Frame(ctx.frame.module, (), ("np", *KNOWN))
    frame.bind("np", Static(External("numpy")))
    for known in KNOWN:
        frame.bind(known, Static(External(f"builtins.{known}")))
    call = cst.Call(cst.Name(name))
    return ctx.lower.call(ctx, call, Closure(name, functions_in(TEXT)[name], frame, {}), args)


def holds(ctx: Context, node: cst.CSTNode, name: str, *args: Operand) -> ir.Atom:
    """A bool of Python's: that of the function ``name`` of the text above."""
    found = numbers.as_scalar(ctx, node, run(ctx, name, *args))
    return kinds.as_kind(ctx, found, Kind.PYTHON)


def let_grow(ctx: Context, node: cst.CSTNode, operand: Ref) -> bool:
    """Let the list grow, if its length is known at run time only; True if it does."""
    if containers.pooled(ctx, operand) is not None:
        return True
    begun_growing.needed(ctx, node, operand)
    return containers.grown(ctx, operand) is not None


def ordered(
    ctx: Context, node: cst.CSTNode, over: Operand, key: Operand | None, *, backwards: bool
) -> Operand:
    """``sorted(over, key=key, reverse=backwards)``."""
    xs = run(ctx, "joined", over, Items((), is_list=True))
    by = xs if key is None else run(ctx, "keys", xs, key)
    before = ctx.mark()
    try:
        of = type_of(ctx.lower.view(ctx, node, by))
    except Refused:
        of = None
    if not isinstance(of, Array) or of.ndim > 1:
        ctx.reset(before)
        return run(ctx, "merged", xs, by, constant(backwards))
    return run(ctx, "ordered_down" if backwards else "ordered", xs, by)
