"""The state of lowering: operands, frames and the context."""
