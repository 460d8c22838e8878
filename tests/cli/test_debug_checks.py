"""``--debug-checks``: modules that compare each shadow with its primal as they run."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from mooncake_runtime.kernels import same_overlap
from mooncake_runtime.testing import check_gradients
from mooncake_transpiler.output.inputs import find_inputs
from mooncake_transpiler.run.pipeline import compile_modules

from tests.cli.conftest import Run, tree, write
from tests.helpers.transpile import gradient_body, module

HEAD = """\
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]


"""

DOWN = f"""\
{HEAD}
def down(x: Vec, y: Vec, k: int) -> float:
    if k < 1:
        return x[0] * y[0]
    y[k] = x[k] * y[k - 1]
    return down(x, y, k - 1) + y[k]


def total(x: Vec, y: Vec, a: float) -> float:
    z = y.copy()
    return a * down(x, z, len(x) - 1)
"""

SCALED = f"""\
{HEAD}
def scaled(x: Vec, a: float) -> Vec:
    y = np.empty(len(x))
    for i in range(len(x)):
        y[i] = x[i] * a if i > 0 else x[i]
    return y
"""

SMOOTH = f"""\
{HEAD}
def smooth(x: Vec, y: Vec) -> float:
    for i in range(1, len(x)):
        x[i] = x[i - 1] * y[i]
    return np.sum(x * y)
"""

LISTED = f"""\
{HEAD}
def listed(xs: list[Vec], x: Vec) -> float:
    ys = []
    for k in range(len(xs)):
        ys.append(x * (k + 1.0))
    zs = []
    for y in ys:
        if y[0] > 4.0:
            zs.append(2.0 * y)
    total = 0.0
    for k in range(len(xs)):
        total += np.sum(ys[k] * ys[k]) + np.sum(xs[k])
    for z in zs:
        total += np.sum(z * x)
    return total
