"""Variables of the compiler beside the user's own: how control has left so far."""

from __future__ import annotations

from collections.abc import Iterable

from mooncake_transpiler import ir
from mooncake_transpiler.border.borders import CONTENT
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
FINAL = "%final "  # how variables begin that hold what a field of a parameter holds in the end
_CONTENT = "[*]"  # how ``CONTENT`` is written in names, where a colon ends the path
FLAGS = (LEFT, EXIT, RETURNED, RAISED)
CARGO = (RESULT, ERROR, CAUGHT)  # what goes along with them


def is_hidden(name: str) -> bool:
    """True for a variable of the compiler, which no program can name."""
    return name.startswith("%")


def is_cell(name: str) -> bool:
    """True for the variable of a part of an object: a field, an item, what is said about all."""
    return name.startswith(OBJECT)


def cell(key: str, part: str, hint: str) -> str:
    """The variable of a part of the object ``key``; its temporaries are called after ``hint``."""
    return f"{key}.{part}:{hint}"


def shared_cell(key: str, variable: str) -> str:
    """The variable of the object ``key`` that holds a ``variable`` which nested functions see."""
    return cell(key, variable.rstrip(":"), hint_of(variable))


def number_of(key: str) -> int:
    """The number of the object ``key``: those that are made later have greater ones."""
    return int(key.removeprefix(OBJECT))


def is_cell_of(name: str, key: str) -> bool:
    """True for the variable of a part of the object ``key``."""
    return name.startswith(f"{key}.")


def owner_of(cell: str) -> str:
    """The key of the object that ``cell`` is a part of."""
    return cell.partition(".")[0]


def field_of(cell: str) -> str:
    """The part of an object that ``cell`` holds: the name of a field, the number of an item."""
    return cell.partition(".")[2].partition(":")[0]


def owners_of(names: Iterable[str]) -> set[str]:
    """The keys of the objects of which there are parts among ``names``."""
    return {owner_of(name) for name in names if is_cell(name)}


def flag_of(variable: str) -> str:
    """The name of the flag that tells whether a variable is set; it goes along with it."""
    return f"{variable}_is_set" if is_cell(variable) else f"{SET}{variable}_is_set"


def final(path: str, hint: str) -> str:
    """The variable of what ``path``, of a parameter, holds in the end."""
    return f"{FINAL}{path.replace(CONTENT, _CONTENT)}:{hint}"


def final_path(name: str) -> str | None:
    """The path of which ``name`` is such a variable; None for all others."""
    if not name.startswith(FINAL):
        return None
    return name.removeprefix(FINAL).partition(":")[0].replace(_CONTENT, CONTENT)


def is_flag(name: str) -> bool:
    """True for such a flag of a variable that is no part of an object."""
    return name.startswith(SET)


FALSE = ir.Const(False, BOOL)
TRUE = ir.Const(True, BOOL)

BoundNames = frozenset[str] | None  # the names that are certainly bound; None: not reachable


def meet(bounds: Iterable[BoundNames]) -> BoundNames:
    """The names certainly bound where several paths join."""
    reachable = [bound for bound in bounds if bound is not None]
    return frozenset.intersection(*reachable) if reachable else None


def hint_of(name: str) -> str:
    """The user's name for a variable; a temporary may carry one behind its colon."""
    return name.partition(":")[2] if is_hidden(name) else name
