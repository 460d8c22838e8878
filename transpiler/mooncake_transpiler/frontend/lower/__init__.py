"""Lowering: the user's functions become normal form."""

from mooncake_transpiler.frontend.lower.functions import lower, lower_function

__all__ = ["lower", "lower_function"]
