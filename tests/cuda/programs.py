"""Programs over CuPy's arrays, each of which is also one over NumPy's.

``xp`` stands for the module, ``Array`` for its arrays; a number that is computed from arrays is
``Number``, which is ``float`` for NumPy and an array without axes for CuPy; ``Amplitude`` is a
complex one.
"""

from __future__ import annotations

from tests.cuda import (
    array_programs,
    integer_programs,
    loop_programs,
    ordered_programs,
    special_programs,
    spectral_programs,
    truth_programs,
    waiting_programs,
)
from tests.cuda.drawing import Drawn, arrays, floats_and, of_dtypes, with_numbers

HEAD = """from __future__ import annotations

from typing import TYPE_CHECKING

import {0} as xp
from {1} import linalg as sla
from {1} import special
{2}

from mooncake_runtime import rule_for

if TYPE_CHECKING:
    from jaxtyping import Bool, Complex64, Complex128, Float32, Float64, Int16, Int32, Int64, UInt8

"""

# The addition at places: NumPy's is a method of a function.
SCATTER = {"numpy": "scatter_add = xp.add.at", "cupy": "from cupyx import scatter_add"}

SOURCE = """
def sum_sin(x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(xp.exp(xp.sin(x) * y))

def chain(x: Float64[xp.ndarray, "n"]) -> Float64[xp.ndarray, "n"]:
    return x * x + xp.sin(x)

def row(x: Float64[xp.ndarray, "n m"], b: Float64[xp.ndarray, "m"], s: float) -> Number:
    h = xp.exp(xp.sin(x) * b) / (1 + x * x) * s
    return xp.sum(h)

def mean(x: Float64[xp.ndarray, "n m"]) -> Number:
    return xp.mean(xp.tanh(x) ** 2)

def column(x: Float64[xp.ndarray, "n m"], c: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum((x - c[:, xp.newaxis]) ** 2)

def outer(a: Float64[xp.ndarray, "n"], b: Float64[xp.ndarray, "m"]) -> Float64[xp.ndarray, "n m"]:
    return xp.exp(-((a[:, xp.newaxis] - b) ** 2))

def logistic(
    w: Float64[xp.ndarray, "m"], x: Float64[xp.ndarray, "n m"], y: Float64[xp.ndarray, "n"]
) -> Number:
    z = xp.sum(x * w, axis=1)
    return xp.mean(xp.log1p(xp.exp(-z * y)))

def softmax(x: Float64[xp.ndarray, "n m"]) -> Float64[xp.ndarray, "n m"]:
    e = xp.exp(x - xp.max(x, axis=1, keepdims=True))
    return e / xp.sum(e, axis=1, keepdims=True)

def columns(x: Float64[xp.ndarray, "n m"]) -> Float64[xp.ndarray, "m"]:
    return xp.sum(xp.cos(x), axis=0)

def several(
    x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "n"]
) -> tuple[Number, Float64[xp.ndarray, "n"]]:
    z = xp.sqrt(x * x + y * y + 1)
    return xp.sum(z), z * y

def two_sums(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(x * x) / xp.sum(xp.exp(x))

def normalised(x: Float64[xp.ndarray, "n"]) -> Float64[xp.ndarray, "n"]:
    return x / xp.sqrt(xp.sum(x * x) + 1)

def scaled(x: Float64[xp.ndarray, "n"], a: float, b: float) -> Float64[xp.ndarray, "n"]:
    return a * x + b / (1 + x * x)

def chosen(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(xp.where(x > 0, xp.sqrt(xp.abs(x)), x * x))

def clipped(x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(xp.maximum(x, y) * xp.minimum(x, 0.5))

def lerp(x: Float64[xp.ndarray, "n"], k: int) -> Float64[xp.ndarray, "n"]:
    return x * k + xp.arctan(x)

def single(x: Float32[xp.ndarray, "n"], y: Float32[xp.ndarray, "n"]) -> Float32[xp.ndarray, "n"]:
    return xp.sin(x) * 0.1 + y * y

def mixed(x: Float32[xp.ndarray, "n"], y: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(xp.exp(x) * y)

def promoted(x: Float32[xp.ndarray, "n"], k: Int32[xp.ndarray, "n"]) -> Float64[xp.ndarray, "n"]:
    return x * k

def counted(x: Float64[xp.ndarray, "n"], k: Int64[xp.ndarray, "n"]) -> Number:
    return xp.sum(x * k)

def transposed(x: Float64[xp.ndarray, "n m"], y: Float64[xp.ndarray, "m n"]) -> Number:
    return xp.sum(xp.sin(x) * y.T)

def differences(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum((x[1:] - x[:-1]) ** 2)

def angles(x: Float64[xp.ndarray, "n"]) -> Number:
    y = xp.rad2deg(x) * xp.round(x) + xp.deg2rad(xp.float_power(xp.abs(x) + 1, 1.5))
    return xp.sum(xp.where(xp.logical_xor(x > 0.5, xp.signbit(x)), y, 2 * y))

def helped(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(_squash(x) * x)

def _squash(x):
    return 1 / (1 + xp.exp(-x))

def ruled(x: Float64[xp.ndarray, "n"], a: float) -> Float64[xp.ndarray, "n"]:
    return _softplus(x * a) * x

def _softplus(x: Float64[xp.ndarray, "n"]) -> Float64[xp.ndarray, "n"]:
    return xp.log(1 + xp.exp(x))

@rule_for(_softplus)
def _softplus_rule(x):
    y = xp.logaddexp(0.0, x)

    def pullback(y_bar):
        return y_bar / (1 + xp.exp(-x))

    return y, pullback
"""

