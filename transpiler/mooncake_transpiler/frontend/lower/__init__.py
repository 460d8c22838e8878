"""Lowering: the user's functions become normal form."""

from mooncake_transpiler.frontend.lower.lowered_programs import lower

__all__ = ["lower"]
