"""``verify``: the only command that imports and runs the user's modules."""
