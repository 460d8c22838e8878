"""Files of a run: sources, outputs, their states, and writing.

Nothing here imports the compiler, so that a run with nothing to do is over at once.
"""
