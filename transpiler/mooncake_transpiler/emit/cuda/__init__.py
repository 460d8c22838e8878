"""Functions over CuPy's arrays: kernels, and host code that launches them."""
