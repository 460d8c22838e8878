"""Arrays in memory: making, viewing, reading and writing them, and whole-array expressions."""
