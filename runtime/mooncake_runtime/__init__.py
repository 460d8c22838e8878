"""The names that generated modules import: decorators, shadows, and kernels that numba lacks."""

from mooncake_runtime.compiling import jit_enabled
from mooncake_runtime.jit import entry, inner, uncached
from mooncake_runtime.marks import Cotangent, nondiff, overlay, rule_for, stop_gradient

__all__ = [
    "Cotangent",
    "entry",
    "inner",
    "jit_enabled",
    "nondiff",
    "overlay",
    "rule_for",
    "stop_gradient",
    "uncached",
]
