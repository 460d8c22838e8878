"""Every spelling of a type, and the types that they stand for."""

from __future__ import annotations

from pathlib import Path

import pytest
from mooncake_transpiler.frontend.entities import Annotation, Dim, FunctionDecl
from mooncake_transpiler.frontend.program import load

from tests.helpers.transpile import gradient_text

HEADER = '''
from __future__ import annotations
import typing as t
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple, NewType, TypeAlias
import jaxtyping as jt
import numba as nb
import numpy as np
import numpy.typing as npt
from jaxtyping import Bool, Complex64, Float, Float32, Float64, Int, Int32, UInt8
from numba import types as nt
from numpy import float64 as f8
from numpy.typing import NDArray
if TYPE_CHECKING:
    from jaxtyping import Int64
    Late = Float64[np.ndarray, "late"]
else:
    Late = np.ndarray

Real = float
Matrix: TypeAlias = "Float64[np.ndarray, 'n m']"
type Vector = Float64[np.ndarray, "n"]
Plain = NDArray[np.float64]
Double = np.dtype[np.float64]
Metres = NewType("Metres", float)

class Point(NamedTuple):
    """Two numbers."""
    x: float
    at: Vector = None

class Pair(t.NamedTuple):
    a: Point
    b: int
'''

CASES: list[tuple[str, str, tuple[tuple[Dim, ...] | None, ...]]] = [
    ("float", "float64", ()),
    ("int", "int64", ()),
    ("bool", "bool", ()),
    ("complex", "complex128", ()),
    ("None", "None", ()),
    ("np.float32", "float32", ()),
    ("np.uint8", "uint8", ()),
    ("np.bool_", "bool", ()),
    ("np.double", "float64", ()),
    ("f8", "float64", ()),
    ("nb.float32", "float32", ()),
    ("nt.complex64", "complex64", ()),
    ("Real", "float64", ()),
    ("Metres", "float64", ()),
    ('"float"', "float64", ()),
    ('"Real"', "float64", ()),
    ("Literal[1, 2]", "int64", ()),
    ("Literal[True]", "bool", ()),
    ("Final[float]", "float64", ()),
    ('Annotated[float, "metres"]', "float64", ()),
    ("np.ndarray[tuple[int, int], np.dtype[np.float64]]", "float64[:, :]", (None,)),
    ("np.ndarray[tuple[int], Double]", "float64[:]", (None,)),
    ("np.ndarray[tuple[()], np.dtype[np.float64]]", "float64[]", (None,)),
    ("np.ndarray[tuple[Literal[3], int], np.dtype[np.float32]]", "float32[:, :]", ((3, None),)),
    ('Float64[np.ndarray, "n m"]', "float64[:, :]", (("n", "m"),)),
    ('Float64[NDArray, "n"]', "float64[:]", (("n",),)),
    ('Float64[np.ndarray, "3 n+1 _"]', "float64[:, :, :]", ((3, "n+1", None),)),
    ('Float64[np.ndarray, "rows=3 2*n"]', "float64[:, :]", ((3, "2*n"),)),
    ('Float64[np.ndarray, ""]', "float64[]", (None,)),
    ("Float64[np.ndarray, n]", "float64[:]", (("n",),)),
    ("Float64[np.ndarray, 3]", "float64[:]", ((3,),)),
    ("Float64[np.ndarray, n + 1]", "float64[:]", (("n+1",),)),
    ('Float32[np.ndarray, "n"]', "float32[:]", (("n",),)),
    ('Int32[np.ndarray, "n"]', "int32[:]", (("n",),)),
    ('UInt8[np.ndarray, "n"]', "uint8[:]", (("n",),)),
    ('Bool[np.ndarray, "n"]', "bool[:]", (("n",),)),
    ('Complex64[np.ndarray, "n"]', "complex64[:]", (("n",),)),
    ('Float[np.ndarray, "n"]', "float64[:]", (("n",),)),
    ('Int[np.ndarray, "n"]', "int64[:]", (("n",),)),
    ('Int64[np.ndarray, "n"]', "int64[:]", (("n",),)),
    ('jt.Float64[npt.NDArray, "n"]', "float64[:]", (("n",),)),
    ('Annotated[NDArray[np.float64], "n m"]', "float64[:, :]", (("n", "m"),)),
    ('Annotated[Plain, "n"]', "float64[:]", (("n",),)),
    ('Annotated[Float64[np.ndarray, "n m"], "k l"]', "float64[:, :]", (("k", "l"),)),
    ("nb.float64[:, ::1]", "float64[:, :]", (None,)),
    ("nb.float32[:]", "float32[:]", (None,)),
    ("nb.types.int64[:]", "int64[:]", (None,)),
    ("Vector", "float64[:]", (("n",),)),
    ("Matrix", "float64[:, :]", (("n", "m"),)),
    ("Late", "float64[:]", (("late",),)),
    ("tuple[float, int]", "(float64, int64)", ()),
    ("tuple[()]", "()", ()),
    ("t.Tuple[Vector, tuple[int, Matrix]]", "(float64[:], (int64, float64[:, :]))",
     (("n",), ("n", "m"))),
    ("Point", "Point(x: float64, at: float64[:])", (("n",),)),
    ("Pair", "Pair(a: Point(x: float64, at: float64[:]), b: int64)", (("n",),)),
]  # fmt: skip


