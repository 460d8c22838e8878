"""The outside of derivative functions: names, parameters, results, docstrings and borders."""
