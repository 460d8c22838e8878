"""numba intrinsics by which compiled code calls BLAS, LAPACK and the cores of kernels: by name.

Compiled code that is cached must not contain their addresses. It asks for one when it first needs
it: a callback, which LLVM knows as ``FINDER``, answers. The routines of BLAS and LAPACK are those
that SciPy exports to Cython. A core is compiled when it is first asked for, and cached.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numba
from llvmlite import binding
from llvmlite import ir as llvm
from numba import extending, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.np import arrayobj

# These modules carry no types.
arrays: Any = arrayobj
codegen: Any = cgutils
ir: Any = llvm
typing: Any = types
compiler: Any = numba

FINDER = f"{__name__.partition('.kernels')[0]}_find"  # copies of the runtime have their own
KINDS = {types.float32: "s", types.float64: "d", types.complex64: "c", types.complex128: "z"}
CORES: dict[str, Callable[..., int]] = {}


@cache
def _find(name: bytes) -> int:
    """The address of what is called ``name``; 0 if it is a routine that is missing."""
    text, _, operands = name.decode().partition("(")
    return _core_address(text, operands) if operands else _routine_address(text)


def _routine_address(name: str) -> int:
    for module in ("scipy.linalg.cython_blas", "scipy.linalg.cython_lapack"):
        try:
            address: int = extending.get_cython_function_address(module, name)
        except ImportError:
            return 0
        except ValueError:  # not in this module
            continue
        return address
    return 0


def _core_address(name: str, operands: str) -> int:
    module, _, function = name.partition(":")
    body = getattr(import_module(module), function).body
    signature = types.int64(*map(_unspelled, operands.split(",")))
    try:
        compiled = compiler.cfunc(signature, cache=True, error_model="numpy")(body)
    except RuntimeError:  # no cache directory is writable
        compiled = compiler.cfunc(signature, error_model="numpy")(body)
    address: int = compiled.address
    return address


def _spelled(typ: Any) -> str:
    return f"{typ.dtype}:{typ.ndim}" if isinstance(typ, types.Array) else str(typ)


def _unspelled(text: str) -> Any:
    name, _, rank = text.partition(":")
    return types.Array(getattr(types, name), int(rank), "A") if rank else getattr(types, name)


_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_char_p)(_find)
binding.add_symbol(FINDER, ctypes.cast(_CALLBACK, ctypes.c_void_p).value)


def _address(context: Any, builder: Any, name: str) -> Any:
    """The address of what is called ``name`` as an integer; each module of code asks once."""
    word = ir.IntType(64)
    cell = ir.GlobalVariable(builder.module, word, builder.module.get_unique_name("address"))
    cell.initializer = word(0)
    cell.linkage = "internal"
    with builder.if_then(builder.icmp_unsigned("==", builder.load(cell), word(0)), likely=False):
        text = context.insert_const_string(builder.module, name)
        typ = ir.FunctionType(word, [codegen.voidptr_t])
        find = codegen.get_or_insert_function(builder.module, typ, FINDER)
        builder.store(builder.call(find, [text]), cell)
    return builder.load(cell)


# ---- cores ---------------------------------------------------------------------------------------


def _wide(typ: Any) -> Any:
    """The type of an operand of a core: one for all layouts, one for all integers."""
    if isinstance(typ, types.Array):
        return types.Array(typ.dtype, typ.ndim, "A")
    return types.int64 if isinstance(typ, types.Integer | types.Boolean) else typ


def core(body: Callable[..., int]) -> Callable[..., int]:
    """A function that callers call by its address, so that it is compiled once for all of them.

    It takes arrays, of any layout, and numbers; it returns 1, or less if it failed. An exception
    inside counts as 0.
    """

    def run(typing_context: Any, *operands: Any) -> Any:
        wide = [_wide(typ) for typ in operands]
        spelled = ",".join(map(_spelled, wide))
        name = f"{body.__module__}:{body.__name__}({spelled}"

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            values = codegen.unpack_tuple(builder, args[0], len(operands))
            given = [
                value if isinstance(old, types.Array) else context.cast(builder, value, old, new)
                for value, old, new in zip(values, operands, wide, strict=True)
            ]
            typ = ir.FunctionType(word, [context.get_value_type(new) for new in wide])
            status = codegen.alloca_once_value(builder, word(0))
            address = _address(context, builder, name)
            with builder.if_then(builder.icmp_unsigned("!=", address, word(0)), likely=True):
                function = builder.inttoptr(address, typ.as_pointer())
                builder.store(builder.call(function, given), status)
            return builder.load(status)

        return types.int64(typing.StarArgTuple(operands)), generate

    intrinsic: Any = extending.intrinsic(run)
    intrinsic.body = body
    callable_core: Callable[..., int] = intrinsic
    return callable_core


# ---- BLAS and LAPACK -----------------------------------------------------------------------------


def _kind(operands: Any) -> str | None:
    """The letter of the dtype of all ``operands``, None if BLAS has no such dtype."""
    dtypes = {array.dtype for array in operands}
    if len(dtypes) > 1:
        raise TypingError(f"a kernel takes arrays of one dtype, got {sorted(map(str, dtypes))}")
    return KINDS.get(dtypes.pop())


def _found(typing_context: Any, name: Any, operands: Any) -> Any:
    """True if there is a routine for the dtype of ``operands``, a tuple of arrays."""
    kind = _kind(operands)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if kind is None:
            return codegen.false_bit
        address = _address(context, builder, kind + name.literal_value)
        return builder.icmp_unsigned("!=", address, ir.IntType(64)(0))

    return types.boolean(name, operands), generate


def _call(typing_context: Any, name: Any, like: Any, operands: Any) -> Any:
    """Call the routine for the dtype of ``like``; it must have been found.

    Arrays are passed by their data, numbers by the address of a copy. Integers, and letters as
    ``ord`` gives them, are copied into 64 bits: their low bytes, which come first, serve routines
    that want fewer.
    """
    kind = KINDS.get(like.dtype)

    def pointer(context: Any, builder: Any, typ: Any, value: Any) -> Any:
        if isinstance(typ, types.Array):
            data = arrays.make_array(typ)(context, builder, value).data
        else:
            data = codegen.alloca_once_value(builder, context.cast(builder, value, typ, _wide(typ)))
        return builder.bitcast(data, codegen.voidptr_t)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if kind is not None:
            values = codegen.unpack_tuple(builder, args[2], len(operands))
            pairs = zip(operands, values, strict=True)
            given = [pointer(context, builder, typ, value) for typ, value in pairs]
            typ = ir.FunctionType(ir.VoidType(), [codegen.voidptr_t] * len(given))
            address = _address(context, builder, kind + name.literal_value)
            builder.call(builder.inttoptr(address, typ.as_pointer()), given)
        return context.get_dummy_value()

    return types.none(name, like, operands), generate


found: Callable[..., bool] = extending.intrinsic(prefer_literal=True)(_found)
call: Callable[..., None] = extending.intrinsic(prefer_literal=True)(_call)
