"""Delayed arrays over a stage that emits statements: the language of library functions."""

from mooncake_rules.arrays.elementwise import (
    broadcast_to,
    combine,
    elementwise,
    expand,
    without_ones,
)
from mooncake_rules.arrays.sizes import Shape, as_size, common_size, fix_axes, fix_axis, product
from mooncake_rules.arrays.stage import Arr, Num, Stage
from mooncake_rules.arrays.table import Function, Static, Table, Value

__all__ = [
    "Arr",
    "Function",
    "Num",
    "Shape",
    "Stage",
    "Static",
    "Table",
    "Value",
    "as_size",
    "broadcast_to",
    "combine",
    "common_size",
    "elementwise",
    "expand",
    "fix_axes",
    "fix_axis",
    "product",
    "without_ones",
]
