"""numba implementation of the functions that tell something: calls of Python by name.

Compiled code that is cached must hold no address of a Python object: it looks the function up in
its module whenever it calls it.
"""

from collections.abc import Callable
from typing import Any

from numba import extending, types
from numba.core import cgutils

# numba's own modules carry no types.
codegen: Any = cgutils
typing: Any = types


def compile_told(python: Callable[..., Any], result: Any = types.none) -> None:
    """Tell numba how to call ``python(*texts, *numbers)``; its exceptions leave compiled code."""
    module, name = python.__module__, python.__name__

    def run(typing_context: Any, *operands: Any) -> Any:
        given = typing.BaseTuple.from_types(operands)

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            api = context.get_python_api(builder)
            gil = api.gil_ensure()
            home = api.import_module(context.insert_const_string(builder.module, module))
            function = api.object_getattr_string(home, name)
            objects = [
                _object(context, builder, api, typ, value)
                for typ, value in zip(operands, codegen.unpack_tuple(builder, args[0]), strict=True)
            ]
            made = api.call_function_objargs(function, objects)
            for used in (*objects, function, home):
                api.decref(used)
            with builder.if_then(codegen.is_null(builder, made), likely=False):
                api.gil_release(gil)
                context.call_conv.return_exc(builder)
            value = api.to_native_value(result, made).value
            api.decref(made)
            api.gil_release(gil)
            return value

        return result(typing.StarArgTuple(given.types)), generate

    call: Any = extending.intrinsic(prefer_literal=True)(run)

    def compile_call(*operands: Any) -> Any:
        def compiled(*operands: Any) -> Any:
            return call(*operands)

        return compiled

    extending.overload(python, prefer_literal=True)(compile_call)


def _object(context: Any, builder: Any, api: Any, typ: Any, value: Any) -> Any:
    """The Python object for ``value``."""
    if isinstance(typ, types.Literal):
        return api.unserialize(api.serialize_object(typ.literal_value))
    if context.enable_nrt:
        context.nrt.incref(builder, typ, value)
    return api.from_native_value(typ, value, context.get_env_manager(builder))