"""

CHECK = re.compile(
    r"^ *if (not \w+\.same_overlap\(.*\)|.*\.shape\[\d\] != .*):\n"
    r" *raise RuntimeError\(\n? *\"the shadow.*\",?\n?(?: *\)\n?)?",
    re.MULTILINE,
)


def text(source: str, tmp_path: Path, *, checks: bool = True) -> str:
    """The text of the gradient module."""
    write(tmp_path / "program.py", source)
    inputs = find_inputs(tmp_path, debug_checks=checks)
    results, diagnostics = compile_modules(["program"], inputs, 1, lambda *_: None)
    assert not diagnostics
    return gradient_body(results["program"])


def gradients(source: str, tmp_path: Path, *, jit: bool = False) -> ModuleType:
    return module(text(source, tmp_path), "program_grad", jit=jit)


def vectors(count: int, n: int = 4) -> list[np.ndarray]:
    return list(np.random.default_rng(0).standard_normal((count, n)) + 2.0)


def test_it_is_an_option(run: Run, tmp_path: Path) -> None:
    src, out = tmp_path / "src", tmp_path / "out"
    write(src / "program.py", SMOOTH)
    assert run(src, out) == 0
    plain = tree(out)
    assert "the shadow of" not in plain["program_grad.py"]
    assert run(src, out, "--debug-checks", "--check") == 3
    assert run(src, out, "--debug-checks") == 0
    assert "the shadow of x" in tree(out)["program_grad.py"]
    assert run(src, out, "--debug-checks", "--check") == 0
    assert run(src, out, "--check") == 3
    write(src / "pyproject.toml", "[tool.mooncake-transpile]\ndebug-checks = true\n")
    assert run(src, out, "--check") == 0
    (src / "pyproject.toml").unlink()
    assert run(src, out) == 0
    assert tree(out) == plain


@pytest.mark.parametrize("source", [DOWN, SMOOTH])
def test_nothing_else_changes(source: str, tmp_path: Path) -> None:
    """The same statements run, and they use the same arrays."""
    with_checks, without = (text(source, tmp_path, checks=checks) for checks in (True, False))
    left = CHECK.sub("", with_checks)
    assert "RuntimeError" in with_checks
    assert "RuntimeError" not in left

    def writes(body: str) -> list[str]:
        temporaries = re.sub(r"\bt\d+\b", "t", body)
        return re.findall(r"^ *[a-z_]\w*\[[^]]*\] [-+]?= ", temporaries, re.MULTILINE)

    assert writes(left) == writes(without)


@pytest.mark.parametrize(
    ("source", "jit"),
    [(DOWN, False), (SMOOTH, False), (SCALED, False), (LISTED, False), (SMOOTH, True)],
)
def test_sound_programs_pass(source: str, jit: bool, tmp_path: Path) -> None:
    primal, made = module(source, "program"), gradients(source, tmp_path, jit=jit)
    x, y = vectors(2)
    match source:
        case _ if source == DOWN:
            check_gradients(primal.total, made, [x, y, 1.5])
            check_gradients(primal.down, made, [x, y, 3])
        case _ if source == SMOOTH:
            check_gradients(primal.smooth, made, [x, y])
            made.smooth_value_and_grad(x, x)
            made.smooth_value_and_grad(x[1:], x[:-1])
        case _ if source == LISTED:
            check_gradients(primal.listed, made, [vectors(3), x])
        case _:
            check_gradients(primal.scaled, made, [x, 1.5])


def test_shadows_of_another_size(tmp_path: Path) -> None:
    made = gradients(DOWN, tmp_path)
    x, y = vectors(2)
    says = re.escape("the shadow of x has another size in axis 0, at: return down(x, y, k - 1)")
    with pytest.raises(RuntimeError, match=says):
        made._down_reverse(x, y, 3, np.zeros(3), np.zeros(4), 1.0, 0)
    says = re.escape("the shadow of y has another size in axis 0, at: return x[0] * y[0]")
    with pytest.raises(RuntimeError, match=says):
        made._down_reverse(x, y, 0, np.zeros(4), np.zeros(5), 1.0, 0)


def test_shadows_that_overlap_otherwise(tmp_path: Path) -> None:
    made = gradients(DOWN, tmp_path)
    x, y = vectors(2)
    bar = np.zeros(4)
    made._down_reverse(x, x, 3, bar, bar, 1.0, 0)
    says = re.escape("the shadows of x and y do not overlap as these do, at: return down(x,")
    with pytest.raises(RuntimeError, match=says):
        made._down_reverse(x, y, 3, bar, bar, 1.0, 0)
    with pytest.raises(RuntimeError, match=says):
        made._down_reverse(x, x, 3, bar, np.zeros(4), 1.0, 0)


def test_shadows_that_do_not_come_as_asked(tmp_path: Path) -> None:
    """As if `mooncake_runtime.shadows` made a mistake."""
    wrong = text(SMOOTH, tmp_path).replace("shadow(y, overlap, 1)", "np.zeros_like(y)")
    made = module(wrong, "program_grad")
    x, y = vectors(2)
    made.smooth_value_and_grad(x.copy(), y)
    with pytest.raises(RuntimeError, match=r"x and y do not overlap .* def smooth"):
        made.smooth_value_and_grad(x, x)


def test_the_cotangent_has_the_shape_of_the_result(tmp_path: Path) -> None:
    made = gradients(SCALED, tmp_path)
    (x,) = vectors(1)
    _, residuals = made.scaled_fwd(x, 2.0)
    made.scaled_pullback(residuals, np.ones(4))
    with pytest.raises(ValueError, match="y_bar must have the shape of the result"):
        made.scaled_pullback(residuals, np.ones(3))


def test_long_messages_with_keywords_stay_whole(tmp_path: Path) -> None:
    """Also those of users: a line too long is no reason to break a string."""
    message = (
        "a message that is too long for a line, which is no problem if it is kept as it is, else"
    )
    source = f"def f(x: float) -> float:\n    if x < 0.0:\n        raise ValueError({message!r})\n"
    made = module(text(source + "    return x * x\n", tmp_path), "program_grad")
    with pytest.raises(ValueError, match="if it is kept as it is, else"):
        made.f_grad(-1.0)


def test_overlap_by_element() -> None:
    m = np.zeros((4, 3), order="F")
    c = np.zeros((4, 3))
    assert same_overlap(m[:, 0], m[:, 1], c[:, 0], c[:, 1])
    assert same_overlap(m[:, :2], m[:, 1:], c[:, :2], c[:, 1:])
    assert not same_overlap(m[:, :2], m[:, 1:], c[:, 1:], c[:, :2].copy())
    assert not same_overlap(m[:, 0], m[:, 1], c[:, 0], c[:, 0])
    assert not same_overlap(m[0], m[0], c[0], c[0, ::-1])
    assert not same_overlap(m[0], m[1], c[0], c[0, :2])
    assert same_overlap(m[:0], m[:0], c[:0], c[1:1])
