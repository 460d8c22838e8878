"""Value ranges of the numbers of a function: those that can be 0, and those that can be infinite.

    r = x * x + 1.0        1 <= r, so 1.0 / r is finite
    if a > 0.0:            a is not 0 in here

Parameters count as finite, and so do quotients of numbers that are not differentiated: these are
given, too, as far as derivatives go. What is loaded from an array may be infinite where something
that is stored in it may, or what a call is given that fills it; of the arrays made here it is known
as well whether they hold negative numbers. An infinite item counts if others can be finite beside
it, so not by a divisor that all items of loops have in common, and only where ``hidden`` says so.
What shows in the result, as ``showing`` says, counts as finite, and its divisors as other than 0.
Extents of arrays, and integers that are made of them, count as other than 0: where there are no
items, nothing is divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from mooncake_rules.expr import Term, Y, eq, where
from mooncake_rules.poles import finite_product, grows_sooner, pole_of
from mooncake_rules.scalar import OPS
from mooncake_rules.spans import (
    ANY,
    FINITE,
    NONNEGATIVE,
    Span,
    between,
    exactly,
    limited,
    of_op,
    widened,
)

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.hidden import bound_in_loops, fillable, hides
from mooncake_transpiler.analysis.memory import Memories, Memory
from mooncake_transpiler.analysis.partials import (
    is_float_number,
    is_over_complex,
    is_root,
    literals,
    partial_of,
)
from mooncake_transpiler.analysis.showing import showing
from mooncake_transpiler.types import Array, Scalar

_QUOTIENTS = frozenset({"pow", "np.power", "np.float_power", "math.pow", "div", "np.reciprocal"})
_EXTENT = Span(0.0, zero=False)
_OF_ZERO = ("abs", "np.abs", "math.fabs", "np.fabs", "neg", "np.sqrt", "math.sqrt", "cast")
_OPPOSITE = {"gt": "le", "ge": "lt", "lt": "ge", "le": "gt", "eq": "ne", "ne": "eq"}
_SWAPPED = {"gt": "lt", "ge": "le", "lt": "gt", "le": "ge", "eq": "eq", "ne": "ne"}


class Spans:
    """The spans of the scalars of ``func``, and of their partials, where they are computed."""

    def __init__(
        self,
        func: ir.Func,
        memories: Memories,
        active: Callable[[ir.Atom], bool],
        results: Sequence[ir.Atom] = (),
    ) -> None:
        """``results``: the numbers of which nobody wants derivatives where they are infinite."""
        self._memories = memories
        self._active = active
        self._made: dict[ir.Atom, ir.Compute] = {
            s.out: s for s in ir.walk(func.body) if isinstance(s, ir.Compute)
        }
        self._of_loops = frozenset(bound_in_loops(func.body))
        self._showing = showing(func, results)
        self._tamed: set[ir.Value] = set()  # may be infinite, if that did not show
        self._settle(func, of_items=True)
        if self._wild and not hides(func, memories, self._wild):
            self._settle(func, of_items=False)

    def _settle(self, func: ir.Func, *, of_items: bool) -> None:
        """Find all that holds, with or without what is stored in arrays and may be infinite."""
        self._of: dict[ir.Value, Span] = {}
        self._partials: dict[ir.Value, tuple[Span, ...]] = {}
        self._poles: set[ir.Atom] = set()
        self._at_rest: set[ir.Value] = set()
        self._nonnegative = set(fillable(func, self._memories))
        self._wild: set[Memory] = set()
        self._items: set[ir.Atom] = set()  # those that may be infinite where others are not
        self._of_items = of_items
        self._refuted: set[Memory] = set()
        wild = -1
        while self._refuted or wild != len(self._wild):
            wild = len(self._wild)
            self._nonnegative -= self._refuted
            self._refuted.clear()
            self._block(func.body)

    def partial(self, stmt: ir.Compute, k: int) -> Span:
        """The span of the partial with respect to argument ``k`` of the active ``stmt``."""
        return self._partials[stmt.out][k]

    def pull(self, stmt: ir.Compute, k: int) -> Term | None:
        """The contribution of the result's cotangent SEED to that of argument ``k``."""
        term = self._factored(stmt, k)
        if term is None:
            term = OPS[stmt.op].pull(k, literals(stmt), over_complex=is_over_complex(stmt))
        return self._resting(stmt, term)

    def push(self, stmt: ir.Compute, k: int) -> Term | None:
        """The contribution of the tangent SEED of argument ``k`` to that of the result."""
        term = self._factored(stmt, k)
        if term is None:
            term = OPS[stmt.op].push(k, literals(stmt), over_complex=is_over_complex(stmt))
        return self._resting(stmt, term)

    def _factored(self, stmt: ir.Compute, k: int) -> Term | None:
        """The contribution of SEED by factors that are finite where the result is.

        The partial of a quotient may be too large for a float where the quotient is not.
        """
        return finite_product(stmt.op, k, literals(stmt)) if stmt.out in self._showing else None

    def shows(self, value: ir.Value) -> bool:
        """True if ``value`` counts as finite, since the result is not where it is not."""
        return value in self._showing

    def _resting(self, stmt: ir.Compute, term: Term | None) -> Term | None:
        """``term``, or 0 at the 0 of a root of what is never negative.

        There that is least, and its derivative 0, if it has one: so the convention is that the root
        has the derivative 0, as a distance has where it is 0.
        """
        if term is None or stmt.out not in self._at_rest:
            return term
        return where(eq(Y, 0), 0, term)

    def has_pole(self, stmt: ir.Compute) -> bool:
        """True if a partial of ``stmt`` can be infinite where its result is not."""
        return self._has_pole(stmt.out) and stmt.out not in self._tamed

    def moves_wildly(self, atom: ir.Atom) -> bool:
        """True if the tangent of ``atom`` may be infinite: with it, or behind a pole."""
        return self._get(atom).wild or atom in self._poles

    def _has_pole(self, out: ir.Value) -> bool:
        return not self._of[out].wild and any(p.wild for p in self._partials.get(out, ()))

    def _get(self, atom: ir.Atom) -> Span:
        match atom:
            case ir.Const(value=value):
                return Span(zero=value == 0) if isinstance(value, complex) else exactly(value)
            case ir.Value():
                return self._of.get(atom, FINITE)
            case ir.Undef():
                return FINITE

    def _block(self, block: ir.Block) -> None:
        for stmt in block.stmts:
            match stmt:
                case ir.Compute():
                    self._compute(stmt)
                case ir.Dim(out=out):
                    self._of[out] = _EXTENT
                case ir.If():
                    self._if(stmt)
                case ir.For() | ir.While():
                    self._loop(stmt)
                case ir.Call():
                    self._call(stmt)
                case _:
                    self._moved(stmt)

    def _moved(self, stmt: ir.Simple) -> None:
        """Numbers go from arrays, and from numbers, into others as they are."""
        for src in ir.sources(stmt):
            for out in ir.outs(stmt) if isinstance(src.type, Array) else ():
                if isinstance(out.type, Scalar):
                    self._of[out] = self._content(src)
                    if self._is_wild(src):
                        self._items.add(out)
            if _is_number(src):
                for array in (*ir.written(stmt), *ir.made(stmt)):
                    self._fill(array, src)
        if isinstance(stmt, ir.Alloc) and stmt.fill is not None:
            self._fill(stmt.out, stmt.fill)

    def _content(self, atom: ir.Atom) -> Span:
        """The span of the items of an array, or of a number."""
        if not isinstance(atom.type, Array):
            return self._get(atom)
        memory = self._memories.of(atom)
        found = NONNEGATIVE if memory in self._nonnegative else FINITE
        wild = memory in self._wild
        return replace(found, wild=wild, nan=wild)

    def _is_wild(self, atom: ir.Atom) -> bool:
        """True if items of ``atom``, or the number, may be infinite and others not."""
        is_array = isinstance(atom.type, Array)
        return self._memories.of(atom) in self._wild if is_array else atom in self._items

    def _fill(self, array: ir.Atom, src: ir.Atom) -> None:
        memory = self._memories.of(array)
        if self._content(src).lo < 0 and memory in self._nonnegative:
            self._refuted.add(memory)
        if self._of_items and self._is_wild(src):
            self._wild.add(memory)

    def _call(self, stmt: ir.Call) -> None:
        """Results of a call that is given infinities may have some."""
        writes = list(self._memories.writes(stmt))
        self._refuted |= self._nonnegative.intersection(writes)
        if self._of_items and any(self._is_wild(a) for a in stmt.args if _is_number(a)):
            for out in stmt.outs:
                if isinstance(out.type, Array):
                    self._wild.add(self._memories.of(out))
                else:
                    self._of[out] = ANY
                    self._items.add(out)
            self._wild.update(writes)

    def _compute(self, stmt: ir.Compute) -> None:
        args = tuple(map(self._get, stmt.args))
        is_complex = is_over_complex(stmt)
        found = None if is_complex else self._with_square(stmt) or self._with_choice(stmt)
        if found is None:
            found = of_op(stmt.op, args, over_complex=is_complex)
        given = stmt.op in _QUOTIENTS and not any(map(self._active, stmt.args))
        if not is_float_number(stmt.out.type):
            made_of = (a for a, arg in zip(args, stmt.args, strict=True) if _is_value(arg))
            found = replace(found, zero=found.zero and any(a.zero for a in made_of))
        if not is_float_number(stmt.out.type) or (given and not any(a.wild for a in args)):
            found = found.tame
        if stmt.out in self._showing:
            args, found = self._tame(stmt, args, found)
        self._of[stmt.out] = found
        common = stmt.op == "div" and self._is_common(stmt.args[1])
        if found.wild and (any(map(self._is_wild, stmt.args)) or not (common or _wild(args))):
            self._items.add(stmt.out)
        if self._active(stmt.out):
            least = args[0].zero and args[0].lo >= 0 and stmt.args[0] not in self._poles
            if least and is_root(stmt):
                self._at_rest.add(stmt.out)
                args, found = (replace(args[0], zero=False), *args[1:]), replace(found, zero=False)
            else:
                self._at_rest.discard(stmt.out)
            of = partial(partial_of, stmt, args, found, is_complex=is_complex)
            partials = tuple(
                of(k) if self._active(arg) else exactly(0) for k, arg in enumerate(stmt.args)
            )
            if self._is_tamed(stmt):
                partials = tuple(p.tame for p in partials)
            self._partials[stmt.out] = partials
            if self._has_pole(stmt.out) or not self._poles.isdisjoint(stmt.args):
                self._poles.add(stmt.out)

    def _tame(
        self, stmt: ir.Compute, args: tuple[Span, ...], found: Span
    ) -> tuple[tuple[Span, ...], Span]:
        """The spans of arguments and result where the result is finite."""
        apart = pole_of(stmt.op, literals(stmt))
        if found.wild:
            self._tamed.add(stmt.out)
        args = tuple(replace(a, zero=False) if k == apart else a for k, a in enumerate(args))
        return args, found.tame

    def _is_tamed(self, stmt: ir.Compute) -> bool:
        """True if the partials of ``stmt`` are finite, since the result is."""
        known = literals(stmt)
        pole = pole_of(stmt.op, known)
        follows = grows_sooner(stmt.op, known) or pole is not None
        return stmt.out in self._showing and follows

    def _is_common(self, atom: ir.Atom) -> bool:
        """True if ``atom`` is the same in all iterations."""
        made = self._made.get(atom)
        return atom not in self._of_loops or (
            made is not None and all(map(self._is_common, made.args))
        )

    def _with_square(self, stmt: ir.Compute) -> Span | None:
        """The span of a product ``x * x``, ``-x * x`` or ``a * x * x``; None for others."""
        if stmt.op != "mul":
            return None
        left, right = stmt.args
        for x, other in ((left, right), (right, left)):
            square = of_op("np.square", (self._get(x),))
            match self._made.get(other):
                case _ if x is other:
                    return square
                case ir.Compute(op="neg", args=(inner,)) if inner is x:
                    return of_op("neg", (square,))
                case ir.Compute(op="mul", args=(a, b)) if x is a or x is b:
                    return of_op("mul", (self._get(b if x is a else a), square))
                case _:
                    pass
        return None

    def _with_choice(self, stmt: ir.Compute) -> Span | None:
        """The span of one of two numbers by a condition on them; None for others."""
        if stmt.op not in ("select", "where"):
            return None
        cond, one, other = stmt.args
        return self._where(cond, True, one) | self._where(cond, False, other)

    def _where(self, cond: ir.Atom, holds: bool, atom: ir.Atom) -> Span:
        """The span of ``atom`` where ``cond`` is ``holds``."""
        facts: dict[ir.Atom, Span] = dict(self._known(cond, holds))
        return facts.get(atom) or self._get(atom)

    # ---- control --------------------------------------------------------------------------------

    def _if(self, stmt: ir.If) -> None:
        ends: list[list[Span | None]] = []
        for arm, holds in ((stmt.then, True), (stmt.orelse, False)):
            facts = dict(self._known(stmt.cond, holds))
            before = {value: self._of.get(value) for value in facts}
            self._of |= facts
            self._block(arm)
            ends.append([None if isinstance(a, ir.Undef) else self._get(a) for a in arm.yields])
            for value, found in before.items():
                if found is None:
                    del self._of[value]
                else:
                    self._of[value] = found
        for out, a, b in zip(stmt.outs, *ends, strict=True):
            if isinstance(out.type, Scalar):
                self._of[out] = a | b if a and b else a or b or FINITE
        self._join(stmt)

    def _loop(self, stmt: ir.For | ir.While) -> None:
        """Iterate over the loop to a fixed point; a bound that moves is dropped."""
        if isinstance(stmt, ir.For):
            self._of[stmt.index] = between(self._get(stmt.lo), self._get(stmt.hi))
        numbers = [k for k, param in enumerate(stmt.params) if isinstance(param.type, Scalar)]
        found = [self._get(stmt.inits[k]) for k in numbers]
        while True:
            for k, span in zip(numbers, found, strict=True):
                self._of[stmt.params[k]] = self._of[stmt.outs[k]] = span
            if isinstance(stmt, ir.While):
                self._block(stmt.cond)
            self._block(stmt.body)
            last = [self._get(stmt.body.yields[k]) for k in numbers]
            new = [widened(a, b) for a, b in zip(found, last, strict=True)]
            poles = len(self._poles) + len(self._items)
            self._join(stmt)
            if new == found and len(self._poles) + len(self._items) == poles:
                return
            found = new

    def _join(self, stmt: ir.If | ir.For | ir.While) -> None:
        """The values that ``stmt`` chooses are such as what it chooses from."""
        for some in (self._poles, self._items):
            some |= {value for atom, value in ir.chosen(stmt) if atom in some}

    # ---- conditions -----------------------------------------------------------------------------

    def _known(self, cond: ir.Atom, holds: bool) -> Iterator[tuple[ir.Value, Span]]:
        """The spans of numbers that follow from ``cond`` being ``holds``."""
        made = self._made.get(cond)
        match made:
            case ir.Compute(op="not", args=(inner,)):
                yield from self._known(inner, not holds)
            case ir.Compute(op="and" | "or", args=(a, b)) if (made.op == "and") == holds:
                yield from self._known(a, holds)
                yield from self._known(b, holds)
            case ir.Compute(op=op, args=(a, b)) if op in _OPPOSITE:
                relation = op if holds else _OPPOSITE[op]
                surely = holds or op in ("eq", "ne")  # NaN fails comparisons
                for x, way, y in ((a, relation, b), (b, _SWAPPED[relation], a)):
                    one, other = self._get(x), self._get(y)
                    if isinstance(x, ir.Value) and (surely or not (one.wild or other.wild)):
                        yield from self._apart(x, limited(one, way, other))
            case _:
                pass

    def _apart(self, value: ir.Value, found: Span) -> Iterator[tuple[ir.Value, Span]]:
        """``value`` is ``found``, and if that is not 0, neither is what it is the size of."""
        yield value, found
        made = self._made.get(value)
        if found.zero or made is None:
            return
        if made.op in _OF_ZERO or (made.op == "mul" and made.args[0] is made.args[1]):
            inner = made.args[0]
            if isinstance(inner, ir.Value):
                yield from self._apart(inner, replace(self._get(inner), zero=False))


def _wild(spans: Sequence[Span]) -> bool:
    return any(span.wild for span in spans)


def _is_number(atom: ir.Atom) -> bool:
    """True if ``atom`` is, or has, numbers with derivatives."""
    return isinstance(atom.type, Array | Scalar) and atom.type.dtype.is_differentiable


def _is_value(atom: ir.Atom) -> bool:
    return isinstance(atom, ir.Value)
