"""Value ranges of the numbers of a function: those that can be 0, and those that can be infinite.

    r = x * x + 1.0        1 <= r, so 1.0 / r is finite
    if a > 0.0:            a is not 0 in here

Parameters and what is loaded from arrays count as finite (of the arrays made here it is known
whether they hold negative numbers), and so do quotients of numbers that are
not differentiated: these are given, too, as far as derivatives go. Extents of arrays, and integers
that are made of them, count as other than 0: where there are no items, nothing is divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from mooncake_rules.expr import SEED, Number, Term, Y, arguments, eq, where
from mooncake_rules.scalar import OPS
from mooncake_rules.spans import FINITE, NONNEGATIVE, Span, exactly, of_op, of_term

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memories, Memory
from mooncake_transpiler.types import Array, Scalar

_POWERS = frozenset({"pow", "np.power", "np.float_power", "math.pow"})
_QUOTIENTS = _POWERS | {"div", "np.reciprocal"}
_ROOTS = frozenset({"np.sqrt", "math.sqrt", "np.cbrt", "math.cbrt"})
_EXTENT = Span(0.0, zero=False)
_OF_ZERO = frozenset(
    {"abs", "np.abs", "math.fabs", "np.fabs", "neg", "np.sqrt", "math.sqrt", "cast"}
)
_OPPOSITE = {"gt": "le", "ge": "lt", "lt": "ge", "le": "gt", "eq": "ne", "ne": "eq"}
_SWAPPED = {"gt": "lt", "ge": "le", "lt": "gt", "le": "ge", "eq": "eq", "ne": "ne"}


class Spans:
    """The spans of the scalars of ``func``, and of their partials, where they are computed."""

    def __init__(
        self, func: ir.Func, memories: Memories, active: Callable[[ir.Atom], bool]
    ) -> None:
        self._memories = memories
        self._active = active
        self._of: dict[ir.Value, Span] = {}
        self._partials: dict[ir.Value, tuple[Span, ...]] = {}
        self._poles: set[ir.Value] = set()
        self._at_rest: set[ir.Value] = set()
        self._made = {s.out: s for s in ir.walk(func.body) if isinstance(s, ir.Compute)}
        self._nonnegative = set(_fillable(func, memories))
        self._refuted: set[Memory] = set()
        self._block(func.body)
        while self._refuted:
            self._nonnegative -= self._refuted
            self._refuted.clear()
            self._block(func.body)

    def partial(self, stmt: ir.Compute, k: int) -> Span:
        """The span of the partial with respect to argument ``k`` of the active ``stmt``."""
        return self._partials[stmt.out][k]

    def pull(self, stmt: ir.Compute, k: int) -> Term | None:
        """The contribution of the result's cotangent SEED to that of argument ``k``."""
        term = OPS[stmt.op].pull(k, literals(stmt), over_complex=is_over_complex(stmt))
        return self._resting(stmt, term)

    def push(self, stmt: ir.Compute, k: int) -> Term | None:
        """The contribution of the tangent SEED of argument ``k`` to that of the result."""
        term = OPS[stmt.op].push(k, literals(stmt), over_complex=is_over_complex(stmt))
        return self._resting(stmt, term)

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
        return self._has_pole(stmt.out)

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
                case ir.Load(out=out, base=array) | ir.Sum(out=out, array=array):
                    self._of[out] = self._content(array)
                case ir.Alloc(out=out, fill=ir.Const() as fill):
                    self._fill(out, self._get(fill))
                case ir.Store(base=array, value=value) | ir.Accum(base=array, value=value):
                    self._fill(array, self._get(value))
                case ir.Assign(dst=array, src=src) | ir.AddTo(dst=array, src=src):
                    self._fill(array, self._content(src))
                case ir.Copy(out=array, src=src):
                    self._fill(array, self._content(src))
                case ir.Call():
                    self._refuted.update(
                        self._nonnegative.intersection(self._memories.writes(stmt))
                    )
                case _:
                    pass

    def _content(self, atom: ir.Atom) -> Span:
        """The span of the items of an array, or of a number."""
        if not isinstance(atom.type, Array):
            return self._get(atom)
        return NONNEGATIVE if self._memories.of(atom) in self._nonnegative else FINITE

    def _fill(self, array: ir.Atom, found: Span) -> None:
        if found.lo < 0 and (memory := self._memories.of(array)) in self._nonnegative:
            self._refuted.add(memory)

    def _compute(self, stmt: ir.Compute) -> None:
        args = tuple(map(self._get, stmt.args))
        is_complex = is_over_complex(stmt)
        found = None if is_complex else self._with_square(stmt)
        if found is None:
            found = of_op(stmt.op, args, over_complex=is_complex)
        given = stmt.op in _QUOTIENTS and not any(map(self._active, stmt.args))
        if not _is_float(stmt.out):
            made_of = (a for a, arg in zip(args, stmt.args, strict=True) if _is_value(arg))
            found = replace(found, zero=found.zero and any(a.zero for a in made_of))
        if not _is_float(stmt.out) or (given and not any(a.wild for a in args)):
            found = replace(found, wild=False)
        self._of[stmt.out] = found
        if self._active(stmt.out):
            least = args[0].zero and args[0].lo >= 0 and stmt.args[0] not in self._poles
            if least and _is_root(stmt):
                self._at_rest.add(stmt.out)
                args, found = (replace(args[0], zero=False), *args[1:]), replace(found, zero=False)
            else:
                self._at_rest.discard(stmt.out)
            of = partial(_partial, stmt, args, found, is_complex=is_complex)
            self._partials[stmt.out] = tuple(
                of(k) if self._active(arg) else exactly(0) for k, arg in enumerate(stmt.args)
            )
            if self._has_pole(stmt.out) or not self._poles.isdisjoint(stmt.args):
                self._poles.add(stmt.out)

    def _with_square(self, stmt: ir.Compute) -> Span | None:
        """The span of a product ``x * x``, ``-x * x`` or ``a * x * x``; None for others."""
        if stmt.op != "mul":
            return None
        left, right = stmt.args
        for x, other in ((left, right), (right, left)):
            square = of_op("np.square", (self._get(x),))
            match self._made.get(other) if isinstance(other, ir.Value) else None:
                case _ if x is other:
                    return square
                case ir.Compute(op="neg", args=(inner,)) if inner is x:
                    return of_op("neg", (square,))
                case ir.Compute(op="mul", args=(a, b)) if x is a or x is b:
                    return of_op("mul", (self._get(b if x is a else a), square))
                case _:
                    pass
        return None

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
        self._join(stmt.outs, stmt.then.yields)
        self._join(stmt.outs, stmt.orelse.yields)

    def _loop(self, stmt: ir.For | ir.While) -> None:
        """Iterate over the loop to a fixed point; a bound that moves is dropped."""
        if isinstance(stmt, ir.For):
            self._of[stmt.index] = _between(self._get(stmt.lo), self._get(stmt.hi))
        numbers = [k for k, param in enumerate(stmt.params) if isinstance(param.type, Scalar)]
        found = [self._get(stmt.inits[k]) for k in numbers]
        while True:
            for k, span in zip(numbers, found, strict=True):
                self._of[stmt.params[k]] = self._of[stmt.outs[k]] = span
            if isinstance(stmt, ir.While):
                self._block(stmt.cond)
            self._block(stmt.body)
            last = [self._get(stmt.body.yields[k]) for k in numbers]
            new = [_widened(a, b) for a, b in zip(found, last, strict=True)]
            poles = len(self._poles)
            for targets in (stmt.params, stmt.outs):
                self._join(targets, stmt.inits)
                self._join(targets, stmt.body.yields)
            if new == found and len(self._poles) == poles:
                return
            found = new

    def _join(self, outs: Sequence[ir.Value], atoms: Sequence[ir.Atom]) -> None:
        """``outs`` may be ``atoms``."""
        self._poles |= {out for out, atom in zip(outs, atoms, strict=True) if atom in self._poles}

    # ---- conditions -----------------------------------------------------------------------------

    def _known(self, cond: ir.Atom, holds: bool) -> Iterator[tuple[ir.Value, Span]]:
        """The spans of numbers that follow from ``cond`` being ``holds``."""
        made = self._made.get(cond) if isinstance(cond, ir.Value) else None
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
                        yield from self._apart(x, _limited(one, way, other))
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


