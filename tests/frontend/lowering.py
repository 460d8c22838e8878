"""Programs lowered from text, run by the interpreter of the normal form, compared with Python."""

from __future__ import annotations

import copy
import tempfile
from pathlib import Path

import numpy as np
from mooncake_runtime import scalar_kernels
from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, merge
from mooncake_transpiler.frontend.lower import lower
from mooncake_transpiler.frontend.program import load
from mooncake_transpiler.ir.verifier import verify

from tests.emit.interp import Interpreter

HEADER = """\
import math
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
A = Annotated[NDArray[np.float64], "_"]
A2 = Annotated[NDArray[np.float64], "_ _"]
A32 = Annotated[NDArray[np.float32], "_"]
I = Annotated[NDArray[np.int64], "_"]
"""


def read(text: str, header: str = HEADER) -> tuple[ir.Program, list[Diagnostic]]:
    """The program of one module ``m``, verified, and what is wrong with it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "m.py").write_text(header + text)
        source, first = load(Path(folder))
    program, later = lower(source)
    for func in program.funcs.values():
        verify(func, program)
    return program, merge(first, later)


def python(text: str) -> object:
    """``f`` as Python runs it."""
    space: dict[str, object] = {}
    exec("from __future__ import annotations\n" + HEADER + text, space)
    return space["f"]


def outcome(function: object, args: tuple[object, ...]) -> object:
    """The result, or the exception's name and message."""
    assert callable(function)
    try:
        with np.errstate(all="ignore"):
            return function(*args)
    except (ValueError, AssertionError, ZeroDivisionError, OverflowError) as error:
        return f"{type(error).__name__}: {error}"


def equal(a: object, b: object) -> bool:
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(equal, a, b))
    if a is None or b is None or isinstance(a, str) or isinstance(b, str):
        return a == b
    return bool(np.allclose(a, b, rtol=1e-12, atol=1e-12, equal_nan=True))  # type: ignore[arg-type]


def _interpret(program: ir.Program, func: ir.Func, *args: object) -> object:
    return Interpreter(program.funcs, kernels=scalar_kernels).run(func, *args)


def compare(text: str, *argsets: tuple[object, ...]) -> None:
    """``f`` of ``text`` gives the same results and leaves the same arguments as in Python."""
    program, diagnostics = read(text)
    assert not diagnostics, diagnostics
    func, function = program.funcs["m:f"], python(text)
    for args in argsets:
        ours, theirs = copy.deepcopy(args), copy.deepcopy(args)
        expected = outcome(function, theirs)
        got = outcome(lambda *a: _interpret(program, func, *a), ours)
        assert equal(got, expected), (args, got, expected)
        assert equal(ours, theirs), (args, ours, theirs)


X = np.array([1.0, -2.0, 3.0, 0.5, 4.0])
EMPTY = np.zeros(0)
