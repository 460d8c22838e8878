"""Functions that host code calls beside those of the program: of CuPy, of the runtime, kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.kernel_operands import Kernel
from mooncake_transpiler.emit.module_scope import PlainCallee
from mooncake_transpiler.types import DType


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A function that is called by ``name``, and how many kernels each call of it launches.

    The last of its arguments have these ``keywords``, or are ``named`` as the arrays are.
    """

    name: str
    keywords: tuple[str, ...] = ()
    launches: int = 1
    is_of_cupy: bool = False
    named: bool = False

    def call(
        self, outs: tuple[ir.Value, ...], args: tuple[ir.Atom, ...], origin: ir.Origin | None = None
    ) -> ir.Call:
        """The statement that calls it."""
        return ir.Call(outs, self.name, args, origin)

    def is_called_by(self, stmt: ir.Stmt) -> bool:
        """True if ``stmt`` is such a call."""
        return isinstance(stmt, ir.Call) and stmt.func == self.name

    @property
    def needs(self) -> str:
        """The import that it needs."""
        return "np" if self.is_of_cupy else self.name

    def callee(self, imported: Mapping[str, str]) -> PlainCallee:
        """The function as text calls it, where imports are called as ``imported`` says."""
        name = imported.get(self.needs, self.needs)
        name = f"{name}.{self.name}" if self.is_of_cupy else name
        return PlainCallee(name, self.keywords, self.named)


def launch_of(kernel: Kernel) -> HostFunction:
    """The launch of ``kernel``."""
    keywords = ["size"] if kernel.is_sized else []
    keywords += ["block_size"] if kernel.terms or kernel.threads is not None else []
    return HostFunction(kernel.name, tuple(keywords))


SUM = HostFunction("sum", ("axis",), is_of_cupy=True)  # over the last axis
AXIS_SUM = HostFunction("axis_sum", ("axis",))  # over another
DISJOINT = HostFunction("disjoint", launches=0)  # a test that arrays share no memory
ONE_OR_DISJOINT = HostFunction("one_or_disjoint", launches=0)  # the same for two that may be one
# Tests that the first of several parameters shares no memory with the others, or is one of them.
PARAMETERS_APART = HostFunction("parameters_apart", launches=0, named=True)
PARAMETERS_ONE_OR_APART = HostFunction("parameters_one_or_apart", launches=0, named=True)
SEPARATE = HostFunction("separate", launches=0)  # zeros instead of an array that shares memory
REJOIN = HostFunction("rejoin", launches=0)  # adds what was added to these
ADD_AT = HostFunction("add_at")  # an addition at places that are data
RUNS = HostFunction("runs", launches=2)  # sorts places, to find those that are equal
OFFSETS = HostFunction("offsets")  # where rows start, and the number of their elements
EXTREMES = ("largest", "smallest", "largest_number", "smallest_number")
EXTREME = {which: HostFunction(which) for which in EXTREMES}  # of all elements
RECURRENCE = HostFunction("recurrence")  # numbers that are linear in those before
RUNNING = HostFunction("running_sums")  # or those from the end
SEARCHES = {
    which: HostFunction(which, is_of_cupy=True)
    for which in ("argmax", "argmin", "nanargmax", "nanargmin")
}  # for an extremum: its place, counted in C order
LANES = HostFunction("row_lanes", launches=0)  # the number of threads that work on one row
THREADS = HostFunction("row_threads", launches=0)  # of those of a block
HELD = {
    DType.INT64: HostFunction("integers", launches=0), DType.BOOL: HostFunction("flags", launches=0)
}  # arrays of the host  # fmt: skip
SHAPED = HostFunction("iterations", launches=0)  # an array without content, of such sizes
# The places where a mask of one axis is true, or one of several.
PLACES = HostFunction("flatnonzero", is_of_cupy=True)
MANY_PLACES = HostFunction("nonzero", is_of_cupy=True)
# Primitives that `device_kernels` of the runtime has not, in words.
LACKING = {
    "eig": "what needs eigenvalues of any matrix", "sylvester": "what needs Sylvester's equation",
    "indefinite": "catching a failed Cholesky factor", "same_overlap": "a test of overlaps",
    **dict.fromkeys(("mt19937", "pcg64"), "drawing random numbers"),
}  # fmt: skip

HOST_FUNCTIONS = {
    function.name: function
    for function in (
        SUM, AXIS_SUM, DISJOINT, ONE_OR_DISJOINT, PARAMETERS_APART, PARAMETERS_ONE_OR_APART,
        SEPARATE, REJOIN, ADD_AT, RUNS, OFFSETS, *EXTREME.values(), RECURRENCE, RUNNING,
        *SEARCHES.values(), LANES, THREADS, *HELD.values(), SHAPED, PLACES, MANY_PLACES,
    )
}  # all but launches, by name  # fmt: skip


def is_search_of_places(stmt: ir.Stmt) -> bool:
    """True if ``stmt`` lets CuPy find where a mask is true."""
    return PLACES.is_called_by(stmt) or MANY_PLACES.is_called_by(stmt)


def called(func: ir.Func) -> Iterator[str]:
    """The imports that calls in the host code ``func`` need."""
    for stmt in ir.walk(func.body):
        if isinstance(stmt, ir.Call) and stmt.func in HOST_FUNCTIONS:
            yield HOST_FUNCTIONS[stmt.func].needs
