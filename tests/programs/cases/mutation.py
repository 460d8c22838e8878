"""Functions that write to their arguments."""

import math

import numpy as np
from kinds import Mat, Vec


def grows_argument(x: Vec, a: float) -> float:
    for i in range(len(x)):
        x[i] *= a + x[i]
    s = 0.0
    for v in x:
        s += v * v
    return s


def overwrites_element(x: Vec) -> float:
    s = x[0] * x[1]
    x[0] = 2.0
    x[1] = x[0] * x[2]
    return s + x[0] * x[1]


def writes_under_condition(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0.5:
            x[i] = x[i] * x[i]
        else:
            x[i - 1] += 0.5 * x[i]
        s += x[i]
    return s * x[-1]


def writes_and_breaks(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        x[i] = math.sin(x[i]) + s
        s += x[i]
        if s > 1.2:
            break
        x[i] *= 2.0
    return s * x[0] * x[-1]


def writes_and_returns(x: Vec, k: int) -> float:
    for i in range(len(x)):
        x[i] *= x[i]
        if i == k:
            return x[0] * x[i]
    return x[1]


def writes_in_while(x: Vec) -> float:
    i = 0
    while i < len(x) and x[i] < 0.9:
        x[i] = 0.5 * x[i] * x[i - 1]
        i += 1
    return x[0] + x[1] * x[i - 1]


def output_argument(x: Vec, out: Vec) -> float:
    for i in range(len(x)):
        out[i] = x[i] * x[i]
    return out[0] * out[1] + out[-1]


def writes_through_view(m: Mat) -> float:
    for i in range(1, m.shape[0]):
        above, row = m[i - 1], m[i]
        for j in range(len(row)):
            row[j] += 0.5 * above[j] * row[j]
    return m[-1, 0] * m[-1, 1] + m[2, 2]


def writes_slices(x: Vec, y: Vec) -> float:
    x[1:3] = y[2:4]
    y[:] = 0.5
    y[1:] += x[:-1]
    x[::2] = y[2:]
    return x[0] * x[2] + y[1] * y[2] * x[4]


def fills(x: Vec, a: float) -> float:
    s = x[0] * x[1]
    x[:] = a
    x[0] *= x[1]
    return s + x[0]


def gives_its_argument(x: Vec, a: float) -> Vec:
    for i in range(len(x)):
        x[i] *= a
    return x


def gives_value_and_argument(x: Vec) -> tuple[float, Vec]:
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        x[i] = math.sin(s)
    return s, x


def exchange(x: Vec, y: Vec) -> float:
    for i in range(len(x)):
        x[i], y[i] = y[i], x[i] * 2.0
    return x[0] * y[1] * y[0]


def chosen_target(x: Vec, y: Vec, k: int) -> float:
    z = x if k > 2 else y
    for i in range(len(z)):
        z[i] = z[i] * z[i]
    return x[0] * x[1] + y[0] * y[1]


def ints_too(x: Vec, k: int) -> float:
    n = np.zeros(3, dtype=np.int64)
    for i in range(len(x)):
        n[i % 3] += k
        x[i] *= n[i % 3]
    return x[0] * x[4]


def nothing_active_written(x: Vec, y: Vec) -> float:
    s = y[1] * y[1]
    for i in range(len(x)):
        x[i] = 3.0
    return s


def restored_across_nesting(m: Mat, x: Vec) -> float:
    s = 0.0
    for t in range(3):
        for i in range(m.shape[0]):
            for j in range(m.shape[1]):
                if (i + j + t) % 2 == 0:
                    m[i, j] = math.sin(m[i, j] + x[j])
                    x[j] += 0.1 * m[i, j]
                else:
                    s += m[i, j] * x[i]
        x[t] = s * 0.5
    return s + x[0]


def steps_until_at_rest(out: Vec, a: float) -> int:
    count = 0
    while np.max(np.abs(out)) > 0.5:
        out *= a / (1.0 + a)
        count += 1
        if count > 5:
            return -1
    return count


def whether_written(x: Vec, out: Vec) -> bool:
    out[:] = x**2
    if x[0] > 0.3:
        out[0] = 2.0 * x[0]
        return True
    return False
