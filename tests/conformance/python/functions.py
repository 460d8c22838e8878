"""Functions: closures, late binding, defaults, recursion; and numbers as Python has them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable


def late_binding_in_loop(x: float, y: float) -> float:
    fs = []
    for k in range(3):
        fs.append(lambda a: a * k)
    return fs[0](x) + fs[1](y)


def early_binding_by_default(x: float, y: float) -> float:
    fs = []
    for k in range(3):
        fs.append(lambda a, k=k: a * k)
    return fs[0](x) + fs[1](y) + fs[2](x)


def late_binding_in_comprehension(x: float, y: float) -> float:
    fs = [lambda a: a * k for k in range(3)]
    return fs[0](x) + fs[1](y)


def closure_sees_later_value(x: float, y: float) -> float:
    k = 1.0

    def f(a):
        return a * k

    first = f(x)
    k = y
    return first + f(x)


def nonlocal_counter(x: float, y: float) -> float:
    n = 0.0

    def count(a):
        nonlocal n
        n += a
        return n

    return count(x) * count(y) + n


def two_closures_share(x: float, y: float) -> float:
    state = x

    def put(a):
        nonlocal state
        state = a

    def get():
        return state

    put(get() * y)
    return get() * x


def makers_are_apart(x: float, y: float) -> float:
    def make(a):
        total = a

        def add(b):
            nonlocal total
            total += b
            return total

        return add

    f, g = make(x), make(y)
    f(1.0)
    return f(2.0) * g(3.0)


def local_hides_outer(x: float, y: float) -> float:
    a = x

    def f():
        a = y
        return a * 2

    return f() * a


def comprehension_variable_is_its_own(x: float, y: float) -> float:
    k = 10.0
    total = sum([k * x for k in (1.0, 2.0)])
    return total + k * y


def loop_variable_stays(x: float, y: float) -> float:
    for k in range(3):
        pass
    return x * k * y


def lambda_default(x: float, y: float) -> float:
    f = lambda a, b=2.0, *, c=3.0: a * b + c
    return f(x) + f(x, y) + f(x, c=y)


def mutable_default(x: float, y: float) -> float:
    def f(a, seen=[]):
        seen.append(a)
        return sum(seen)

    f(x)
    return f(y) * x


def keyword_arguments(x: float, y: float) -> float:
    def f(a, /, b, *, c):
        return a - 2 * b + 3 * c

    return f(x, b=y, c=1.0) + f(y, x, c=x)


def star_arguments(x: float, y: float) -> float:
    def f(*args, **kwargs):
        return sum(args) * len(args) + sum(kwargs.values()) * len(kwargs)

    return f(x, y, 2.0, a=x, b=3.0)


def recursive(x: float, y: float) -> float:
    def f(n):
        return 1.0 if n == 0 else x * f(n - 1) + y

    return f(4)


def mutual(x: float, y: float) -> float:
    def even(n, a):
        return a if n == 0 else odd(n - 1, a * x)

    def odd(n, a):
        return y if n == 0 else even(n - 1, a + y)

    return even(4, 1.0)


def partials(x: float, y: float) -> float:
    def f(a, b, c):
        return a - 2 * b + 3 * c

    g = functools.partial(f, x, c=y)
    return g(2.0) + g(2.0, c=1.0)


def composed(x: float, y: float) -> float:
    def compose(*fs):
        def run(a):
            for f in reversed(fs):
                a = f(a)
            return a

        return run

    return compose(math.sin, lambda a: a * y, math.exp)(x)


def function_returns_function_by_condition(x: float, y: float) -> float:
    def pick(a):
        if a > 0.5:
            return math.sin
        return math.cos

    return pick(x)(x) + pick(y)(y)


def callable_argument(x: float, y: float) -> float:
    def twice(f, a):
        return f(f(a))

    return twice(lambda a: a * a + y, x)


def functions_compared(x: float, y: float) -> float:
    f, g = math.sin, math.cos
    return x * y if f is math.sin and f is not g and f != g else x


def choice_compared(x: float, y: float) -> float:
    f = math.sin if x > 0.5 else math.cos
    return f(x) * y


def global_function_name_shadowed(x: float, y: float) -> float:
    def sum(a, b):
        return a * b

    return sum(x, y)


def builtin_shadowed_by_variable(x: float, y: float) -> float:
    max = x * y
    return max * 2


def floor_division(x: float, n: int) -> float:
    return x * (-n // 2) + x * x * (n // -2)


def modulo(x: float, n: int) -> float:
    return x * (-n % 2) + x * x * (n % -2)


def float_floor_division(x: float, y: float) -> float:
    return x * (-7.5 // 2.0) + y * (7.5 % -2.0)


def divmods(x: float, n: int) -> float:
    q, r = divmod(-n, 2)
    return x * q + x * x * r


def int_division_is_true(x: float, n: int) -> float:
    return x * (n / 2) + x * (1 / 4)


def rounding_half_even(x: float, y: float) -> float:
    return x * (round(0.5) + 10 * round(1.5) + 100 * round(2.5) + 1000 * round(-0.5))


def rounding_digits(x: float, y: float) -> float:
    return x * round(2.675, 2) + y * round(-0.125, 2)


def int_truncates(x: float, y: float) -> float:
    return x * int(-2.7) + y * int(2.7)


def int_of_run_time(x: float, y: float) -> float:
    return int(x * 10) * y + int(-y * 10) * x


def floor_and_ceil(x: float, y: float) -> float:
    return math.floor(-1.5) * x + math.ceil(-1.5) * y


def bools_add(x: float, y: float) -> float:
    return (True + True) * x + (x > 0) * y


def bool_of_numbers(x: float, y: float) -> float:
    return bool(0.0) * x + bool(-0.5) * y + bool(0) * 3


def not_gives_bool(x: float, y: float) -> float:
    return (not 0) * x + (not x) * y


def and_gives_operand(x: float, y: float) -> float:
    return (2 and 3) * x + (0 or 5) * y + (0.0 or x)


def and_gives_operand_at_run_time(x: float, y: float) -> float:
    return (x and y) + (x or y) * 2


def comparison_chain(x: float, y: float) -> float:
    return (0 < x < 1) * y + (x if 0 < x > -1 != 5 else y)


def power_of_ints(x: float, y: float) -> float:
    return x * 2**10 + y * (-2) ** 3 + x * -(2**2) + y * 2**-1


def power_associates_right(x: float, y: float) -> float:
    return x**2**3 * y


def bit_operators(x: float, y: float) -> float:
    return x * (6 & 3) + y * (6 | 3) + x * (6 ^ 3) + y * (~6) + x * (1 << 4) + y * (-9 >> 1)


def hex_and_underscores(x: float, y: float) -> float:
    return x * 0x1F + y * 1_000 + x * 0b101 + y * 1e-3


def big_integers(x: float, y: float) -> float:
    return x * (10**18) / (10**18) * y


def float_of_int_is_exact(x: float, y: float) -> float:
    return x * y if 2**53 == 2.0**53 else x


def float_equality(x: float, y: float) -> float:
    return x * y if 0.1 + 0.2 == 0.3 else x


def infinity(x: float, y: float) -> float:
    return x * y if math.inf > 1e308 and -math.inf < 0 else x


# refused: MK305
def int_methods(x: float, y: float) -> float:
    return x * (7).bit_length() + y * (2.5).is_integer()


def abs_and_sign(x: float, y: float) -> float:
    return abs(-3) * x + abs(-y)


def sum_of_bools(x: float, y: float) -> float:
    return sum(v > 0.5 for v in (x, y)) * x * y


def min_max_of_one_iterable(x: float, y: float) -> float:
    return min([x, y]) * 2 + max(v * v for v in (x, y))


def conditional_types(x: float, y: float) -> float:
    k = 1 if x > 0.5 else 2.5
    return k * y


def early_return(x: float, y: float) -> float:
    for k in range(5):
        if k * x > 1.0:
            return k * y
    return x


def loop_else(x: float, y: float) -> float:
    for k in range(3):
        if k * x > 100.0:
            break
    else:
        return x * y
    return x


def while_else(x: float, y: float) -> float:
    k = 0
    while k < 3:
        k += 1
        if k * x > 100:
            break
    else:
        x = x * k
    return x * y


def nested_break(x: float, y: float) -> float:
    total = 0.0
    for i in range(3):
        for j in range(3):
            if j > i:
                break
            total += x * i + y * j
        else:
            total += 1.0
    return total


def ternary_chain(x: float, y: float) -> float:
    return x if x > 1 else y if y > 0.5 else x * y


def walrus_in_while(x: float, y: float) -> float:
    total = x
    while (total := total * 1.5) < 10.0:
        total += y
    return total


def chained_comparison_of_calls(x: float, y: float) -> float:
    n = 0

    def f(a):
        nonlocal n
        n += 1
        return a

    return x * n if f(1) < f(2) < f(0) < f(5) else y * n


def deleted_item(x: float, y: float) -> float:
    d = {"f": lambda a: a * y}
    return d["f"](x) * len(d)


def annotated_local(x: float, y: float) -> float:
    k: float = 2
    total: float = x
    total += k * y
    return total


def int_annotation_of_float(x: float, y: float) -> float:
    k: int = 3
    return x / k * y


def unused_annotation(x: float, y: float) -> float:
    k: float
    k = y
    return k * x


def global_constant_in_default(x: float, y: float, k: int = 2) -> float:
    return x * k + y


def pass_and_docstring(x: float, y: float) -> float:
    """Nothing special."""
    pass
    ...
    return x * y


def typed_callable(x: float, y: float) -> float:
    def apply(f: Callable[[float], float], a: float) -> float:
        return f(a)

    return apply(lambda a: a * a, x) * y
