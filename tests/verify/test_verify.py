"""Inputs that ``verify`` draws, its messages and return codes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mooncake_transpiler import cli

from tests.verify.conftest import Sample, command, table

ROOT = Path(__file__).parents[2]
KINDS = Path(__file__).parent / "kinds"
NOT_RUN = {"raises": "ValueError: too small", "has_no_value": "inf or nan"}
NOT_CHECKED = {"jumps_everywhere": "do not converge"}


@pytest.fixture(scope="session")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("kinds") / "out"
    assert cli.run([str(KINDS), str(out)]) == 0
    return out


def test_all_kinds_of_parameters(kinds: Path) -> None:
    code, rows = table(KINDS, kinds)
    assert code == 0
    found = {name.partition(":")[2]: row for name, row in rows.items()}
    for kind, expected in (("not run", NOT_RUN), ("not checked", NOT_CHECKED)):
        assert {name for name, row in found.items() if row["verdict"] == kind} == expected.keys()
        for name, message in expected.items():
            assert message in str(found[name]["messages"])
    assert {row["verdict"] for row in rows.values()} == {"agrees", "not run", "not checked"}


def test_other_seeds_and_numbers_of_points(kinds: Path) -> None:
    for seed in (1, 2):
        code, rows = table(KINDS, kinds, "--seed", seed, "--points", 2, "--only", "kinds:structs")
        assert code == 0
        assert rows["kinds:structs"]["points"] == 2


INPUTS = """
import numpy as np
from kinds import Shape

def inputs_at_least():
    return (1.0,)

