"""if, elif, else; conditional expressions, short circuit, chained comparisons, match, walrus."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "r c"]


def if_only(x: float) -> float:
    y = x
    if x > 0.5:
        y = x * x
    return y


def if_else(x: float, a: float) -> float:
    if x > a:
        y = math.sin(x)
    else:
        y = a * x
    return y * y


def elif_chain(x: float, k: int) -> float:
    if k == 0:
        return x
    elif k == 1:
        return x * x
    elif k == 2:
        return math.exp(x)
    else:
        return math.sin(x)


def elif_float(x: float) -> float:
    if x < -1.0:
        y = -x
    elif x < 0.0:
        y = x * x
    elif x < 1.0:
        y = x * x * x
    else:
        y = math.log(x)
    return y + x


def nested_if(x: float, y: float, k: int) -> float:
    r = 1.0
    if x > 0.0:
        if y > 0.0:
            r = x * y
        else:
            r = x - y
        if k > 1:
            r *= x
    elif k > 2:
        r = x / y
    return r + x


def only_in_one_arm(x: float, y: float) -> float:
    r = 0.0
    if x > 0.1:
        t = x * y
        r = t * t
    return r + y


def conditional_expression(x: float, a: float) -> float:
    return (x * x if x > a else math.sin(x)) + (a if a > 10.0 else 2.0 * a)


def nested_conditional(x: float, k: int) -> float:
    return x if k == 0 else x * x if k == 1 else x * x * x if k == 3 else 1.0


def short_circuit(x: float, k: int) -> float:
    y = x
    if k > 0 and x > 0.2 or x < -3.0:  # noqa: RUF021 - without parentheses
        y = x * x
    if not (k == 3 or y > 100.0):
        y += 1.0
    return y * x


def guarded_division(x: float, y: float) -> float:
    if y != 0.0 and x / y > 0.5:
        return x / y
    return x * y


def chained(x: float, a: float) -> float:
    if 0.0 < x < 1.0 <= a + 1.0 != 3.0:
        return x * x * a
    return a


def boolean_value(x: float, k: int) -> float:
    big = x > 0.3
    odd = k % 2 == 1
    both = big and odd
    return x * x if both else 3.0 * x


def match_literal(x: float, k: int) -> float:
    match k:
        case 0:
            y = x
        case 1 | 2:
            y = x * x
        case 3:
            y = math.cos(x)
        case _:
            y = 1.0
    return y * x


def match_guard(x: float, k: int) -> float:
    match k % 5:
        case n if n > 3:
            return x
        case n if x > 0.0:
            return x * x * n
        case _:
            return math.sin(x)


def walrus(x: float) -> float:
    if (y := x * x) > 0.1:
        return y * math.sin(y)
    return y


def walrus_in_expression(x: float, a: float) -> float:
    s = (t := math.sin(x)) * t + a * t
    return s + t


def asserted(x: float, y: float) -> float:
    assert x > -100.0, "x is out of range"
    assert y == y
    return x * y


def raising(x: float, k: int) -> float:
    if k < 0:
        raise ValueError("k is negative")
    elif k > 100:
        raise RuntimeError
    y = math.sqrt(x + 10.0)
    if y < 0.0:
        raise ArithmeticError("impossible")
    return y * k


def raising_in_else(x: float, k: int) -> float:
    if k > 0:
        y = x * x
    else:
        raise ValueError("no")
    return y


def early_return(x: float, y: float) -> float:
    if x > 0.6:
        return x * y
    t = math.sin(y)
    if t > 2.0:
        return t
    return t * x


def return_in_both(x: float) -> float:
    if x > 0.0:
        return x * x
    else:
        return -x


def sign_of_branch(x: float, y: float) -> float:
    if abs(x) > abs(y):
        x, y = y, x
    return x * x + 2.0 * y


def same_value_in_both(x: float) -> float:
    y = x * x
    if x > 0.2:
        z = y
    else:
        z = y
    return z * y


def float_truth(x: float, k: int) -> float:
    y = x if k else 2.0 * x
    if x:
        y += x * x
    return y


def int_or_float(x: float, k: int) -> float:
    y = 1 if k > 5 else x
    return y * x


def long_or(x: float, i: int, j: int) -> float:
    if i == 0 or j == 0 or i == j:
        return x
    return x * x * i


def with_defaults(x: float, scale: float = 2.0, power: int = 2) -> float:
    return scale * x**power


def pass_in_arm(x: float, k: int) -> float:
    if k > 1:
        pass
    elif k == 1:
        x = 2.0 * x
    else:
        x = -x
    return x * x


def part_of_what_an_arm_makes(x: Vector, a: float) -> float:
    if a > 0.0:
        e = np.exp(a * x)
        part = e[1:]
        e[1] = 3.0 * a
    else:
        part = x[1:]
    return np.sum(part * part)


def parts_of_one_array(m: Matrix, a: float) -> float:
    if a > 0.0:
        e = np.exp(a * m)
        first, second = e[0], e[1]
    else:
        first, second = 2 * m[0], m[1]
    second = a * second
    return np.sum(first * second)


def part_beside_its_array(x: Vector, a: float) -> float:
    e = x
    total = 0.0
    for k in range(3):
        part = x[:-1]
        if x[k] > 0.5:
            e = np.exp(a * x)
            part = e[1:]
        total += np.sum(part) * e[0]
    return total


def _column(x: Vector) -> Matrix:
    return x[:, None]


def column_in_an_arm(x: Vector, a: float) -> float:
    c = _column(x)
    if a > 0.0:
        c = _column(np.exp(x))
    b = c + x
    return np.sum(b * b)


def part_in_nested_arms(m: Matrix, a: float, k: int) -> float:
    c = m[:, 0]
    if a > 0.0:
        z = np.zeros((m.shape[0], 2))
        if k > 0:
            z[:, 1] = np.cos(a * m[:, 1])
            c = z[:, 1]
    return np.sum(c * c)


def chosen_among_chosen(x: Vector, a: float) -> Vector:
    y = x / np.sqrt(x.dot(x))
    if a * a < 1.0:
        found = True
        y = a * y
    else:
        found = False
    if not found:
        y = y - 2.0 * y.dot(x) * x
    return y


def part_of_chosen(x: Vector, a: float) -> Vector:
    y = x / np.sqrt(x.dot(x))
    if a * a < 1.0:
        y = a * y
    if x[0] > 0.0:
        z = y[1:]
    else:
        z = y[1:] * x[1:]
    return z


def chosen_three_times(x: Vector, a: float) -> Vector:
    y = x * x
    if a * a < 1.0:
        y = a * y
    if x[0] > 0.0:
        z = y
    else:
        z = y * x[1]
    if x[1] > 9.0:
        return z * a
    return z
