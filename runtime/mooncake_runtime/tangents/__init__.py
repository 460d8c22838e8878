"""Tangents and cotangents: what a derivative of a value looks like, and how to compute with it.

A tangent is built of the same containers as its primal, with None where there is no derivative;
the table is in the README of the runtime. Part of it is *fdata*, identified by its address and
incremented in place (arrays, lists, dicts, mutable dataclasses), part *rdata*, known by its value
(floats, and tuples, NamedTuples and frozen dataclasses of floats).

Where a function takes a tangent, any object with the field names stands for a struct: what a
generated module returns, the struct's own class, a NamedTuple.
"""

from mooncake_runtime.tangents.algebra import (
    add_to_primal,
    difference,
    dot,
    increment,
    products,
    randn_tangent,
    scale,
    zero_tangent,
)
from mooncake_runtime.tangents.memory import copy
from mooncake_runtime.tangents.numbers import (
    cotangent,
    direction,
    flat,
    magnitude,
    magnitudes,
    moved,
    unit,
)
from mooncake_runtime.tangents.split import fdata, join, rdata
from mooncake_runtime.tangents.trees import Tree, has_tangent, leaves, map_leaves

__all__ = [
    "Tree",
    "add_to_primal",
    "copy",
    "cotangent",
    "difference",
    "direction",
    "dot",
    "fdata",
    "flat",
    "has_tangent",
    "increment",
    "join",
    "leaves",
    "magnitude",
    "magnitudes",
    "map_leaves",
    "moved",
    "products",
    "randn_tangent",
    "rdata",
    "scale",
    "unit",
    "zero_tangent",
]
