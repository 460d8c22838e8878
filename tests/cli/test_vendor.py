"""``--vendor``: output that brings its own copy of what it needs of the runtime."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from mooncake_transpiler.output.runtime_files import Runtime, find_runtime

from tests.cli.conftest import Run, tree, write
from tests.cli.package_trees import ARRAYS, LIBRARY, NAMESPACE, X, plant
from tests.helpers.processes import compare, python

ROOT = Path(__file__).parents[2]
COPY = "_mooncake_runtime/"
BASIC = {
    "__init__.py",
    "compiling.py",
    "exact_values.py",
    "fronts.py",
    "jit.py",
    "marks.py",
    "plain_math.py",
    "spec.py",
    "stretched_axes.py",
    "taken.py",
}

# As if the distribution were not installed.
ALONE = """
import sys


class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("mooncake_"):
            raise ModuleNotFoundError(name)


sys.meta_path.insert(0, Missing())
"""

SPECIAL = """\
from scipy.special import xlogy


def entropy(p: float) -> float:
    return -xlogy(p, p)
"""

PLAIN = "def entropy(p: float) -> float:\n    return -p * p\n"

SOLVE = f"""\
{ARRAYS}

Vector = Annotated[NDArray[np.float64], "n"]


def solve(a: Annotated[NDArray[np.float64], "n n"], b: Vector) -> float:
    return np.sum(np.linalg.solve(a, b))
"""

RULE = """\
from ._mooncake_runtime import rule_for


def scale(x):
    return 2.0 * x


@rule_for(scale)
def scale_rule(x):
    def pullback(y_bar):
        return 5.0 * y_bar

    return scale(x), pullback


def f(x: float) -> float:
    return scale(x)
