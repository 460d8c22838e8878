"""The command ``report``: what became of each function, as a page or as text."""
