"""Comfort of the command: reasons, suggestions, progress, watching, completion."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from mooncake_transpiler import cli
from mooncake_transpiler.diagnostic.codes import CODES
from mooncake_transpiler.diagnostic.suggestions import closest, did_you_mean
from mooncake_transpiler.output.inputs import find_inputs
from mooncake_transpiler.run import pipeline
from mooncake_transpiler.terminal import progress, watching

from tests.cli.conftest import HELPER, LOSS, Run, tree, write
from tests.cli.fake import FakeCompiler

ROOT = Path(__file__).parents[2]
Output = pytest.CaptureFixture[str]
OPEN = """from dataclasses import dataclass
@dataclass
class P:
    t: float | None
def f(p: P, x: float) -> None:
    p.t = x
"""
FIELD = "import typing, numpy\nclass P(typing.NamedTuple):\n    t: numpy.ndarray\n"


# ---- a module that yields nothing ----------------------------------------------------------------


ROWS = "def f(xs: list[list[float]], x: float) -> int:\n    xs.append([x])\n    return len(xs)\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def f(x):\n    return x\n", "f: no annotations"),
        ("def f(n: int) -> int:\n    return n\n", "f: no parameter carries floats"),
        ("def f(x: float) -> int:\n    return 1\n", "f: its result, int64, carries no floats"),
        ("def f(x: float) -> str:\n    return str(x)\n", "f: its result, str, carries no floats"),
        (
            "def f(x: float) -> None:\n    print(x)\n",
            "f: it returns None, and is not seen to change arrays, lists or objects of its caller",
        ),
        (
            OPEN,
            "f: it returns no floats, and changes p, which is of one of several types",
        ),
        (
            ROWS,
            (
                "f: its result, int64, carries no floats; what it writes: "
                "a list of arrays or lists that is a parameter can't be changed"
            ),
        ),
        ("async def f(x: float) -> float:\n    return x\n", "f: it is async"),
        (
            "import torch\ndef f(x: torch.Tensor) -> float:\n    return float(x.sum())\n",
            "f: no parameter carries floats: torch.Tensor; write arrays as NumPy's: NDArray[...]",
        ),
        ("f = lambda x: x * x\n", "f: a lambda has no annotations; write it with def"),
        (
            "def f(*xs: float) -> float:\n    return xs[0]\n",
            "f: name the parameters one by one, not *xs",
        ),
        (
            "def f(*xs: float, **options: float) -> float:\n    return xs[0]\n",
            "f: name the parameters one by one, not *xs and **options",
        ),
        (
            "class Model:\n    def loss(self, x: float) -> float:\n        return x * x\n",
            "it has methods only; write a function that calls them",
        ),
    ],
)
def test_nothing_has_a_reason(
    text: str, reason: str, run: Run, tmp_path: Path, capsys: Output
) -> None:
    file = write(tmp_path / "m.py", text)
    for _ in range(2):
        assert run(file, tmp_path) == 0
        assert f"nothing to differentiate in m.py: {reason}\n" in capsys.readouterr().err


def test_annotations_can_be_proposed(run: Run, tmp_path: Path, capsys: Output) -> None:
    for text, says in (("def f(x): ...", True), ("def f(n: int) -> int: ...", False)):
        run(write(tmp_path / "m.py", text), tmp_path)
        assert ("list --suggest SRC" in capsys.readouterr().err) == says


@pytest.mark.parametrize("quote", ['"', "'"])
def test_types_may_stand_in_decorators(
    quote: str, run: Run, tmp_path: Path, capsys: Output
) -> None:
    signature = f"{quote}float64(float64[:], int64){quote}"
    text = f"from numba import njit\n\n@njit({signature})\ndef f(x, k):\n    return x[0] ** k\n"
    assert run(write(tmp_path / "m.py", text), tmp_path) == 0
    assert "nothing to differentiate" not in capsys.readouterr().err
    assert (tmp_path / "m_grad.py").exists()


@pytest.mark.parametrize(
    "text", ["def _f(x):\n    return x\n", "# mooncake: skip\ndef f(x: float) -> float: ...\n"]
)
def test_what_is_private_or_skipped_needs_no_reason(
    text: str, run: Run, tmp_path: Path, capsys: Output
) -> None:
    assert run(write(tmp_path / "m.py", text), tmp_path) == 0
    assert "nothing to differentiate" not in capsys.readouterr().err


def test_many_reasons_are_counted(run: Run, tmp_path: Path, capsys: Output) -> None:
    for k in range(5):
        write(tmp_path / f"m{k}.py", HELPER)
    run(tmp_path, tmp_path)
    assert "nothing to differentiate in 5 modules; -v says why\n" in capsys.readouterr().err
    run(tmp_path, tmp_path, "-v")
    assert capsys.readouterr().err.count("cube: no annotations") == 5


# ---- help, explain, exit codes -------------------------------------------------------------------


@pytest.mark.parametrize("argv", [[], ["--help"]])
def test_the_root_help_has_all_options_and_commands(
    argv: list[str], run: Run, capsys: Output
) -> None:
    assert run(*argv) == 0
    text = capsys.readouterr().out
    assert all(word in text for word in ("--check", "--watch", "--vendor", "SRC", "OUT"))
    assert all(f"\n  {command} " in text for command in ("verify", "explain", "list"))


def test_explain_lists_all_codes(run: Run, capsys: Output) -> None:
    assert run("explain") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" ")[0] for line in lines] == list(CODES)


def test_diff_says_by_its_exit_code_whether_there_is_one(
    run: Run, src: Path, out: Path, compiler: FakeCompiler
) -> None:
    assert run(src, out, "--diff") == 1
    assert run(src, out) == 0
    assert run(src, out, "--diff") == 0


# ---- what was meant ------------------------------------------------------------------------------


def test_closest() -> None:
    assert closest("Wrt", ["wrt", "modes"]) == "wrt"
    assert closest("chekc", ["check", "diff"]) == "check"
    assert closest("banana", ["check", "diff"]) is None
    assert did_you_mean("banana", ["check"]) == ""


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("# mooncake: wtr=x\ndef f(x: float) -> float:\n    return x\n", "'wrt'"),
        ("# mooncake: modes=revers\ndef f(x: float) -> float:\n    return x\n", "'reverse'"),
        (
            "# mooncake: wrt=rtae\ndef f(rate: float) -> float:\n    return rate\n",
            "'rate'",
        ),
        ("import numpy as np\ndef f(x: float) -> float:\n    return np.sni(x)\n", "np.sin"),
        ("def scale(x):\n    return x\ndef f(x: float) -> float:\n    return scal(x)\n", "'scale'"),
        (
            "def g(x, by):\n    return x\ndef f(x: float) -> float:\n    return g(x, byy=2)\n",
            "'by'",
        ),
        ("import numpy as np\ndef f(x: float) -> float:\n    return np.sum(x, axes=0)\n", "'axis'"),
        ("import numpy as np\ndef f(x: Vec) -> float:\n    return x.summ()\n", "ndarray.sum"),
    ],
)
def test_errors_say_what_was_meant(
    text: str, meant: str, run: Run, tmp_path: Path, capsys: Output
) -> None:
    text = text.replace("Vec", "np.ndarray[tuple[int], np.dtype[np.float64]]")
    assert run(write(tmp_path / "m.py", text), tmp_path, "--output-format", "concise") == 1
    assert f": did you mean {meant}?\n" in capsys.readouterr().out


def test_a_function_that_numpy_has_is_not_taken_for_another(
    run: Run, tmp_path: Path, capsys: Output
) -> None:
    text = "import numpy as np\ndef f(x: float) -> float:\n    return np.busday_offset(x)\n"
    assert run(write(tmp_path / "m.py", text), tmp_path) == 1
    assert "did you mean" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "meant"),
    [
        (["SRC", "OUT", "--chekc"], "--check"),
        (["SRC", "OUT", "--only", "squar"], "'square'"),
        (["SRC", "OUT", "--only", "square:scal"], "'scale'"),
        (["SRC", "OUT", "--context", "minmal"], "'minimal'"),
        (["SRC", "OUT", "--print-ir", "after=hoits"], "'hoist'"),
        (["verfy", "SRC", "OUT"], "'verify'"),
        (["SRC"], "OUT is missing"),
        (["SRC", "OUT", "--modes=hvp"], "# mooncake: wrt=x modes=reverse,hvp"),
        (["SRC", "out_grad.py"], "is no name of a folder"),
        (
            ["list", __file__.replace("test_comfort.py", "../../README.md")],
            "its name ends with .py",
        ),
    ],
)
def test_the_command_line_says_what_was_meant(
    argv: list[str], meant: str, run: Run, src: Path, out: Path, capsys: Output
) -> None:
    places = {"SRC": src, "OUT": out}
    assert run(*(places.get(word, word) for word in argv)) == 2
    assert meant in capsys.readouterr().err


def test_the_configuration_says_what_was_meant(
    run: Run, src: Path, out: Path, capsys: Output
) -> None:
    write(src / "pyproject.toml", "[tool.mooncake-transpile]\nmode = []\n")
    assert run(src, out) == 2
    assert "did you mean 'modes'?" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["Mooncake", "MOONCAKE", "mooncake"])
def test_directives_in_any_case(word: str, run: Run, tmp_path: Path, capsys: Output) -> None:
    text = f"# {word}: wrt=x\ndef f(x: float, y: float) -> float:\n    return x * y\n"
    assert run("list", write(tmp_path / "m.py", text)) == 0
    assert "with respect to x\n" in capsys.readouterr().out


def test_list_tells_what_is_wrong_with_each_function(
    run: Run, tmp_path: Path, capsys: Output
) -> None:
    text = "import numpy as np\n\n" + "".join(
        f"def {name}(x: float) -> float:\n    y = {first}\n    return {last}\n\n"
        for name, first, last in (
            ("f", "np.summ(x)", "x + z"), ("g", "f(x)", "x + y"), ("h", "2.0", "x * y"),
        )
    )  # fmt: skip
    assert run("list", write(tmp_path / "m.py", text)) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(
        "MK301: there is no rule for np.summ: did you mean np.sum? (line 4); MK210"
    )
    assert lines[1].endswith("error    it calls what is wrong, as reported below")
    assert lines[2].endswith("emitted  with respect to x")


WRITTEN_WHILE_BOUND_ANEW = """import numpy as np

