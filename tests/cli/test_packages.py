"""Programs of several modules: what imports mean, and that the output can be imported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, tree, write
from tests.cli.package_trees import ARRAYS, LIBRARY, NAMESPACE, X, plant
from tests.helpers.processes import compare, python

SQUARE = "def f(x: float) -> float:\n    return x * x\n"


@pytest.mark.parametrize("in_place", [False, True])
def test_packages(in_place: bool, run: Run, tmp_path: Path) -> None:
    src = plant(tmp_path / "src", LIBRARY, NAMESPACE)
    out = src if in_place else tmp_path / "out"
    assert run(src, out) == 0
    before = tree(out)
    assert run(src, out) == 0
    assert run(src, out, "--check") == 0
    assert tree(out) == before
    gradients = {"lib/__init___grad.py", "lib/core/model_grad.py", "lib/tools/deep/cubes_grad.py"}
    gradients |= {"lib/user_grad.py", "ns/inner/m_grad.py"}
    assert {path for path in before if path.endswith("_grad.py")} == gradients
    assert set(before) - gradients - {".mooncake-transpile"} == {*LIBRARY, *NAMESPACE}
    compare(out, "lib.user", "lib.user_grad", "f", X)
    compare(out, "lib.core.model", "lib.core.model_grad", "loss", X, 0.7)
    compare(out, "lib", "lib.__init___grad", "own", 1.5)
    compare(out, "ns.inner.m", "ns.inner.m_grad", "g", 1.5)


@pytest.mark.parametrize("name", ["lib", "copy_of_lib"])
def test_src_is_a_package(name: str, run: Run, tmp_path: Path) -> None:
    src = plant(tmp_path / "src", LIBRARY) / "lib"
    assert run(src, tmp_path / "out" / name) == 0
    assert run(src, tmp_path / "out" / name, "--check") == 0
    written = set(tree(tmp_path / "out" / name))
    assert {path for path in written if path.endswith("__init__.py")} == {
        path.removeprefix("lib/") for path in LIBRARY if path.endswith("__init__.py")
    }
    if name == "lib":
        compare(tmp_path / "out", "lib.user", "lib.user_grad", "f", X)
    compare(tmp_path / "out", f"{name}.core.model", f"{name}.core.model_grad", "loss", X, 0.7)


def test_src_is_a_package_in_another(run: Run, tmp_path: Path) -> None:
    src = plant(
        tmp_path / "outer/inner",
        {
            "__init__.py": "SCALE = 3.0\n",
            "math.py": "def sin(x):\n    return x\n",
            "m.py": """
                import math
                import outer.inner.k
                from outer.inner import SCALE
                from .k import g
                from . import math as ours


                def f(x: float) -> float:
                    return math.sin(x) * SCALE + g(x) * outer.inner.k.g(x) + ours.sin(x)
            """,
            "k.py": "def g(x):\n    return x * x\n",
        },
    )
    write(tmp_path / "outer/__init__.py", "")
    assert run(src, src) == 0
    compare(tmp_path, "outer.inner.m", "outer.inner.m_grad", "f", 0.8)


AMBIGUOUS = {
    "import": "import math\n\n\ndef f(x: float) -> float:\n    return math.sin(x)\n",
    "from": "from math import sin\n\n\ndef f(x: float) -> float:\n    return sin(x)\n",
    "star": "from math import *\n\n\ndef f(x: float) -> float:\n    return sin(x)\n",
}


@pytest.mark.parametrize("how", AMBIGUOUS)
def test_plain_modules_named_like_others_are_not_guessed_at(
    how: str, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = {"math.py": "def sin(x):\n    return x\n", "m.py": AMBIGUOUS[how]}
    src = plant(tmp_path / "src", sources)
    assert run(src, tmp_path / "out") == 1
    assert "also one that Python may find elsewhere" in capsys.readouterr().out


def test_a_package_does_not_find_its_modules_under_short_names(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main = "from helper import g\n\n\ndef f(x: float) -> float:\n    return g(x)\n"
    sources = {"__init__.py": "", "helper.py": "def g(x):\n    return x\n", "m.py": main}
    assert run(plant(tmp_path / "src", sources), tmp_path / "out") == 1
    assert "MK301" in capsys.readouterr().out


STARS = {
    "a later star replaces an import": ("from one import g\nfrom two import *\n", "MK217"),
    "the last star counts": ("from one import *\nfrom two import *\n", 2.0),
    "the same twice": ("from two import g\nfrom two import *\n", 2.0),
    "a later import counts": ("from two import *\nfrom one import g\n", 1.0),
    "not in __all__": ("from one import *\nfrom three import *\n", 1.0),
    "a computed __all__": ("from one import *\nfrom four import *\n", "MK217"),
    "unknown names": ("from one import *\nfrom elsewhere import *\n", "MK217"),
    "joined lists": ("from one import *\nfrom five import *\n", 2.0),
}


@pytest.mark.parametrize("name", STARS)
def test_stars(name: str, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imports, expected = STARS[name]
    sources = {
        "one.py": "def g(x):\n    return x\n",
        "two.py": "def g(x):\n    return 2.0 * x\n",
        "three.py": "from two import g\n__all__ = []\n",
        "four.py": "from two import g\n__all__ = [name for name in ['g']]\n",
        "five.py": "import six\nfrom two import g\n__all__ = ['h', *six.__all__]\nh = 1\n",
        "six.py": "__all__: list[str] = []\n__all__ += ['g']\n",
        "m.py": f"{imports}\n\ndef f(x: float) -> float:\n    return g(x)\n",
    }
    src, out = plant(tmp_path / "src", sources), tmp_path / "out"
    assert run(src, out) == (1 if isinstance(expected, str) else 0)
    if isinstance(expected, str):
        assert expected in capsys.readouterr().out
    else:
        assert float(python("import m_grad; print(m_grad.f_grad(3.0))", out)) == expected


def test_cycles_that_python_accepts(run: Run, src: Path, tmp_path: Path) -> None:
    sources = {
        "p/__init__.py": "RATE = 2.0\nfrom .a import f\n",
        "p/a.py": "from . import b, RATE\n\n\n"
        "def f(x: float) -> float:\n    return b.g(x) * RATE if x > 0.0 else x\n",
        "p/b.py": "import p.a\n\n\ndef g(x):\n    return x * p.a.f(-x)\n",
    }
    out = tmp_path / "out"
    assert run(plant(tmp_path / "cycle", sources), out) == 0
    compare(out, "p", "p.a_grad", "f", 1.5)


def test_one_module_of_a_package(run: Run, tmp_path: Path) -> None:
    text = f"{ARRAYS}W = np.array([2.0])\n\n\ndef f(x: float) -> float:\n    return x * W[0]\n"
    src = plant(tmp_path / "p", {"__init__.py": "", "m.py": text})
    assert run(src / "m.py", tmp_path / "out") == 0
    compare(tmp_path / "out", "m", "m_grad", "f", 1.5)
    assert run(src / "m.py", src) == 0
    compare(tmp_path, "p.m", "p.m_grad", "f", 1.5)


def test_a_folder_becomes_a_package(run: Run, tmp_path: Path) -> None:
    text = f"{ARRAYS}W = np.array([2.0])\n\n\ndef f(x: float) -> float:\n    return x * W[0]\n"
    src = plant(tmp_path / "p", {"m.py": text})
    assert run(src, src) == 0
    compare(src, "m", "m_grad", "f", 1.5)
    write(src / "__init__.py", "")
    assert run(src, src, "--check") == 3
    assert run(src, src) == 0
    compare(tmp_path, "p.m", "p.m_grad", "f", 1.5)


def test_a_module_beside_a_folder_of_its_name(run: Run, tmp_path: Path) -> None:
    """Python takes the module; nothing in the folder can be imported."""
    table = f"{ARRAYS}W = np.array([2.0])\n"
    sources = {"p.py": SQUARE, "p/k.py": table, "pp/k.py": table, "pp/m.py": SQUARE}
    src = plant(tmp_path / "src", sources)
    assert run(src, tmp_path / "out") == 0
    compare(tmp_path / "out", "p", "p_grad", "f", 1.5)
    compare(tmp_path / "out", "pp.m", "pp.m_grad", "f", 1.5)


def test_output_is_no_source(
    run: Run, src: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wherever an earlier run has put it."""
    assert run(src, src / "out", "--vendor") == 0
    names = set(tree(src / "out"))
    assert run(src, (src / "out" / ".." / "out"), "--vendor") == 0
    assert set(tree(src / "out")) == names
    assert run(src, tmp_path / "other") == 0
    assert set(tree(tmp_path / "other")) == {n for n in names if "_mooncake_runtime" not in n}
    assert run(src, src) == 0
    assert set(tree(src / "out")) == names
    capsys.readouterr()
    assert run("list", src) == 0
    assert "out." not in capsys.readouterr().out


