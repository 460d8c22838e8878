"""Sets: what depends on their order is refused, all else is Python's."""

from __future__ import annotations


def set_of_equal_numbers(x: float, y: float) -> float:
    seen = {1, 1.0, True, x}
    return len(seen) * x + len({x, x + 0.0, y}) * y


def set_in_loop_of_floats(x: float, y: float) -> float:
    seen = set()
    total = 0.0
    for value in [x, y, x, 2.0 * x, y]:
        if value in seen:
            continue
        seen.add(value)
        total += value * len(seen)
    return total


def set_has_two_names(x: float, y: float) -> float:
    one = {1, 2}
    other = one
    copied = one.copy()
    other.add(3)
    return len(one) * x + len(copied) * y


def set_passed_on(x: float, y: float) -> float:
    def grown(places, n):
        for k in range(n):
            places.add(k * k % 5)
        return places

    found = grown(set(), 7)
    return sum(k * x for k in sorted(found)) + y * len(found)


def set_raises_key_error(x: float, y: float) -> float:
    places = {1, 2, 3}
    places.discard(9)
    try:
        places.remove(int(x > y) + 8)
    except KeyError:
        return x * len(places)
    return y


def set_is_true_or_false(x: float, y: float) -> float:
    full, empty = {1}, set()
    full.clear()
    return x if full or empty else y * x


def set_operators(x: float, y: float) -> float:
    a, b = {1, 2, 3}, frozenset((2, 3, 4))
    total = x * len(a & b) + y * len(a | b) + len(a - b)
    total += 10 * (a <= (a | b)) + 20 * (a & b == {3, 2}) + 40 * ({1} == {1, 2})
    total += 80 * a.isdisjoint({7}) + 160 * a.issuperset([1]) + 320 * ({2} != {2})
    return total * min(a - {1}) + max(a.union([x, 9.0], (y,)))


def set_chosen(x: float, y: float) -> float:
    small, large = {1}, {1, 2, 3}
    chosen = small if x > y else large
    return x * len(chosen) + y * (2 in chosen)


def set_comprehension(x: float, y: float) -> float:
    halves = {k // 2 for k in range(7) if k != 3}
    return x ** len(halves) + y * sum(sorted(halves)) + all({1, 2}) * any({0, 1})


def set_of_tuples(x: float, y: float) -> float:
    moves = {(0, 1), (1, 0), (0, 1)}
    return x * len(moves) + y * ((1, 0) in moves) + ((1, 1) in moves)


# refused: MK114
def set_looped_over(x: float, y: float) -> float:
    total = 0.0
    for value in {x, y}:
        total = 2.0 * total + value
    return total


# refused: MK114
def set_as_list(x: float, y: float) -> float:
    return list({x, y})[0]


# refused: MK114
def set_ordered_by_a_key(x: float, y: float) -> float:
    return sorted({1, -1}, key=abs)[0] * x * y


# refused: MK114
def set_summed(x: float, y: float) -> float:
    return sum({x, y, 1e-9})


# refused: MK305
def set_popped(x: float, y: float) -> float:
    return {x, y}.pop()