MODULES = (
    array_programs, loop_programs, waiting_programs, spectral_programs, integer_programs,
    ordered_programs, special_programs, truth_programs,
)  # fmt: skip
N, M = 300, 3

INPUTS: dict[str, Drawn] = {
    "sum_sin": arrays((N,), (N,)), "chain": arrays((N,)),
    "row": with_numbers(arrays((N, M), (M,)), 1.5), "mean": arrays((N, M)),
    "column": arrays((N, M), (N,)), "outer": arrays((7,), (5,)),
    "logistic": arrays((M,), (N, M), (N,)), "softmax": arrays((6, 5)),
    "columns": arrays((N, M)), "several": arrays((N,), (N,)), "two_sums": arrays((N,)),
    "normalised": arrays((N,)), "scaled": with_numbers(arrays((N,)), 0.5, -1.5),
    "chosen": arrays((N,)), "clipped": arrays((N,), (N,)), "lerp": with_numbers(arrays((N,)), 3),
    "single": of_dtypes(arrays((N,), (N,)), "float32", "float32"),
    "mixed": of_dtypes(arrays((N,), (N,)), "float32", "float64"),
    "promoted": of_dtypes(arrays((N,), (N,)), "float32", "int32"),
    "counted": of_dtypes(arrays((N,), (N,)), "float64", "int64"),
    "transposed": arrays((7, M), (M, 7)), "helped": arrays((N,)),
    "ruled": with_numbers(arrays((N,)), 0.7), "angles": arrays((N,)),
    "differences": arrays((N,)),
    **array_programs.INPUTS, **loop_programs.INPUTS, **waiting_programs.INPUTS,
    **special_programs.INPUTS, **spectral_programs.INPUTS, **integer_programs.INPUTS,
    **ordered_programs.INPUTS, **truth_programs.INPUTS,
}  # fmt: skip

# Rows that several threads work on, of a block that they fill, and of one that they do not.
WIDE: dict[str, Drawn] = {
    "softmax": arrays((4, 300)), "cross_entropy": arrays((3, 70), (3, 70)),
    "logistic": arrays((40,), (5, 40), (5,)), "log_sum": arrays((5, 33)),
    "labelled": floats_and((2, 0, -1), (3, 270)), "by_rows": arrays((3, 100), (100,)),
    "spans": arrays((3, 290)), "columns": arrays((2500, 3)), "column": arrays((3, 90), (3,)),
}  # fmt: skip


def source(library: str) -> str:
    """The programs over the arrays of ``library``, in all modes that each has."""
    return spelled("".join((SOURCE, *(module.SOURCE for module in MODULES))), library)


def named(*names: str) -> str:
    """The programs of these names, and all helpers."""
    functions = "".join((SOURCE, *(module.SOURCE for module in MODULES))).split("\ndef ")
    return "\ndef ".join(f for f in functions if f.partition("(")[0] in names or f[:1] in ("", "_"))


def spelled(
    text: str,
    library: str,
    of_numbers: str = "reverse,forward,hvp",
    of_arrays: str = "reverse,forward",
) -> str:
    """The functions of ``text`` over the arrays of ``library``, in all modes that each has, by
    whether its value is a number.
    """
    number = {"numpy": "float", "cupy": 'Float64[xp.ndarray, ""]'}[library]
    amplitude = {"numpy": "complex", "cupy": 'Complex128[xp.ndarray, ""]'}[library]
    first, *others = text.split("\ndef ")
    text = first
    for function in others:
        modes = of_numbers if "-> Number:" in function else of_arrays
        comment = "" if function.startswith("_") else f"# mooncake: modes={modes}\n"
        text += f"\n{comment}def {function}"
    scipy = {"numpy": "scipy", "cupy": "cupyx.scipy"}[library]
    text = text.replace("Number", number).replace("Amplitude", amplitude)
    return HEAD.format(library, scipy, SCATTER[library]) + text
