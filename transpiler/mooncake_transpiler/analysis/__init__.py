"""What holds of a function: which memory arrays share, where accesses go. Nothing is changed."""
