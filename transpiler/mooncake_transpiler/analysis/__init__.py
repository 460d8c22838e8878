"""Facts about a function: memory that arrays share, places of accesses. Nothing is changed."""
