"""Special functions, names and values; what has gone wrong elsewhere."""

import math

import numpy as np
from kinds import Ints, Vec


def absolute(x: float, y: float) -> float:
    return abs(x) * y + math.fabs(y) * x + np.abs(x * y)


def copied_sign(x: float, y: float) -> float:
    return math.copysign(x, y) * y + np.copysign(y, x)


def extrema(x: float, y: float) -> float:
    return max(x, y, 0.1) * min(x, y) + np.maximum(x, y) * np.minimum(x * x, y)


def clipped(x: Vec) -> float:
    s = 0.0
    for v in x:
        s += np.clip(v, 0.3, 0.8) * v
    return s


def powers(x: float, a: float) -> float:
    return x**a + x**2 + x**-1 + x**0.5 + 2.0**x + x**3.0 + pow(x, 2)


def integer_power(x: float, k: int) -> float:
    return x**k + (-x) ** k


def remainders(x: float, y: float) -> float:
    return (x * 5.0) % y + math.fmod(x * 7.0, y) + (x * 9.0) // y * x


def rounded(x: float) -> float:
    return math.floor(x * 3.0) * x + math.ceil(x) * x + round(x) * x + int(x * 10.0) * x


def divided_ints(x: float, k: int) -> float:
    return x * (k / 2) + x * (k // 2) + x * (7 % k) + x / k


def int_times_float(k: int, x: float) -> float:
    n = k * k
    m = n - 2 * k + 1
    return m * x * x + n


def bool_arithmetic(x: float, k: int) -> float:
    flag = k > 2
    return x * flag + (x > 0.5) * x * x


def selected(x: float) -> float:
    return np.where(x > 0.0, np.sqrt(abs(x)), x * x)


def not_the_branch_taken(x: float) -> float:
    y = x - 10.0
    return np.where(y > 0.0, np.log(np.where(y > 0.0, y, 1.0)), x * x)


def generated_names(x_bar: float, t1: float, y_bar: float, residuals: Vec) -> float:
    t2 = x_bar * t1
    grad = t2 + y_bar
    s_bar = 0.0
    for i in range(len(residuals)):
        t1_bar = residuals[i] * grad
        s_bar += t1_bar * t1_bar
    value = s_bar * t2
    return value


def more_generated_names(x: Vec, x_saved: float, x_entry: float, inner: float) -> float:
    entry = x_saved * x_entry
    rt = entry + inner
    for i in range(len(x)):
        x_stack = x[i] * rt
        x[i] = x_stack * x_stack
        rt = x[i] * entry
    return rt * x[0]


def shadows_builtins(len: float, sum: float, abs: Vec) -> float:
    range_ = len * sum
    max = range_ + abs[0]
    return max * max


def keyword_like(lambda_: float, def_: float, async_: float) -> float:
    return lambda_ * def_ + async_ * lambda_


def math_names(e: float, pi: float, np_: float, float_: float) -> float:
    sin = math.sin(e)
    return sin * pi + np_ * float_ * sin


def unicode_names(α: float, 名: float) -> float:
    β = α * 名
    return β * β + α


def single_letters(l: float, O: float, I: float) -> float:  # noqa: E741 - it is a trap
    return l * O + I * l


def integer_inputs(x: Vec, at: Ints, k: int, flag: bool) -> float:
    s = 0.0
    for i in range(len(at)):
        if flag:
            s += x[at[i]] * x[i] * k
    return s


def unused_parameters(x: float, y: float, z: Vec) -> float:
    return x * x


def constant_result(x: float) -> float:
    return 3.0


def identity(x: float) -> float:
    return x


def rebinds_parameter(x: float, a: float) -> float:
    x = x * a
    x = x * x
    a = x + a
    return a * x


def many_uses(x: float) -> float:
    y = x * x
    y = y * y + y
    y = y * y + y * x
    return y * y + y


def cancelling(x: float, y: float) -> float:
    return (x + y) - x + (x - x) * y


def deep_expression(x: float) -> float:
    return math.sin(math.cos(math.exp(-math.sqrt(1.0 + math.tanh(x * math.atan(x) + 1.0) ** 2))))


def infinite_start(x: Vec) -> float:
    best = math.inf
    for v in x:
        best = min(best, v * v)
    return best + x[0]


def soft_maximum(x: Vec) -> float:
    m = x[0]
    for i in range(1, len(x)):
        if x[i] > m:
            m = x[i]
    s = 0.0
    for i in range(len(x)):
        s += math.exp(x[i] - m)
    return m + math.log(s)


def detour_over_int(x: float, k: int) -> float:
    n = int(x * 1000.0)
    return x * x + n * 0.0 + k


def augmented_everything(x: float, a: float) -> float:
    x += a
    x -= 0.3 * a
    x *= x
    x /= a
    x **= 2
    x -= x // 1.0
    return x


def early_constant(x: float, k: int) -> float:
    if k == 3:
        return x * x
    return 1.0


def docstring_and_comments(x: float) -> float:
    """A docstring with \"\"\" quotes and a backslash \\."""
    # A comment.
    y = x * x  # and another
    return y


def long_line(x: float, yy: float) -> float:
    return x * yy + x * x * yy + x * yy * yy + x * x * x * yy + x * x * yy * yy + x * yy * yy * yy


def semicolons(x: float) -> float:
    y = x; z = y * y  # fmt: skip # noqa: E702
    if z > 0.1: z = z * x  # fmt: skip # noqa: E701
    return z
