"""Lists, dicts and instances: their identity, and the variables that hold what is in them."""
