"""Arrays in memory: making, viewing and reshaping them."""
