"""Global names of a program resolved without a line of it being run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import pytest
from mooncake_transpiler.frontend.entities import (
    ArrayConstantDecl,
    ConstantDecl,
    Entity,
    External,
    FunctionDecl,
    ModuleRef,
    Mutable,
    SharedDecl,
    Source,
)
from mooncake_transpiler.frontend.program import load, resolve_attribute, resolve_name


def program(folder: Path, files: Mapping[str, str]) -> Source:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    source, diagnostics = load(folder)
    assert diagnostics == []
    return source


def look_up(source: Source, module: str, path: str) -> Entity | None:
    first, *rest = path.split(".")
    entity = resolve_name(source.modules[module], first)
    for attr in rest:
        entity = None if entity is None else resolve_attribute(source, entity, attr)
    return entity


def shown(source: Source, module: str, path: str) -> object:
    """A short form of an entity."""
    match look_up(source, module, path):
        case External(qualname=name) | ModuleRef(module=name) | FunctionDecl(qualname=name):
            return name
        case ConstantDecl(value=value):
            return value
        case ArrayConstantDecl(type=type_):
            return str(type_)
        case SharedDecl(value=value):
            return f"shared: {value}"
        case Mutable(why=why):
            return f"mutable: {why}"
        case other:
            return other


MODULE = """
import math, numpy as np, numpy.linalg, scipy.special as sc
from math import pi, sin as sine
from typing import Final
import sys
try:
    from numba import njit
    FAST = True
except ImportError:
    FAST = False
    def njit(f): return f
if sys.version_info >= (3, 12):
    from typing import override
else:
    from typing_extensions import override
if __name__ == "__main__":
    import argparse
    MAIN = 1
for k in range(3):
    LOOPED = k

N = 3
HALF, TWICE = 0.5, (N * 2)
NAME = "a" "b"
NOTHING = None
SIZES = (N, N + 1, -1)
LOG_2PI = math.log(2 * pi)
ROOT = np.sqrt(2.0)
EPS = np.finfo(np.float32).eps
BIG = 10 ** 10 ** 10
BAD = 1 // 0
TYPED: Final[float] = 1e-3
CHAINED = ALSO = 2
AGAIN = N
REBOUND = 1
REBOUND = 2
ADDED = 1
ADDED += 1
COUNTER = 0
LIST = [1.0, 2.0]
VECTOR = np.array([1, 2.5])
MATRIX = np.array([[1, 2], [3, 4]])
SINGLE = np.zeros((2, N), dtype=np.float32)
RANGE = np.arange(3)
GRID = np.linspace(0, 1, 5)
EYE = np.eye(3)
ALIAS = EYE
RAGGED = np.array([[1], [2, 3]])
LOADED: "np.ndarray[tuple[int, int], np.dtype[np.float64]]" = np.load("file")
UNTYPED = np.load("file")
FILLED = np.empty(3)
FILLED[:] = 1.0
WRITTEN = np.zeros(3)
SORTED = np.array([2.0, 1.0])
OUT = np.zeros(3)
SHADOWED = np.zeros(3)
also_sin = np.sin

def count():
    global COUNTER
    COUNTER += 1
    WRITTEN[0] = 1.0
    SORTED.sort()
    np.add(1.0, 2.0, out=OUT)

def local():
    SHADOWED = np.zeros(3)
    SHADOWED[0] = 1.0

