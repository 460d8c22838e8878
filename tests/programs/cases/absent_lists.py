"""Variables and results that are None on some paths and a list on others."""

import numpy as np
from kinds import Mat, Vec


def made_by_a_branch(x: Vec, y: float) -> float:
    xs = None
    if y > 0.5:
        xs = [v * v for v in x]
    if xs is None:
        return x[0] * y
    return sum(xs)


def best_of_all(x: Vec) -> float:
    best = None
    for i in range(len(x) - 1):
        pair = [x[i], x[i + 1] * 2.0]
        if best is None or pair[0] > best[0]:
            best = pair
    return best[1]


def longest(m: Mat) -> float:
    best = None
    for i in range(len(m)):
        found = [v for v in m[i] if v > 0.3]
        if best is None or len(found) > len(best):
            best = found
    if not best:
        return 0.0
    return sum(v * v for v in best) / len(best)


def never_a_list(m: Mat) -> float:
    best = None
    for i in range(len(m)):
        if m[i, 0] > 1e6:
            best = list(m[i])
    s = 0.0
    for v in best or [1.0, m[0, 0]]:
        s += v * v
    return s


def collected(x: Vec) -> float:
    kept = None
    for v in x:
        if v > 0.4:
            if kept is None:
                kept = []
            kept.append(v * v)
    return 0.0 if kept is None else sum(kept)


def begun_again(x: Vec) -> float:
    run = None
    total = 0.0
    for v in x:
        if v < 0.8:
            if run is None:
                run = [1.0]
            run.append(v)
        elif run is not None:
            total += sum(run) * len(run)
            run = None
    if run:
        total += run[-1]
    return total


def one_list_of_two_names(x: Vec) -> float:
    current = [x[0]]
    best = None
    for i in range(3):
        if i == 1:
            best = current
        current.append(x[i])
    current.append(3.0)
    if best is None:
        return 1.0
    return best[-1] * sum(best)


def _weighted(x, ws):
    if ws is None:
        ws = [1.0] * len(x)
    s = 0.0
    for w, v in zip(ws, x, strict=False):
        s += w * v * v
    return s


def handed_on(x: Vec, y: float) -> float:
    ws = None
    if y < 5.0:
        ws = [y, x[0]] + [x[1]] * (len(x) - 2)
    return _weighted(x, ws) + (0.0 if ws is None else ws[1])


def of_tuples(x: Vec, y: float) -> float:
    ps = None
    if y > 5.0:
        ps = [(x[0], 1), (x[1], 2)]
    if ps is None:
        ps = [(y, 3), (x[2], 4), (1.0, 0)]
    return sum(a * k for a, k in ps)


def _first_above(x, bound):
    for i, v in enumerate(x):
        if v > bound:
            return [v, v * i]
    return None


def given_by_a_loop(x: Vec, y: float) -> float:
    s = 0.0
    for bound in (0.5, 7.0):
        found = _first_above(x, bound)
        if found is None:
            s += y
        else:
            s += found[0] * found[1]
    return s


def _above_or(x, bound):
    for i, v in enumerate(x):
        if v > bound:
            return [v, v * i]
    return [bound]


def list_given_by_a_loop(x: Vec, y: float) -> float:
    return float(np.prod(_above_or(x, 0.5))) + sum(_above_or(x, 9.0 * y))


def _positive(x, y):
    return [v * y for v in x if v > 0.0] if y > 0.1 else None


def by_conditional_expressions(x: Vec, y: float) -> float:
    squares = [v * v for v in x] if y > 0.3 else None
    cubes = None if y > 0.3 else [v**3 for v in x]
    found = _positive(x, y)
    total = y if squares is None else sum(squares)
    if cubes is not None:
        total += cubes[0]
    if found is not None:
        total += found[0] * len(found)
    return total


def chosen_in_a_loop(x: Vec, y: float) -> float:
    total = 0.0
    last = None
    for v in x:
        last = [v, v * y] if v > 0.3 else last
        total += v if last is None else last[1] * last[0]
    return total


def chosen_from_three(x: Vec, k: int) -> float:
    xs = None if k < 1 else [x[0]] if k < 2 else [v * v for v in x]
    return x[1] if xs is None else sum(xs)


def list_or_none_compared(x: list[float], n: int) -> float:
    found = None
    if n > 1:
        found = [x[0]]
        found.append(x[1])
    if n > 2:
        found.append(2.0)
    total = x[0] if found == [1.0] else x[1]
    return total * 2.0 if found != [1.0, 3.0] else total
