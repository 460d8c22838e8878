"""Tests for what Python and NumPy raise for arrays, made beforehand where it is caught."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.failure import failing, throwing
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state import errors
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.ir.function_names import primitive_name
from mooncake_transpiler.types import BOOL, Array

# What raises LinAlgError: a test of the matrix, and what the exception says.
FACTORED = {
    "cholesky": ("indefinite", "Matrix is not positive definite"),
    "inv": ("singular", "Singular matrix"), "solve": ("singular", "Singular matrix"),
}  # fmt: skip

# Functions of linear algebra that raise no LinAlgError for a matrix, and those of indices.
NEVER_RAISING = ("scipy.special", "scipy.stats")  # where there is no value there is nan
EXPLICIT = frozenset({
    "norm", "det", "slogdet", "outer", "cross", "matmul", "trace", "diagonal", "vecdot", "dot",
    "multi_dot", "tensordot", "vector_norm", "matrix_norm", "matrix_transpose",
})  # fmt: skip

GATHERING = frozenset({
    "numpy.take", "numpy.take_along_axis", "numpy.put", "numpy.put_along_axis", "numpy.choose",
    "numpy.compress", "numpy.delete", "numpy.insert", "numpy.unravel_index", "numpy.bincount",
})  # fmt: skip


def before_index(
    ctx: Context, node: cst.CSTNode, index: ir.Atom, array: ir.Atom, axis: int
) -> None:
    """``x[i]``."""
    cls = errors.known("IndexError")
    if not throwing.active(ctx) or not throwing.caught(ctx, cls):
        return
    before_position(ctx, node, index, storage.dim(ctx, array, axis))


def before_position(ctx: Context, node: cst.CSTNode, index: ir.Atom, size: ir.Atom) -> None:
    """``xs[i]`` of ``size`` items."""
    cls = errors.known("IndexError")
    if not throwing.active(ctx) or not throwing.caught(ctx, cls):
        return
    compute = partial(scalars.compute, ctx, node)
    below = compute("lt", (index, compute("neg", (size,))))
    cond = failing.any_of(ctx, below, compute("ge", (index, size)))
    failing.test(ctx, cls, cond, "index is out of bounds")


def before_step(ctx: Context, node: cst.CSTNode, step: ir.Atom | None, text: str) -> None:
    """The step of a range or slice."""
    if step is not None:
        zero = partial(scalars.compute, ctx, node, "eq", (step, ir.ZERO))
        failing.test_value(ctx, zero, text)


def before_shape(ctx: Context, node: cst.CSTNode, shape: Sequence[ir.Atom]) -> None:
    """The sizes of a new array."""
    for size in shape:
        below = partial(scalars.compute, ctx, node, "lt", (size, ir.ZERO))
        failing.test_value(ctx, below, "negative dimensions are not allowed")


def strict_zip(ctx: Context, node: cst.CSTNode, counts: Sequence[ir.Atom]) -> None:
    """``zip(..., strict=True)``: lengths that differ fail, here before the first item."""
    for k, count in enumerate(counts[1:], 2):
        if ctx.sizes.same(counts[0], count):
            continue
        failing.refuse_any(ctx, node, "zip(..., strict=True)", "ValueError")
        for op, how in (("lt", "shorter"), ("gt", "longer")):
            differs = scalars.compute(ctx, node, op, (count, counts[0]))
            others = "argument 1" if k == 2 else f"arguments 1-{k - 1}"
            text = f"zip() argument {k} is {how} than {others}"
            failing.require(ctx, node, ctx.builder.not_(differs), text, "ValueError")


def before_gathering(ctx: Context, node: cst.CSTNode) -> None:
    """``x[indices]``."""
    failing.refuse_any(ctx, node, "indexing by arrays", "IndexError")


def before_library(ctx: Context, node: cst.CSTNode, qualname: str, given: Arguments) -> Arguments:
    """A function of NumPy or SciPy; the arguments may be computed by what is tested."""
    if not throwing.active(ctx):
        return given
    module, _, name = qualname.rpartition(".")
    shown = qualname.replace("numpy.", "np.", 1)
    if qualname in GATHERING or name == "at":
        failing.refuse_any(ctx, node, f"{shown}(...)", "IndexError")
    if module.startswith("scipy") and not module.startswith(NEVER_RAISING):
        failing.refuse_any(ctx, node, f"{shown}(...)", "ValueError")
    if not module.endswith("linalg") or name in EXPLICIT:
        return given
    if not throwing.caught(ctx, errors.linear_algebra()):
        return given
    if name not in FACTORED or not given.args or module != "numpy.linalg":
        message = f"a LinAlgError that {shown}(...) may raise can't be caught"
        help_ = "catch narrower exceptions, or move it out of the `try`"
        raise ctx.refuse(node, "MK351", message, help_)
    return _factored(ctx, node, name, given)


def _factored(ctx: Context, node: cst.CSTNode, name: str, given: Arguments) -> Arguments:
    """Test the matrix before it is factorised."""
    matrix = delayed.settle(ctx, given.args[0])
    if not isinstance(matrix, ir.Value) or not _is_matrix(matrix):
        message = f"a LinAlgError that {name} may raise can be caught for matrices of floats only"
        raise ctx.refuse(node, "MK351", message, "make the matrix an array of floats before")
    cls, (predicate, text) = errors.linear_algebra(), FACTORED[name]
    sizes = [storage.dim(ctx, matrix, axis) for axis in (0, 1)]
    if not ctx.sizes.same(*sizes):
        oblong = scalars.compute(ctx, node, "ne", sizes)
        failing.test(ctx, cls, oblong, "Last 2 dimensions of the array must be square")
        ctx.sizes.equate(*sizes)
    fails = ir.Value("", BOOL)
    ctx.builder.add(ir.Call((fails,), primitive_name(predicate), (matrix,), ctx.builder.origin))
    failing.test(ctx, cls, fails, text)
    return Arguments((matrix, *given.args[1:]), given.keywords)


def _is_matrix(array: ir.Value) -> bool:
    of = array.type
    return isinstance(of, Array) and of.ndim == 2 and of.dtype.is_differentiable
