"""Adapters: generated functions inside torch, JAX, PyTensor and SciPy, each a module to import."""