def f(x: np.ndarray) -> float:
    y = x[:]
    for i in range(2):
        y[0] = y[1] * y[1]
        y = np.concatenate((y, y))
    return np.sum(y)

def g(x: float) -> float:
    return x
"""


def test_list_tells_of_derivatives_that_are_refused(
    run: Run, tmp_path: Path, capsys: Output
) -> None:
    assert run("list", write(tmp_path / "m.py", WRITTEN_WHILE_BOUND_ANEW)) == 1
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("m:f  error    MK401: the reverse sweep needs 'y'")
    assert second.split() == ["m:g", "emitted", "with", "respect", "to", "x"]


def test_list_says_what_lacks_an_annotation(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A function that nobody calls is an error, and one that others call is a helper."""
    text = "def f(x: float, k):\n    return x * k\n\ndef g(x: float, k):\n    return x * k\n\n"
    text += "def h(x: float) -> float:\n    return g(x, 2.0)\n"
    assert run("list", write(tmp_path / "m.py", text)) == 1
    said = capsys.readouterr().out
    assert "m:f  error    MK220: parameter k of f has no annotation (line 1)" in said
    assert "m:g  helper   no annotation: k" in said


def test_a_directive_without_its_colon(run: Run, tmp_path: Path, capsys: Output) -> None:
    text = "# mooncake skip\ndef f(x: float, y: float) -> float:\n    return x * y\n"
    assert run(write(tmp_path / "m.py", text), tmp_path) == 1
    assert "MK230: a colon is missing" in capsys.readouterr().out
    text = text.replace("mooncake skip", "mooncake skips nothing")  # prose
    assert run(write(tmp_path / "m.py", text), tmp_path) == 0


