"""Functions that return dicts: with declared keys in any order, and keys that bodies tell."""

from typing import Any, TypedDict

import numpy as np
from kinds import Mat, Vec


class Moments(TypedDict):
    mean: float
    spread: float
    centred: Vec


def other_order(x: Vec) -> Moments:
    centred = x - np.mean(x)
    return {"spread": np.sum(centred**2), "centred": centred, "mean": np.mean(x)}


def by_class(x: Vec) -> Moments:
    return Moments(centred=x * x, spread=3.0 * x[0], mean=x[1])


def of_numbers(x: float, y: float) -> dict[str, float]:
    out = {"sum": x + y}
    out["product"] = x * y
    if x > y:
        out["sum"] += 1.0
    return out


def of_arrays(x: Vec, a: float) -> dict[str, np.ndarray]:
    return {"dw": x * a, "db": np.outer(x, x)}


def of_anything(x: Vec, m: Mat, a: float) -> dict[str, Any]:
    loss = float(np.sum(m**2)) * a
    return {"loss": loss, "steps": 3, "name": "fit", "grads": {"m": 2.0 * m * a, "x": x[1:]}}


def plain(x: float) -> dict:
    d = dict(a=x, b=x**2)  # noqa: C408
    d.update({"c d": x**3, "1": 2.0 * x})
    return d


def by_keys(x: Vec) -> dict[str, float]:
    return {name: v**2 for name, v in zip(("a", "b"), (x[0], x[1]), strict=True)}


def on_two_paths(x: float) -> dict[str, float]:
    if x > 2.0:
        return {"a": x, "b": 2.0}
    return {"a": x * x, "b": x}


def of_another(x: float, y: float) -> dict[str, float]:
    found = of_numbers(x, y)
    found["twice"] = found["sum"] * 2.0
    return found


def used(x: float, y: float) -> float:
    found = of_numbers(x, y)
    return found["sum"] * on_two_paths(y)["b"]


def of_lists(x: float, n: int) -> dict[str, list[float]]:
    history = {"heat": [], "flow": [], "at": []}
    for i in range(n):
        history["heat"].append(x * i)
        if i % 2 == 0:
            history["flow"].append(x * x)
        history["at"].append(i)
    return history


def of_lists_and_more(x: float, n: int) -> dict:
    made = {"path": [], "pairs": [], "end": 0.0, "name": "run"}
    for i in range(n):
        made["path"].append([x * i, x])
        made["pairs"].append((x * x, i))
    made["end"] = x**3
    return made


def _history(x, n):
    made = {"heat": [x * i for i in range(n)], "end": 0.0}
    made["end"] = x**3
    return made


def of_dicts_with_lists(x: float, n: int) -> dict:
    inner = _history(x, n)
    inner["heat"].append(x)
    return {"inner": inner, "all": [x, 2.0]}


def lists_on_two_paths(x: float, n: int) -> dict[str, list[float]]:
    if n > 2:
        return {"a": [x * i for i in range(n)], "b": [x, 2.0]}
    return {"a": [x], "b": [x * x, 2.0]}


def given_list(xs: list[float]) -> dict[str, list[float]]:
    return {"given": xs, "sorted": sorted(xs)}


def not_annotated(x: float, n: int):
    return {"a": [x * i for i in range(n)], "b": [x, x * x]}


def used_lists(x: float, n: int) -> float:
    return of_lists(x, n)["heat"][1] * 2.0 + sum(lists_on_two_paths(x, n)["b"])
