"""Text that the program prints: the host waits for the numbers and arrays of the GPU in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.host import Host, Wait
from mooncake_transpiler.types import Array, DType, Scalar

# Numbers that Python's own show as CuPy's do.
_SHOWN = (DType.FLOAT64, DType.INT64, DType.BOOL)


def tell(stmt: ir.Print, host: Host, demanded: Callable[[ir.Atom, ir.Stmt, str], ir.Atom]) -> None:
    """Emit ``stmt``; ``demanded`` makes a number of the GPU one of the host."""
    args: list[ir.Atom | str] = []
    for arg in stmt.args:
        if isinstance(arg, str) or host.has(arg):
            args.append(arg)
        elif isinstance(arg.type, Array) and arg.type.ndim:
            args.append(arg)
            line = 0 if stmt.origin is None else stmt.origin.line
            host.waits.append(Wait(line, "an array that is printed"))
        elif isinstance(arg.type, Scalar) and arg.type.dtype in _SHOWN:
            args.append(demanded(arg, stmt, "text that depends"))
        else:
            raise host.refuse(stmt, "MK604", f"text of {arg.type}")
    host.emit(replace(stmt, args=tuple(args)))
