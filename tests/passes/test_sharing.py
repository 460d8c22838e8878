"""One memory or two: what is emitted for reshaped arrays, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import gradient_text, refusals, transpiled

HEADER = """
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
M = Annotated[NDArray[np.float64], "n m"]
V = Annotated[NDArray[np.float64], "n"]
"""
X = np.arange(1.0, 13.0).reshape(3, 4)


def _function(lines: str, parameter: str = "M") -> str:
    body = "".join(f"    {line}\n" for line in lines.split("; "))
    return f"{HEADER}\ndef f(x: {parameter}) -> float:\n{body}"


VIEWS = {
    "ravel": "y = x.copy(); y.ravel()[1] = 5.0 * x[0, 0]; return y[0, 1] * y[1, 1]",
    "update": "y = x.copy(); y.reshape(-1)[2:] += x[1, 1]; return np.sum(y * y)",
    "base": "y = x.copy(); r = y.ravel(); y[0, 0] = x[1, 1] ** 2; return r[0] * r[1]",
    "column": "y = x.copy(); y[:, 1].reshape(-1, 1)[0, 0] = x[2, 2] ** 2; return y[0, 1] * 2.0",
    "axes": "y = x.copy(); r = y[:, :, None].reshape(-1); r[1] *= x[0, 0]; return np.sum(y * y)",
    "steps": "y = x[:3, 0].copy(); r = y[::2].reshape(2, 1); r[1, 0] *= 3.0; return np.sum(y * y)",
    "argument": "x[:, 1].reshape(1, -1)[0, 0] = x[2, 2] ** 2; return np.sum(x * x)",
    "flat argument": "x.flat[5] = x[0, 0] ** 2; x.flat[-1] *= 2.0; return np.sum(x * x)",
    "flat part": "y = x.copy(); y[:, ::2].flat[3] += x[0, 0] ** 2; return np.sum(y * y)",
    "flat": "y = x.copy(); y.flat[:] += x[0, 0]; return np.sum(y * y)",
    "power of 1": (
        "y = x[:3, :3].copy(); r = np.linalg.matrix_power(y, 1); r[0, 0] = x[0, 0] ** 2; "
        "return np.sum(y * y)"
    ),
    "joined": (
        "y = x.copy(); r = np.concatenate([y, y]); r.ravel()[1] = x[0, 0] ** 2; "
        "return np.sum(r * r)"
    ),
    "select": (
        "w = np.zeros((8, 6)); w[::2, ::2] = x.T; y = w[::2, ::2].T; "
        "r = np.select([y > 3.5], [y], 0.5 * y); r.ravel()[1] = x[0, 0] ** 2; return np.sum(r * r)"
    ),
    "round": (
        "w = np.zeros((8, 6)); w[::2, ::2] = x.T; y = w[::2, ::2].T; "
        "r = np.round(y, 1); r.ravel()[1] = x[0, 0] ** 2; return np.sum(r * r)"
    ),
    "K": "y = x.copy().T; z = y * 2.0; z.T.ravel(); z[0, 0] = 1.0; return np.sum(z * z)",
}
COPIES = {
    "turned": (
        "y = np.zeros((3, 4)); y[...] = x; r = y.T.reshape(4, 3); r[0, 0] = 9.0; "
        "y *= 2.0; return np.sum(y * y) + np.sum(r)"
    ),
    "tile": (
        "w = np.zeros((8, 6)); w[::2, ::2] = x.T; y = w[::2, ::2].T; "
        "r = np.tile(y, 1); r.ravel()[1] = 9.0; return np.sum(r * r)"
    ),
    "gathered": (
        "y = np.zeros((3, 4)); y[...] = x; r = y[:, [0, 2]]; r.ravel()[1] = 9.0; "
        "return np.sum(r * r)"
    ),
    "order": (
        "y = np.zeros((3, 4)); y[...] = x; z = y.T * 2.0; r = z.ravel(); r[0] = 9.0; "
        "return np.sum(z * z) + np.sum(r)"
    ),
    "contiguous": (
        "y = np.zeros((3, 4)); y[...] = x; r = np.ascontiguousarray(y[:, 0]); r *= x[0]; "
        "y *= 2.0; return np.sum(y * y) + np.sum(r)"
    ).replace("r *= x[0]", "r *= x[:, 0]"),
    "gone": "r = (x * 2.0).ravel(); r[0] = x[1, 1] ** 2; return np.sum(r * r)",
    "part of flat": "y = x.copy(); r = y.flat[1:3]; r *= 2.0; return np.sum(y * y) + np.sum(r)",
    "in a loop": (
        "s = 0.0; y = np.zeros((3, 4)); y[...] = x; \n    for k in range(3):\n"
        "        r = y.T.ravel()\n        y *= 1.5\n        s += r[1] * y[0, 1]\n    return s"
    ).replace("; \n", "\n"),
}
REFUSED = {
    "MK311": {
        "argument": "r = x.ravel(); r[0] = 1.0; return r[1]",
        "base": "r = x.ravel(); x[0, 0] = 1.0; return r[0]",
        "like the argument": "y = x * 2.0; r = y.ravel(); r[0] = 1.0; return y[0, 0]",
        "np.copy": "y = np.copy(x); r = y.reshape(-1); y *= 2.0; return r[0]",
        "zeros_like": "y = np.zeros_like(x); y.ravel()[0] = 1.0; return y[0, 0] * x[0, 0]",
        "turned": "y = x.copy(); r = y.T.ravel(); r[0] = 1.0; return y[0, 0]",
        "contiguous": "y = np.ascontiguousarray(x[:, 0]); y[0] = 1.0; return x[0, 0]",
        "loop": (
            "y = x * 2.0\n    s = 0.0\n    for k in range(3):\n"
            "        s += y.ravel()[1] * y[0, 1]\n        y.ravel()[1] = s\n    return s"
        ),
    },
    "MK313": {
        "argument": "x[0].reshape(2, -1)[0, 0] = 1.0; return x[0, 0]",
        "columns": (
            "y = np.zeros((3, 4)); y[...] = x; r = y[:, 1][:2].reshape(2, 1, 1); "
            "z = y[::2].reshape(2, 2, 2); z[0, 0, 0] = 1.0; return y[0, 0]"
        ),
    },
}


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("name", [*VIEWS, *COPIES])
def test_as_numpy_has_it(name: str, order: str) -> None:
    module, generated = transpiled(_function((VIEWS | COPIES)[name]))
    check_gradients(module.f, generated, (np.array(X, order=order),))  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("code", "name"), [(code, name) for code, programs in REFUSED.items() for name in programs]
)
def test_refused(code: str, name: str) -> None:
    refused = refusals(_function(REFUSED[code][name]))
    assert {d.code for d in refused} == {code}


def test_nothing_is_copied_where_nobody_can_tell() -> None:
    lines = "y = x * 2.0; r = np.ascontiguousarray(y.T); return r[0, 1] * np.ravel(x)[1]"
    text = gradient_text(_function(lines))
    assert "copy" not in text
    assert "ascontiguous" not in text


def test_a_new_axis_is_no_copy() -> None:
    text = gradient_text(_function("return np.sum(x.reshape(-1, 1) * x)", "V"))
    assert "reshaped(" not in text
