"""The checks of the derivatives of a primal at a point, one function for each property.

All take a ``Case`` and raise ``Mismatch`` or, where nothing can be said, ``Unclear``.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from mooncake_runtime.case import Case
from mooncake_runtime.checks.against import check_differences
from mooncake_runtime.checks.first import (
    check_agreement,
    check_forward_mode,
    check_kinds,
    check_layouts,
    check_parameters,
    check_pullback,
    check_repetition,
    check_value,
    check_zero_cotangent,
)
from mooncake_runtime.checks.misfits import check_arity, check_shapes
from mooncake_runtime.checks.second import check_second_order

__all__ = ["CHECKS", "check_layouts", "check_plain"]

CHECKS: tuple[Callable[[Case], None], ...] = (
    check_parameters,
    check_value,
    check_kinds,
    check_pullback,
    check_differences,
    check_zero_cotangent,
    check_agreement,
    check_repetition,
    check_forward_mode,
    check_second_order,
    check_shapes,
    check_arity,
)


def check_plain(case: Case, plain: ModuleType) -> None:
    """``plain``, the generated module without numba, gives what ``case`` has found with it."""
    other = case.of_module(plain)
    case.same(other.slots, case.slots, "without numba: the pullback")
    for check in CHECKS:
        if check is not check_differences:
            check(other)
