"""``verify``: the one command that imports and runs what it is given."""
