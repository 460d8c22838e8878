"""Propagation of infinity and NaN: a number *shows* if the one result is so wherever that is.

    t = a / b                       t shows: sums and logarithms hand infinities on
    r = np.exp(x)                   r does not, for x >= 1 hides it
    return np.log(t) + (r if x < 1.0 else 2.0)

Nobody has a gradient there, so what is computed with a number that shows may take it to be finite.
One way to the result is enough, if it is taken whenever the number is computed: no infinity takes
another one away, for their difference is NaN. What stands in arrays counts as hidden, and so does
what leads to a result that is an array, or one of several: an item of their cotangents can be 0
while the item is infinite. Loops may run no time at all.
"""

from __future__ import annotations

from collections.abc import Iterable

from mooncake_rules.op_names import bare

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.partials import literals
from mooncake_transpiler.analysis.steps import constant_trips
from mooncake_transpiler.types import Scalar

# Ops that are infinite or NaN where one of the real arguments in these places is.
_HANDS_ON = {
    **dict.fromkeys(("add", "radd", "sub", "mul", "hypot"), (0, 1)),
    **dict.fromkeys(
        ("neg", "pos", "cast", "abs", "fabs", "square", "sqrt", "cbrt", "log", "log2", "log10",
         "log1p", "cosh", "sinh", "sin", "cos", "tan", "div"),
        (0,),
    ),
}  # fmt: skip
_POWERS = frozenset({"pow", "power", "float_power"})


def showing(func: ir.Func, results: Iterable[ir.Atom]) -> frozenset[ir.Value]:
    """The real numbers of ``func`` that show in ``results``, each of which is seen."""
    search = _NumbersShown()
    search.block(func.body, results)
    return frozenset(search.found)


class _NumbersShown:
    """A walk backwards: what shows behind a statement says what shows in front of it."""

    def __init__(self) -> None:
        self.found: set[ir.Value] = set()

    def block(self, block: ir.Block, ends: Iterable[ir.Atom]) -> set[ir.Atom] | None:
        """The numbers that show if ``block`` runs and ``ends`` show; None if all of them do."""
        if any(isinstance(s, ir.Raise) for s in block.stmts):
            return None
        shown = set(filter(_is_real, ends))
        for stmt in reversed(block.stmts):
            self._settle(ir.outs(stmt), shown)
            match stmt:
                case ir.Compute(out=out) if out in shown:
                    shown.update(filter(_is_real, handed_on(stmt)))
                case ir.If():
                    shown |= self._if(stmt, shown)
                case ir.For() | ir.While():
                    shown |= self._loop(stmt, shown)
                case _:
                    ir.without_blocks(stmt)
        return shown

    def _settle(self, values: Iterable[ir.Value], shown: set[ir.Atom]) -> None:
        for value in values:
            if value in shown:
                self.found.add(value)
            else:
                self.found.discard(value)

    def _if(self, stmt: ir.If, shown: set[ir.Atom]) -> set[ir.Atom]:
        then, orelse = (
            self.block(
                arm, [a for out, a in zip(stmt.outs, arm.yields, strict=True) if out in shown]
            )
            for arm in (stmt.then, stmt.orelse)
        )
        if then is None or orelse is None:
            return then or orelse or set()
        return then & orelse

    def _loop(self, stmt: ir.For | ir.While, shown: set[ir.Atom]) -> set[ir.Atom]:
        """A number that the loop carries shows in the next iteration and behind the last one."""
        held = [out in shown for out in stmt.outs]
        carried = [_is_real(param) for param in stmt.params]
        while True:
            both = [a and b for a, b in zip(held, carried, strict=True)]
            inside = self.block(stmt.body, _where(both, stmt.body.yields)) or set()
            new = [a and b in inside for a, b in zip(carried, stmt.params, strict=True)]
            if new == carried:
                break
            carried = new
        self._settle(stmt.params, inside)
        if isinstance(stmt, ir.For) and constant_trips(stmt):
            return inside | set(_where(carried, stmt.inits))
        return set(_where(both, stmt.inits))


def handed_on(stmt: ir.Compute) -> tuple[ir.Atom, ...]:
    """The arguments that ``stmt`` is infinite or NaN with."""
    if not all(map(_is_real, (stmt.out, *(a for a in stmt.args if isinstance(a, ir.Value))))):
        return ()
    name = bare(stmt.op)
    if name in _POWERS:
        return stmt.args[:1] if literals(stmt).get(1, 0) > 0 else ()
    return tuple(stmt.args[k] for k in _HANDS_ON.get(name, ()))


def _where(wanted: Iterable[bool], atoms: Iterable[ir.Atom]) -> list[ir.Atom]:
    return [atom for is_wanted, atom in zip(wanted, atoms, strict=True) if is_wanted]


def _is_real(atom: ir.Atom) -> bool:
    if not isinstance(atom, ir.Value) or not isinstance(atom.type, Scalar):
        return False
    return atom.type.dtype.is_float
