"""Lists whose items are in arrays, and changes of what lists and dicts hold."""
