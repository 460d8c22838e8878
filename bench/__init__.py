"""Benchmarks: how much value and gradient cost, relative to the primal."""
