"""The meaning of the normal form, statement by statement: what emitted text is compared with."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from mooncake_rules.scalar import OPS
from mooncake_transpiler import ir
from mooncake_transpiler.types import Array, NoneType, Scalar, Tuple, Type

Env = dict[ir.Value, object]


class Interpreter:
    """Runs functions of ``funcs``; ``globals_`` holds constant arrays by module and name."""

    def __init__(
        self,
        funcs: Mapping[str, ir.Func],
        globals_: Mapping[tuple[str, str], object] | None = None,
        kernels: object = None,
    ) -> None:
        self.funcs = funcs
        self.globals = globals_ or {}
        self.space = {"np": np, "math": math, "rt": kernels}
        self.steps = 0

    def run(self, func: ir.Func, *args: object) -> object:
        """Call ``func`` with structured arguments; the result is structured."""
        flat = [leaf for p, a in zip(func.params, args, strict=True) for leaf in flatten(p.type, a)]
        return structure(func.result, iter(self.call(func, flat)))

    def call(self, func: ir.Func, leaves: Sequence[object]) -> list[object]:
        env: Env = dict(zip(func.inputs, leaves, strict=True))
        return self.block(func.body, env)

    def block(self, block: ir.Block, env: Env) -> list[object]:
        for stmt in block.stmts:
            self.stmt(stmt, env)
        return [self.atom(a, env) for a in block.yields]

    def atom(self, atom: ir.Atom, env: Env) -> object:
        match atom:
            case ir.Value():
                return env[atom]
            case ir.Const(value=value, type=type_):
                return cast(type_, value)
            case ir.Undef():
                return None

    def index(self, items: Sequence[ir.Index], env: Env) -> tuple[object, ...]:
        def part(item: ir.Index | None) -> object:
            if isinstance(item, ir.Slice):
                return slice(part(item.lo), part(item.hi), part(item.step))
            unset = item is None or isinstance(item, ir.NewAxis)
            return None if unset else self.atom(item, env)

        return tuple(part(item) for item in items)

    def stmt(self, stmt: ir.Stmt, env: Env) -> None:
        self.steps += 1
        value = lambda a: self.atom(a, env)  # noqa: E731
        match stmt:
            case ir.If(outs=outs, cond=cond, then=then, orelse=orelse):
                env.update(zip(outs, self.block(then if value(cond) else orelse, env), strict=True))
            case ir.For() | ir.While():
                self.loop(stmt, env)
            case ir.Store(base=base, index=index, value=new):
                value(base)[self.index(index, env)] = value(new)  # type: ignore[index]
            case ir.Accum(base=base, index=index, value=new):
                value(base)[self.index(index, env)] += value(new)  # type: ignore[index]
            case ir.Assign(dst=dst, src=src):
                value(dst)[...] = value(src)  # type: ignore[index]
            case ir.AddTo(dst=dst, src=src):
                value(dst)[...] += value(src)  # type: ignore[index]
            case ir.Raise(exc=exc, message=message):
                raise getattr(builtins, exc)(*([] if message is None else [message]))
            case ir.Print(args=args):
                print(*(a if isinstance(a, str) else value(a) for a in args))
            case ir.Call(outs=outs, func="rt:matmul" | "rt:strong_matmul", args=(a, b)):
                env[outs[0]] = np.matmul(value(a), value(b))  # type: ignore[call-overload]
            case ir.Call(func="rt:matmul_add", args=(a, b, c)):
                x, y = value(a), value(b)
                outer = np.ndim(x) == np.ndim(y) == 1  # type: ignore[arg-type]
                value(c)[...] += np.outer(x, y) if outer else np.matmul(x, y)  # type: ignore[index]
            case ir.Call(outs=outs, func=func, args=args):
                results = self.call(self.funcs[func], [value(a) for a in args])
                env.update(zip(outs, results, strict=True))
            case _:
                (out,) = ir.outs(stmt)
                env[out] = self.result(stmt, env)

    def result(self, stmt: ir.Stmt, env: Env) -> object:
        value: Callable[[ir.Atom], object] = lambda a: self.atom(a, env)  # noqa: E731
        match stmt:
            case ir.Compute(out=out, op="cast", args=(arg,)):
                return cast(out.type, value(arg))
            case ir.Compute(out=out, op=op, args=args):
                names = [f"a{i}" for i in range(len(args))]
                space = self.space | dict(zip(names, map(value, args), strict=True))
                return cast(out.type, eval(OPS[op].template.format(*names), space))
            case ir.Alloc(out=out, shape=shape, fill=fill):
                assert isinstance(out.type, Array)
                start = 0 if fill is None else value(fill)
                return np.full([value(n) for n in shape], start, dtype=out.type.dtype.value)
            case ir.Dim(array=array, axis=axis):
                return value(array).shape[axis]  # type: ignore[attr-defined]
            case ir.Global(module=module, name=name):
                return self.globals[module, name]
            case ir.View(base=base, part=name) if name:
                return getattr(value(base), name)
            case ir.View(base=base, index=index, axes=axes):
                part = value(base)[self.index(index, env)]  # type: ignore[index]
                return np.transpose(part, axes) if axes else part
            case ir.Load(base=base, index=index):
                return value(base)[self.index(index, env)]  # type: ignore[index]
            case ir.Reshape(base=base, shape=shape):
                return reshaped(value(base), [value(n) for n in shape])  # type: ignore[arg-type]
            case ir.Copy(src=src):
                return value(src).copy()  # type: ignore[attr-defined]
            case ir.Sum(array=array):
                return np.sum(value(array))  # type: ignore[call-overload]
            case ir.Grow(array=array, size=size):
                return grown(value(array), value(size))  # type: ignore[arg-type]
            case _:
                raise AssertionError(type(stmt).__name__)

    def loop(self, stmt: ir.For | ir.While, env: Env) -> None:
        state = [self.atom(a, env) for a in stmt.inits]
        if isinstance(stmt, ir.For):
            bounds = [self.atom(a, env) for a in (stmt.lo, stmt.hi, stmt.step)]
            for i in range(*bounds):  # type: ignore[arg-type]
                env[stmt.index] = i
                env.update(zip(stmt.params, state, strict=True))
                state = self.block(stmt.body, env)
                if stmt.exit and state[0]:
                    break
        else:
            while True:
                env.update(zip(stmt.params, state, strict=True))
                if not self.block(stmt.cond, env)[0]:
                    break
                state = self.block(stmt.body, env)
                if stmt.exit and state[0]:
                    break
        env.update(zip(stmt.outs, state, strict=True))


def grown(array: np.ndarray, size: int) -> np.ndarray:
    """The array itself where it is large enough."""
    if size <= array.size:
        return array
    return np.concatenate((array, np.zeros(max(size - array.size, array.size), array.dtype)))


def reshaped(array: np.ndarray, shape: Sequence[object]) -> np.ndarray:
    """The same memory where that is contiguous."""
    contiguous = array if array.flags.c_contiguous else array.copy()
    return contiguous.reshape(tuple(shape))  # type: ignore[arg-type]


def cast(type_: Type, value: object) -> object:
    """``value`` as a scalar of ``type_``: Python's own kinds where they exist."""
    assert isinstance(type_, Scalar)
    return np.asarray(value).astype(type_.dtype.value).item() if _plain(type_) else np.dtype(
        type_.dtype.value
    ).type(value)  # fmt: skip


def _plain(type_: Scalar) -> bool:
    return type_.dtype.value in ("bool", "int64", "float64", "complex128")


def flatten(type_: Type, value: object) -> list[object]:
    match type_:
        case Tuple(items=items):
            pairs = zip(items, value, strict=True)  # type: ignore[call-overload]
            return [leaf for item, part in pairs for leaf in flatten(item, part)]
        case NoneType():
            return []
        case _:
            return [value]


def structure(type_: Type, leaves: object) -> object:
    match type_:
        case Tuple(items=items):
            return tuple(structure(item, leaves) for item in items)
        case NoneType():
            return None
        case _:
            return next(leaves)  # type: ignore[call-overload]
