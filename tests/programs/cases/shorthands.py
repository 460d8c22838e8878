"""Short ways to write indices, methods and defaults."""

from functools import partial
from typing import Annotated

import numpy as np
import scipy.special
from kinds import Vec
from numpy.typing import NDArray

Square = Annotated[NDArray[np.float64], "n n"]
Cube = Annotated[NDArray[np.float64], "n r c"]


def truth_as_index(x: float, y: float, c: bool) -> float:
    pair = (x * y, x + y)
    listed = [x, y, 2.0]
    listed[c] *= 3.0
    return pair[c] * (y, x)[x > y] + listed[False] * listed[not c] * listed[1]


def truth_as_index_of_a_given_list(xs: list[float], c: bool) -> float:
    xs.append(xs[c] * 2.0)
    return xs[c] * xs[-1]


def positions_in_order(x: Vec) -> float:
    order = sorted(range(len(x)), key=x.__getitem__)
    first = min(range(len(x)), key=x.__getitem__)
    last = max(order, key=(x * 2.0).__getitem__)
    return sum(k * x[i] for k, i in enumerate(order)) + x[first] * x[last]


def methods_by_name(x: Vec) -> float:
    s = 0.0
    for name in ("sum", "max", "mean"):
        s += getattr(x, name)() ** 2
    return s * getattr(x, "dot")(x) + getattr(x, "T")[0]  # noqa: B009


def methods_as_values(x: Vec) -> float:
    y = x.copy()
    total, fill = y.sum, np.zeros(3).fill
    y[0] = 3.0 * y[1]
    fill(x[0])
    chosen = x.sum if y[2] > x[1] else x.mean
    listed = np.ndarray.tolist(x)
    np.ndarray.fill(y[:1], listed[2])
    return total() * chosen() * sum(f(axis=0) for f in (x.sum, x.mean, (x * y).max))


def starred_indices(t: Cube) -> float:
    front, all_three, part = (1, 0), [1, 0, 1], (slice(0, 2), 1)
    u = t.copy()
    u[*part] *= 2.0
    u[*front, 1] += t[*all_three] ** 2
    return u[*front, 1] * np.sum(u[*part, 0] ** 2) + np.sum(u[0, *front])


def starred_keys(x: float, y: float) -> float:
    d = {(0, 1): x, (1,): y}
    key, lone = (0, 1), [1]
    d[*key] *= y
    return d[*key] * d[*lone]


def indexed_by_nothing(x: Vec) -> float:
    total, product = np.sum(x), np.asarray(x[0]) * np.array(2.0)
    return total[()] * product[()] ** 2


def viewed(x: Vec) -> float:
    y = x.copy()
    z = y.view()
    z *= 2.0
    return float(y @ y) + float((x * x).view()[1])


def power_at_run_time(m: Square, n: int) -> float:
    fibonacci = np.linalg.matrix_power(np.array([[1, 1], [1, 0]]), n + 5)
    powers = np.linalg.matrix_power(m, n) + np.linalg.matrix_power(m, n - 3)
    return np.sum(powers) * fibonacci[0, 0] + np.linalg.matrix_power(m, -n)[0, 0]


def split_at_run_time(m: Square, v: Vec, n: int) -> float:
    wide = np.hstack([m] * 6)
    total = v[0]
    for k, part in enumerate(np.split(wide, n % 3 + 1, axis=-1)):
        total += (k + 1.0) * np.sum(part[:, 0] * part[:, -1])
    first, *_, last = [half * half for half in np.split(np.hstack((v, v)), n % 2 + 1)]
    return total + float(first[-1] * last[0])


def beside_each_other(m: Square, v: Vec) -> float:
    wide = np.hstack([m * x for x in v])
    wider = np.concatenate([wide + x for x in v], axis=-1)
    deep = np.concatenate([np.stack((m, m.T)) * x for x in v], axis=1)
    weights = np.arange(1.0, wider.shape[1] + 1.0)
    return np.sum(wider[0] * wider[-1] * weights) + np.sum(deep[0, :, -1] * deep[1, :, 0])


def complex_defaults(
    x: float, w: complex = 1 + 2j, v: complex = complex(1, -2.0), u: complex = -1.5 - 2j
) -> float:
    return abs(x * w + u) ** 2 + (v * w).real * x


def missing_key(x: float) -> float:
    d = {"a": x}
    s = 0.0
    for name in ("a", "b"):
        try:
            s += d[name] ** 2
        except KeyError:
            s += d["a"] * 3.0
    try:
        s *= d["c"]
    except LookupError:
        s *= x
    return s


def without_nan_in_place(x: Vec) -> float:
    y = np.where(x > 0.5, x, np.nan)
    part = y[1:]
    np.nan_to_num(part, copy=False, nan=2.0)
    same = np.nan_to_num(y, False)
    same[0] = 3.0 * x[1]
    new = np.nan_to_num(y * x, copy=False)
    new[1] = 0.0
    return y @ y + new @ x


def parameter_without_nan(x: Vec, out: Vec) -> None:
    np.nan_to_num(out, copy=False)
    out *= x


def series_by_factorials(x: float, n: int) -> float:
    s = 0.0
    for k in range(n):
        s += x**k / scipy.special.factorial(k)
    s += np.sum(x ** np.arange(4) / scipy.special.factorial(np.arange(4)))
    rest = scipy.special.factorial(-1) + 1.0 / scipy.special.factorial(200.0)
    return s * scipy.special.factorial(x) + rest * x + scipy.special.factorial(n, exact=True)


def polynomials(x: float, c: Vec) -> float:
    p, q = np.poly1d(c), np.poly1d([1.0, -2.0, x])
    roots = np.poly1d([x, 2.0], r=True)
    c[0] = x * c[1]
    return p(x) * q(c[2]) + np.sum(p(c[:2])) + roots(c[1])


def digits_by_name(x: float, n: int) -> float:
    to_one = partial(round, ndigits=1)
    rest = round(number=x, ndigits=None)
    return x * x + to_one(x) + x * round(x, ndigits=0) + x * rest + x * round(n, ndigits=-1)
