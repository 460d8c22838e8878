"""The table of functions is that of the rules."""

from __future__ import annotations

from pathlib import Path

from mooncake_rules.catalogue import markdown, names
from mooncake_transpiler.emit.cuda.ctext import OPERATIONS

from tests.conftest import Golden
from tests.cuda.test_library import NONE_TAKEN
from tests.cuda.test_names import NAMES

FILE = Path(__file__).resolve().parents[2] / "rules" / "FUNCTIONS.md"
OF_CUPY = {
    "numpy": "cupy", "numpy.linalg": "cupy.linalg", "numpy.fft": "cupy.fft",
    "ndarray": "cupy.ndarray", "scipy.linalg": "cupyx.scipy.linalg",
    "scipy.special": "cupyx.scipy.special",
}  # fmt: skip


def _is_lacking(name: str) -> bool:
    """True for what CuPy has not got, or the tests see refused."""
    home, _, last = name.rpartition(".")
    module = OF_CUPY.get(home)
    return name in NONE_TAKEN or (module is not None and last not in NAMES[module])


def test_functions(golden: Golden) -> None:
    golden(FILE, markdown(OPERATIONS, set(filter(_is_lacking, names()))))
