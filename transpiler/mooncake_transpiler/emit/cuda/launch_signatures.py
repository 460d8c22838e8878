"""The signatures of functions that host code calls: launches of kernels, and help around them."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.kernel_operands import Kernel
from mooncake_transpiler.types import BOOL, FLOAT, INT, MAX_RANK, NONE, Array, DType, Tuple, Type

LAUNCH = "launch:"  # how the names of launches begin
SUM = "launch:sum"  # the sum over the last axis
AXIS_SUM = "launch:axis_sum"  # that over another
DISJOINT = "launch:disjoint"  # a test that arrays share no memory
ONE_OR_DISJOINT = "launch:one_or_disjoint"  # the same for two that may be one
PARAMETERS_APART = "launch:parameters_apart"  # one of parameters, which is written
PARAMETERS_ONE_OR_APART = "launch:parameters_one_or_apart"  # the same where two may be one
SEPARATE = "launch:separate"  # zeros in place of an array that others share memory with
REJOIN = "launch:rejoin"  # what was added to these
ADD_AT = "launch:add_at"  # an addition at places that are data
RUNS = "launch:runs"  # where equal places are
OFFSETS = {rank: f"launch:offsets{rank}" for rank in range(1, MAX_RANK + 1)}  # of rows
EXTREMES = ("largest", "smallest", "largest_number", "smallest_number")
EXTREME = {which: f"launch:{which}" for which in EXTREMES}  # of all elements
RECURRENCE = "launch:recurrence"  # numbers that are linear in those before
RUNNING = "launch:running_sums"  # running sums, or those from the end
# Primitives that `device_kernels` of the runtime has not, in words.
LACKING = {
    "eig": "what needs eigenvalues of any matrix", "sylvester": "what needs Sylvester's equation",
    "indefinite": "catching a failed Cholesky factor", "same_overlap": "a test of overlaps",
    **dict.fromkeys(("mt19937", "pcg64"), "drawing random numbers"),
}  # fmt: skip
SEARCHES = ("argmax", "argmin", "nanargmax", "nanargmin")  # calls of CuPy, named so behind LAUNCH
LANES = "launch:lanes"  # the threads that work on one row
THREADS = "launch:threads"  # those of a block
PLACES = "launch:nonzero"  # the places where a mask of so many axes is true, by CuPy
HELD = {DType.INT64: "launch:integers", DType.BOOL: "launch:flags"}  # arrays of the host
SHAPED = "launch:iterations"  # an array without content, of so many axes


def launch_func(kernel: Kernel) -> ir.Func:
    """The signature of a launch, for calls of it."""
    given = [op.given for op in kernel.operands]
    params = [ir.Param(value.hint, value.type, (value,)) for value in given]
    if kernel.terms:
        sums = ir.Value("sums", Array(kernel.dtype, 1))
        params.append(ir.Param("sums", sums.type, (sums,)))
    if kernel.is_sized:
        params.append(ir.Param("size", INT, (ir.Value("size", INT),), kwonly=True))
    if kernel.terms or kernel.threads is not None:
        params.append(ir.Param("block_size", INT, (ir.Value("block_size", INT),), kwonly=True))
    return ir.Func(LAUNCH + kernel.name, tuple(params), NONE, ir.Block(()))


def sum_func(name: str) -> ir.Func:
    """The signature of ``SUM`` and ``AXIS_SUM``."""
    array, axis = ir.Value("array", Array(DType.FLOAT64, 2)), ir.Value("axis", INT)
    params = ir.Param("array", array.type, (array,)), ir.Param("axis", INT, (axis,), kwonly=True)
    return ir.Func(name, params, Array(DType.FLOAT64, 1), ir.Block(()))


def disjoint_func(name: str, arrays: Sequence[ir.Atom], result: Type = NONE) -> ir.Func:
    """The signature of a test of ``arrays``, and of what adds to one of several."""
    values = [ir.Value(f"array{k}", array.type) for k, array in enumerate(arrays)]
    params = tuple(ir.Param(value.hint, value.type, (value,)) for value in values)
    return ir.Func(name, params, result, ir.Block(()))


def apart_func(test: str, arrays: Sequence[ir.Atom]) -> ir.Func:
    """The signature of ``test`` that the first of ``arrays`` shares no memory with the others.

    Its keywords are the names of the arrays, and part of its own name.
    """
    hints = [getattr(array, "hint", "") or "array" for array in arrays]
    names = [f"{hint}_{k}" if hint in hints[:k] else hint for k, hint in enumerate(hints)]
    pairs = ((name, array.type) for name, array in zip(names, arrays, strict=True))
    values = [ir.Value(name, type_) for name, type_ in pairs]
    params = tuple(ir.Param(value.hint, value.type, (value,), kwonly=True) for value in values)
    return ir.Func(" ".join((test, *names)), params, NONE, ir.Block(()))


def shape_func(name: str, rank: int) -> ir.Func:
    """The signature of what makes an array of so many axes, given its sizes."""
    sizes = [ir.Value(f"size{k}", INT) for k in range(rank)]
    params = tuple(ir.Param(size.hint, INT, (size,)) for size in sizes)
    return ir.Func(f"{name}{rank}", params, Array(DType.BOOL, rank), ir.Block(()))


def add_func() -> ir.Func:
    """The signature of an addition at places that are data."""
    types = dict.fromkeys(("base", "places", "order", "starts", "terms"), DType.INT64)
    types |= {"base": DType.FLOAT64, "terms": DType.FLOAT64}
    values = [ir.Value(name, Array(dtype, 1)) for name, dtype in types.items()]
    params = tuple(ir.Param(value.hint, value.type, (value,)) for value in values)
    return ir.Func(ADD_AT, params, NONE, ir.Block(()))


def runs_func() -> ir.Func:
    """The signature of the search for equal places."""
    found = Array(DType.INT64, 1)
    places = ir.Value("places", found)
    params = (ir.Param("places", found, (places,)),)
    return ir.Func(RUNS, params, Tuple((found,) * 3), ir.Block(()))


def offsets_func(rank: int) -> ir.Func:
    """The signature of the search for where rows start, and of how many elements they have."""
    counts = ir.Value("counts", Array(DType.INT64, rank))
    params = (ir.Param("counts", counts.type, (counts,)),)
    return ir.Func(OFFSETS[rank], params, Tuple((counts.type, INT)), ir.Block(()))


def search_func(which: str) -> ir.Func:
    """The signature of a search for an extremum: its place, counted in C order."""
    array = ir.Value("array", Array(DType.FLOAT64, 1))
    params = (ir.Param("array", array.type, (array,)),)
    return ir.Func(LAUNCH + which, params, Array(DType.INT64, 0), ir.Block(()))


def lanes_func(name: str) -> ir.Func:
    """The signature of ``LANES`` and ``THREADS``: a number of threads."""
    size = ir.Value("size", INT)
    return ir.Func(name, (ir.Param("size", INT, (size,)),), INT, ir.Block(()))


def places_func(rank: int) -> ir.Func:
    """The signature of the search for what is true, of so many axes."""
    flags = ir.Value("flags", Array(DType.BOOL, rank))
    params = (ir.Param("flags", flags.type, (flags,)),)
    found = Array(DType.INT64, 1)
    result = found if rank == 1 else Tuple((found,) * rank)
    return ir.Func(f"{PLACES}{rank}", params, result, ir.Block(()))


def extreme_func(name: str) -> ir.Func:
    """The signature of ``EXTREME``."""
    array, start = ir.Value("array", Array(DType.FLOAT64, 1)), ir.Value("start", FLOAT)
    params = tuple(ir.Param(value.hint, value.type, (value,)) for value in (array, start))
    return ir.Func(name, params, Array(DType.FLOAT64, 0), ir.Block(()))


def recurrence_func() -> ir.Func:
    """The signature of a linear recurrence."""
    vector = Array(DType.FLOAT64, 1)
    values = [ir.Value("factors", vector), ir.Value("terms", vector)]
    values += ir.Value("start", FLOAT), ir.Value("reverse", BOOL)
    params = tuple(ir.Param(value.hint, value.type, (value,)) for value in values)
    return ir.Func(RECURRENCE, params, vector, ir.Block(()))


def running_func() -> ir.Func:
    """The signature of running sums."""
    terms, reverse = ir.Value("terms", Array(DType.FLOAT64, 1)), ir.Value("reverse", BOOL)
    params = tuple(ir.Param(value.hint, value.type, (value,)) for value in (terms, reverse))
    return ir.Func(RUNNING, params, Array(DType.FLOAT64, 1), ir.Block(()))
