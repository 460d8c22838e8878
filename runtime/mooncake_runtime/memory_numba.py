"""How numba compiles ``address`` and ``window``."""

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


def compile_memory(address: Callable[..., int], window: Callable[..., np.ndarray]) -> None:
    """Tell numba how to compile the two functions."""
    lay: Any = extending.intrinsic(_window)

    def compile_address(array: Any) -> Any:
        def compiled(array: Any) -> Any:
            return np.int64(array.ctypes.data)

        return compiled

    def compile_window(memory: Any, offset: Any, like: Any) -> Any:
        def compiled(memory: Any, offset: Any, like: Any) -> Any:
            return lay(memory, np.int64(offset), like)

        return compiled

    extending.overload(address)(compile_address)
    extending.overload(window)(compile_window)
