"""What generated modules import: decorators, shadows, and kernels that numba lacks."""

from mooncake_runtime.jit import entry, inner, jit_enabled, uncached

__all__ = ["entry", "inner", "jit_enabled", "uncached"]
