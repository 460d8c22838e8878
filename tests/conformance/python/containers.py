"""Tuples, lists, dicts and text: operators, slices, methods, equality, membership."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

NAN = float("nan")
TABLE = {"a": 1.0, "b": 2.0}
SIZES = (1, 2, 3)


def tuple_index_negative(x: float, y: float) -> float:
    t = (x, y, x * y)
    return t[-1] * t[-3]


def tuple_slice(x: float, y: float) -> float:
    t = (x, y, 3.0, 4.0, 5.0)
    return sum(t[1:4:2]) + t[::-1][0] * x + sum(t[-2:]) * y


def tuple_slice_beyond(x: float, y: float) -> float:
    t = (x, y)
    return sum(t[1:100]) + len(t[5:]) * x


def list_slice_step_negative(x: float, y: float) -> float:
    xs = [x, y, 3.0, 4.0]
    ys = xs[::-2]
    return ys[0] * ys[1] + len(ys) * x


def list_slice_is_copy(x: float, y: float) -> float:
    xs = [x, y]
    ys = xs[:]
    ys[0] = 10.0
    return xs[0] * ys[0] * y


def list_slice_assigned(x: float, y: float) -> float:
    xs = [x, y, 3.0, 4.0]
    xs[1:3] = [x * y]
    return xs[1] * len(xs) + xs[2]


def list_slice_step_assigned(x: float, y: float) -> float:
    xs = [x, y, 3.0, 4.0]
    xs[::2] = [y, x]
    return xs[0] + 10 * xs[1] + 100 * xs[2]


def list_slice_deleted(x: float, y: float) -> float:
    xs = [x, y, 3.0, 4.0]
    del xs[::2]
    return xs[0] * xs[1] * x


def repeated_tuple(x: float, y: float) -> float:
    return sum((x, y) * 3)


def repeated_by_zero(x: float, y: float) -> float:
    return x * y + len((x,) * 0) + len([x] * -2)


def repeated_list_of_lists_shares(x: float, y: float) -> float:
    rows = [[x]] * 2
    rows[0][0] = y
    return rows[1][0] * x


def repeated_left(x: float, y: float) -> float:
    return sum(3 * [x, y])


def concatenated(x: float, y: float) -> float:
    xs = [x] + [y] + [3.0]
    t = (x,) + (y,)
    return xs[2] * xs[0] + t[1]


def augmented_list_is_in_place(x: float, y: float) -> float:
    xs = [x]
    ys = xs
    xs += [y]
    return len(ys) * ys[1]


def rebound_list_is_not(x: float, y: float) -> float:
    xs = [x]
    ys = xs
    xs = xs + [y]
    return len(ys) * x + len(xs) * y


def augmented_tuple_is_new(x: float, y: float) -> float:
    t = (x,)
    u = t
    t += (y,)
    return len(u) * x + len(t) * y


def augmented_list_by_tuple(x: float, y: float) -> float:
    xs = [x]
    xs += (y, 3.0)
    return sum(xs) * x


def tuples_equal(x: float, y: float) -> float:
    return x * y if (x, 1) == (x, 1.0) else x


def tuples_not_equal(x: float, y: float) -> float:
    return x * y if (x, y) != (x, y, 1) else x


def tuple_is_not_list(x: float, y: float) -> float:
    return x * y if (1, 2) == [1, 2] else x


def lists_equal(x: float, y: float) -> float:
    return x * y if [x, [y]] == [x, [y]] else x


def lists_differ(x: float, y: float) -> float:
    return x * y if [x, y] == [y, x] else x


def mixed_equal(x: float, y: float) -> float:
    return x * y if (1, "a", None, 2.0) == (True, "a", None, 2) else x


def tuple_equal_to_number(x: float, y: float) -> float:
    return x * y if (x, y) == x else x


def nan_in_tuple(x: float, y: float) -> float:
    nan = x * float("nan")
    return x * y if nan in (nan, y) else x


def nan_not_in_tuple_of_other_nans(x: float, y: float) -> float:
    a = x * float("nan")
    b = y * float("nan")
    return x * y if a in (b, y) else x


def nan_equal_in_tuples(x: float, y: float) -> float:
    nan = x * float("nan")
    return x * y if (nan, x) == (nan, x) else x


def nan_not_equal(x: float, y: float) -> float:
    nan = x * float("nan")
    return x * y if nan == nan else x


def nan_index(x: float, y: float) -> float:
    nan = x * float("nan")
    return [1.0, nan].index(nan) * x if False else x * y


def nan_count(x: float, y: float) -> float:
    nan = x * float("nan")
    return x * y * [nan, y, nan].count(nan)


def number_in_tuple(x: float, y: float) -> float:
    return x * y if x in (y, x) else x


def number_not_in_list(x: float, y: float) -> float:
    return x * y if x not in [y, 2.0] else x


def bool_in_ints(x: float, y: float) -> float:
    return x * y if True in (0, 1) else x


def float_in_ints(x: float, y: float) -> float:
    return x * y if 2.0 in (1, 2) else x


def text_in_tuple(x: float, y: float) -> float:
    return x * y if "a" in ("b", "a") else x


def text_in_text(x: float, y: float) -> float:
    return x * y if "bc" in "abcd" else x


def tuple_in_list(x: float, y: float) -> float:
    return x * y if (1, 2) in [(1, 2), (3, 4)] else x


def none_in_tuple(x: float, y: float) -> float:
    return x * y if None in (x, None) else x


def in_range(x: float, n: int) -> float:
    return x * x if n in range(5) else x


def in_range_with_step(x: float, y: float) -> float:
    return x * y if 3 in range(0, 10, 2) else x


def list_index(x: float, y: float) -> float:
    return [3, 1, 2].index(2) * x


def list_count(x: float, y: float) -> float:
    return [1, True, 1.0, 2].count(1) * x


def list_methods(x: float, y: float) -> float:
    xs = [x]
    xs.append(y)
    xs.insert(0, 5.0)
    xs.extend([1.0, 2.0])
    xs.reverse()
    last = xs.pop()
    first = xs.pop(0)
    xs.remove(1.0)
    return last * x + first * y + sum(xs)


def insert_negative(x: float, y: float) -> float:
    xs = [x, y]
    xs.insert(-1, 5.0)
    return xs[0] + 10 * xs[1] + 100 * xs[2]


def insert_beyond(x: float, y: float) -> float:
    xs = [x, y]
    xs.insert(100, 5.0)
    return xs[0] + 10 * xs[1] + 100 * xs[2]


def list_copy(x: float, y: float) -> float:
    xs = [x, y]
    ys = xs.copy()
    xs.clear()
    return sum(ys) * x + len(xs)


def sort_ints(x: float, y: float) -> float:
    xs = [3, 1, 2]
    xs.sort()
    return xs[0] * x + xs[2] * y


def sorted_by_key_is_stable(x: float, y: float) -> float:
    pairs = [(1, "a"), (0, "b"), (1, "c"), (0, "d")]
    order = [name for _, name in sorted(pairs, key=lambda p: p[0])]
    return x * y if order == ["b", "d", "a", "c"] else x


def sorted_reversed_is_stable(x: float, y: float) -> float:
    pairs = [(1, "a"), (0, "b"), (1, "c"), (0, "d")]
    order = [name for _, name in sorted(pairs, key=lambda p: p[0], reverse=True)]
    return x * y if order == ["a", "c", "b", "d"] else x


def sorted_nested_tuples(x: float, y: float) -> float:
    first = sorted([((1, 2), 0), ((1,), 5)])[0]
    return x * first[1] + y


def sorted_text(x: float, y: float) -> float:
    return x * y if sorted(["b", "a", "C"]) == ["C", "a", "b"] else x


def min_of_equal_keeps_first(x: float, y: float) -> float:
    return min(x, x + y - y) * y


def max_of_tuple(x: float, y: float) -> float:
    return max((x, y, 0.1)) * x


def max_of_mixed(x: float, y: float) -> float:
    return max(1, x, 0.5) * y


def min_of_ints_and_bools(x: float, y: float) -> float:
    return min(True, 2) * x + max(False, 0) * y


def max_with_default(x: float, y: float) -> float:
    return max([], default=x) * y


def dict_basics(x: float, y: float) -> float:
    d = {"a": x}
    d["b"] = y
    d["a"] += 2.0
    return d["a"] * d["b"] * len(d)


def dict_order(x: float, y: float) -> float:
    d = {"b": x, "a": y}
    d["c"] = 3.0
    d["b"] = 4.0
    total = 0.0
    for k in d:
        total = total * 10 + d[k]
    return total * x


def dict_reinserted_last(x: float, y: float) -> float:
    d = {"a": x, "b": y}
    v = d.pop("a")
    d["a"] = v
    total = 0.0
    for v in d.values():
        total = total * 10 + v
    return total


def dict_keys_by_value(x: float, y: float) -> float:
    d = {1: x, 2: y}
    return d[True] * d[2.0]


def dict_bool_key(x: float, y: float) -> float:
    d = {True: x, False: y}
    return d[1] * d[0] * d[1.0]


def dict_one_key_of_three(x: float, y: float) -> float:
    d = {1: x, True: y, 1.0: x * y}
    return len(d) * d[1]


def dict_first_key_is_kept(x: float, y: float) -> float:
    d = {True: x, 1: y}
    return x * y if [k is True for k in d] == [True] else x


def dict_text_key_is_not_number(x: float, y: float) -> float:
    d = {"1": x, 1: y}
    return d["1"] * len(d) + d[1]


def dict_text_key_like_keyword(x: float, y: float) -> float:
    d = {"True": x, True: y, "None": 3.0}
    return d["True"] * len(d) + d[True] * d["None"]


def dict_float_key(x: float, y: float) -> float:
    d = {0.5: x, 2.0: y}
    return d[0.5] * d[2]


def dict_negative_key(x: float, y: float) -> float:
    d = {-1: x, 0: y}
    return d[-1] * d[0] * x


def dict_zero_key(x: float, y: float) -> float:
    d = {0: x}
    d[-0.0] = y
    d[False] = y * y
    return d[0] * len(d)


def dict_merge(x: float, y: float) -> float:
    d = {"a": x, "b": y} | {"b": 3.0, "c": 4.0}
    return d["a"] * d["b"] * d["c"] + len(d) * y


def dict_merge_by_value(x: float, y: float) -> float:
    d = {1: x} | {True: y}
    return d[1] * len(d)


def dict_update(x: float, y: float) -> float:
    d = {"a": x}
    d.update({"a": y}, b=x)
    d.update([("c", 2.0)])
    return d["a"] * d["b"] * d["c"]


def dict_get(x: float, y: float) -> float:
    d = {"a": x}
    return d.get("a", y) * d.get("b", y) + (x if d.get("z") is None else y)


def dict_setdefault(x: float, y: float) -> float:
    d = {"a": x}
    d.setdefault("a", 100.0)
    d.setdefault("b", y)
    return d["a"] * d["b"]


def dict_setdefault_by_value(x: float, y: float) -> float:
    d = {1: x}
    d.setdefault(True, y)
    return d[1] * len(d)


def dict_pop_default(x: float, y: float) -> float:
    d = {"a": x}
    return d.pop("b", y) * d.pop("a") + len(d)


def dict_in(x: float, y: float) -> float:
    d = {"a": x}
    return x * y if "a" in d and "b" not in d else x


def dict_truth(x: float, y: float) -> float:
    return x * y if {} else x


def dict_comprehension(x: float, y: float) -> float:
    d = {k: k * x for k in range(3)}
    return sum(d.values()) * y + d[2]


def dict_comprehension_same_key(x: float, y: float) -> float:
    d = {k % 2: k * x for k in range(4)}
    return d[0] + 10 * d[1] + len(d)


def dict_from_pairs(x: float, y: float) -> float:
    d = dict([("a", x), ("b", y), ("a", 3.0)])
    return d["a"] * d["b"] * len(d)


def dict_from_zip(x: float, y: float) -> float:
    d = dict(zip(("a", "b"), (x, y)))
    return d["a"] * d["b"] * d["b"]


def dict_of_lists(x: float, y: float) -> float:
    d = {"a": [x], "b": [y]}
    d["a"].append(3.0)
    return sum(d["a"]) * len(d["b"])


def dict_of_dicts(x: float, y: float) -> float:
    d = {"a": {"b": x}}
    d["a"]["c"] = y
    return d["a"]["b"] * d["a"]["c"]


def dict_is_shared(x: float, y: float) -> float:
    d = {"a": x}
    e = d
    e["a"] = y
    return d["a"] * x


def dict_copy_is_shallow(x: float, y: float) -> float:
    d = {"a": [x]}
    e = d.copy()
    e["a"].append(y)
    e["b"] = [1.0]
    return sum(d["a"]) * len(d)


def dict_deleted(x: float, y: float) -> float:
    d = {"a": x, "b": y}
    del d["a"]
    return d["b"] * len(d) * x


def dict_deleted_by_value(x: float, y: float) -> float:
    d = {1: x, 2: y}
    del d[1.0]
    return d[2] * len(d)


def dict_items_sorted(x: float, y: float) -> float:
    d = {"b": x, "a": y}
    total = 0.0
    for key in sorted(d):
        total = total * 10 + d[key]
    return total


def dict_unpacked(x: float, y: float) -> float:
    def f(a, b=1.0):
        return a - 2 * b

    return f(**{"b": x, "a": y})


def dict_nested_by_loop(x: float, y: float) -> float:
    d = {}
    for i, v in enumerate((x, y)):
        d[i] = v * v
    return d[0] * d[1]


def starred_middle(x: float, y: float) -> float:
    a, *b, c = [x, y, 3.0, 4.0]
    return a * c + sum(b)


def starred_empty(x: float, y: float) -> float:
    a, *b = (x,)
    return a * y + len(b)


def starred_is_list(x: float, y: float) -> float:
    a, *b = (x, y, 3.0)
    b.append(5.0)
    return a * sum(b)


def starred_in_display(x: float, y: float) -> float:
    xs = [x, *(y, 2.0), *[3.0]]
    return xs[1] * xs[3] + len(xs)


def nested_unpacking(x: float, y: float) -> float:
    (a, (b, c)), d = (x, (y, 2.0)), 3.0
    return a * b * c * d


def unpack_text(x: float, y: float) -> float:
    a, b = "ab"
    return x * y if a == "a" and b == "b" else x


def swapped(x: float, y: float) -> float:
    a, b = x, y
    a, b = b, a + b
    return a - b


def rotate_three(x: float, y: float) -> float:
    a, b, c = x, y, 3.0
    a, b, c = c, a, b
    return a + 10 * b + 100 * c


def is_of_lists(x: float, y: float) -> float:
    xs = [x]
    ys = xs
    return x * y if xs is ys and xs is not [x] else x


def list_aliases_in_tuple(x: float, y: float) -> float:
    xs = [x]
    t = (xs, xs)
    t[0].append(y)
    return t[1][1] * len(xs)


def list_of_functions(x: float, y: float) -> float:
    fs = [math.sin, math.cos, lambda a: a * a]
    return fs[0](x) + fs[-1](y)


def text_methods(x: float, y: float) -> float:
    name = " Fast,Slow "
    parts = name.strip().lower().split(",")
    return x * y if parts == ["fast", "slow"] else x


def text_slices(x: float, y: float) -> float:
    t = "abcdef"
    return x * y if t[1:4] == "bcd" and t[::-1] == "fedcba" and t[-1] == "f" else x


def text_compared(x: float, y: float) -> float:
    return x * y if "abc" < "abd" and "Z" < "a" and "" < "a" else x


def text_format(x: float, y: float) -> float:
    return x * y if "{:>5}|{:03d}".format("ab", 7) == "   ab|007" else x


def text_f_string(x: float, y: float) -> float:
    n, pi = 3, 3.14159
    return x * y if f"{n}:{pi:.2f}:{n:>4}:{True}" == "3:3.14:   3:True" else x


def text_join(x: float, y: float) -> float:
    return x * y if "-".join(str(k) for k in range(3)) == "0-1-2" else x


def text_count(x: float, y: float) -> float:
    return x * "banana".count("a") + y * "banana".find("n")


def text_replace(x: float, y: float) -> float:
    return x * y if "a-b".replace("-", "_").upper() == "A_B" else x


def text_truth(x: float, y: float) -> float:
    return x * y if not "" and " " else x


def text_repeated(x: float, y: float) -> float:
    return x * len("ab" * 3)


def text_number(x: float, y: float) -> float:
    return x * float("2.5") + y * int("3")


def text_loop(x: float, y: float) -> float:
    total = 0.0
    for c in "abca":
        total += x if c == "a" else y
    return total


def constant_dict(x: float, y: float) -> float:
    return TABLE["a"] * x + TABLE["b"] * y


def constant_tuple(x: float, y: float) -> float:
    return sum(k * x for k in SIZES) + SIZES[-1] * y


def range_slices(x: float, y: float) -> float:
    return sum(range(10)[2:8:3]) * x


def range_length(x: float, y: float) -> float:
    return len(range(0, 10, 3)) * x + len(range(5, 0, -2)) * y


def range_index_negative(x: float, y: float) -> float:
    return range(2, 10, 3)[-1] * x


# refused: MK347
def ranges_equal(x: float, y: float) -> float:
    return x * y if range(3) == range(0, 3) else x


def zip_shortest(x: float, y: float) -> float:
    return sum(a * b for a, b in zip([x, y, 3.0], [1.0, 2.0]))


def enumerate_from(x: float, y: float) -> float:
    return sum(k * v for k, v in enumerate([x, y], start=2))


def any_all(x: float, y: float) -> float:
    total = 0.0
    if any([]):
        total += 1.0
    if all([]):
        total += x
    if any([0, "", None, (), 0.0]):
        total += 1.0
    if all([1, "a", (0,)]):
        total += y
    return total


def sum_with_start(x: float, y: float) -> float:
    return sum([x, y], 10.0) * x


def sum_of_lists(x: float, y: float) -> float:
    return sum([[x], [y]], [])[1] * x


def list_of_list_copy(x: float, y: float) -> float:
    rows = [[x, y], [1.0, 2.0]]
    other = [row[:] for row in rows]
    other[0][0] = 100.0
    return rows[0][0] * rows[0][1]


def matrix_transposed(x: float, y: float) -> float:
    rows = [[x, y], [1.0, 2.0]]
    a, b = zip(*rows)
    return a[1] * b[0] + a[0] * b[1]


def tuples_ordered(x: float, y: float) -> float:
    return x * y if (1, 2) < (1, 3) and (1,) < (1, 0) else x


def tuples_ordered_at_run_time(x: float, y: float) -> float:
    return x * y if (x, y) < (y, x) else x


def deep_equality(x: float, y: float) -> float:
    return x * y if [(1, [2, {"a"}])] == 3 else x


def dicts_equal(x: float, y: float) -> float:
    return x * y if {"a": 1, "b": 2} == {"b": 2, "a": 1} else x


def list_truth(x: float, y: float) -> float:
    xs = [x]
    ys = []
    return x * y if xs and not ys else x


def empty_or(x: float, y: float) -> float:
    xs = [] or [y]
    return xs[0] * x


def list_multiplied_in_place(x: float, y: float) -> float:
    xs = [x, y]
    ys = xs
    xs *= 2
    return len(ys) * ys[3]


def range_index_at_run_time(x: float, n: int) -> float:
    return range(2, 20, 3)[n - 4] * x + range(5)[n] * x * x


def iterators_are_true(x: float, y: float) -> float:
    pairs = zip((), ())
    return x * y if pairs else x


def functions_are_true(x: float, y: float) -> float:
    return x * y if math.sin and len and float else x


def type_checking_is_false(x: float, y: float) -> float:
    return x if TYPE_CHECKING else x * y


def debug_is_true(x: float, y: float) -> float:
    return x * y if __debug__ else x


def order_of_nested_tuples(x: float, y: float) -> float:
    total = x * y if ((x, 1), y) < ((x, 2), x) else x
    total += y if (x, y) >= (x, y) else 100.0
    return total + (x * x if (x, y, 1.0) > (x, y) else 100.0)


def order_of_lists(x: float, y: float) -> float:
    a, b = [x, y], [x]
    b.append(2 * y)
    return x * y if a < b and not a >= b else x


# refused: MK213
def order_of_list_and_tuple(x: float, y: float) -> float:
    return x * y if [x] < (y,) else x


def largest_tuple(x: float, y: float) -> float:
    best = max([(x * y, 1.0), (y, 2.0), (x, 3.0)])
    least = min((x, y), (y, x), (x, 9.0))
    return best[0] * best[1] + least[1]


def largest_tuple_of_many(x: float, y: float) -> float:
    values = np.array([x, y, x * y, y + 1.0])
    best = max((v, k) for k, v in enumerate(values))
    return best[0] * best[1]


def dicts_with_other_items(x: float, y: float) -> float:
    a, b = {"u": x, 1: y}, {True: y, "u": x}
    total = x * y if a == b else x
    b["u"] = y
    total += x if a == b else y
    a["more"] = 1.0
    return total * (x if a != b else y)


def list_over_number_of_numpy(x: float, y: float) -> float:
    rates = [x, y, x * y]
    shares = rates / np.sum(rates)
    shifted = (1.0, x) + np.float64(2.0)
    return float(np.sum(np.cumsum(shares) * shifted[1])) * (2.0 ** np.float64(2.0) - rates)[1]


def list_times_integer_of_numpy(x: float, y: float) -> float:
    repeated = [x, y] * np.int64(2)
    return repeated[3] * len(repeated)


def list_that_changes_divided(x: float, y: float) -> float:
    found = []
    for k in range(3):
        found.append(x * k + y)
    return float(np.sum((found - np.mean(found)) ** 2)) + (found / np.max(found))[0]


# refused: MK213
def list_over_number_of_python(x: float, y: float) -> float:
    return ([x, y] / 2.0)[0]
