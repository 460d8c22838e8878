"""What lowering carries along: operands, frames and the context."""
