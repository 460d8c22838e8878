"""Costs of derivative code: arrays made, loops run, values handed to the pullback."""

from __future__ import annotations

import re

import numpy as np
from mooncake_transpiler import ir
from mooncake_transpiler.types import FLOAT, Array

from tests.ad.deriving import HEADER, derivatives, found, loops, new_arrays, ops, residuals
from tests.helpers.transpile import gradient_text, transpiled

SUM = """
def f(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        s += math.sin(x[i]) * x[i]
    return s
"""

MAP = """
def f(x: Vec) -> Vec:
    y = np.empty(len(x))
    for i in range(len(x)):
        y[i] = 3.0 * x[i] * x[i]
    return y
"""

BRANCHY = """
def f(p: Vec, q: Vec) -> float:
    s = 0.0
    for i in range(len(p)):
        if p[i] > 0.5:
            t = math.sin(s)
            s = s + t * p[i]
        else:
            s = s * q[i]
    return s
"""

STENCIL = """
def f(u: Vec, steps: int) -> float:
    for t in range(steps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * u[i] + 0.25 * u[i - 1] * u[i + 1]
    s = 0.0
    for i in range(len(u)):
        s += u[i] * u[i]
    return s
"""

WORK = """
def f(m: Mat, x: Vec) -> float:
    w = np.zeros(m.shape[1])
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            w[j] = math.exp(m[i, j] * x[j])
        t = 0.0
        for j in range(m.shape[1]):
            t += w[j] * w[j]
        s += math.log(t)
    return s
"""

WHILE = """
def f(a: float) -> float:
    s = a
    while s < 100.0:
        t = math.exp(-s)
        s = s + t * s * s
    return s
"""


def test_sum_is_fused_into_one_loop_without_tape() -> None:
    func = derivatives(SUM)["vjp"]
    assert new_arrays(func) == [1]  # the gradient
    assert len(loops(func)) == 1


def test_vjp_is_fused_and_the_others_call_it() -> None:
    made = derivatives(SUM)
    assert not found(made["vjp"], ir.Call)
    for name, outs in (("value_and_grad", 2), ("grad", 1)):
        (call,) = made[name].body.stmts
        assert isinstance(call, ir.Call)
        assert call.func == made["vjp"].name
        assert call.args == (*made[name].inputs, ir.Const(1.0, FLOAT))
        assert made[name].body.yields == call.outs[2 - outs :]


def test_map_of_cheap_arithmetic_saves_nothing() -> None:
    made = derivatives(MAP)
    assert new_arrays(made["fwd"]) == [1]  # the result
    assert new_arrays(made["pullback"]) in ([1, 1], [1])  # the gradient, a copy of the cotangent
    assert [v for v in residuals(made["fwd"]) if v.type == FLOAT] == []
    assert len(loops(made["pullback"])) == 1


def test_map_then_sum_is_fused_once_the_cotangent_is_known() -> None:
    source = MAP.replace("-> Vec", "-> float").replace("return y", "return y[0] + y[1]")
    func = derivatives(source)["vjp"]
    assert new_arrays(func) == [1, 1, 1]  # y, its cotangent, the gradient
    assert len(loops(func)) == 1


def test_branchy_recurrence_saves_the_state_and_the_transcendentals() -> None:
    made = derivatives(BRANCHY)
    assert new_arrays(made["fwd"]) == [1, 1, 1]  # s, sin(s), cos(s)
    assert not {"math.sin", "np.cos"} & set(ops(made["pullback"]))


def test_branches_taken_are_found_again_from_memory_that_is_not_written() -> None:
    pullback = derivatives(BRANCHY)["pullback"]
    (branch,) = (s for s in found(pullback, ir.If) if isinstance(s, ir.If))
    assert isinstance(branch.cond, ir.Value)
    assert "gt" in ops(pullback)


def test_stencil_saves_what_it_overwrites_and_winds_back() -> None:
    made = derivatives(STENCIL)
    assert new_arrays(made["fwd"]) == [2]  # one number per step and point
    u = made["fwd"].inputs[0]
    pullback = made["pullback"]
    (again,) = (v for v in pullback.inputs if v.hint == u.hint)
    stores = [s for s in found(pullback, ir.Store) if isinstance(s, ir.Store) and s.base is again]
    assert len(stores) == 1
    assert not found(pullback, ir.Copy)


def test_stencil_needs_no_copy_of_the_argument() -> None:
    func = derivatives(STENCIL)["vjp"]
    assert new_arrays(func) == [1, 2]  # the gradient and the tape