def _fillable(func: ir.Func, memories: Memories) -> Iterator[Memory]:
    """Memory of real numbers that all comes from the function itself."""
    own = {s.out for s in ir.walk(func.body) if isinstance(s, ir.Alloc | ir.Copy)}
    for root in own:
        memory = memories.of(root)
        if memory.dtype.is_float and own.issuperset(memory.roots):
            yield memory


def _partial(
    stmt: ir.Compute, args: tuple[Span, ...], out: Span, k: int, *, is_complex: bool
) -> Span:
    """The partial of ``stmt`` with respect to argument ``k``; 0 if it has none.

    Where numbers that are finite can give an infinite one, so do partials, the sooner.
    """
    if OPS[stmt.op].is_unknown(k):
        return FINITE
    term = OPS[stmt.op].pull(k, literals(stmt), over_complex=is_complex)
    if term is None:
        return exactly(0)
    known = {SEED.index: exactly(1), Y.index: out, **dict(enumerate(args))}
    found = of_term(term, lambda index: known[index], over_complex=is_complex)
    overflows = out.wild and not any(a.wild for a in args) and arguments(term) != {SEED.index}
    return replace(found, wild=found.wild or overflows)


def _is_root(stmt: ir.Compute) -> bool:
    """True if ``stmt`` is a real power between 0 and 1."""
    if is_over_complex(stmt):
        return False
    return stmt.op in _ROOTS or (stmt.op in _POWERS and 0 < literals(stmt).get(1, 0) < 1)