# ---- processes, progress -------------------------------------------------------------------------


def test_processes_by_cores(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As many as there are cores for many modules, one for few, and otherwise what is asked for."""
    asked: list[int] = []

    class Pool:
        def __init__(self, workers: int, **_: object) -> None:
            asked.append(workers)

        def __enter__(self) -> Pool:
            return self

        def __exit__(self, *_: object) -> None: ...

        map = staticmethod(map)

    monkeypatch.setattr(pipeline, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(pipeline, "cores", lambda: 3)
    for k in range(5):
        write(tmp_path / f"m{k}.py", "def f(x: float) -> float:\n    return x\n")
    assert cli.run([str(tmp_path), str(tmp_path), "--check"]) == 3
    assert cli.run([str(tmp_path), str(tmp_path), "--check", "-j", "2"]) == 3
    assert cli.run([str(tmp_path), str(tmp_path), "--check", "--only", "m1"]) == 3
    assert asked == [3, 2]
    assert pipeline.cores() == 3


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, stream: StringIO, total: int) -> str:
    monkeypatch.setattr(progress.sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with progress.progress_bar() as notify:
        for done in range(total + 1):
            notify(done, total, f"module{done}")
    return stream.getvalue()


def test_progress_names_modules_and_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, Terminal(), 2)
    assert "differentiating" in text
    assert "2/2" in text
    assert "module2" in text
    assert "0:00:00" in text


def test_no_progress_of_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "differentiating" not in shown(monkeypatch, Terminal(), 0)


def test_no_progress_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, StringIO(), 2) == ""


# ---- watching ------------------------------------------------------------------------------------


def test_watch_runs_after_each_change(src: Path) -> None:
    """At first, when a file is new, changed or gone, and not for what is no source."""
    changes: Iterator[Callable[[], object]] = iter([
        lambda: None,
        lambda: write(src / "square.py", "x = 1\n"),
        lambda: write(src / "notes.txt", "nothing"),
        lambda: write(src / "new.py", "y = 2\n"),
        lambda: (src / "new.py").unlink(),
        lambda: write(src / "pyproject.toml", "[tool.mooncake-transpile]\nvendor = true\n"),
    ])  # fmt: skip
    runs: list[int] = []
    said: list[str] = []

    def wait(seconds: float) -> None:
        change = next(changes, None)
        if change is None:
            raise KeyboardInterrupt
        change()

    with pytest.raises(KeyboardInterrupt):
        watching.watch(lambda: find_inputs(src), lambda: runs.append(1), said.append, wait)
    assert len(runs) == 5
    assert said == [
        f"changed: {src / name}" for name in ("square.py", "new.py", "new.py", "pyproject.toml")
    ]


def test_watch_runs_the_command_anew(
    src: Path, out: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(watching.subprocess, "run", lambda command, check: started.append(command))
    monkeypatch.setattr(watching.time, "sleep", lambda seconds: None)
    argv = [str(src), str(out), "--watch", "-v"]
    monkeypatch.setattr(cli.sys, "argv", ["mooncake-transpile", *argv])

    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(watching.watch, "__defaults__", (stop,))
    assert run(*argv) == cli.Exit.INTERRUPTED
    assert [command[2:] for command in started] == [["mooncake_transpiler", argv[0], argv[1], "-v"]]


# ---- what is left out ----------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["venv", "build", "dist", "node_modules", "site-packages"])
def test_folders_that_are_nobodys_sources(folder: str, src: Path) -> None:
    write(src / folder / "m.py", LOSS)
    write(src / "pkg" / folder / "m.py", LOSS)
    write(src / "env" / "pyvenv.cfg", "")
    write(src / "env" / "m.py", LOSS)
    assert set(find_inputs(src).sources.files) == {"square", "pkg", "pkg.helper", "pkg.loss"}
    assert set(find_inputs(src / folder).sources.files) == {"m"}  # asked for


# ---- SRC given in other ways ---------------------------------------------------------------------

INNER = LOSS.replace("pkg.helper", "..helper")


@pytest.fixture
def package(src: Path) -> Path:
    write(src / "pkg/sub/__init__.py", "")
    write(src / "pkg/sub/inner.py", INNER)
    return src / "pkg"


def test_a_module_of_a_package_reads_its_package(run: Run, package: Path) -> None:
    before = set(tree(package))
    assert run(package / "sub/inner.py", package / "sub") == 0
    assert set(tree(package)) - before == {"sub/inner_grad.py"}
    assert "..helper" not in (package / "sub/inner_grad.py").read_text().partition("def ")[0]


def test_src_given_in_another_way_is_up_to_date(
    run: Run, src: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        src / "pyproject.toml",
        '[tool.mooncake-transpile.functions."pkg.sub.inner:loss"]\nwrt = ["x"]\n',
    )
    assert run(src, src) == 0
    made = tree(src)
    assert run(src, src, "--check") == 0
    assert run(package, package, "--check") == 0
    assert run(package / "sub/inner.py", package / "sub", "--check") == 0
    assert run(package / "sub/inner.py", package / "sub/inner.py", "--check") == 0
    monkeypatch.chdir(package / "sub")
    assert run("inner.py", ".", "--check") == 0
    assert run("inner.py", ".", "--check", "--only", "inner") == 0
    assert run("inner.py", ".", "--force") == 0
    assert tree(src) == made
    (package / "helper.py").write_text(HELPER.replace("x * x * x", "2.0 * x"))
    assert run("inner.py", ".", "--check") == 3


def test_list_of_a_module_of_a_package(run: Run, package: Path, capsys: Output) -> None:
    assert run("list", package / "sub/inner.py") == 0
    assert capsys.readouterr().out == "sub.inner:loss  emitted  with respect to x, y\n"


def test_a_package_that_is_gone_is_orphaned_whatever_src(run: Run, src: Path) -> None:
    assert run(src, src) == 0
    (src / "pkg/loss.py").unlink()
    assert run(src / "pkg", src / "pkg") == 0
    assert not (src / "pkg/loss_grad.py").exists()


# ---- SARIF, hooks, project -----------------------------------------------------------------------


def test_sarif(run: Run, src: Path, capsys: Output) -> None:
    write(src / "bad.py", "def f(x: float) -> float:\n    return nothing(x)\n")
    assert run(src, src, "--output-format", "sarif") == 1
    log = json.loads(capsys.readouterr().out)
    assert log["version"] == "2.1.0"
    (run_,) = log["runs"]
    (result,) = run_["results"]
    rules = run_["tool"]["driver"]["rules"]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "MK210"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("bad.py")
    assert place["region"] == {"startLine": 2, "startColumn": 12, "endColumn": 19}


def test_sarif_of_nothing(run: Run, src: Path, out: Path, capsys: Output) -> None:
    assert run(src, out, "--output-format", "sarif") == 0
    assert json.loads(capsys.readouterr().out)["runs"][0]["results"] == []


def test_hooks_call_the_command(run: Run, src: Path, out: Path) -> None:
    """The entries of the hooks, with SRC and OUT behind them as pre-commit puts them."""
    lines = (ROOT / ".pre-commit-hooks.yaml").read_text().splitlines()
    entries = [line.partition(": ")[2] for line in lines if line.startswith("  entry:")]
    assert [run(*entry.split()[1:], src, out) for entry in entries] == [0, 0]
    assert run(*entries[1].split()[1:], src, src) == 3
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert {entry.split()[0] for entry in entries} <= set(scripts)


@contextmanager
def completing(line: str, shell: str) -> Iterator[None]:
    words = line.split(" ")
    variables = {
        "COMP_WORDS": "\n".join(words) if shell == "bash" else line,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        cli.COMPLETING: f"complete_{shell}",
    }
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("mooncake-transpile --che", ["--check", "--check-bounds"]),
        ("mooncake-transpile src out --ch", ["--check", "--check-bounds"]),
        ("mooncake-transpile verify src out --poi", ["--points"]),
        ("mooncake-transpile ver", ["verify"]),
        ("mooncake-transpile src out --output-format sa", ["sarif"]),
    ],
)
def test_completion(line: str, found: list[str], shell: str, run: Run, capsys: Output) -> None:
    with completing(line, shell):
        run()
    text = capsys.readouterr().out
    assert all(word in text for word in found)
    assert "transpile" not in text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def f(x: Flaot) -> float: ...\n", "known here: did you mean 'float'?"),
        ("Vec = list[float]\ndef f(x: Vecc) -> float: ...\n", "did you mean 'Vec'?"),
        ("def f(x: list) -> float: ...\n", "write list[float], or a dataclass"),
        ("def f(x: float, g: callable) -> float: ...\n", "functions can't be passed from Python"),
        (
            "from mine import g\ndef f(x: float) -> float:\n    return g(x)\n",
            "if mine is yours, let SRC be the folder that it is in",
        ),
        (
            "import random\ndef f(x: float) -> float:\n    return x * random.random()\n",
            "draw from np.random.default_rng(seed)",
        ),
        (
            "import numpy as np\ndef f(x: float) -> float:\n    return x * np.loadtxt('d')[0]\n",
            "do it where the function is called",
        ),
        (
            "def f(x: float) -> float:\n    with open('d') as file:\n        return x\n",
            "do it where the function is called",
        ),
        (
            "import pandas\ndef f(d: pandas.Series, x: float) -> float:\n    return x * d[0]\n",
            "pass the numbers and arrays in it as parameters of their own",
        ),
        (
            "def f(x: float, name: str) -> float:\n    return x * len(name.center(9))\n",
            "text that is passed is compared and looked up only",
        ),
        (
            f"{FIELD}def f(p: P, x: float) -> float:\n    return x * (p.t @ numpy.ones(2))[0]\n",
            "its field t: the dtype and rank of this array are not known",
        ),
        ("def f(x: float) -> tuple[float, float]:\n    return x\n", "return what is annotated"),
        ("import numpy as np\ndef f(x: float) -> float:\n    return np.zeros(3)\n", "np.sum(x)"),
        (
            "import numpy as np\ndef f(x: np.float16) -> float:\n    return x\n",
            "write np.float64, np.float32, or an array of these",
        ),
    ],
)
def test_ways_out(text: str, says: str, run: Run, tmp_path: Path, capsys: Output) -> None:
    run(write(tmp_path / "m.py", text), tmp_path, "-v")
    assert says in " ".join("".join(capsys.readouterr()).split())