def test_private_work_array_is_filled_again_rather_than_saved() -> None:
    made = derivatives(WORK)
    assert new_arrays(made["fwd"]) == [1]  # the work array itself
    assert "math.exp" in ops(made["pullback"])
    assert max(new_arrays(made["vjp"])) == 2  # m_bar; nothing else grows with m
    assert new_arrays(made["vjp"]).count(2) == 1


def test_while_loop_has_one_stack_that_grows() -> None:
    made = derivatives(WHILE)
    assert len(found(made["fwd"], ir.Alloc)) == 1
    assert len(found(made["fwd"], ir.Grow)) == 1
    assert found(made["pullback"], ir.Alloc) == []


def test_while_loops_without_anything_to_save_have_no_stack() -> None:
    source = """
def f(a: float, n: int) -> float:
    s = 0.0
    while n > 0:
        s += 2.0 * a
        n -= 1
    return s
"""
    made = derivatives(source)
    assert new_arrays(made["fwd"]) == []
    assert new_arrays(made["vjp"]) == []


def test_dead_values_are_neither_saved_nor_computed_again() -> None:
    source = SUM.replace("math.sin(x[i]) * x[i]", "2.0 * x[i] + 0.0 * len(x)")
    made = derivatives(source.replace("    return", "        u = math.exp(s)\n    return"))
    assert new_arrays(made["fwd"]) == []
    assert "math.exp" not in ops(made["pullback"])
    assert found(made["pullback"], ir.Load) == []


def test_linear_use_needs_no_value() -> None:
    source = SUM.replace("math.sin(x[i]) * x[i]", "x[i] / 4.0")
    pullback = derivatives(source)["pullback"]
    assert found(pullback, ir.Load) == []


def test_transcendental_results_are_saved_and_arithmetic_is_not() -> None:
    source = """
def f(x: Vec) -> float:
    s = 1.0
    for i in range(len(x)):
        t = math.exp(x[i])
        u = (t + 1.0) * (t - 2.0)
        s += u * u * u
    return s
"""
    made = derivatives(source)
    assert new_arrays(made["fwd"]) == [1]
    assert "math.exp" not in ops(made["pullback"])


def test_a_complex_square_saves_one_value() -> None:
    """Both factors have the same partial."""
    text = """
def f(x: np.ndarray[tuple[int], np.dtype[np.complex128]], k: int) -> float:
    z = x.copy()
    for _ in range(k):
        np.multiply(z, z, z)
        z = z[np.abs(z) < 2.0]
    return np.sum(z).real
"""
    assert "max(top, 0) * 2" not in gradient_text(HEADER + text)


def test_the_cheaper_side_is_saved() -> None:
    """Both factors come from one transcendental: one array, not two."""
    source = """
def f(x: Vec, a: float) -> float:
    s = 1.0
    for i in range(len(x)):
        t = math.exp(x[i])
        p = t * t + a
        q = t * a - 1.0
        s += p * q * p
    return s
"""
    assert new_arrays(derivatives(source)["fwd"]) == [1]


def test_invariants_are_saved_once_rather_than_in_each_iteration() -> None:
    source = """
def f(x: Vec, a: float) -> float:
    b = math.exp(a)
    s = 0.0
    for i in range(len(x)):
        s += x[i] * b
    return s * b
"""
    made = derivatives(source)
    assert new_arrays(made["fwd"]) == []
    assert len([v for v in residuals(made["fwd"]) if v.type == FLOAT]) <= 2


def test_nothing_is_computed_for_parameters_without_gradient() -> None:
    source = """
# mooncake: wrt=a
def f(x: Vec, a: float) -> float:
    s = 0.0
    for i in range(len(x)):
        s += math.sin(x[i]) * a
    return s
"""
    made = derivatives(source)
    assert new_arrays(made["pullback"]) == []
    assert new_arrays(made["vjp"]) == []
    assert "np.cos" not in ops(made["fwd"])


def test_arguments_that_are_only_read_are_not_copied() -> None:
    source = """
def f(x: Vec, y: Vec) -> float:
    y[0] = x[0] * y[1]
    return y[0] * x[1]
"""
    for name, func in derivatives(source).items():
        copied = {s.src for s in found(func, ir.Copy) if isinstance(s, ir.Copy)}
        assert not {v for v in copied if isinstance(v, ir.Value) and v.hint == "x"}, name


def test_values_of_branches_leave_them_as_scalars() -> None:
    source = """
def f(a: float) -> float:
    s = a
    if a > 0.1:
        t = math.sin(a)
        s = t * t * math.exp(t)
    return s * s
"""
    made = derivatives(source)
    assert new_arrays(made["fwd"]) == []
    assert not {"math.sin", "math.exp"} & set(ops(made["pullback"]))