INPUTS = {
    "kinds:raises": [(150.0,), (200.0,)],
    "one_of": {"shape": Shape.FLAT},
}
inputs_of_whole_items = {"x": np.array([1.0, 2.0])}
inputs_squared_by_turns = {"out": np.zeros(2, complex)}
"""


def test_given_arguments(kinds: Path, tmp_path: Path) -> None:
    file = tmp_path / "given.py"
    file.write_text(INPUTS)
    code, rows = table(KINDS, kinds, "--inputs", file)
    assert code == 0
    assert (rows["kinds:raises"]["verdict"], rows["kinds:raises"]["points"]) == ("agrees", 2)
    assert (rows["kinds:one_of"]["verdict"], rows["kinds:one_of"]["points"]) == ("agrees", 1)
    assert rows["kinds:at_least"]["verdict"] == "not checked"
    assert "kink" in str(rows["kinds:at_least"]["messages"])
    assert rows["kinds:of_whole_items"]["verdict"] == "not checked"
    assert "or integers" in str(rows["kinds:of_whole_items"]["messages"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("INPUTS = {'kinds:rises': (1.0,)}\n", "no function 'kinds:rises'"),
        ("INPUTS = 1\n", "must be a dict"),
        ("1 / 0\n", "ZeroDivisionError"),
    ],
)
def test_wrong_inputs(text: str, message: str, kinds: Path, tmp_path: Path) -> None:
    file = tmp_path / "given.py"
    file.write_text(text)
    done = command(KINDS, kinds, "--inputs", file)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def inputs_raises():\n    return 1.0, 2.0\n", "a tuple of 1 (x)"),
        ("INPUTS = {'kinds:raises': {'y': 1.0}}\n", "no parameter 'y'"),
        ("INPUTS = {'raises': []}\n", "no arguments for raises"),
    ],
)
def test_inputs_that_one_function_does_not_take(
    text: str, message: str, kinds: Path, tmp_path: Path
) -> None:
    """The others are verified."""
    file = tmp_path / "given.py"
    file.write_text(text)
    only = ("--only", "kinds:raises", "--only", "kinds:structs")
    code, rows = table(KINDS, kinds, "--inputs", file, *only)
    assert code == 0
    assert rows["kinds:raises"]["verdict"] == "not run"
    assert message in str(rows["kinds:raises"]["messages"])
    assert rows["kinds:structs"]["verdict"] == "agrees"


def test_inputs_for_functions_without_derivatives(tmp_path: Path) -> None:
    """Arguments with defaults may be left out; integers may stand for floats in a list."""
    (tmp_path / "m.py").write_text(
        "def f(x: float, k: int = 3) -> list[float]:\n"
        "    if k != 3:\n        raise ValueError('not the default')\n"
        "    return [1, x * k]\n\n\n"
        "def count(n: int) -> int:\n    return n\n"
    )
    file = tmp_path / "given.py"
    file.write_text(
        "def inputs_count():\n    return (3,)\n\n\ndef inputs_f():\n    return [(2.0,), (1.0,)]\n"
    )
    assert cli.run([str(tmp_path), str(tmp_path), "--only", "m"]) == 0
    code, rows = table(tmp_path / "m.py", tmp_path, "--inputs", file)
    assert (code, rows["m:f"]["verdict"], rows["m:f"]["points"]) == (0, "agrees", 2)
    assert rows["count"]["verdict"] == "not run"
    _, selected = table(tmp_path / "m.py", tmp_path, "--inputs", file, "--only", "m:f")
    assert selected.keys() == {"m:f"}
    assert "no derivatives" in str(rows["count"]["messages"])


def test_usage(sample: Sample, tmp_path: Path) -> None:
    src, out = str(sample.src), str(sample.out)
    assert cli.run(["verify", src]) == 2
    assert cli.run(["verify", str(tmp_path / "nowhere"), out]) == 2
    assert cli.run(["verify", src, out, "--inputs", str(tmp_path / "nowhere.py")]) == 2
    assert cli.run(["verify", src, out, "--only", "sample:nothing"]) == 2
    assert cli.run(["verify", src, out, "--points", "0"]) == 2


def test_lines(sample: Sample, tmp_path: Path) -> None:
    only = ["--only", "sample:cube", "--only", "sample:energy"]
    done = command(sample.src, sample.out, *only)
    first, second = done.stdout.splitlines()
    assert first.startswith("agrees       sample:energy  at most ")
    assert second.startswith("agrees       sample:cube    at most ")
    said = done.stderr.splitlines()
    assert said[0] == f"verify imports and runs the modules in {sample.src} and {sample.out}"
    assert said[1:] == ["numba is missing or switched off: nothing is compiled", "agrees: 2"]
    assert done.returncode == 0
    broken = sample.broken(tmp_path / "out", ("energy_pullback", "t5 = -t4", "t5 = t4"))
    done = command(sample.src, broken, *only)
    assert "differs      sample:energy\n    energy: the derivative " in done.stdout
    assert "    called with x=array(" in done.stdout
    assert done.stderr.splitlines()[-1] == "agrees: 1, differs: 1"
    assert done.returncode == 1


def test_out_of_date(sample: Sample, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    src, out = tmp_path / "src", tmp_path / "out"
    for made, where in ((sample.src, src), (sample.out, out)):
        shutil.copytree(made, where)
    verify = ["verify", str(src), str(out)]
    module, gradient = src / "sample.py", out / "sample_grad.py"
    text = module.read_text()
    module.write_text(text.replace("** 4", "** 3"))
    assert cli.run(verify) == 3
    assert "MK501" in capsys.readouterr().out
    module.write_text(text)
    gradient.write_text(gradient.read_text().replace("t5 = -t4", "t5 = t4"))
    assert cli.run(verify) == 3
    assert "MK503" in capsys.readouterr().out
    gradient.unlink()
    assert cli.run(verify) == 3
    assert "MK502" in capsys.readouterr().out
    module.write_text(text.replace("def cube", "def cube(((", 1))
    assert cli.run(verify) == 1


def test_refused_modules_do_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("def f(x: float) -> float:\n    return x * x\n")
    (tmp_path / "bad.py").write_text("def g(x: float) -> float:\n    return x * float(input())\n")
    assert cli.run([str(tmp_path), str(tmp_path)]) == 1
    done = command(tmp_path, tmp_path)
    assert done.returncode == 1
    assert "good:f" in done.stdout
    assert "agrees: 1" in done.stderr
    assert "bad.py:2" in done.stderr
    assert "MK502" not in done.stdout + done.stderr
    code, rows = table(tmp_path, tmp_path)  # which errors leave as it is
    assert (code, rows.keys()) == (1, {"good:f"})
    (tmp_path / "good_grad.py").unlink()  # not refused
    assert cli.run(["verify", str(tmp_path), str(tmp_path)]) == 3


def test_refused_signatures_do_not_stop_the_others(tmp_path: Path) -> None:
    """Nor does a module that can't be read."""
    src, out = tmp_path / "src", tmp_path / "out"
    src.mkdir()
    (src / "m.py").write_text(
        "def f(x: float) -> float:\n    return x * x\n\n"
        "def g(x: float, y: dict[float, float]) -> float:\n    return x * y[1]\n"
    )
    assert cli.run([str(src), str(out), "--keep-going"]) == 1
    for more in ("", "def broken(((\n"):
        (src / "other.py").write_text(more)
        done = command(src, out)
        assert done.returncode == 1
        assert "m:f" in done.stdout
        assert "agrees: 1" in done.stderr
        assert "MK204" in done.stderr
        assert ("MK003" in done.stderr) == bool(more)


