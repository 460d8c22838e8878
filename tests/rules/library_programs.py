"""The examples of the library functions as programs: one module per function."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import scipy
from mooncake_rules.arrays import Function
from numpy.typing import NDArray

Inputs = Mapping[str, object]

NAMES = {"np": np, "scipy": scipy, "math": math, "itertools": itertools}
HEADER = """import itertools
import math
from typing import Annotated

import numpy as np
import scipy
import scipy.fft
import scipy.linalg
import scipy.special
import scipy.stats
from numpy.typing import NDArray
"""


def inputs(rows: int = 3, columns: int = 4, dtype: str = "float64") -> Inputs:
    """The values of the names in examples; no two numbers are equal.

    ``x``, ``y``: matrices, ``pos``: a positive one; ``v``, ``u``: as long as a row, ``w``: as a
    column; ``t``: of rank 3; ``m``: square and well conditioned, ``p``: positive definite;
    ``a``, ``b``: numbers; ``z``: a complex matrix; ``mask``: bools like ``x``; ``idx``: rows.
    """
    rng = np.random.default_rng(7)

    def drawn(*shape: int) -> NDArray[np.floating]:
        steps = rng.permuted(np.arange(np.prod(shape))).reshape(shape)
        return (rng.normal(size=shape) + 0.1 * steps).astype(dtype)

    half = rng.normal(size=(rows, rows))
    complex_ = "complex128" if dtype == "float64" else "complex64"
    return {
        "x": drawn(rows, columns), "y": drawn(rows, columns),
        "pos": np.abs(drawn(rows, columns)) + np.asarray(0.5, dtype),
        "v": drawn(columns), "u": drawn(columns), "w": drawn(rows),
        "t": drawn(2, rows, columns),
        "m": (half + 4 * np.eye(rows)).astype(dtype),
        "p": (half @ half.T + rows * np.eye(rows)).astype(dtype),
        "a": 0.7, "b": 1.3,
        "z": (drawn(rows, columns) + 1j * drawn(rows, columns)).astype(complex_),
        "mask": rng.normal(size=(rows, columns)) > 0,
        "idx": rng.integers(0, max(rows, 1), size=5) if rows else np.zeros(0, np.int64),
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Program:
    """One expression as a function ``name`` of the inputs ``args``."""

    name: str
    expression: str
    args: tuple[str, ...]


def expressions(function: Function) -> Iterator[str]:
    """The examples with all values of their fields."""
    for example in function.examples:
        fields = [f for f in function.grid if f"{{{f}}}" in example]
        for values in itertools.product(*(function.grid[f] for f in fields)):
            yield example.format(**{f: _text(v) for f, v in zip(fields, values, strict=True)})


def _text(value: object) -> str:
    return repr(value).replace("inf", "np.inf") if isinstance(value, float) else repr(value)


def programs(
    function: Function, given: Inputs, at_most: int | None = None
) -> tuple[str, list[Program]]:
    """A module with a function per example whose result carries floats; and those functions.

    ``at_most``: so many examples whose results have floats, drawn at random, and those drawn
    before them; fewer are some of them.
    """
    texts: dict[int, str] = {}
    found: dict[int, Program] = {}
    smooth = 0
    chosen = list(enumerate(dict.fromkeys(expressions(function))))
    if at_most is not None:
        random.Random(function.names[0]).shuffle(chosen)
    for k, expression in chosen:
        if smooth == at_most:
            break
        result = evaluate(expression, given)
        kind = None if result is None else annotation(result)
        args = tuple(n for n in given if re.search(rf"\b{n}\b", re.sub(r"'[^']*'", "", expression)))
        floats = [n for n in args if np.asarray(given[n]).dtype.kind in "fc"]
        if kind is None or not floats:
            continue
        params = ", ".join(f"{n}: {annotation(given[n])}" for n in args)
        texts[k] = f"def f{k}({params}) -> {kind}:\n    return {expression}\n"
        found[k] = Program(f"f{k}", expression, args)
        smooth += carries_floats(result)
    ordered = sorted(found)
    return "\n\n".join([HEADER, *(texts[k] for k in ordered)]), [found[k] for k in ordered]


def evaluate(expression: str, given: Inputs) -> object | None:
    """The result of the expression in NumPy; None if it refuses."""
    with np.errstate(all="ignore"):
        try:
            return eval(expression, {**NAMES, **given})
        except (ValueError, TypeError, IndexError, ArithmeticError, RuntimeError):
            return None


def carries_floats(value: object) -> bool:
    """True for results that have derivatives."""
    if isinstance(value, tuple | list):
        return any(map(carries_floats, value))
    return np.asarray(value).dtype.kind in "fc"


def annotation(value: object) -> str | None:
    """The annotation for a result; None where it carries no floats."""
    if isinstance(value, tuple | list):
        kinds = [annotation(item) for item in value]
        known = [kind or _plain(item) for kind, item in zip(kinds, value, strict=True)]
        return f"tuple[{', '.join(known)}]" if any(kinds) else None
    array = np.asarray(value)
    if array.dtype.kind not in "fc" and array.ndim == 0:
        return None
    return _plain(value)


def _plain(value: object) -> str:
    array = np.asarray(value)
    if array.ndim:
        dims = " ".join("_" * array.ndim)
        return f'Annotated[NDArray[np.{array.dtype.name}], "{dims}"]'
    names = {"float64": "float", "int64": "int", "bool": "bool", "complex128": "complex"}
    return names.get(array.dtype.name, f"np.{array.dtype.name}")
