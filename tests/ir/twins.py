"""Twins of the statements of the normal form: with the same roles, but known to nobody by name.

A twin stands for a statement that is new. Its adjoint, its tangent and its text are those of the
statement that it is made after; everything else has to go by the roles of its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields, make_dataclass, replace
from typing import Any

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.ad.forward.push import TangentWriter
from mooncake_transpiler.ad.reverse.adjoint import Adjoint
from mooncake_transpiler.emit.expr import Expressions
from mooncake_transpiler.emit.statement_text import Statements
from mooncake_transpiler.ir import effects, rebuilding, walking
from mooncake_transpiler.ir import fields as descriptions
from mooncake_transpiler.passes import order

Func = Callable[..., Any]
# Where a statement is looked at that has to be known by name, and at which argument that stands.
KNOWING = (
    (Adjoint, "simple", 0),
    (TangentWriter, "_simple", 0),
    (Expressions, "compute", 0),
    (Statements, "simple", 0),
    (Statements, "bind", 1),
)


@dataclass(slots=True)
class Twin:
    """The twin of statements of class ``of``, and how many there have been."""

    of: type[ir.Stmt]
    cls: type[Any]
    count: int = 0

    def applied(self, func: ir.Func) -> ir.Func:
        """``func`` with twins; a pass."""
        return replace(func, body=ir.rewritten(func.body, self._change))

    def _change(self, stmt: ir.Stmt) -> list[ir.Stmt] | None:
        if type(stmt) is not self.of or _is_special(stmt):
            return None
        self.count += 1
        return [self.cls(*(getattr(stmt, one.name) for one in fields(stmt)))]

    def original(self, stmt: ir.Stmt) -> ir.Stmt:
        if type(stmt) is not self.cls:
            return stmt
        cls: Func = self.of
        return cls(*(getattr(stmt, one.name) for one in fields(self.cls)))  # type: ignore[no-any-return]


def _is_special(stmt: ir.Stmt) -> bool:
    """True for what means something else than its roles say, until a pass has settled that."""
    match stmt:
        case ir.Copy(sharing=sharing):
            return sharing is not ir.Sharing.COPY
        case ir.Alloc(growable=growable):
            return growable
        case ir.View(part=part):
            return part == ir.DETACHED
        case _:
            return False


def twin_of(cls: type[ir.Stmt], patch: pytest.MonkeyPatch) -> Twin:
    """A twin of statements of class ``cls`` in all that is compiled until ``patch`` is undone."""
    specs = [
        (f.name, f.type, field() if f.default is MISSING else field(default=f.default))
        for f in fields(cls)
    ]
    twin = Twin(cls, make_dataclass(f"Twin{cls.__name__}", specs, frozen=True, eq=False))
    for module in (descriptions, walking, effects, rebuilding):
        for table in vars(module).values():
            if isinstance(table, dict) and cls in table:
                patch.setitem(table, twin.cls, table[cls])
    if cls in effects._ACTING:
        patch.setattr(effects, "_ACTING", effects._ACTING | {twin.cls})
    for owner, name, place in KNOWING:
        patch.setattr(owner, name, _knowing(getattr(owner, name), place, twin))
    own = ("twins", twin.applied)
    at = [name for name, _ in order.PASSES].index("detached") + 1
    patch.setattr(order, "PASSES", (*order.PASSES[:at], own, *order.PASSES[at:]))
    at = [name for name, _ in order.FINISHING].index("merged-clears")
    later = ("later-twins", lambda func: twin.applied(func))  # what has run once is not run again
    finishing = (own, *order.FINISHING[:at], later, *order.FINISHING[at:])
    patch.setattr(order.finish, "__defaults__", (finishing,))
    return twin


def _knowing(function: Func, place: int, twin: Twin) -> Func:
    def with_original(self: object, *args: Any, **more: Any) -> Any:
        given = (twin.original(arg) if k == place else arg for k, arg in enumerate(args))
        return function(self, *given, **more)

    return with_original
