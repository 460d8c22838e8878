"""Files: which there are, what state they are in, and how they are written.

Nothing here imports the compiler, so that a run with nothing to do is over at once.
"""
