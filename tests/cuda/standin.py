"""A stand-in for CuPy on machines without a GPU: its arrays hold NumPy's, its kernels are compiled
by a C++ compiler and called as CuPy calls them.

It is built by composition, so nothing of NumPy works on its arrays by accident. It counts what a
GPU would do, gives memory that is not set yet as NaN, and refuses what CuPy refuses: operands of
NumPy, and conversions to Python's numbers unless they are asked for.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import GenericAlias, ModuleType, SimpleNamespace
from typing import Any, TypeVar

import numpy as np
import scipy.linalg

from tests.cuda import backend
from tests.cuda.compiler import check_apart, register, run_kernel

T = TypeVar("T")
counts: Counter[str] = Counter()
streams: Counter[int] = Counter()  # launches, by the stream that they are on
current = SimpleNamespace(id=0, stream=0)  # the device on which arrays are made and kernels run
NUMBERS = (bool, int, float, complex, np.generic)


def launched(count: int = 1, stream: int | None = None) -> None:
    """Count launches, on the current stream if none is told."""
    counts["launches"] += count
    streams[current.stream if stream is None else stream] += count


class ndarray:
    """An array of the device."""

    def __init__(self, held: np.ndarray) -> None:
        self.held = held
        self.device: Any = SimpleNamespace(id=current.id)

    shape = property(lambda self: self.held.shape)
    dtype = property(lambda self: self.held.dtype)
    ndim = property(lambda self: self.held.ndim)
    size = property(lambda self: self.held.size)
    nbytes = property(lambda self: self.held.nbytes)
    itemsize = property(lambda self: self.held.itemsize)
    strides = property(lambda self: self.held.strides)
    data = property(lambda self: SimpleNamespace(ptr=self.held.ctypes.data))
    T = property(lambda self: ndarray(self.held.T))

    def get(self) -> np.ndarray:
        counts["synchronisations"] += 1
        return self.held.copy()

    def astype(self, dtype: Any) -> ndarray:
        return wrapped(np.ndarray.astype)(self, dtype)

    def reshape(self, *shape: Any) -> ndarray:
        return ndarray(self.held.reshape(*shape))

    def transpose(self, *axes: Any) -> ndarray:
        return ndarray(self.held.transpose(*axes))

    def conj(self) -> ndarray:
        return wrapped(np.ndarray.conj)(self)

    def __abs__(self) -> ndarray:
        return wrapped(np.abs)(self)

    real = property(lambda self: ndarray(self.held.real))
    imag = property(lambda self: ndarray(self.held.imag))

    def copy(self) -> ndarray:
        launched(bool(self.size))
        counts["allocations"] += 1
        return ndarray(self.held.copy())

    def __getitem__(self, index: Any) -> ndarray:
        view = self.held[index]
        if not isinstance(view, np.ndarray):  # an element: CuPy's is an array that shows it
            whole = index if isinstance(index, tuple) else (index,)
            view = self.held[(*whole, ...)]
        return ndarray(view)

    def __setitem__(self, index: Any, value: Any) -> None:
        launched(bool(self.size))
        self.held[index] = _held(value)

    def __iadd__(self, other: Any) -> ndarray:
        launched(bool(self.size))
        self.held += _held(other)
        return self

    def __array__(self, *_: object, **__: object) -> None:
        raise TypeError("implicit conversion to a NumPy array is not allowed")

    def _number(self, *_: object) -> Any:
        counts["synchronisations"] += 1
        return self.held.item()

    def __float__(self) -> float:
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __bool__(self) -> bool:
        return bool(self._number())


def _held(value: Any) -> Any:
    if isinstance(value, ndarray):
        return value.held
    if isinstance(value, NUMBERS):
        return value
    raise TypeError(f"unsupported type {type(value)}")


def empty(shape: Any, dtype: Any = np.float64) -> ndarray:
    counts["allocations"] += 1
    made = np.empty(shape, dtype)
    made.fill(np.nan if made.dtype.kind in "fc" else 77)
    return ndarray(made)


def _filled(value: float) -> Any:
    def make(shape: Any, dtype: Any = np.float64) -> ndarray:
        counts["allocations"] += 1
        made = np.full(shape, value, dtype)
        launched(bool(made.size))
        return ndarray(made)

    return make


def full(shape: Any, value: Any, dtype: Any = np.float64) -> ndarray:
    return _filled(value)(shape, dtype)  # type: ignore[no-any-return]


def total(array: ndarray, axis: int | None = None) -> ndarray:
    if not isinstance(array, ndarray):
        raise TypeError(f"unsupported type {type(array)}")
    launched()
    counts["allocations"] += 1
    return ndarray(np.asarray(np.sum(array.held, axis=axis)))


def wrapped(function: Any, launches: int = 1, waits: int = 0) -> Any:
    """A function of NumPy or SciPy, as one of CuPy that launches kernels and makes new memory."""

    def call(*args: Any, **options: Any) -> Any:
        launched(launches)
        counts["synchronisations"] += waits
        found = function(*map(_operand, args), **{k: _operand(v) for k, v in options.items()})
        return _results(found)

    return call


def _operand(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return type(value)(map(_operand, value))
    if isinstance(value, np.ndarray):
        raise TypeError("unsupported type <class 'numpy.ndarray'>")
    return value.held if isinstance(value, ndarray) else value


def _results(found: Any) -> Any:
    if isinstance(found, tuple):
        return tuple(map(_results, found))
    counts["allocations"] += 1
    return ndarray(np.asarray(found))


def _operator(name: str) -> Any:
    def method(self: ndarray, other: Any) -> ndarray:
        return wrapped(getattr(np.ndarray, name))(self, other)

    return method


for _name in ("add", "sub", "mul", "truediv", "matmul", "radd", "rsub", "rmul", "rtruediv"):
    setattr(ndarray, f"__{_name}__", _operator(f"__{_name}__"))


def ascontiguousarray(array: ndarray) -> ndarray:
    return array if array.held.flags.c_contiguous else array.copy()


def asarray(value: Any) -> ndarray:
    return value if isinstance(value, ndarray) else ndarray(np.array(value))


def asnumpy(value: Any) -> Any:
    return value.get() if isinstance(value, ndarray) else value


class ElementwiseKernel:
    """A kernel, compiled when it is called; operands are checked as CuPy checks them."""

    def __init__(
        self,
        in_params: str,
        out_params: str,
        operation: str,
        name: str,
        *,
        loop_prep: str = "",
        after_loop: str = "",
        preamble: str = "",
    ) -> None:
        self.name = name
        self.params = [*_params(in_params), *_params(out_params)]
        self.inputs = len(_params(in_params))
        self.text = operation
        self.loop_prep, self.after_loop, self.preamble = loop_prep, after_loop, preamble
        register(self)

    def __call__(
        self,
        *args: Any,
        size: int | None = None,
        stream: int | None = None,
        block_size: int = 128,
    ) -> None:
        if len(args) != len(self.params):
            raise TypeError(f"{self.name}: {len(args)} arguments for {len(self.params)}")
        for arg, (raw, dtype, name) in zip(args, self.params, strict=True):
            if isinstance(arg, ndarray):
                if arg.device.id != current.id:
                    raise ValueError(f"{self.name}: {name} is on device {arg.device.id}")
                if arg.dtype != dtype:
                    raise TypeError(f"{self.name}: {name} must be {dtype}, got {arg.dtype}")
            elif raw or not isinstance(arg, NUMBERS):
                raise TypeError(f"{self.name}: {name} is {type(arg)}")
        shape = self._shape(args, size)
        for arg, (raw, _, name) in list(zip(args, self.params, strict=True))[self.inputs :]:
            if not isinstance(arg, ndarray):
                raise TypeError(f"{self.name}: {name} is no array")
            if not raw and arg.shape != shape:
                raise ValueError(f"{self.name}: {name} has the shape {arg.shape}, not {shape}")
        if 0 in shape:
            return
        launched(stream=stream)
        held = [a.held if isinstance(a, ndarray) else a for a in args]
        check_apart(self, held)
        run_kernel(self, held, shape, block_size)

    def _shape(self, args: Sequence[Any], size: int | None) -> tuple[int, ...]:
        pairs = zip(args, self.params, strict=True)
        shapes = [a.shape for a, (raw, *_) in pairs if isinstance(a, ndarray) and not raw]
        if size is not None:
            if shapes:
                raise ValueError("size is for kernels whose arrays are all raw")
            if size < 0:  # -1 stands for no size, others can't be launched
                raise ValueError("loop size is undecided")
            return (size,)
        if not shapes:
            raise ValueError("loop size is undecided")
        return np.broadcast_shapes(*shapes)


def _params(text: str) -> list[tuple[bool, str, str]]:
    """For each parameter True if it is raw, its dtype and its name."""
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        words = part.split()
        found.append((words[0] == "raw", words[-2], words[-1]))
    return found


_Scalar = TypeVar("_Scalar", bound=np.generic)


def _lu_factor(a: np.ndarray, check_finite: bool) -> tuple[np.ndarray, np.ndarray]:
    assert not check_finite  # which would wait for the device
    packed, pivots = scipy.linalg.lu_factor(a, check_finite=False)
    return np.asfortranarray(packed), pivots.astype(np.int32)


def _lu_solve(
    factors: tuple[np.ndarray, np.ndarray], b: np.ndarray, *, trans: int, check_finite: bool
) -> np.ndarray:
    assert not check_finite
    assert factors[1].dtype == np.int32
    return scipy.linalg.lu_solve(factors, b, trans=trans)


def _place_of_number(function: Any, array: np.ndarray) -> Any:
    """The place that ``function`` finds; outside where there is no number, as in CuPy."""
    return np.asarray(-1) if np.isnan(array).all() else function(array)


def _as_strided(array: ndarray, shape: Any, strides: Any) -> ndarray:
    return ndarray(np.lib.stride_tricks.as_strided(array.held, shape, strides))


def scatter_add(array: ndarray, places: Any, terms: Any) -> None:
    launched()
    np.add.at(array.held, _operand(places), _held(terms))


def modules() -> dict[str, ModuleType]:
    """The modules of CuPy."""
    cupy, typing = ModuleType("cupy"), ModuleType("cupy.typing")
    names = ("cupyx", "cupyx.scipy", "cupyx.scipy.linalg", "cupyx.scipy.special")
    cupyx, scipy_, linalg, special = map(ModuleType, names)
    dtypes = (
        "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "float32",
        "float64", "complex64", "complex128",
    )  # fmt: skip
    functions = (
        "outer", "tril", "triu", "diag", "diagonal", "searchsorted", "argmax", "argmin",
        "cumsum", "cumprod", "fmax", "fmin", "max", "maximum", "min", "minimum", "ones_like",
        "transpose", "concatenate", "nanmax", "nanmin", "matmul",
    )  # fmt: skip
    cupy.__dict__.update({name: wrapped(getattr(np, name)) for name in functions})
    for name in ("nanargmax", "nanargmin"):
        cupy.__dict__[name] = wrapped(partial(_place_of_number, getattr(np, name)))
    cupy.__dict__["argsort"] = wrapped(partial(np.argsort, kind="stable"))  # as CuPy's are
    cupy.__dict__["flatnonzero"] = wrapped(np.flatnonzero, waits=1)
    cupy.__dict__["nonzero"] = wrapped(np.nonzero, waits=1)
    of_matrices = ("det", "solve", "inv", "cholesky", "qr", "svd", "eigh")
    cupy.__dict__["linalg"] = SimpleNamespace(
        **{name: wrapped(getattr(np.linalg, name)) for name in of_matrices}
    )
    cupy.__dict__["fft"] = SimpleNamespace(fft=wrapped(np.fft.fft), ifft=wrapped(np.fft.ifft))
    linalg.__dict__.update(
        solve_triangular=wrapped(scipy.linalg.solve_triangular),
        lu_factor=wrapped(_lu_factor, waits=1), lu_solve=wrapped(_lu_solve),
    )  # fmt: skip
    cupyx.__dict__["scatter_add"] = scatter_add
    cupy.__dict__.update({name: getattr(np, name) for name in dtypes})
    cupy.__dict__.update(
        ndarray=ndarray, empty=empty, zeros=_filled(0), ones=_filled(1), full=full, sum=total,
        asarray=asarray, asnumpy=asnumpy, ElementwiseKernel=ElementwiseKernel, newaxis=None,
        inf=np.inf, nan=np.nan,
        may_share_memory=lambda a, b: np.may_share_memory(a.held, b.held),
        ascontiguousarray=ascontiguousarray, empty_like=lambda a: empty(a.shape, a.dtype),
        broadcast_to=lambda a, shape: ndarray(np.broadcast_to(a.held, shape)),
        lib=SimpleNamespace(stride_tricks=SimpleNamespace(as_strided=_as_strided)),
        cuda=SimpleNamespace(Device=lambda: SimpleNamespace(id=current.id)), typing=typing,
    )  # fmt: skip
    array: Any = ndarray
    typing.__dict__["NDArray"] = GenericAlias(array, (Any, GenericAlias(np.dtype, (_Scalar,))))
    found = (cupy, typing, cupyx, scipy_, linalg, special)
    return {module.__name__: module for module in found}


@contextmanager
def on_device(number: int) -> Iterator[None]:
    """The device ``number`` is the current one."""
    before, current.id = current.id, number
    try:
        yield
    finally:
        current.id = before


@contextmanager
def on_stream(number: int) -> Iterator[None]:
    """The stream ``number`` is the current one, and the only one of which launches are known."""
    before, current.stream = current.stream, number
    streams.clear()
    try:
        yield
    finally:
        current.stream = before


@contextmanager
def installed() -> Iterator[Counter[str]]:
    """The stand-in is what ``import cupy`` finds; what it counts starts at zero.

    On a GPU that is CuPy itself, and nothing is counted.
    """
    made = {} if backend.on_gpu() else modules()
    before = {name: sys.modules.get(name) for name in made}
    sys.modules |= made
    counts.clear()
    try:
        yield counts
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