def annotation_of(text: str, folder: Path) -> Annotation | None:
    module = folder / "module.py"
    module.write_text(f"{HEADER}\ndef _f(x: {text}): ...\n", "utf-8")
    source, diagnostics = load(module)
    assert diagnostics == []
    function = source.modules["module"].scope["_f"]
    assert isinstance(function, FunctionDecl)
    return function.params[0].annotation


@pytest.mark.parametrize(("text", "type_", "dims"), CASES, ids=[case[0] for case in CASES])
def test_spelling(
    text: str, type_: str, dims: tuple[tuple[Dim, ...] | None, ...], tmp_path: Path
) -> None:
    found = annotation_of(text, tmp_path)
    assert found is not None
    assert str(found.type) == type_
    assert found.dims == dims


@pytest.mark.parametrize(
    "text", ["Plain", "np.ndarray", "list[Plain]", "Nothing", "[float]", "x.y"]
)
def test_a_helper_may_have_any_annotation(text: str, tmp_path: Path) -> None:
    assert annotation_of(text, tmp_path) is None


def test_types_from_other_modules(tmp_path: Path) -> None:
    (tmp_path / "kinds.py").write_text(
        "import numpy as np\nfrom jaxtyping import Float64\nE = np.float64\n"
        'V = Float64[np.ndarray, "n"]\nW = "V"\n'
    )
    (tmp_path / "again.py").write_text("from kinds import *\nfrom kinds import W as Renamed\n")
    (tmp_path / "use.py").write_text(
        "import again, kinds\nfrom numpy.typing import NDArray\nfrom typing import Annotated\n"
        'def f(a: again.V, b: "kinds.W", c: Annotated[NDArray[kinds.E], "k"]) -> again.E: ...\n'
        "def g(a: again.Renamed) -> kinds.E: ...\n"
    )
    source, diagnostics = load(tmp_path)
    assert diagnostics == []
    shown = [
        [str(p.annotation.type) for p in decl.params if p.annotation] for decl in source.functions()
    ]
    assert shown == [["float64[:]"] * 3, ["float64[:]"]]


def test_a_function_that_is_a_default_counts_as_called() -> None:
    """It may be annotated without a rank: that of what it is called with is taken."""
    text = gradient_text(
        "import numpy as np\n"
        "def edged(n: np.ndarray, width: float) -> np.ndarray:\n"
        "    return np.exp(-n * width)\n"
        "def taps(x, width, window=edged):\n"
        "    return np.sum(window(x, width) * x)\n"
        "def f(x: np.ndarray[tuple[int], np.dtype[np.float64]], width: float) -> float:\n"
        "    return taps(x, width)\n"
    )
    assert "def f_vjp" in text
    assert "def edged_vjp(n: Vector, width: float" in text
