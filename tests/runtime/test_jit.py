"""Entry functions: conversions, errors that name the parameter, no overhead in between."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from mooncake_runtime import entry, inner, jit_enabled
from mooncake_runtime.compiling import compiled
from mooncake_runtime.jit import uncached
from mooncake_runtime.spec import ArraySpec, NoneSpec, ScalarSpec, TupleSpec, specs_of
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


@entry
def loss_grad(x: Vec, a: float, n: int = 2, p: tuple[float, float] = (1.0, 2.0)) -> float:
    return float(np.sum(x)) * a + n + p[0] / p[1]


@entry
def other(x: Annotated[NDArray[np.float32], "_ _"], flag: bool, z: complex) -> float:
    x[0, 0] = 1.0
    return z.real if flag else z.imag


X = np.ones(3)
Made = Callable[..., float]


class Doubled(np.ndarray):
    """Arrays whose operators mean something else."""

    def __mul__(self, other: object) -> np.ndarray:  # type: ignore[override]
        return 2.0 * np.asarray(self) * other


def test_calls_that_match() -> None:
    assert loss_grad(X, 2.0) == 8.5
    assert loss_grad(X, 2.0, 3, (3.0, 2.0)) == 10.5
    assert loss_grad(X, a=2.0, n=3) == 9.5


def sum_grad(x: Vec, a: float, n: int = 2, p: tuple[Vec, float] = (X, 1.0)) -> float:
    return float(x[0] * a + n + p[0][0] / p[1])


@pytest.fixture(params=["compiled", "plain"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Made:
    """``sum_grad`` with and without a compiler."""
    if request.param == "plain":
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")

    return entry(sum_grad)


MASKED = np.ma.masked_array(X)
WANTS = "must be a float64 array of rank 1, got"
X_ = f": parameter 'x' {WANTS}"
AXES = "; to take these, annotate x as an array of axes 'n m'"
NUMBER = "must be a float64 scalar, got"
REFUSED: list[tuple[tuple[object, ...], dict[str, object], str]] = [
    ((), {}, "() missing 2 required positional arguments: 'x' and 'a'"),
    ((X,), {}, "() missing 1 required positional argument: 'a'"),
    ((X, 1.0, 2, (X, 1.0), 3.0), {}, "() takes from 2 to 4 positional arguments but 5 were given"),
    ((X, 1.0), {"z": 3.0}, "() got an unexpected keyword argument 'z'"),
    ((X, 1.0), {"a": 3.0}, "() got multiple values for argument 'a'"),
    (([1.0], 1.0), {}, f"{X_} list of length 1; pass np.array(x, dtype=np.float64)"),
    ((np.ones(2, int), 1.0), {}, f"{X_} int64 array of rank 1; pass x.astype(np.float64)"),
    ((np.ones((2, 2)), 1.0), {}, f"{X_} float64 array of rank 2{AXES}"),
    ((None, 1.0), {}, f"{X_} None"),
    ((X, None), {}, f": parameter 'a' {NUMBER} None"),
    ((X, [1.0]), {}, f": parameter 'a' {NUMBER} list of length 1"),
    ((X, 1.0, 2.5), {}, ": parameter 'n' must be an int64 scalar, got float"),
    ((X,), {"a": "1"}, f": parameter 'a' {NUMBER} str"),
    ((X, 1.0, 2, (X,)), {}, ": parameter 'p' must be a tuple of length 2, got tuple of length 1"),
    ((X, 1.0, 2, (X, None)), {}, f": parameter 'p[1]' {NUMBER} None"),
    ((MASKED, 1.0), {}, f"{X_} float64 array of rank 1 (MaskedArray)"),
    ((X.view(Doubled), 1.0), {}, f"{X_} float64 array of rank 1 (Doubled)"),
    ((X.view(np.matrix), 1.0), {}, f"{X_} float64 array of rank 2 (matrix){AXES}"),
    ((X, 1.0, 2, (MASKED, 1.0)), {},
     f": parameter 'p[0]' {WANTS} float64 array of rank 1 (MaskedArray)"),
]  # fmt: skip


def test_wrong_arguments(either: Made) -> None:
    """The same is said compiled and plain, at the first call and when there is code to run."""
    for _ in range(2):
        for args, keywords, says in REFUSED:
            with pytest.raises(TypeError) as caught:
                either(*args, **keywords)
            assert str(caught.value) == f"sum_grad{says}"
        assert either(X, 2.0) == either(x=X, a=2) == either(X, n=2, a=2.0) == 5.0


def test_files_in_memory_are_arrays(either: Made, tmp_path: Path) -> None:
    x = np.memmap(tmp_path / "x", dtype=np.float64, mode="w+", shape=(3,))
    x[:] = 2.0
    assert either(x, 2.0) == 7.0
    assert either(X, 2.0, 2, (x, 1.0)) == 6.0


def test_parameters_have_any_names(either: Made) -> None:
    @entry
    def f(call: Vec, type: float, _call: float, self: float = 5.0) -> float:
        return float(call[0] * 2.0 + type * 3.0 + _call - self)

    assert f(X, 2.0, _call=3.0) == 6.0
    with pytest.raises(TypeError, match=r"f\(\) missing 1 required positional argument: '_call'"):
        f(X, 2.0)  # type: ignore[call-arg]


@pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")
def test_pickled_functions_are_those_of_numba() -> None:
    assert pickle.loads(pickle.dumps(loss_grad))(X, 2.0) == 8.5


def test_scalars_are_converted() -> None:
    expected = loss_grad(X, 2.0)
    for _ in range(2):  # compiled or not
        assert loss_grad(X, 2) == expected
        assert loss_grad(X, np.float32(2)) == expected
        assert loss_grad(X, np.int64(2), np.int8(2)) == expected
        assert loss_grad(X, 2.0, 2, (1, 2)) == expected
    assert other(np.ones((1, 1), np.float32), True, 2) == 2.0


def test_strided_and_read_only_arrays() -> None:
    frozen = np.ones(3)
    frozen.flags.writeable = False
    assert loss_grad(frozen, 2.0) == loss_grad(np.ones(6)[::-2], 2.0) == 8.5


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((np.ones((2, 2), int), 1.0), "'x' must be a float64 array of rank 1, got int64 array of"),
        ((np.ones(2, int), 1.0), r"got int64 array of rank 1; pass x.astype\(np.float64\)"),
        ((np.ones(2, np.float32), 1.0), "got float32 array of rank 1"),
        (([1.0, 2.0], 1.0), r"got list of length 2; pass np.array\(x, dtype=np.float64\)"),
        ((None, 1.0), "parameter 'x' .* got None"),
        ((X, "s"), "parameter 'a' must be a float64 scalar, got str"),
        ((X, 1j), "parameter 'a' .* got complex"),
        ((X, X), "parameter 'a' .* got float64 array of rank 1"),
        ((X, 1.0, 2.5), "parameter 'n' must be an int64 scalar, got float"),
        ((X, 1.0, 2, [1.0, 2.0]), "parameter 'p' must be a tuple of length 2, got list"),
        ((X, 1.0, 2, (1.0, None)), r"parameter 'p\[1\]' .* got None"),
        ((X,), "argument"),
    ],
)  # fmt: skip
def test_errors(args: tuple[object, ...], message: str) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        loss_grad(*args)  # type: ignore[arg-type]
    assert len(args) == 1 or "loss_grad" in str(caught.value)


def test_writing_to_a_read_only_array() -> None:
    frozen = np.ones((1, 1), np.float32)
    frozen.flags.writeable = False
    with pytest.raises((TypeError, ValueError), match="read-only"):
        other(frozen, True, 1.0)


def test_entry_functions_are_called_by_compiled_code() -> None:
    def user(x: np.ndarray) -> float:
        return 2.0 * loss_grad(x, 2.0, 2, (1.0, 2.0))

    assert inner(user)(X) == 17.0
    if jit_enabled():
        import numba

        assert isinstance(loss_grad, numba.core.dispatcher.Dispatcher)


def test_division_by_zero_is_inf() -> None:
    assert loss_grad(X, 1.0, 2, (1.0, 0.0)) == np.inf


class Point(NamedTuple):
    x: float
    y: Annotated[NDArray[np.bool_], "n"]


def taken(
    m: Annotated[NDArray[np.float64], "n m"],
    r: Annotated[NDArray[np.float32], ""],
    s: None,
    p: tuple[np.float32, tuple[np.int64]],
    q: Point,
    e: tuple[()],
    z: complex = 0j,
    label: str = "",
) -> None:
    """A function for its annotations."""


def test_specs() -> None:
    assert specs_of(taken) == {
        "m": ArraySpec("float64", 2),
        "r": ArraySpec("float32", 0),
        "s": NoneSpec(),
        "p": TupleSpec((ScalarSpec("float32"), TupleSpec((ScalarSpec("int64"),)))),
        "q": TupleSpec((ScalarSpec("float64"), ArraySpec("bool", 1))),
        "e": TupleSpec(()),
        "z": ScalarSpec("complex128"),
        "label": NoneSpec(),
    }
    assert list(specs_of(sum_grad, ["a.x", "a.y", "n", "p"])) == ["a.x", "a.y", "n", "p"]


def test_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        made = entry("state.x", "state.a", "n", "p")(sum_grad)
        with pytest.raises(TypeError, match=r"'state\.a' must be a float64"):
            made(X, None)  # type: ignore[arg-type]
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


MODULE = """
import sys
if {hide}:
    sys.modules["numba"] = None
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
from mooncake_runtime import entry, inner, jit_enabled
from mooncake_runtime.compiling import compiled
from mooncake_runtime.jit import uncached
from mooncake_runtime.shadows import extent, overlaps, shadow

