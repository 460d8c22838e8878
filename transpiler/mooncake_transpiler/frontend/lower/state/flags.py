"""Variables of the compiler beside the user's own: how control has left so far."""

from __future__ import annotations

from collections.abc import Iterable

from mooncake_transpiler import ir
from mooncake_transpiler.types import BOOL

# Control is data: these variables, beside the user's own, say where a jump leads. A jump sets them
# to True; a branch whose arms disagree chooses between them like between any two values.
LEFT = "%left"  # the rest of the current statement lists is skipped
EXIT = "%exit"  # the innermost loop ends
RETURNED = "%returned"  # the function ends
RESULT = "%result"  # what it returns
RAISED = "%raised"  # an exception is on its way to where it is caught
ERROR = "%error"  # which one: its number in ``Context.errors``
CAUGHT = "%caught"  # the exception itself, as ``except ... as e`` has it
OBJECT = "%o"  # how variables begin that hold what an object holds
SET = "%set:"  # how flags begin that tell whether a variable is set
FLAGS = (LEFT, EXIT, RETURNED, RAISED)
CARGO = (RESULT, ERROR, CAUGHT)  # what goes along with them


def flag_of(variable: str) -> str:
    """The name of the flag that tells whether a variable is set; it goes along with it."""
    return f"{variable}_is_set" if variable.startswith(OBJECT) else f"{SET}{variable}_is_set"


FALSE = ir.Const(False, BOOL)
TRUE = ir.Const(True, BOOL)

BoundNames = frozenset[str] | None  # the names that are certainly bound; None: not reachable


def meet(bounds: Iterable[BoundNames]) -> BoundNames:
    """The names certainly bound where several paths join."""
    reachable = [bound for bound in bounds if bound is not None]
    return frozenset.intersection(*reachable) if reachable else None


def hint_of(name: str) -> str:
    """The user's name for a variable; a temporary may carry one behind its colon."""
    return name.partition(":")[2] if name.startswith("%") else name
