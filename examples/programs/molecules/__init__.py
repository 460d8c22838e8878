"""Particles that attract and repel each other, in two dimensions, over several modules."""

from .simulation import misfit, spread_over_time

__all__ = ["misfit", "spread_over_time"]