@inner
def twice(x):
    return 2.0 * x

@entry
def f(x: Annotated[NDArray[np.float64], "_"], a: float):
    x_bar = shadow(x, overlaps((extent(x), extent(x))), 0)
    return x_bar.sum() + twice(x[0]) / a

print(f(np.ones(2), 0), jit_enabled())
"""


@pytest.mark.parametrize(
    ("hide", "disable", "enabled"), [(True, "0", False), (False, "1", False), (False, "0", True)]
)
def test_without_numba_and_without_a_cache(
    hide: bool, disable: str, enabled: bool, tmp_path: Path
) -> None:
    """Python reads the program from a pipe, so numba finds no place for a cache."""
    env = {
        "PYTHONPATH": ":".join(sys.path), "NUMBA_DISABLE_JIT": disable, "HOME": str(tmp_path),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-"], input=MODULE.format(hide=hide), env=env, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.stdout == f"inf {enabled}\n", done.stderr


LOADING = """
import sys
from importlib.util import module_from_spec, spec_from_file_location

spec = spec_from_file_location("_by_its_file", sys.argv[1])
module = module_from_spec(spec)
spec.loader.exec_module(module)
print(module.twice(1.5))
"""


def test_modules_loaded_by_their_files_run_again(tmp_path: Path) -> None:
    """Their names are not known, so cached code could not find them in the next process."""
    file = tmp_path / "twice_grad.py"
    file.write_text("from mooncake_runtime import entry\n\n\n@entry\n"
                    "def twice(x: float) -> float:\n    return 2.0 * x\n")  # fmt: skip
    command = [sys.executable, "-c", LOADING, str(file)]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == "3.0\n"


@pytest.mark.parametrize(
    ("y", "told"),
    [
        (np.ones(2), ""),
        (np.ones(1), "; an axis of size 1 is stretched where its annotation has a 1"),
    ],
)
def test_sizes_that_differ_are_told(
    y: np.ndarray, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sum_grad(x: Vec, y: Vec, n: int) -> float:
        if x.shape[0] != y.shape[0]:
            raise ValueError("operands: the sizes of an axis differ")
        return float(x[n])

    for disabled in ("0", "1"):
        monkeypatch.setenv("NUMBA_DISABLE_JIT", disabled)
        with pytest.raises(ValueError, match="operands") as caught:
            entry(sum_grad)(X, y, 1)
        text = f"operands: the sizes of an axis differ: x has shape (3,), y {y.shape}{told}"
        assert str(caught.value) == text


@pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")
def test_recursive_functions_do_not_depend_on_their_callers() -> None:
    """Literal arguments make another version, which must find the one that calls itself."""

    @uncached
    def factorial(x: float, n: int) -> float:
        return x if n <= 1 else n * factorial(x, n - 1)

    def first(x: float) -> float:
        return factorial(x, 3)

    def second(x: float) -> float:
        return factorial(x, 4)

    assert compiled(first, cache=False, forceinline=True)(0.5) == 3.0
    assert compiled(second, cache=False)(0.5) == 12.0
