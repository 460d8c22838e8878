"""``verify`` finds derivatives that are wrong: gradient modules broken on purpose."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.verify.conftest import Sample, table

Case = tuple[str, str, str, str, str]

# Function, the generated function that is broken, what is in it, what is put there instead, and
# what is said.
BROKEN: Sequence[Case] = [
    # the gradient
    ("energy", "energy_pullback", "x_bar[i] += t5", "pass", "by differences"),
    ("energy", "energy_pullback", "t5 = -t4", "t5 = t4", "by differences"),
    ("energy", "energy_pullback", "t2 * stretch * 0.5", "t2 * stretch * 0.50001", "by differences"),
    ("energy", "energy_vjp", "SpringBar(spring_stiffness_bar, spring_length_bar)",
     "SpringBar(spring_length_bar, spring_stiffness_bar)", "gradient of (vjp|value_and_grad)"),
    ("energy", "energy_value_and_grad", "spring, 1.0)", "spring, 1.01)",
     "gradient of value_and_grad"),
    ("energy", "energy_grad", "return grad", "return EnergyGrad(-grad.x, grad.spring)", "grad"),
    ("energy", "energy_vjp", "t4 = y_bar * stretch", "t4 = stretch", "gradient of vjp"),
    ("mapped", "mapped_pullback", "v_bar[j] += t3 * m[i, j]", "v_bar[j] += t3 * m[j, i]",
     "IndexError|differences"),
    ("mapped", "mapped_pullback", "m_bar[i, j] = t4", "m_bar[i, j] = t4 + t3", "by differences"),
    ("bounded", "bounded_pullback", "t2 if t1 <= low and low < 0.9 else 0.0", "0.0",
     "by differences"),
    ("either", "either_pullback", "t1 = 0.0", "t1 = y_bar", "by differences"),
    # the value
    ("energy", "energy_fwd", "return total,", "return total + 1e-6,", "the value of the forward"),
    ("energy", "energy_jvp", "return total,", "return total * (1.0 + 1e-8),", "the value of jvp"),
    ("either", "either_vjp", "total += t1 * t2", "total += abs(t1 * t2)",
     "the value of (vjp|value_and_grad)"),
    # forward mode
    ("mapped", "mapped_jvp", "m_dot[i, j] * t3 + v_dot[j] * t2", "m_dot[i, j] * t3", "jvp"),
    ("advance", "advance_jvp", "x_dot[i] = t2 +", "x_dot[i] = 2.0 * t2 +", "tangents"),
    ("energy", "energy_jvp", "x_dot[i] -", "x_dot[i] * 1.00000001 -", "jvp"),
    # second order
    ("quartic", "quartic_hvp", "x_bar_dot[i] = ", "x_bar_dot[i] = 1.01 * ", "hvp"),
    ("quartic", "quartic_hessian", "hess[t10, :] = t3", "hess[t10, :] = t2", "hessian"),
    ("swapped", "_swapped_jacobian", "return ", "return 1.01 * ", "jacobian"),
    ("cube", "cube_grad_pullback", "t1 = (y_bar + y_bar + y_bar) * x", "t1 = y_bar * x",
     "cube_grad: the derivative"),
    # arguments, and what is left in them
    ("advance", "advance_pullback", "x[i] = t1\n", "pass\n", "did not restore"),
    ("advance", "advance_vjp", "x[:] = x_entry", "pass", "did not restore"),
    ("advance", "advance_fwd", "total += x[i]", "total += x[i]\n        x[i] *= 1.0000001",
     "leaves in the arguments"),
    ("advance", "advance_jvp", "total += x[i]", "total += x[i]\n        x[i] = t1",
     "what jvp leaves in the arguments"),
    ("column", "column_pullback", "first[0] = t1", "pass", "did not restore"),
    ("mapped", "mapped_pullback", "y_bar = y_bar.copy()", "y_bar[0] *= 2.0",
     "cotangent it was given"),
    # one call after another
    ("mapped", "mapped_pullback", "m, v = residuals\n",
     "m, v = residuals\n    v = v.copy()\n    residuals[1][0] += 0.125\n", "the pullback"),
    ("quartic", "quartic_vjp", "x_bar = np.empty(n)\n    total = 0.0\n",
     "x_bar = KEPT.setdefault(n, np.empty(n))\n    total = 0.0\n", "may overwrite"),
    ("energy", "energy_vjp", "total = 0.0\n",
     "KEPT[0] = KEPT.get(0, -1.0) + 1.0\n    total = 1e-3 * KEPT[0]\n", "vjp|value_and_grad"),
    # kinds, shapes, and what is not finite
    ("halved", "halved_pullback", "return (x_bar,)", "return (x_bar.astype(np.float64),)",
     "a float64 array"),
    ("mapped", "mapped_pullback", "return m_bar, v_bar", "return m_bar.T.copy(), v_bar",
     "array of shape|do not fit"),
    ("mapped", "mapped_pullback", "return m_bar, v_bar", "return m_bar, None",
     "no gradient with respect to v"),
    ("halved", "halved_fwd", "return t1,", "return t1.reshape(-1, 1),", "the value of the forward"),
    ("chosen", "chosen_pullback", "y_bar * k * saved[i]", "y_bar / y_bar * (y_bar * k * saved[i])",
     "a cotangent of zero"),
    ("pairs", "pairs_pullback", "t4 = t3 + t3", "t4 = t3 + t3 + 0.0 * np.inf",
     "by differences"),
    # what is given: shapes and numbers of arguments
    ("mapped", "mapped_pullback", "if n != y_bar.shape[0]:", "if False:",
     "does not refuse a cotangent of shape"),
    ("halved", "halved_pullback", "if n != y_bar.shape[0]:", "if n > y_bar.shape[0]:",
     "does not refuse a cotangent of shape"),
    ("swapped", "swapped_pullback", "if n != y_bar.shape[0]:", "if False:", "IndexError|refuse"),
    ("mapped", "mapped_jvp", "if t1 != v_dot.shape[0]:", "if False:",
     "does not refuse a tangent of shape"),
    ("energy", "energy_vjp", "y_bar: float)", "y_bar: float = 1.0)", "not refuse no cotangent"),
    # anything else
    ("energy", "energy_fwd", "total = 0.0", "raise ValueError('nothing of this')",
     "raise ValueError: nothing of this"),
]  # fmt: skip

# Right in plain Python and wrong where numba compiles it.
ONLY_COMPILED: Sequence[Case] = [
    ("scaled_down", "scaled_down_fwd", "float(n) ** -1", "n ** -1", "the value of the forward"),
    ("scaled_down", "scaled_down_pullback", "float(n) ** -1", "n ** -1", "by differences"),
    ("either", "either_vjp", "total += t1 * t2",
     "total += t1 * t2 * ((t1 > 0.0) + (t2 > 0.0))", "the value of (vjp|value_and_grad)"),
    ("counted", "counted_fwd", "n % 3", "(n * BIG * 3 + n) % 3", "the value of the forward"),
]  # fmt: skip


KEPT = "\n\nKEPT = {}\nBIG = 2**62\n"  # a global to keep things in, and a number that is large

pytestmark = pytest.mark.xdist_group("broken")


@dataclass(slots=True)
class Runs:
    """Each breaks several functions at once, each of these in one way."""

    sample: Sample
    folder: Path
    jit: bool
    rows: dict[Case, dict[str, object]] = field(default_factory=dict)

    def row(self, case: Case, cases: Sequence[Case]) -> dict[str, object]:
        """The row of the report for ``case``, one of ``cases``."""
        while case not in self.rows:
            together: dict[str, Case] = {}
            for other in cases:
                if other not in self.rows:
                    together.setdefault(other[0], other)
            self._run(together)
        return self.rows[case]

    def _run(self, together: Mapping[str, Case]) -> None:
        out = self.folder / str(len(self.rows))
        changes = [(generated, old, new) for _, generated, old, new, _ in together.values()]
        self.sample.broken(out, *changes, more=KEPT)
        only = [part for name in together for part in ("--only", f"sample:{name}")]
        code, rows = table(self.sample.src, out, *only, jit=self.jit)
        assert code == 1
        self.rows |= {case: rows[f"sample:{name}"] for name, case in together.items()}


@pytest.fixture(scope="module")
def runs(sample: Sample, tmp_path_factory: pytest.TempPathFactory) -> Mapping[bool, Runs]:
    return {jit: Runs(sample, tmp_path_factory.mktemp("runs"), jit) for jit in (False, True)}


def test_as_it_is(sample: Sample) -> None:
    code, rows = table(sample.src, sample.out)
    assert {name: row["verdict"] for name, row in rows.items()} == dict.fromkeys(rows, "agrees")
    assert code == 0
    assert {f"sample:{case[0]}" for case in (*BROKEN, *ONLY_COMPILED)} <= rows.keys()


@pytest.mark.parametrize("case", BROKEN)
def test_broken(case: Case, runs: Mapping[bool, Runs]) -> None:
    _expect_found(case, runs[False].row(case, BROKEN))


@pytest.mark.parametrize("case", ONLY_COMPILED)
def test_broken_where_compiled(case: Case, runs: Mapping[bool, Runs]) -> None:
    _expect_found(case, runs[True].row(case, ONLY_COMPILED))


def _expect_found(case: Case, row: Mapping[str, object]) -> None:
    assert row["verdict"] == "differs", row
    said = str(row["messages"])
    assert re.search(case[4], said), said
