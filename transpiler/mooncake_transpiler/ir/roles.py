"""Roles: what the fields of a statement are to it.

The annotation of each field in `nodes.py` is one of the types below. All that is asked of a
statement in general is read from them: what it uses and binds (`walking.py`), how it is rebuilt
(`rebuilding.py`), what memory it reads, writes, shows or makes (`effects.py`).
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from mooncake_transpiler.ir.atoms import Atom, Index, Value


class Role(Enum):
    """A role; those from ``READ`` on are of arrays, and mean nothing where the atom is a scalar."""

    RESULT = "bound in the block of the statement"
    MADE = "bound there, as new memory"
    FOUND = "bound there, as memory that others know, too"
    BINDER = "bound inside the blocks of the statement"
    OPERAND = "used; of an array nothing but the extents"
    INDEX = "used to index the array of the statement, axis by axis"
    READ = "its content is read"
    WRITTEN = "elements of it are overwritten"
    ADDED = "elements of it are added to: read and written in one"
    GROWN = "it gets room: other extents, the same content"
    SHOWN = "the result is this memory, or a part of it"
    SHOWN_OR_READ = "the result is this memory, or a copy of it"
    GIVEN = "the function that is called decides"


BOUND = frozenset((Role.RESULT, Role.MADE, Role.FOUND, Role.BINDER))  # what a statement binds
USED = frozenset(Role) - BOUND


Result = Annotated[Value, Role.RESULT]
Results = Annotated[tuple[Value, ...], Role.RESULT]
Made = Annotated[Value, Role.MADE]
Found = Annotated[Value, Role.FOUND]
AllMade = Annotated[tuple[Value, ...], Role.MADE]
Binder = Annotated[Value, Role.BINDER]
Binders = Annotated[tuple[Value, ...], Role.BINDER]

Operand = Annotated[Atom, Role.OPERAND]
Operands = Annotated[tuple[Atom, ...], Role.OPERAND]
At = Annotated[tuple[Atom, ...], Role.INDEX]
Indices = Annotated[tuple[Index, ...], Role.INDEX]
Texts = Annotated[tuple[Atom | str, ...], Role.OPERAND]

Read = Annotated[Atom, Role.READ]
AllRead = Annotated[tuple[Atom, ...], Role.READ]
TextsRead = Annotated[tuple[Atom | str, ...], Role.READ]
Written = Annotated[Atom, Role.WRITTEN]
Added = Annotated[Atom, Role.ADDED]
Grown = Annotated[Atom, Role.GROWN]
Shown = Annotated[Atom, Role.SHOWN]
ShownOrRead = Annotated[Atom, Role.SHOWN_OR_READ]
Given = Annotated[tuple[Atom, ...], Role.GIVEN]

StackWritten = Annotated[Value, Role.WRITTEN]
StackRead = Annotated[Value, Role.ADDED]  # what is read is taken from it
