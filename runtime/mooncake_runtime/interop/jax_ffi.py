"""Generated functions as targets of XLA's foreign function interface: calls without Python.

XLA calls the address of a function with that of a *frame*: a C struct that leads to the memory of
arguments and results. numba compiles such a function around a generated one. It knows the layout
of frames, so only versions of the interface are used that this has been tested with.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import jax
import numpy as np

from mooncake_runtime.compiling import jit_enabled, numba
from mooncake_runtime.interop.derivatives import ArraySlot

TESTED = ((0, 3),)  # versions of the interface
_FAILED = 2  # XLA_FFI_Error_Code_UNKNOWN
_NUMBERS = count()

# The words, of 8 bytes each, of a frame (XLA_FFI_CallFrame), and of what it leads to.
_EXTENSION, _API, _STAGE, _ARGS, _RESULTS, _FRAME = 1, 2, 4, 9, 14, 21
_DATA, _RANK, _DIMS, _BUFFER = 3, 4, 5, 6
_CREATE_ERROR = 6  # of the table of functions
_METADATA, _EXECUTE = 1, 3  # the kind of an extension, and a stage


@dataclass(slots=True)
class HostCall:
    """One call of a generated function: arrays in, arrays out.

    ``call`` is its text, with the names of the ``inputs`` for the numbers in braces; ``outputs``
    are expressions in its result, ``made``. ``on_host`` does the same with arrays of NumPy.
    """

    name: str
    function: Callable[..., Any]
    call: str
    inputs: tuple[ArraySlot, ...]
    outputs: tuple[tuple[str, ArraySlot], ...]
    on_host: Callable[..., tuple[Any, ...]]
    _kept: list[Any] = field(default_factory=list)  # what XLA has the address of
    _target: str | None = None

    def target(self) -> str | None:
        """The name that XLA knows the compiled function by; None where there is no such thing."""
        if self._target is None and _is_supported() and jit_enabled() and _is_compiled(self):
            self._target = _register(self)
        return self._target


def _is_supported() -> bool:
    """True for a jaxlib whose interface is known."""
    if not hasattr(jax, "ffi"):
        return False
    header = Path(jax.ffi.include_dir(), "xla", "ffi", "api", "c_api.h")
    if not header.exists():
        return False
    found = dict(re.findall(r"#define XLA_FFI_API_(MAJOR|MINOR) (\d+)", header.read_text()))
    return (int(found.get("MAJOR", -1)), int(found.get("MINOR", -1))) in TESTED


def _is_compiled(step: HostCall) -> bool:
    slots = (*step.inputs, *(slot for _, slot in step.outputs))
    typed = all(jax.dtypes.canonicalize_dtype(slot.dtype) == slot.dtype for slot in slots)
    return typed and isinstance(step.function, numba().core.dispatcher.Dispatcher)


def _register(step: HostCall) -> str:
    prototype = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_ssize_t)
    explain = prototype(lambda frame: _explain(step, frame))
    scope: dict[str, Any] = {"function": step.function, "words": _words()}
    scope["explain"] = prototype(ctypes.cast(explain, ctypes.c_void_p).value or 0)
    for k, slot in enumerate(step.inputs):
        scope[f"read{k}"] = _reader(slot)
    for k, (_, slot) in enumerate(step.outputs):
        scope[f"write{k}"] = _writer(slot)
    exec(_text(step), scope)
    word = numba().types.intp
    handler = numba().cfunc(word(word))(scope["handler"])
    name = f"mooncake.{step.name}.{next(_NUMBERS)}"
    jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(handler.ctypes), platform="cpu")
    step._kept += [explain, handler]
    _FOREVER.append(step)
    return name


_FOREVER: list[HostCall] = []  # targets can't be taken back


def _text(step: HostCall) -> str:
    """The handler, for numba."""
    names = [f"read{k}(args[{k}])" for k in range(len(step.inputs))]
    writes = [f"write{k}(results[{k}], {text})" for k, (text, _) in enumerate(step.outputs)]
    major, minor = TESTED[-1]
    return f"""
