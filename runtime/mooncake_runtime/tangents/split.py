"""A tangent in two parts: what has an address, and what is known by its value."""

from __future__ import annotations

from mooncake_runtime.tangents.trees import Path, Tree, has_address, has_tangent, rebuild


def fdata(t: Tree) -> Tree:
    """The part of a tangent that is identified by its address, the very same objects.

    Arrays, lists, dicts and mutable dataclasses as a whole; tuples, NamedTuples and frozen
    dataclasses of such parts, with None where the rest was.
    """
    return rebuild(lambda path, part: part if has_address(part) else None, t, stop=has_address)


def rdata(t: Tree) -> Tree:
    """The part of a tangent that is known by its value: the complement of ``fdata(t)``."""

    def value(path: Path, part: Tree) -> Tree:
        return None if has_address(part) or not has_tangent(part) else part

    return rebuild(value, t, stop=has_address)


def join(f: Tree, r: Tree) -> Tree:
    """The tangent ``t`` with ``fdata(t)`` equal to ``f`` and ``rdata(t)`` equal to ``r``.

    ValueError where both have a value for the same part, or their structures differ.
    """

    def either(path: Path, a: Tree, b: Tree) -> Tree:
        if a is not None and b is not None:
            raise ValueError(f"both parts have a value at {path.place}")
        return b if a is None else a

    return rebuild(either, f, r, stop=has_address)
