"""Derivatives that call derivatives: gradient modules as sources.

Values are checked by differences of the functions themselves, which call what was generated for
them, and against formulas.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from mooncake_rules.primitives import PRIMITIVES
from mooncake_rules.scalar import OPS, resolve
from mooncake_runtime.testing import check_gradients
from mooncake_transpiler.emit.imports import THIRD_PARTY
from mooncake_transpiler.frontend.lower.builtin.runtime import HANDLERS
from mooncake_transpiler.run.build import Report, Request, build

from tests.helpers.transpile import importable, switched

pytestmark = pytest.mark.xdist_group("generated_sources")  # the derivatives are made once

FOLDER = Path(__file__).parent / "generated"
rng = np.random.default_rng(7)
X, Y = rng.normal(size=4), rng.normal(size=4)
MATRIX = rng.normal(size=(4, 4))


def run(src: Path, out: Path, **options: object) -> Report:
    report = build(Request(src, out, **options), lambda *_: None)  # type: ignore[arg-type]
    assert not report.crashes
    return report


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """All programs and their derivatives, in plain Python; they can be imported."""
    folder = tmp_path_factory.mktemp("out")
    report = run(FOLDER, folder)
    assert report.errors == []
    with importable(folder):
        with switched(False):
            for name in ("training", "confusion", "structured"):
                import_module(f"{name}_grad")
        yield folder


TRAINING = {
    "misfit": (X, Y), "by_hand": (X,), "root": (2.3,), "walked": (X, 0.3),
    "walked_back": (X, 0.3), "overwritten": (X, Y), "recursive": (0.7,), "vectorised": (X,),
    "along": (X, Y), "descent": (X, 0.1), "product": (MATRIX, X),
    "solved": (MATRIX + 4.0 * np.eye(4), X), "factored": (MATRIX,),
}  # fmt: skip
CONFUSION = {
    "classic": (1.7,), "classic_reverse": (1.7,), "closed_over": (1.7, 0.6), "three_deep": (1.7,),
}  # fmt: skip


@pytest.mark.parametrize("name", TRAINING)
def test_derivatives_in_a_loss(name: str, out: Path) -> None:
    check("training", name, TRAINING[name])


@pytest.mark.parametrize("name", CONFUSION)
def test_nested(name: str, out: Path) -> None:
    check("confusion", name, CONFUSION[name])


def check(module: str, name: str, args: tuple[object, ...]) -> None:
    primal, generated = import_module(module), import_module(f"{module}_grad")
    check_gradients(getattr(primal, name), generated, args)


def test_perturbations_are_told_apart(out: Path) -> None:
    found = import_module("confusion_grad")
    assert found.classic_grad(1.7) == 1.0
    assert found.classic_reverse_grad(1.7) == 1.0
    np.testing.assert_allclose(found.three_deep_grad(1.7), 6.0 * 1.7**2)
    x, z = 1.7, 0.6  # x · d/dy (x z)² y² at y = z
    np.testing.assert_allclose(found.closed_over_grad(x, z).x, 6.0 * x**2 * z**3)


def test_what_derivatives_tell(
    out: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    found = import_module("confusion_grad")
    with caplog.at_level(logging.INFO), pytest.warns(RuntimeWarning, match="1.7 is positive"):
        np.testing.assert_allclose(found.told_grad(1.7), 6.0 * 1.7**2)
    assert capsys.readouterr().out == "x=1.700, 1.7\n"
    assert caplog.messages == ["y is 1.7"]


@pytest.mark.parametrize(
    "name",
    ["loss_energy", "loss_stepped", "loss_boxed", "loss_maybe", "loss_weighted", "loss_bounded",
     "loss_recovered"],
)  # fmt: skip
def test_objects(name: str, out: Path) -> None:
    structs = import_module("structs")
    state = structs.State(X[:3].copy(), Y[:3].copy(), 0.4)
    args = {
        "loss_energy": (state, structs.Params(1.2, 0.3)), "loss_stepped": (state, 0.3),
        "loss_boxed": (structs.Box(X[:3], 0.7), 0.9), "loss_maybe": (0.3, 0.8),
        "loss_weighted": (X[:3],), "loss_bounded": (state, 0.1), "loss_recovered": (state, 0.9),
    }  # fmt: skip
    check("structured", name, args[name])


def test_fields_are_left_where_a_derivative_raises(out: Path) -> None:
    structs, found = import_module("structs"), import_module("structured_grad")
    function = import_module("structured").loss_bounded
    held = []
    for raising in (function, found.loss_bounded_grad, found.loss_bounded_fwd):
        state = structs.State(np.ones(3), np.ones(3), 0.4)
        with pytest.raises(ValueError, match="late"):
            raising(state, 0.5)
        held.append(state.t)
    np.testing.assert_allclose(held, 1.9)


def test_what_users_have_declared_still_holds(out: Path) -> None:
    found = import_module("training_grad")
    scale = np.max(np.abs(X))
    np.testing.assert_allclose(found.scaled_grad(X), 6.0 * X / scale)  # of 3 x² / scale
    np.testing.assert_allclose(found.stopped_grad(X), 2.0 * X)  # of 2 [x] x


def test_a_rule_of_the_users_is_not_forgotten(tmp_path: Path) -> None:
    for name in ("potential", "plane"):
        (tmp_path / f"{name}.py").write_text((FOLDER / f"{name}.py").read_text())
    (tmp_path / "ruled.py").write_text(
        "from potential_grad import straight_through_grad\n"
        "def f(x: float) -> float:\n    return straight_through_grad(x)\n"
    )
    report = run(tmp_path, tmp_path)
    assert [d.code for d in report.errors] == ["MK416"]


def test_all_of_the_runtime_that_can_be_called_is_known() -> None:
    """Helpers of emitted code are known, but for eigenvalues, and what is at the border."""
    helpers = {e.module + "." + e.name for e in THIRD_PARTY.values()} - DECORATORS
    helpers = {name for name in helpers if name.count(".") == 2 and "mooncake" in name}
    kernels = {f"mooncake_runtime.kernels.{p.name}" for p in PRIMITIVES.values()}
    known = {*HANDLERS, *(f"mooncake_runtime.{name}" for name in CLASSES)}
    unknown = (helpers | kernels) - known
    border = tuple(f"mooncake_runtime.{name}." for name in ("lists", "linked", "text_numbers"))
    assert {name for name in unknown if not name.startswith(border)} == REFUSED
    printed = {op.template for op in OPS.values() if op.template.startswith("rt.")}
    for template in printed:
        name = template.removeprefix("rt.").partition("(")[0]
        assert resolve(f"mooncake_runtime.scalar_kernels.{name}", template.count("{")) is not None


DEVICE = ("block_sums", "iterations", "running_sums")
OVERLAPS = (
    "disjoint", "one_or_disjoint", "parameters_apart", "parameters_one_or_apart", "rejoin",
    "separate",
)  # fmt: skip
RUNS = ("add_at", "offsets", "runs")
ROWS = ("OF_LANES", "axis_sum", "row_lanes", "row_threads")
EXTREMES = ("largest", "largest_number", "smallest", "smallest_number")
REFUSED = (
    {"mooncake_runtime.instances.assign_each", "mooncake_runtime.kernels.eig"}
    | {"mooncake_runtime.device_special.special"}
    | {f"mooncake_runtime.device.{name}" for name in DEVICE}
    | {f"mooncake_runtime.device_overlaps.{name}" for name in OVERLAPS}
    | {f"mooncake_runtime.device_rows.{name}" for name in (*ROWS, *EXTREMES)}
    | {f"mooncake_runtime.device_runs.{name}" for name in RUNS}
    | {"mooncake_runtime.device_indices.OF_INDICES"}
    | {"mooncake_runtime.device_recurrences.recurrence"}
    | {f"mooncake_runtime.device_lists.{name}" for name in ("flags", "integers")}
)
DECORATORS = {"mooncake_runtime.instances.border"}
CLASSES = ("instances.default_of", "instances.Raised", "formatted.Formatted")  # and what makes them


# ---- files --------------------------------------------------------------------------------------


def test_a_generated_file_as_source(out: Path, tmp_path: Path) -> None:
    (tmp_path / "saddle.py").write_text(
        "import numpy as np\n"
        "def saddle(x: float, y: float) -> float:\n    return x * x * y + np.sin(y) * x\n"
    )
    once, twice = tmp_path / "once", tmp_path / "twice"
    run(tmp_path / "saddle.py", once)
    report = run(once / "saddle_grad.py", twice)
    assert report.errors == []
    with importable(twice), switched(False):
        first, second = import_module("saddle_grad"), import_module("saddle_grad_grad")
        for name, args in (
            ("saddle_grad", (1.3, 0.4)), ("saddle_jvp", (1.3, 0.4, 0.7, -0.2)),
            ("saddle_vjp", (1.3, 0.4, 2.0)),
        ):  # fmt: skip
            check_gradients(getattr(first, name), second, args)
        assert not hasattr(second, "saddle_fwd_vjp")


def program(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return folder


INNER = "def f(x: float, y: float) -> float:\n    return x * x * y\n"
OUTER = (
    "from base_grad import f_grad\n"
    "def g(x: float, y: float) -> float:\n    return f_grad(x, y).x * y\n"
)


def test_what_is_on_disk_is_not_read(tmp_path: Path) -> None:
    src = program(tmp_path, base=INNER, top=OUTER, base_grad=f"{MARK}def f_grad(x): return 0\n")
    report = run(src, tmp_path / "out")
    assert report.errors == []
    assert "4.0" not in (tmp_path / "out/top_grad.py").read_text()
    assert module_in(tmp_path / "out", "top_grad").g_grad(1.5, 2.0) == (8.0, 12.0)


MARK = "# Code generated by mooncake-transpile 0.1.0 from base.py. DO NOT EDIT.\n"


def module_in(folder: Path, name: str) -> ModuleType:
    with importable(folder), switched(False):
        return import_module(name)


def test_in_place_and_out_of_date(tmp_path: Path) -> None:
    src = program(tmp_path, base=INNER, top=OUTER)
    run(src, src)
    assert run(src, src, check=True).outdated == []
    program(tmp_path, base=INNER.replace("* y", "* y * y"))
    stale = {Path(d.place.path).name for d in run(src, src, check=True).outdated}
    assert stale == {"base_grad.py", "top_grad.py"}
    assert run(src, src).errors == []
    assert run(src, src, check=True).outdated == []


def test_settings_of_the_inner_function_count(tmp_path: Path) -> None:
    src = program(tmp_path, base=INNER, top=OUTER.replace(".x", ""))
    table = "[tool.mooncake-transpile.functions]\n"
    settings = tmp_path / "pyproject.toml"
    settings.write_text(f'{table}"base:f" = {{ wrt = ["x"] }}\n')
    assert run(src, src).errors == []
    settings.write_text(f'{table}"base:f" = {{ wrt = ["y"] }}\n')
    stale = {Path(d.place.path).name for d in run(src, src, check=True).outdated}
    assert stale == {"base_grad.py", "top_grad.py"}


def test_only_a_function_of_a_generated_module(tmp_path: Path) -> None:
    src = program(tmp_path, base=INNER)
    run(src, src)
    assert run(src, src, only=("base_grad:f_grad",)).errors == []
    names = set(dir(module_in(src, "base_grad_grad")))
    assert {"f_grad_vjp", "f_grad_jvp"} <= names
    assert "f_vjp_vjp" not in names


def test_derivatives_of_derivatives_by_import(tmp_path: Path) -> None:
    top = (
        "from base_grad_grad import f_grad_jvp\n"
        "def g(x: float, y: float) -> float:\n    return f_grad_jvp(x, y, 1.0, 0.0)[1].x\n"
    )
    src = program(tmp_path, base=INNER, top=top)
    assert run(src, src).errors == []
    assert run(src, src, check=True).outdated == []
    assert module_in(src, "top_grad").g_grad(1.5, 2.0) == (0.0, 2.0)


def test_a_circle(tmp_path: Path) -> None:
    both = "import own_grad\n" + INNER + OUTER.partition("\n")[2].replace("f_g", "own_grad.f_g")
    report = run(program(tmp_path, own=both), tmp_path)
    assert [d.code for d in report.errors] == ["MK217"]
    assert "made from this module" in report.errors[0].message


def test_what_can_not_be_made(tmp_path: Path) -> None:
    """An error is reported once, where it is."""
    bad = INNER.replace("x * x", "open(x)")
    report = run(program(tmp_path, base=bad, top=OUTER), tmp_path)
    assert [(d.code, d.place.path) for d in report.errors] == [("MK301", "base.py")]
    report = run(tmp_path, tmp_path, only=("top",))
    assert [(d.code, d.place.path) for d in report.errors] == [("MK301", "base.py")]
