"""Lists, tuples and dicts, of known length or growing, and what runs over them."""