def handler(frame):
    given = words(frame, {_FRAME})
    if given[{_EXTENSION}] != 0:
        extension = words(given[{_EXTENSION}], 4)
        if extension[1] & 0xFFFFFFFF == {_METADATA}:
            words(extension[3], 4)[3] = {major + (minor << 32)}
            return 0
    if given[{_STAGE}] & 0xFFFFFFFF != {_EXECUTE}:
        return 0
    args = words(given[{_ARGS}], {len(names)})
    results = words(given[{_RESULTS}], {len(writes)})
    try:
        made = function({step.call.format(*names)})
        done = {" and ".join(writes)}
    except Exception:
        done = False
    return 0 if done else explain(frame)
"""


def _pointer() -> Any:
    """The intrinsic function of numba that makes a pointer of an address."""

    def pointer(context: Any, address: Any) -> Any:
        types = numba().types

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], numba().core.cgutils.voidptr_t)

        return types.voidptr(types.intp), generate

    return numba().extending.intrinsic(pointer)


def _words() -> Any:
    """The compiled function that gives ``n`` words at an address."""
    pointer, carray = _pointer(), numba().carray

    def words(address: int, n: int) -> Any:
        return carray(pointer(address), n, np.int64)

    return numba().njit(words)


def _reader(slot: ArraySlot) -> Any:
    """The compiled function that gives a buffer of ``slot``: a number, or an array of its own."""
    array, is_array = _buffer(slot), slot.is_array

    def read(address: int) -> Any:
        if is_array:
            return array(address).copy()  # the function may write it
        return array(address)[0]

    return numba().njit(read)


def _writer(slot: ArraySlot) -> Any:
    """The compiled function that fills a buffer; False where sizes differ."""
    array, is_array = _buffer(slot), slot.is_array

    def write(address: int, value: Any) -> bool:
        out = array(address)
        if is_array:
            if out.shape != value.shape:
                return False
            out[:] = value
        else:
            out[0] = value
        return True

    return numba().njit(write)


def _buffer(slot: ArraySlot) -> Any:
    """The compiled function that gives the array of a buffer; of a number, one with one item."""
    pointer, carray, words = _pointer(), numba().carray, _words()
    ndim, dtype = slot.ndim, slot.dtype.type
    sizes = "".join(f"dims[{axis}], " for axis in range(ndim))
    shape_of = numba().njit(eval(f"lambda dims: ({sizes})"))

    def array(address: int) -> Any:
        buffer = words(address, _BUFFER)
        if ndim == 0:
            return carray(pointer(buffer[_DATA]), 1, dtype)
        return carray(pointer(buffer[_DATA]), shape_of(words(buffer[_DIMS], ndim)), dtype)

    return numba().njit(array)


class _NewError(ctypes.Structure):
    """``XLA_FFI_Error_Create_Args``."""

    _fields_ = (
        ("size", ctypes.c_size_t), ("extension", ctypes.c_void_p), ("message", ctypes.c_char_p),
        ("code", ctypes.c_int),
    )  # fmt: skip


def _explain(step: HostCall, frame: int) -> int:
    """The error of XLA for a call that has failed, which is done once more, in Python."""
    given = _read(frame, _FRAME)
    args = _read(given[_ARGS], len(step.inputs))
    expected = [_shape(at) for at in _read(given[_RESULTS], len(step.outputs))]
    try:
        made = step.on_host(*map(_copied, args, (slot.dtype for slot in step.inputs)))
        shapes = [np.shape(value) for value in made]
        text = f"{step.name}: the results have the shapes {shapes}, not {expected}"
    except BaseException as error:  # there is no Python around it that could get it
        text = f"{type(error).__name__}: {error}"
    new = _NewError(28, None, text.encode(), _FAILED)
    create = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p)(
        _read(given[_API], _CREATE_ERROR + 1)[_CREATE_ERROR]
    )
    return int(create(ctypes.addressof(new)))


def _read(address: int, n: int) -> list[int]:
    return list((ctypes.c_int64 * n).from_address(address))


def _shape(address: int) -> tuple[int, ...]:
    buffer = _read(address, _BUFFER)
    return tuple(_read(buffer[_DIMS], buffer[_RANK])) if buffer[_RANK] else ()


def _copied(address: int, dtype: np.dtype[Any]) -> Any:
    """The array of a buffer."""
    shape = _shape(address)
    made = np.empty(shape, dtype)
    if made.nbytes:
        ctypes.memmove(made.ctypes.data, _read(address, _BUFFER)[_DATA], made.nbytes)
    return made