def test_what_cannot_be_imported(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "import os\nos.nothing\n\ndef f(x: float) -> float:\n    return x\n"
    )
    assert cli.run([str(tmp_path), str(tmp_path)]) == 0
    code, rows = table(tmp_path, tmp_path)
    assert code == 1
    assert "can't be imported: AttributeError" in str(rows["m:f"]["messages"])


def test_what_programs_print_is_no_output(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "print('hi')\n\ndef f(x: float) -> float:\n    print('ho')\n    return x\n"
    )
    assert cli.run([str(tmp_path), str(tmp_path)]) == 0
    code, rows = table(tmp_path, tmp_path)
    assert (code, rows["m:f"]["verdict"]) == (0, "agrees")


PACKAGE = {
    "__init__.py": "",
    "parts.py": "from dataclasses import dataclass\n\n\n@dataclass\nclass Part:\n    size: float\n",
    "inner/__init__.py": "",
    "inner/model.py": (
        "from ..parts import Part\nfrom pack.constants import SCALE\n\n\n"
        "def volume(part: Part) -> float:\n    return SCALE * part.size**3\n"
    ),
    "constants.py": "SCALE = 2.0\n",
}


@pytest.mark.parametrize("name", ["out", "pack"])
def test_packages(name: str, tmp_path: Path) -> None:
    """In OUT they may be called something else."""
    src, out = tmp_path / "src/pack", tmp_path / name
    for path, text in PACKAGE.items():
        (src / path).parent.mkdir(parents=True, exist_ok=True)
        (src / path).write_text(text)
    assert cli.run([str(src), str(out)]) == 0
    code, rows = table(src, out)
    assert (code, rows["inner.model:volume"]["verdict"]) == (0, "agrees"), rows
    assert cli.run([str(src), str(src)]) == 0
    code, rows = table(src, src)
    assert (code, rows["inner.model:volume"]["verdict"]) == (0, "agrees"), rows


COMPOSED = """
# mooncake: modes=forward-over-reverse
def one(x: float, y: float) -> float:
    return x * x * x * y


# mooncake: modes=reverse-over-forward,reverse-over-reverse
def two(x: float, *, y: float) -> float:
    return x * x * x * y


# mooncake: modes=hvp
def three(x: float, y: float) -> float:
    return x * x * x * y


# mooncake: modes=forward wrt=y
def four(x: float, y: float) -> float:
    return x * y * y


# mooncake: modes=forward-over-reverse-over-reverse
def five(x: float) -> float:
    return x**5


# mooncake: modes=jacobian
def six(x: float) -> tuple[float, float]:
    return x * x, x


# mooncake: modes=hessian
def seven(x: float) -> float:
    return x**5
"""