def literals(stmt: ir.Compute) -> dict[int, Number]:
    """The arguments that are known ahead of time."""
    return {
        k: arg.value
        for k, arg in enumerate(stmt.args)
        if isinstance(arg, ir.Const) and not isinstance(arg.value, complex)
    }


def _limited(a: Span, relation: str, b: Span) -> Span:
    """``a`` where it stands in ``relation`` to ``b``."""
    match relation:
        case "gt" | "ge":
            beyond = b.lo > 0 or (b.lo == 0 and relation == "gt")
            return replace(a, lo=max(a.lo, b.lo), zero=a.zero and not beyond)
        case "lt" | "le":
            beyond = b.hi < 0 or (b.hi == 0 and relation == "lt")
            return replace(a, hi=min(a.hi, b.hi), zero=a.zero and not beyond)
        case "ne" if b == exactly(0):
            return replace(a, zero=False)
        case _:
            return a


def _between(lo: Span, hi: Span) -> Span:
    """The indices of a loop."""
    return replace(lo | hi, zero=lo.lo <= 0 <= hi.hi or hi.lo <= 0 <= lo.hi)


def _widened(a: Span, b: Span) -> Span:
    """The union of both spans, without a bound where ``b`` goes beyond ``a``."""
    both = a | b
    return replace(
        both,
        lo=a.lo if a.lo <= b.lo else -float("inf"),
        hi=a.hi if a.hi >= b.hi else float("inf"),
    )


def _is_value(atom: ir.Atom) -> bool:
    return isinstance(atom, ir.Value)


def _is_float(value: ir.Value) -> bool:
    return isinstance(value.type, Scalar) and value.type.dtype.is_differentiable


def is_over_complex(stmt: ir.Compute) -> bool:
    """True if complex numbers go into ``stmt`` or come out of it."""
    return any(map(_is_complex, (stmt.out, *stmt.args)))


def _is_complex(atom: ir.Atom) -> bool:
    return isinstance(atom.type, Scalar) and atom.type.dtype.is_complex
