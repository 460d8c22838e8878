"""Addition for sums whose order of terms is left open."""

from mooncake_runtime.compiling import jit_enabled


def radd(total: float, term: float) -> float:
    """``total + term`` where compilers may reassociate: a loop of these runs on vectors."""
    return total + term


if jit_enabled():
    from mooncake_runtime.scalar_kernels.sums_numba import compile_radd

    compile_radd(radd)