def test_modes_without_others(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(COMPOSED)
    (tmp_path / "n.py").write_text(
        "from m_grad import two_grad_vjp\n\n\ndef loss(x: float) -> float:\n"
        "    grad, more = two_grad_vjp(x, (1.0, x), y=2.0)\n    return grad[0] * more[0]\n"
    )
    assert cli.run([str(tmp_path), str(tmp_path)]) == 0
    code, rows = table(tmp_path, tmp_path)
    assert {name: row["verdict"] for name, row in rows.items()} == dict.fromkeys(rows, "agrees")
    assert (code, len(rows)) == (0, 8)
    right = (tmp_path / "m_grad.py").read_text()
    assert "x_dot" in right


KEYWORDS = """
def scaled(x: float, *, s: float = 2, ends: tuple[float, complex] = (1, 2)) -> float:
    return x * x * s * ends[0] * abs(ends[1])


def outer(*, y: float, n: int, x: float) -> float:
    return y**n * x
"""


@pytest.mark.parametrize("mode", ["forward-over-forward", "forward-over-reverse"])
def test_keywords_and_integers_where_functions_between_are_not_emitted(
    mode: str, tmp_path: Path
) -> None:
    (tmp_path / "m.py").write_text(KEYWORDS)
    (tmp_path / "pyproject.toml").write_text(f'[tool.mooncake-transpile]\nmodes = ["{mode}"]\n')
    assert cli.run([str(tmp_path), str(tmp_path)]) == 0
    _, rows = table(tmp_path, tmp_path)
    assert {name: row["verdict"] for name, row in rows.items()} == dict.fromkeys(rows, "agrees")


WRITTEN = """
from dataclasses import dataclass
from typing import Annotated
import numpy as np
from numpy.typing import NDArray


@dataclass
class State:
    x: float
    v: Annotated[NDArray[np.float64], "2"]


def doubled(v: Annotated[NDArray[np.float64], "2"], n: int) -> float:
    v *= 2.0
    return v[0] ** 2 + v[1]


def moved(s: State, dt: float) -> float:
    s.v[0] *= dt
    s.x += s.v[0]
    return s.x * s.x
"""


@pytest.mark.parametrize(
    "modes",
    [("forward",), ("forward", "reverse-over-forward"), ("forward-over-forward",)],
    ids=lambda modes: modes[-1],
)
def test_forward_mode_alone_of_what_is_written(modes: tuple[str, ...], tmp_path: Path) -> None:
    """Tangents are written, too; derivatives of ``f_jvp`` leave fields as they were."""
    (tmp_path / "m.py").write_text(WRITTEN)
    wanted = ", ".join(f'"{mode}"' for mode in modes)
    (tmp_path / "pyproject.toml").write_text(f"[tool.mooncake-transpile]\nmodes = [{wanted}]\n")
    assert cli.run([str(tmp_path), str(tmp_path)]) == 0
    _, rows = table(tmp_path, tmp_path, "--points", 1)
    assert {name: row["verdict"] for name, row in rows.items()} == dict.fromkeys(rows, "agrees")


@pytest.mark.wide
def test_examples(tmp_path: Path) -> None:
    examples = ROOT / "examples"
    assert cli.run([str(examples / "programs"), str(tmp_path)]) == 0
    code, rows = table(examples / "programs", tmp_path, "--inputs", examples / "inputs.py")
    assert {name: row["verdict"] for name, row in rows.items()} == dict.fromkeys(rows, "agrees")
    assert (code, len(rows) > 20) == (0, True)


def test_slice_of_the_catalogue(tmp_path: Path) -> None:
    src, out = tmp_path / "src", tmp_path / "out"
    src.mkdir()
    for name in ("kinds", "unrun"):
        shutil.copy(ROOT / f"tests/programs/cases/{name}.py", src)
    assert cli.run([str(src), str(out)]) == 0
    code, rows = table(src, out)
    assert {row["verdict"] for row in rows.values()} <= {"agrees", "not run"}
    assert (code, len(rows)) == (0, 18)


JITTED = """
from numba import njit


@njit
def _square(x):
    return x * x


@njit
def f(x: float, n: int) -> float:
    return _square(x) * n
"""


def test_compiled_sources(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(JITTED)
    assert cli.run([str(tmp_path), str(tmp_path)]) == 0
    code, rows = table(tmp_path, tmp_path, jit=True)
    assert (code, rows["m:f"]["verdict"]) == (0, "agrees")


def test_nothing_else_loads_it() -> None:
    code = (
        "import sys; from mooncake_transpiler import cli; cli.run(['list', sys.argv[1]]); "
        "print([n for n in sys.modules if n.startswith('mooncake_transpiler.verify')])"
    )
    command = [sys.executable, "-c", code, str(KINDS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
