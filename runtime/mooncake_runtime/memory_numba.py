"""numba implementations of ``address``, ``window`` and ``as_contiguous``."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import extending, types
from numba.core import cgutils
from numba.np import arrayobj

# numba's own modules carry no types.
arrays: Any = arrayobj
codegen: Any = cgutils


def _window(typing_context: Any, memory: Any, offset: Any, like: Any) -> Any:
    """An array of the very type of ``like`` (so C-contiguous stays so), but writable."""
    result = types.Array(like.dtype, like.ndim, like.layout)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        block = arrays.make_array(memory)(context, builder, args[0])
        model = arrays.make_array(like)(context, builder, args[2])
        out = arrays.make_array(result)(context, builder)
        start = codegen.pointer_add(builder, block.data, args[1], out.data.type)
        arrays.populate_array(out, start, model.shape, model.strides, model.itemsize, block.meminfo)
        return arrays.impl_ret_borrowed(context, builder, result, out._getvalue())

    return result(memory, types.int64, like), generate


def _as_contiguous(typing_context: Any, array: Any) -> Any:
    """The same array with a type that says that it is C-contiguous."""
    result = array.copy(layout="C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        given = arrays.make_array(array)(context, builder, args[0])
        out = arrays.make_array(result)(context, builder)
        shape = codegen.unpack_tuple(builder, given.shape, array.ndim)
        strides: list[Any] = []
        step = given.itemsize
        for size in reversed(shape):  # those of axes of length one may be anything
            strides.insert(0, step)
            step = builder.mul(step, size)
        arrays.populate_array(
            out, given.data, shape, strides, given.itemsize, given.meminfo, given.parent
        )
        return arrays.impl_ret_borrowed(context, builder, result, out._getvalue())

    return result(array), generate


def compile_memory(
    address: Callable[..., int],
    window: Callable[..., np.ndarray],
    as_contiguous: Callable[..., np.ndarray],
) -> None:
    """Tell numba how to compile the functions."""
    lay: Any = extending.intrinsic(_window)
    retype: Any = extending.intrinsic(_as_contiguous)

    def compile_address(array: Any) -> Any:
        def compiled(array: Any) -> Any:
            return np.int64(array.ctypes.data)

        return compiled

    def compile_window(memory: Any, offset: Any, like: Any) -> Any:
        def compiled(memory: Any, offset: Any, like: Any) -> Any:
            return lay(memory, np.int64(offset), like)

        return compiled

    def compile_as_contiguous(array: Any) -> Any:
        def compiled(array: Any) -> Any:
            return retype(array)

        return compiled

    extending.overload(as_contiguous)(compile_as_contiguous)
    extending.overload(address)(compile_address)
    extending.overload(window)(compile_window)