def test_src_inside_out(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    src = plant(tmp_path / "p/src", {"m.py": SQUARE})
    assert run(src, tmp_path / "p") == 0
    assert run(src, tmp_path / "p", "--check") == 0
    assert set(tree(src)) == {"m.py"}
    write(src / "src/k.py", SQUARE)
    assert run(src, tmp_path / "p") == 2
    assert "src/k.py" in capsys.readouterr().err
    assert set(tree(src)) == {"m.py", "src/k.py"}


def test_sources_are_never_replaced_by_gradients(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    src = plant(tmp_path / "src", {"m.py": SQUARE, "m_grad.py": "mine = 1\n"})
    for out in (src, tmp_path / "out"):
        assert run(src, out, "--force", "--output-format", "json") == 1
        assert {row["code"] for row in json.loads(capsys.readouterr().out)} == {"MK241"}
    assert tree(src)["m_grad.py"] == "mine = 1\n"
    assert tree(tmp_path / "out").get("m_grad.py") in (None, "mine = 1\n")


def test_data_files_are_not_copied(run: Run, tmp_path: Path) -> None:
    src = plant(tmp_path / "src", {"m.py": SQUARE, "table.csv": "1,2\n"})
    assert run(src, tmp_path / "out") == 0
    assert "table.csv" not in tree(tmp_path / "out")