def test_accumulators_take_no_part_in_the_tape() -> None:
    """A sum is not saved although its loop is taped for the recurrence beside it."""
    source = """
def f(x: Vec) -> float:
    s = 0.0
    t = 1.0
    for i in range(len(x)):
        s += t * x[i]
        t = t * x[i]
    return s
"""
    assert new_arrays(derivatives(source)["fwd"]) == [1]


def test_elements_that_are_written_once_are_loaded_again() -> None:
    source = """
def f(m: Mat, b: Vec) -> float:
    z = np.empty(len(b))
    for i in range(len(b)):
        t = b[i]
        for j in range(i):
            t -= m[i, j] * z[j]
        z[i] = t / m[i, i]
    return z[0] * z[0]
"""
    made = derivatives(source)
    assert new_arrays(made["fwd"]) == [1, 1]  # z, and one number per row for the quotient
    again = source.replace("z[i] = t", "z[i] = z[i] + t").replace("np.empty", "np.zeros")
    assert new_arrays(derivatives(again)["fwd"]) == [1, 1, 1]


STATE = """
def f(a: Mat, x: Vec) -> float:
    n = len(x)
    state = np.ones(n)
    new = np.empty(n)
    s = 0.0
    for t in range(n):
        for i in range(n):
            new[i] = 0.0
            for j in range(n):
                new[i] += a[i, j] * state[j]
        for i in range(n):
            state[i] = new[i] * x[t]
            s += state[i] * state[i]
    return s
"""


def test_pullbacks_wind_back_a_copy_of_local_arrays() -> None:
    made = derivatives(STATE)
    saved = [v.type.ndim for v in residuals(made["fwd"]) if isinstance(v.type, Array)]
    assert max(saved) == 2  # not every factor of every product, which is n**3 numbers
    _, module = transpiled(HEADER + STATE)
    rng = np.random.default_rng(0)
    a, x = rng.normal(size=(3, 3)), rng.normal(size=3)
    value, kept = module.f_fwd(a, x)
    before = [np.copy(part) for part in kept]
    first, second = module.f_pullback(kept, 1.0), module.f_pullback(kept, 1.0)
    for part, old in zip(kept, before, strict=True):
        np.testing.assert_array_equal(part, old)
    expected, gradient = module.f_value_and_grad(a, x)
    assert value == expected
    for one, other, wanted in zip(first, second, gradient, strict=True):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(one, wanted)
    step = 1e-6
    up, down = module.f_fwd(a, x + step)[0], module.f_fwd(a, x - step)[0]
    np.testing.assert_allclose(np.sum(gradient.x), (up - down) / (2.0 * step), rtol=1e-6)


def test_what_one_loop_has_saved_another_one_does_not_compute() -> None:
    made = derivatives(
        """
def f(z: Vec) -> Vec:
    return np.exp(z - z.max()) / np.sum(np.exp(z - z.max()))
"""
    )
    for name in ("fwd", "vjp"):
        assert ops(made[name]).count("exp") + ops(made[name]).count("np.exp") == 1
    assert new_arrays(made["pullback"]) == [1]  # the gradient; the cotangent is not copied


def test_equal_factorisations_and_contents_are_there_once() -> None:
    """Sizes of what a loop makes are known, so nothing grows."""
    body = _body_of(
        "f_vjp",
        """
def f(a: Annotated[NDArray[np.float64], "3 3"], z: Annotated[NDArray[np.float64], "r 3"]) -> float:
    p, s = np.eye(3), 0.0
    for k in range(len(z)):
        p = a @ p @ a.T + np.eye(3)
        s += np.sum(np.linalg.solve(p, z[k])) + np.log(np.linalg.det(p))
        s += np.sum(a @ p) + np.sum(p @ a)
    return s
""",
    )
    assert "grow(" not in body
    assert body.count("kernels.lu(") == 1
    assert len(re.findall(r"p_kept_saved\w*\[k\] = ", body)) == 2  # before and after its update


def test_new_arrays_that_iterations_hand_on_are_written_at_once() -> None:
    body = _body_of(
        "f_vjp",
        """
def f(x: Vec, n: int) -> float:
    before, now = x.copy(), x.copy()
    for _ in range(n):
        after = np.zeros(len(x))
        after[1:-1] = 2 * now[1:-1] - before[1:-1] + np.sin(now[2:]) - now[:-2]
        before, now = now, after
    return np.sum(now**2)
""",
    )
    first, *loops_ = re.split(r"\n *for ", body)
    assert "grow(" not in body
    assert "np.empty(" in first
    assert not any("np.empty(" in loop for loop in loops_)
    assert len(loops_) == 5  # two in each direction, and one for the sum


def _body_of(name: str, source: str) -> str:
    """The text of the emitted function ``name``."""
    text = gradient_text(HEADER + source)
    return text.partition(f"def {name}(")[2].partition("\n@")[0]
