"""What generated modules import: decorators, shadows, and kernels that numba lacks."""

from mooncake_runtime.jit import entry, inner, jit_enabled, uncached
from mooncake_runtime.marks import nondiff, overlay, rule_for, stop_gradient

__all__ = [
    "entry",
    "inner",
    "jit_enabled",
    "nondiff",
    "overlay",
    "rule_for",
    "stop_gradient",
    "uncached",
]
