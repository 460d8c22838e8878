"""What generated modules call, where they are sources themselves."""
