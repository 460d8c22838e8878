"""Lists, tuples and dicts, and what runs over them."""
