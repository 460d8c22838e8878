"""Effects of a statement, on memory and beyond it, read from the roles of its fields.

Only the statement itself counts here, not those in its blocks. Scalars are left out: what is said
is said of arrays (and of stacks, until these are gone).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from enum import Enum

from mooncake_rules.primitives import PRIMITIVES

from mooncake_transpiler.ir.atoms import Atom, Value
from mooncake_transpiler.ir.fields import BLOCKS, FIELDS, atoms, values
from mooncake_transpiler.ir.nodes import Call, Copy, For, If, Sharing, Simple, Stmt, While
from mooncake_transpiler.ir.roles import BOUND, Role
from mooncake_transpiler.ir.walking import operands, outs
from mooncake_transpiler.reaching import closure, grouped
from mooncake_transpiler.types import Scalar

Changed = Callable[[Call], Collection[Atom]]  # the arguments that a call may write to

_READ = atoms((Role.READ, Role.GIVEN))
_ADDED = atoms((Role.ADDED,))
_WRITTEN = atoms((Role.WRITTEN, Role.ADDED))
_GROWN = atoms((Role.GROWN,))
_COPIED = atoms((Role.SHOWN_OR_READ,))
_SHOWN = atoms((Role.SHOWN, Role.SHOWN_OR_READ))
_MADE = values((Role.MADE,))
_FOUND = values((Role.FOUND,))

# What binds nothing, writes nothing and has no blocks is there for what it does besides.
_ACTING = frozenset(
    cls
    for cls, found in FIELDS.items()
    if not BLOCKS[cls]
    and not any(f.role in BOUND or f.role in (Role.WRITTEN, Role.ADDED, Role.GROWN) for f in found)
)


def _memory(found: tuple[Atom, ...]) -> tuple[Atom, ...]:
    return tuple([atom for atom in found if not isinstance(atom.type, Scalar)])


def read(stmt: Stmt) -> tuple[Atom, ...]:
    """The arrays whose content reaches something else through ``stmt``."""
    return _memory(_READ[type(stmt)](stmt))


def sources(stmt: Stmt) -> tuple[Atom, ...]:
    """The numbers and arrays that go into the results of ``stmt``, and into what it writes."""
    return (*[atom for atom in operands(stmt) if isinstance(atom.type, Scalar)], *read(stmt))


def copied(stmt: Stmt) -> tuple[Atom, ...]:
    """The arrays that ``stmt`` reads, too, unless its result shows them."""
    return _COPIED[type(stmt)](stmt)


def added(stmt: Stmt) -> tuple[Atom, ...]:
    """The arrays to whose elements ``stmt`` adds: their content stays in them."""
    return _ADDED[type(stmt)](stmt)


def written(stmt: Stmt, changed: Changed | None = None) -> tuple[Atom, ...]:
    """The arrays that ``stmt`` may write elements of, or add to.

    ``changed`` tells that of calls; otherwise the functions of the program may write to all that
    they are given.
    """
    if not isinstance(stmt, Call):
        return _WRITTEN[type(stmt)](stmt)
    return _memory(tuple((changed or any_argument)(stmt)))


def grown(stmt: Stmt) -> tuple[Atom, ...]:
    """The arrays of which ``stmt`` changes the extents."""
    return _GROWN[type(stmt)](stmt)


class Touch(Enum):
    """One thing that is done to an array."""

    READ = "read"
    WRITE = "write"
    ADD = "add"  # read and write in one: ``+=``


def touched(stmt: Stmt, changed: Changed | None = None) -> Iterator[tuple[Atom, Touch]]:
    """The arrays that ``stmt`` does something to, and what; the same one may come twice."""
    if isinstance(stmt, Call):
        writes = written(stmt, changed)
        known = PRIMITIVES.get(stmt.func)
        for array in read(stmt):
            if array not in writes:
                yield array, Touch.READ
            elif known is None or known.adds:
                yield array, Touch.ADD
            else:
                yield array, Touch.READ
                yield array, Touch.WRITE
        return
    adds = added(stmt)
    for array in (*written(stmt), *grown(stmt)):
        yield array, Touch.ADD if array in adds else Touch.WRITE
    for array in read(stmt):
        yield array, Touch.READ


def is_primitive(stmt: Stmt) -> bool:
    """True if ``stmt`` calls a primitive of ``mooncake_rules.primitives``."""
    return isinstance(stmt, Call) and stmt.func in PRIMITIVES


def of_primitives(call: Call) -> tuple[Atom, ...]:
    """The arguments that ``call`` writes to if it calls a primitive, and none otherwise."""
    known = PRIMITIVES.get(call.func)
    return () if known is None else tuple([call.args[k] for k in known.writes])


def any_argument(call: Call) -> tuple[Atom, ...]:
    """The arguments that ``call`` may write to, as long as no callee is known."""
    if call.func in PRIMITIVES or call.quiet:
        return of_primitives(call)
    return call.args


def acts(stmt: Stmt) -> bool:
    """True if ``stmt`` does something that no value and no memory shows: raise, print, or call."""
    if isinstance(stmt, Call):
        return stmt.func not in PRIMITIVES and not stmt.quiet
    return type(stmt) in _ACTING


# ---- one memory under several names -------------------------------------------------------------


def made(stmt: Stmt) -> tuple[Value, ...]:
    """The results of ``stmt`` that are new memory."""
    match stmt:
        case Copy() if stmt.sharing is not Sharing.COPY:
            return ()
        case Call() if stmt.func in PRIMITIVES:
            return tuple([out for out in stmt.outs if not isinstance(out.type, Scalar)])
        case _:
            return _MADE[type(stmt)](stmt)


def outside(stmt: Stmt) -> tuple[Value, ...]:
    """The results of ``stmt`` that are memory which others may know, too."""
    if isinstance(stmt, Call) and stmt.func not in PRIMITIVES:
        return tuple([out for out in stmt.outs if not isinstance(out.type, Scalar)])
    return _FOUND[type(stmt)](stmt)


def produced(stmt: Stmt) -> tuple[Value, ...]:
    """The arrays that come into the function by ``stmt``: made by it, or returned by a call."""
    return made(stmt) + (outside(stmt) if isinstance(stmt, Call) else ())


def shown(stmt: Stmt) -> Atom | None:
    """The array that the result of ``stmt`` is, or may be, or is a part of."""
    if isinstance(stmt, Copy) and stmt.sharing is not Sharing.COPY:
        return stmt.src
    base = _SHOWN[type(stmt)](stmt)
    return base[0] if base else None


def chosen(stmt: If | For | While) -> Iterator[tuple[Atom, Value]]:
    """The pairs of an atom and a value that is it in some case: behind a branch, in a loop."""
    match stmt:
        case If(outs=outs, then=then, orelse=orelse):
            yield from zip(then.yields, outs, strict=True)
            yield from zip(orelse.yields, outs, strict=True)
        case For(body=body) | While(body=body):
            for atoms_ in (stmt.inits, body.yields):
                yield from zip(atoms_, stmt.params, strict=True)
                yield from zip(atoms_, stmt.outs, strict=True)


def arms(branch: If, out: Atom) -> tuple[Atom, Atom]:
    """The two atoms of which ``out``, a result of ``branch``, is one."""
    k = branch.outs.index(out)
    return branch.then.yields[k], branch.orelse.yields[k]


def aliases(stmt: Stmt) -> Iterator[tuple[Atom, Value]]:
    """The pairs of an array and another name for it, or for a part of it, that ``stmt`` binds."""
    match stmt:
        case If() | For() | While():
            yield from ((atom, v) for atom, v in chosen(stmt) if not isinstance(v.type, Scalar))
        case _:
            yield from _parts(stmt)


def _parts(stmt: Simple) -> Iterator[tuple[Atom, Value]]:
    if (base := shown(stmt)) is not None:
        yield from ((base, out) for out in outs(stmt))


def reached(start: Iterable[Atom], pairs: Iterable[tuple[Atom, Atom]]) -> set[Atom]:
    """The atoms that ``pairs`` lead to from those of ``start``, these included."""
    after = grouped(pairs)
    return set(closure(start, lambda atom: after.get(atom, ())))
