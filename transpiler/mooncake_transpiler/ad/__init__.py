"""Automatic differentiation: ``derive`` turns a function in normal form into its derivatives."""

from mooncake_transpiler.ad.derive import Derived, derive

__all__ = ["Derived", "derive"]
