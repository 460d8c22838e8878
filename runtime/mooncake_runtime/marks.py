"""Marks on functions and values that the transpiler reads; at run time they do nothing.

@rule_for(scale)                    # scale is differentiated by this rule
def scale_rule(x, a):
    y = a * x
    def pullback(y_bar):
        return a * y_bar, np.sum(x * y_bar)
    return y, pullback
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])

if TYPE_CHECKING:
    Cotangent: TypeAlias = T | Any
else:

    class Cotangent:
        """``Cotangent[T]`` is ``T``; callers may also write None and lists in it."""

        def __class_getitem__(cls, type_: object) -> object:
            return type_


def rule_for(function: Callable[..., object]) -> Callable[[F], F]:
    """The decorated function is the derivative rule of ``function``.

    It takes the arguments of ``function`` and returns its result and a pullback: a nested function
    from the cotangent of the result to those of the arguments (None where there is none).
    """
    return _unchanged


def overlay(function: Callable[..., object]) -> Callable[[F], F]:
    """The transpiler reads the decorated function in place of ``function``."""
    return _unchanged


def nondiff(function: F) -> F:
    """The results of the decorated function have the derivative zero."""
    return function


def stop_gradient(value: T) -> T:
    """``value`` itself, under a name without derivative.

    An array that is read through this name counts as constant, and so does what is written through
    it, although the memory is the same.
    """
    return value


def _unchanged(function: F) -> F:
    return function
