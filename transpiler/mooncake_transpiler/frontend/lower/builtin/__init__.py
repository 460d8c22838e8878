"""Built-in functions and methods, and what generated modules call."""