"""


def copied(out: Path) -> set[str]:
    """The files of the copies in OUT."""
    return {path for path in tree(out) if COPY in path}


@pytest.fixture
def special(tmp_path: Path) -> Path:
    """A folder with a module that needs a kernel."""
    return plant(tmp_path / "special", {"m.py": SPECIAL})


@pytest.mark.parametrize("in_place", [False, True])
def test_packages_bring_their_own(in_place: bool, run: Run, tmp_path: Path) -> None:
    src = plant(tmp_path / "src", LIBRARY, NAMESPACE, {"lib/deep.py": SOLVE, "m.py": SPECIAL})
    out = src if in_place else tmp_path / "out"
    assert run(src, out, "--vendor") == 0
    before = tree(out)
    assert run(src, out, "--vendor") == 0
    assert run(src, out, "--vendor", "--check") == 0
    assert tree(out) == before
    assert not [path for path, text in before.items() if "\nfrom mooncake_runtime" in text]
    assert {path.partition(COPY)[0] for path in copied(out)} == {"", "lib/"}
    assert f"lib/{COPY}kernels/factors.py" in before
    assert f"lib/{COPY}scalar_kernels/entropy.py" not in before
    assert f"{COPY}scalar_kernels/entropy.py" in before
    assert f"{COPY}scalar_kernels/bessel.py" not in before
    loss = "from lib.user_grad import f_grad\nimport numpy as np, ns.inner.m_grad, m_grad\n"
    loss += f"from lib.deep_grad import solve_grad\nf_grad(np.array({X}))\n"
    loss += "print(solve_grad(np.eye(2) * 4.0, np.ones(2)).b[1])"
    assert python(ALONE + loss, out) == "0.25\n"
    compare(out, "m", "m_grad", "entropy", 0.3)


def test_a_package_can_be_renamed(run: Run, tmp_path: Path) -> None:
    src = plant(tmp_path / "src", {"__init__.py": "", "sub/__init__.py": "", "sub/m.py": SPECIAL})
    write(src / "pyproject.toml", "[tool.mooncake-transpile]\nvendor = true\n")
    assert run(src, tmp_path / "any_name") == 0
    assert "from .._mooncake_runtime import entry" in tree(tmp_path / "any_name")["sub/m_grad.py"]
    program = "import any_name.sub.m_grad as m; print(m.entropy_grad(1.0))"
    assert python(ALONE + program, tmp_path) == "-1.0\n"


def test_compiled_and_cached(run: Run, special: Path, tmp_path: Path) -> None:
    assert run(special, tmp_path, "--vendor") == 0
    program = "import m_grad; m_grad.entropy_grad(1.0); f = m_grad.entropy_value_and_grad\n"
    program += "print(f(1.0)[1], sum(f.stats.cache_hits.values()))"
    assert python(ALONE + program, tmp_path, jit=True) == "-1.0 0\n"
    assert python(ALONE + program, tmp_path, jit=True) == "-1.0 1\n"


def test_what_is_needed_no_more_is_removed(run: Run, special: Path, out: Path) -> None:
    assert run(special, out, "--vendor") == 0
    basic = {COPY + path for path in BASIC}
    assert copied(out) > basic
    write(special / "m.py", PLAIN)
    assert run(special, out, "--vendor", "--check") == 3
    assert run(special, out, "--vendor") == 0
    assert copied(out) == basic
    assert run(special, out, "--check") == 3
    assert run(special, out) == 0
    assert copied(out) == set()
    assert "from mooncake_runtime import" in tree(out)["m_grad.py"]


def test_copies_are_checked(
    run: Run, special: Path, out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(special, out, "--vendor")
    fresh = tree(out)
    file = out / COPY / "jit.py"
    file.unlink()
    assert run(special, out, "--vendor", "--check") == 3
    assert "MK502" in capsys.readouterr().out
    for text, code in ((fresh[f"{COPY}jit.py"] + "# mine\n", "MK503"), ("mine = 1\n", "MK504")):
        write(file, text)
        assert run(special, out, "--vendor", "--check") == 3
        assert code in capsys.readouterr().out
        assert run(special, out, "--vendor") == 1
        assert file.read_text() == text
    assert run(special, out, "--vendor", "--force") == 0
    assert tree(out) == fresh


def test_errors_elsewhere_remove_nothing(run: Run, special: Path, out: Path) -> None:
    run(special, out, "--vendor")
    before = copied(out)
    write(special / "m.py", "def entropy(p: float) -> float:\n    return nothing(p)\n")
    assert run(special, out, "--vendor") == 1
    assert copied(out) == before
    plant(special, {"m.py": SPECIAL, "k.py": PLAIN})
    assert run(special, out, "--vendor", "--only", "k") == 0
    assert copied(out) == before


def test_sources_may_import_the_copy(run: Run, tmp_path: Path) -> None:
    src = plant(tmp_path / "p", {"__init__.py": "", "m.py": RULE})
    assert run(src, src, "--vendor") == 0
    assert run(src, src, "--vendor", "--check") == 0
    program = "import p.m_grad as m; print(m.f_grad(1.0))"
    assert python(ALONE + program, tmp_path) == "5.0\n"


@pytest.mark.parametrize("path", ["_mooncake_runtime.py", f"{COPY}own.py"])
def test_a_name_that_is_taken(path: str, run: Run, special: Path, out: Path) -> None:
    write(special / path, "")
    assert run(special, out) == 0
    assert run(special, out, "--vendor") == 2


@pytest.fixture(scope="module")
def runtime() -> Runtime:
    return find_runtime()


def test_copies_import_no_more_than_copies(runtime: Runtime) -> None:
    files = [file.relative_to(runtime.folder) for file in runtime.folder.rglob("*.py")]
    names = [".".join(file.with_suffix("").parts).removesuffix("__init__") for file in files]
    for name in names:
        for node in ast.walk(ast.parse(runtime.copy(name.rstrip(".")))):
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                assert not (node.module or "").startswith("mooncake"), name
            if isinstance(node, ast.Import):
                assert not any(alias.name.startswith("mooncake") for alias in node.names), name


def test_the_licence_comes_along(runtime: Runtime) -> None:
    licence = (ROOT / "LICENSE").read_text()
    assert (runtime.folder / "LICENSE").read_text() == licence
    text = runtime.copy("")
    assert all(f"# {line}".rstrip() in text for line in licence.splitlines())
