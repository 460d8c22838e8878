"""Views, copies and the array itself: writes show where NumPy shows them, or are refused."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Modules, Refusal, gradient_text, transpiled

HEADER = """\
from typing import Annotated
import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]

"""
# Of the vector y, and of the matrix m.
VECTORS = (
    "np.asarray(y)", "np.asarray(y, dtype=float)", "np.array(y)", "np.array(y, copy=False)",
    "np.array(y, copy=None)", "np.ascontiguousarray(y)", "np.ravel(y)", "y.ravel()", "y.flatten()",
    "y.reshape(-1)", "y.real", "np.real(y)", "np.real_if_close(y)", "+y", "-(-y)", "y * 1",
    "np.abs(y)", "y[:]", "y[...]", "np.copy(y)", "y.copy()", "y.astype(float)",
    "y.astype(float, copy=False)", "np.astype(y, float, copy=False)", "y.T", "np.transpose(y)",
    "np.flip(y)[::-1]", "np.atleast_1d(y)", "np.conj(y)", "y.conj()", "np.take(y, [0, 1, 2])",
    "y[[0, 1, 2]]", "y[y > -9.0]", "np.split(y, [3])[0]", "np.array_split(y, 1)[0]",
    "np.hsplit(y, [3])[0]", "np.concatenate((y,))", "np.where(y > -9.0, y, 0.0)",
    "np.clip(y, -9.0, 9.0)", "np.nan_to_num(y)", "np.roll(y, 0)", "np.sort(y)", "np.tile(y, 1)",
    "np.expand_dims(y, 0)[0]", "y[None][0]", "np.swapaxes(y[None], 0, 1)[:, 0]",
    "np.moveaxis(y[None], 0, 1)[:, 0]", "np.unstack(y[None])[0]", "np.permute_dims(y, (0,))",
    "[y][0]", "y if k > 1 else x", "y[::-1][::-1]", "np.maximum(y, y)", "np.vstack((y,))[0]",
    "np.atleast_2d(y)[0]", "np.resize(y, 3)", "np.meshgrid(y, x)[0][0]",
)  # fmt: skip
MATRICES = (
    "m[0]", "m[:, 0]", "m.T[0]", "m.flatten()", "np.rot90(m, 0)[0]", "np.rot90(m, 2)[2][::-1]",
    "np.fliplr(m)[0][::-1]", "np.flipud(m)[2]", "np.triu(m)[0]", "np.vsplit(m, [1])[0][0]",
    "np.rollaxis(m, 1)[0]", "m[[0]][0]", "np.take(m, 0, axis=0)", "np.asarray(m)[0]",
    "np.split(m, 3)[0][0]", "np.einsum('ij->ji', m)[0]", "m.transpose(1, 0)[0]", "list(m)[0]",
    "np.einsum('ij->i', m)",
)  # fmt: skip
REFUSED = (
    "np.diag(m)", "np.diagonal(m)", "np.einsum('ii->i', m)", "np.broadcast_to(m[0], (2, 3))[0]",
    "np.meshgrid(m[0], x, copy=False)[0][0]",
)  # fmt: skip
MAKE = {"y": "y = x * 1.0", "m": "m = np.outer(x, np.cos(x)) + 1.0"}
FIRST = {"y": "y[0]", "m": "m[0, 0]"}


def program(name: str, of: str, expression: str, *, through: bool) -> str:
    """Writes ``through`` the expression, or to what it is made of, and looks at both."""
    target = "z[0]" if through else FIRST[of]
    lines = (MAKE[of], f"z = {expression}", f"{target} = 3.0 * x[1]",
             f"return {FIRST[of]} * x[1] + np.sum(z * z)")  # fmt: skip
    return f"def {name}(x: Vec, k: int) -> float:\n" + "".join(f"    {line}\n" for line in lines)


PROGRAMS = {
    f"f{k}_{'through' if through else 'of'}": (of, expression, through)
    for k, (of, expression) in enumerate(
        [*(("y", e) for e in VECTORS), *(("m", e) for e in MATRICES)]
    )
    for through in (True, False)
}  # fmt: skip


@pytest.fixture(scope="module")
def modules() -> Modules:
    texts = [program(n, of, e, through=through) for n, (of, e, through) in PROGRAMS.items()]
    return transpiled(HEADER + "\n\n".join(texts))


@pytest.mark.xdist_group("same_memory")
@pytest.mark.parametrize("name", PROGRAMS, ids=lambda n: f"{n}-{PROGRAMS[n][1]}")
def test_writes_show(name: str, modules: Modules) -> None:
    primal, generated = modules
    check_gradients(getattr(primal, name), generated, (np.array([0.3, 0.5, 0.7]), 3))


@pytest.mark.parametrize("through", [True, False])
@pytest.mark.parametrize("expression", REFUSED)
def test_refused(expression: str, through: bool) -> None:
    with pytest.raises(Refusal, match="MK312"):
        gradient_text(HEADER + program("f", "m", expression, through=through))


def test_size_of_one_at_run_time_only() -> None:
    text = "def f(x: Vec) -> float:\n    return np.sum(np.squeeze(np.outer(x, x)))\n"
    _, generated = transpiled(HEADER + text)
    generated.f_value_and_grad(np.ones(2))
    with pytest.raises(ValueError, match="squeeze"):
        generated.f_value_and_grad(np.ones(1))