def _f(x): return x
jitted = njit(_f)
also_jitted = njit(cache=True)(_f)
"""

UNKNOWN = "mutable: its value is not known ahead of time"
CHANGED = "mutable: it is changed somewhere"

EXPECTED: dict[str, object] = {
    "math": "math",
    "np.sin": "numpy.sin",
    "np.random.normal": "numpy.random.normal",
    "numpy.linalg.solve": "numpy.linalg.solve",
    "sc.expit": "scipy.special.expit",
    "pi": "math.pi",
    "sine": "math.sin",
    "also_sin": "numpy.sin",
    "njit": "numba.njit",
    "override": "typing.override",
    "FAST": True,
    "argparse": None,
    "MAIN": None,
    "LOOPED": "mutable: it is bound in a loop",
    "N": 3,
    "HALF": 0.5,
    "TWICE": 6,
    "NAME": "ab",
    "NOTHING": None,
    "SIZES": (3, 4, -1),
    "LOG_2PI": math.log(2 * math.pi),
    "ROOT": math.sqrt(2.0),
    "EPS": 2.0**-23,
    "BIG": UNKNOWN,
    "BAD": UNKNOWN,
    "TYPED": 1e-3,
    "CHAINED": 2,
    "ALSO": 2,
    "AGAIN": 3,
    "REBOUND": "mutable: it is bound more than once",
    "ADDED": "mutable: it is bound more than once",
    "COUNTER": CHANGED,
    "LIST": "shared: [1.0, 2.0]",
    "VECTOR": "float64[:]",
    "MATRIX": "int64[:, :]",
    "SINGLE": "float32[:, :]",
    "RANGE": "int64[:]",
    "GRID": "float64[:]",
    "EYE": "float64[:, :]",
    "ALIAS": "float64[:, :]",
    "RAGGED": "shared: None",
    "LOADED": "float64[:, :]",
    "UNTYPED": UNKNOWN,
    "FILLED": "float64[:]",
    "WRITTEN": CHANGED,
    "SORTED": CHANGED,
    "OUT": CHANGED,
    "SHADOWED": "float64[:]",
    "jitted": "m:_f",
    "also_jitted": "m:_f",
    "nowhere": None,
}


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return program(tmp_path_factory.mktemp("scope"), {"m.py": MODULE})


@pytest.mark.parametrize("path", EXPECTED)
def test_name(one: Source, path: str) -> None:
    assert shown(one, "m", path) == EXPECTED[path]


def test_functions_are_listed_once_and_in_order(one: Source) -> None:
    assert [decl.name for decl in one.functions()] == ["count", "local", "_f"]


def test_packages(tmp_path: Path) -> None:
    source = program(
        tmp_path,
        {
            "pkg/__init__.py": "from .a import f\nfrom . import b\nfrom .sub import *\n",
            "pkg/a.py": "from .b import LIMIT as L\nfrom top import T\ndef f(x): return x\n",
            "pkg/b.py": "import pkg.a\nLIMIT = 3\nf = pkg.a.f\n",
            "pkg/sub/__init__.py": "__all__ = ['shown']\nshown = 1\nhidden = 2\n",
            "pkg/sub/deep.py": "from ..a import f as g\nimport top\n",
            "space/inner.py": "X = 1\n",
            "top.py": "import pkg, pkg.sub.deep, space.inner\n"
            "from pkg import f as h\nT = pkg.b.f\n",
        },
    )
    assert shown(source, "pkg", "f") == "pkg.a:f"
    assert shown(source, "pkg", "shown") == 1
    assert shown(source, "pkg", "hidden") is None
    assert shown(source, "pkg.a", "L") == 3
    assert shown(source, "pkg.b", "f") == "pkg.a:f"
    assert shown(source, "pkg.sub.deep", "g") == "pkg.a:f"
    assert shown(source, "pkg.sub.deep", "top.T") == "pkg.a:f"
    assert shown(source, "top", "pkg.sub.deep.g") == "pkg.a:f"
    assert shown(source, "top", "pkg.b.LIMIT") == 3
    assert shown(source, "top", "h") == "pkg.a:f"
    assert shown(source, "top", "space.inner.X") == 1
    assert source.modules["pkg.a"].imports == ("pkg.b", "top")
    assert source.modules["pkg"].imports == ("pkg.a", "pkg.b", "pkg.sub")


def test_src_is_itself_a_package(tmp_path: Path) -> None:
    folder = tmp_path / "package"
    source = program(
        folder,
        {
            "__init__.py": "from package.a import f\n",
            "a.py": "def f(x): return x\n",
            "b.py": "import package.a\nfrom . import f\nfrom package import a\n",
        },
    )
    assert shown(source, "__init__", "f") == "a:f"
    assert shown(source, "b", "f") == "a:f"
    assert shown(source, "b", "a.f") == "a:f"
    assert shown(source, "b", "package.a.f") == "a:f"


def test_cycles_end(tmp_path: Path) -> None:
    source = program(
        tmp_path,
        {
            "a.py": "from b import x, y\nfrom b import *\nz = w\nw = z\n",
            "b.py": "from a import x\nfrom a import *\ny = 1\n",
        },
    )
    assert shown(source, "a", "x") is None
    assert shown(source, "a", "y") == 1
    assert shown(source, "a", "z") == UNKNOWN


def test_stars_of_known_modules(tmp_path: Path) -> None:
    source = program(tmp_path, {"m.py": "from math import *\nfrom numpy import *\nsin = 1\n"})
    assert shown(source, "m", "sin") == 1
    assert shown(source, "m", "gamma") == "math.gamma"
    assert shown(source, "m", "linspace") == "numpy.linspace"


def test_writes_from_another_module(tmp_path: Path) -> None:
    source = program(
        tmp_path,
        {
            "data.py": "import numpy as np\nA = np.zeros(3)\nB = np.zeros(3)\nC = 1.0\nD = 1.0\n",
            "m.py": "import data\nfrom data import A\n"
            "def f():\n    A[0] = 1.0\n    data.B[0] = 1.0\n    data.C = 2.0\n",
        },
    )
    assert [shown(source, "data", name) for name in "ABCD"] == [CHANGED] * 3 + [1.0]


def test_wanted_files_only(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from b import f\n")
    (tmp_path / "b.py").write_text("def f(:\n")
    source, diagnostics = load(tmp_path, lambda path: path != "b.py")
    assert diagnostics == []
    assert shown(source, "a", "f") == "b.f"
