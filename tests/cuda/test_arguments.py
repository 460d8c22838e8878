"""Arguments of functions over CuPy's arrays, and spellings that are read without CuPy."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from tests.cuda.conftest import Programs
from tests.cuda.standin import ndarray
from tests.helpers.transpile import gradient_text

NUMBER = '-> Float64[cp.ndarray, ""]'
JAXTYPING = "from jaxtyping import Float64\n"
SPELLINGS = {
    "as": f'import cupy as cp\n{JAXTYPING}def f(x: Float64[cp.ndarray, "n"]) {NUMBER}:\n'
    "    return cp.sum(cp.sin(x))\n",
    "plain": f'import cupy\n{JAXTYPING}def f(x: Float64[cupy.ndarray, "n"])'
    ' -> Float64[cupy.ndarray, ""]:\n    return cupy.sum(cupy.sin(x))\n',
    "from": f'from cupy import ndarray, sin, sum\n{JAXTYPING}def f(x: Float64[ndarray, "n"])'
    ' -> Float64[ndarray, ""]:\n    return sum(sin(x))\n',
    "annotated": "import cupy as cp\nfrom typing import Annotated\n"
    'def f(x: Annotated[cp.typing.NDArray[cp.float64], "n"])'
    ' -> Annotated[cp.typing.NDArray[cp.float64], ""]:\n    return cp.sum(cp.sin(x))\n',
    "method": f'import cupy as cp\n{JAXTYPING}def f(x: Float64[cp.ndarray, "n"]) {NUMBER}:\n'
    "    return cp.sin(x).sum()\n",
    "alias": f'import cupy as cp\n{JAXTYPING}Vec = Float64[cp.ndarray, "n"]\n'
    f"def f(x: Vec) {NUMBER}:\n    return cp.sum(cp.sin(x))\n",
    "dtype of NumPy": f"import cupy as cp\nimport numpy as np\n{JAXTYPING}"
    f'def f(x: Float64[cp.ndarray, "n"]) {NUMBER}:\n    return cp.sum(cp.sin(x * np.pi / np.pi))\n',
}


@pytest.mark.parametrize("how", SPELLINGS)
def test_spellings(how: str) -> None:
    text = gradient_text(SPELLINGS[how])
    assert "import cupy" in text
    assert "numpy" not in text
    assert "sin(" in text


ANNOTATIONS = {
    "integers": ('x: Float64[cp.ndarray, "n"], k: Int32[cp.ndarray, "n"]', "cp.sum(x * k)"),
    "bools": ('x: Float64[cp.ndarray, "n"], k: Bool[cp.ndarray, "n"]', "cp.sum(x * k)"),
    "no axes": ('x: Float64[cp.ndarray, ""], k: Float64[cp.ndarray, "n"]', "cp.sum(x * k)"),
    "numbers": ('x: Float64[cp.ndarray, "n"], k: int, s: float', "cp.sum(x * k + s)"),
    "tuples": ('x: tuple[Float64[cp.ndarray, "n"], float]', "cp.sum(x[0] * x[1])"),
    "lists": ('x: list[Float64[cp.ndarray, "n"]]', "sum([cp.sum(a * a) for a in x], 0.0)"),
    "NDArray": ("x: Annotated[NDArray[cp.float64], 'n m']", "cp.sum(x * x)"),
    "no rank": ("x: NDArray[cp.float64]", "cp.sum(x * x)"),
    "sized": ('x: Float64[cp.ndarray, "3 n+1"]', "cp.sum(x * x)"),
    "quoted": ("x: 'Float64[cp.ndarray, \"n\"]'", "cp.sum(x * x)"),
}


@pytest.mark.parametrize("how", ANNOTATIONS)
def test_annotations(how: str) -> None:
    params, value = ANNOTATIONS[how]
    text = gradient_text(
        "import cupy as cp\nfrom typing import Annotated\nfrom cupy.typing import NDArray\n"
        f"from jaxtyping import Bool, Float64, Int32\ndef f({params}) {NUMBER}:\n"
        f"    return {value}\n"
    )
    assert "ElementwiseKernel" in text


def test_cupy_is_not_imported() -> None:
    code = (
        "import sys\nfrom tests.helpers.transpile import gradient_text\n"
        f"gradient_text({SPELLINGS['as']!r})\nassert 'cupy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_other_arguments_are_refused(both: Programs) -> None:
    x = np.ones(3)
    grad = both.device.__dict__["sum_sin_grad"]
    with pytest.raises(TypeError, match="parameter 'y' must be a float64 array of rank 1 of CuPy"):
        grad(ndarray(x), x)
    with pytest.raises(TypeError, match=r"parameter 'x' must be .* got a float32 array"):
        grad(ndarray(x.astype("float32")), ndarray(x))
    with pytest.raises(TypeError, match="got a float64 array of rank 2"):
        grad(ndarray(x[None]), ndarray(x))
    with pytest.raises(ValueError, match="axis 0 must have the size n"):
        grad(ndarray(x), ndarray(x[1:]))
    with pytest.raises(TypeError, match="'a' must be a number of Python's"):
        both.device.__dict__["scaled_jvp"](
            ndarray(x), ndarray(np.asarray(1.0)), 1.0, ndarray(x), 1.0, 1.0
        )
    scaled = both.device.__dict__["scaled_jvp"]
    with pytest.raises(TypeError, match="'a' must be a float64 scalar, got int that is no float64"):
        scaled(ndarray(x), 2**53 + 1, 1.0, ndarray(x), 1.0, 1.0)
