"""Derivatives of derivatives, and dense ones: forward mode applied along unit vectors."""
