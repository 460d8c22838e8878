"""Linearisation: the linear map of each active scalar statement on cotangents.

    y = sin(x) * a          t = sin(x); p = cos(x); y = t * a
                            y: t_bar += y_bar * a, a_bar += y_bar * t;  t: x_bar += t_bar * p

The subterms of a rule's partials that do not contain the cotangent become ordinary statements
right after their op, so that the planner can decide for each value, primal or partial, whether to
save it or to compute it again; unused ones are dead code.

The rules conjugate partials of complex ops, as cotangents of complex numbers want it; of what then
flows into a real argument the real part is taken here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from mooncake_rules.expr import (
    SEED,
    Apply,
    Arg,
    Term,
    Y,
    arguments,
    eq,
    real,
    strong,
    substitute,
    where,
)
from mooncake_rules.masked_products import strengthened
from mooncake_rules.op import Result
from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.activity import Activity
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.analysis.partials import is_complex_number, literals, may_be_root
from mooncake_transpiler.analysis.refusal import refused
from mooncake_transpiler.analysis.spans import Spans
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, INT, DType, Scalar

_ARITHMETIC = frozenset(
    ("add", "sub", "mul", "div", "neg", "select", "lt", "le", "gt", "ge", "eq", "ne", "complex")
)


# Ops for which some arguments may not matter, and the first of these.
_MASKS = {"where": 1, "strong": 1, "np.nan_to_num": 0, "np.fmax": 0, "np.fmin": 0}

RECENT = 4  # statements among which a partial of the other argument is looked for: z * z


@dataclass(frozen=True, slots=True)
class Contribution:
    """``arg_bar += term``, with the cotangent for ``SEED`` and ``atoms[i]`` for ``Arg(i)``."""

    arg: ir.Value
    term: Term
    atoms: tuple[ir.Atom, ...]

    @property
    def is_plain(self) -> bool:
        """True if the cotangent is handed on unchanged."""
        return self.term == SEED

    def emit(self, bar: ir.Atom, use: Callable[[ir.Atom], ir.Atom], b: Builder) -> ir.Atom:
        """Append the computation of the contribution for the cotangent ``bar``."""
        assert isinstance(bar.type, Scalar)
        term = self.term
        if isinstance(bar, ir.Const) and bar.value == 1:
            term = substitute(term, {SEED.index: 1})

        def leaf(index: int) -> ir.Atom:
            return bar if index == SEED.index else use(self.atoms[index])

        return emit_term(term, bar.type.dtype.real, leaf, b)


Linear = dict[ir.Value, tuple[Contribution, ...]]


def linearize(
    func: ir.Func,
    memories: Memories,
    activity: Activity,
    results: Sequence[ir.Atom] = (),
    *,
    again: bool = False,
) -> tuple[ir.Func, Linear, bool]:
    """``func`` with the partials of its active ops inserted, and the linear map of each.

    The last item says if derivatives may be NaN where one of ``results`` is infinite. They may if
    that spares loops a question.
    ``again``: what these become is differentiated again.
    """
    linear: Linear = {}
    spans = Spans(func, memories, activity.active)
    masked = activity.upstream(_where_sides(func))
    relies = False
    if results and (asked := _asked_in_loops(func, activity, spans, masked)):
        relying = Spans(func, memories, activity.active, results)
        relies = _asked_in_loops(func, activity, relying, masked) < asked
        spans = relying if relies else spans
    steep = activity.upstream(_at_poles(func, activity, spans))

    def visit(block: ir.Block) -> ir.Block:
        b = Builder(free=True)
        for stmt in block.stmts:
            b.origin = stmt.origin
            b.add(ir.mapped(stmt, visit))
            if isinstance(stmt, ir.Compute) and activity.active(stmt.out):
                found = _contributions(stmt, activity, spans, masked, steep)
                terms = [(arg, strengthened(term) if again else term) for arg, term in found]
                linear[stmt.out] = tuple(_split(arg, term, stmt, b) for arg, term in terms)
        return b.block(block.yields)

    return replace(func, body=visit(func.body)), linear, relies


def _where_sides(func: ir.Func) -> Iterator[ir.Value]:
    """The operands of ``np.where``: the side not taken must not leak infinities.

    Nor must the factor of a product that is zero whatever that is, nor what is replaced.
    """
    for stmt in ir.walk(func.body):
        if isinstance(stmt, ir.Compute) and stmt.op in _MASKS:
            yield from (a for a in stmt.args[_MASKS[stmt.op] :] if isinstance(a, ir.Value))


def _at_poles(func: ir.Func, activity: Activity, spans: Spans) -> Iterator[ir.Value]:
    """The arguments whose cotangent may be infinite where the result is not: of roots at 0."""
    for stmt in ir.walk(func.body):
        if not isinstance(stmt, ir.Compute) or not activity.active(stmt.out):
            continue
        if spans.has_pole(stmt) or (may_be_root(stmt) and spans.partial(stmt, 0).wild):
            yield from (a for a in stmt.args if isinstance(a, ir.Value))


def _contributions(
    stmt: ir.Compute, activity: Activity, spans: Spans, masked: Collection[object],
    steep: Collection[object] = (),
) -> Iterator[tuple[ir.Value, Term]]:  # fmt: skip
    """The terms that ``stmt`` adds to cotangents: 0 for a zero one, whatever the partial is.

    Where the result is ``masked``, any partial may be infinite, if that does not show. Where it
    goes into what is ``steep``, its cotangent may be infinite, and a partial of 0 ends that.
    """
    is_masked = stmt.out in masked and not spans.shows(stmt.out)
    for k, arg in enumerate(stmt.args):
        if isinstance(arg, ir.Value) and activity.active(arg):
            if OPS[stmt.op].is_unknown(k):
                raise unknown_partial(stmt, k)
            product = spans.pull(stmt, k)
            if product is None:
                continue
            if stmt.out in steep and spans.partial(stmt, k).zero and not is_harmless(product):
                product = strong(substitute(product, {SEED.index: 1}), SEED)
            if (is_masked or spans.partial(stmt, k).wild) and not is_harmless(product):
                product = where(eq(SEED, 0), 0, product)
            is_projected = is_complex_number(stmt.out) and not is_complex_number(arg)
            yield arg, real(product) if is_projected else product


def _asked_in_loops(
    func: ir.Func, activity: Activity, spans: Spans, masked: Collection[object]
) -> int:
    """The number of contributions in loops that ask if the cotangent is zero."""
    return sum(
        asks_for_seed(product)
        for loop in ir.walk(func.body)
        if isinstance(loop, ir.For | ir.While)
        for stmt in ir.walk(loop.body)
        if isinstance(stmt, ir.Compute) and activity.active(stmt.out)
        for _, product in _contributions(stmt, activity, spans, masked)
    )


def asks_for_seed(product: Term) -> bool:
    """True if ``product`` is 0 for a SEED of 0 since it asks for that."""
    match product:
        case Apply("select", (Apply("eq", (seed, 0)), 0, _)):
            return seed == SEED
        case Apply("np.real", (inner,)):
            return asks_for_seed(inner)
        case _:
            return False


def unknown_partial(stmt: ir.Compute, k: int) -> Refused:
    """The refusal of a derivative that no rule gives."""
    return refused(
        "MK405",
        f"no rule gives the derivative with respect to argument {k + 1}",
        stmt.origin,
        "keep that argument constant",
    )


def is_cheap(stmt: ir.Compute) -> bool:
    """True if computing ``stmt`` again costs less than saving its result."""
    return not OPS[stmt.op].is_expensive(literals(stmt))


def is_harmless(product: Term) -> bool:
    """True if 0 for SEED gives 0 whatever the arguments are."""
    match product:
        case Apply("strong"):
            return True
        case Apply("select", (cond, *arms)):
            return SEED.index not in arguments(cond) and all(map(is_harmless, arms))
        case _:
            return arguments(product) <= {SEED.index}


def _split(arg: ir.Value, product: Term, stmt: ir.Compute, b: Builder) -> Contribution:
    """Compute the parts of ``product`` without the cotangent now; keep the rest as a term."""
    atoms: list[ir.Atom] = []
    assert isinstance(stmt.out.type, Scalar)
    precision = stmt.out.type.dtype.real

    def leaf(index: int) -> ir.Atom:
        return stmt.out if index == Y.index else stmt.args[index]

    def split(term: Term) -> Term:
        if not isinstance(term, Arg | Apply) or term == SEED:
            return term
        if isinstance(term, Apply) and SEED.index in arguments(term):
            return Apply(term.op, tuple(map(split, term.args)))
        atoms.append(emit_term(term, precision, leaf, b))
        return Arg(len(atoms) - 1)

    return Contribution(arg, split(product), tuple(atoms))


def emit_term(
    term: Term, precision: DType, leaf: Callable[[int], ir.Atom], b: Builder, op: str = "add"
) -> ir.Atom:
    """Append the computation of ``term``, an operand of ``op``, and return its value.

    ``precision`` is the dtype of floats, and of the parts of complex numbers.
    """
    match term:
        case Arg(index=index):
            return leaf(index)
        case Apply(op="complex", args=(int() | float() as re, int() | float() as im)):
            return ir.Const(complex(re, im), Scalar(precision.complex))
        case Apply(op=inner, args=args):
            atoms = [emit_term(a, precision, leaf, b, inner) for a in args]
            return _apply(inner, atoms, precision, b)
        case bool():
            return ir.Const(term, BOOL)
        case int() if op not in _ARITHMETIC:
            return ir.Const(term, INT)
        case _:
            assert isinstance(term, int | float)
            return ir.Const(float(term), Scalar(precision))


def _apply(op: str, atoms: list[ir.Atom], precision: DType, b: Builder) -> ir.Atom:
    """``op`` of ``atoms``, complex if one of them is; the real part of a real number is itself."""
    is_complex = any(map(is_complex_number, atoms))
    type_ = Scalar(precision.complex if is_complex else precision)
    match OPS[op].result:
        case Result.BOOL:
            type_ = BOOL
        case Result.REAL:
            type_ = Scalar(precision)
        case Result.COMPLEX:
            type_ = Scalar(precision.complex)
        case _:
            pass
    if op in ("np.real", "np.conj") and not is_complex:
        return atoms[0]
    if op == "np.conj" and isinstance(atoms[0], ir.Const):
        return ir.Const(atoms[0].value.conjugate(), type_)
    if op == "select":
        atoms[1:] = [_widened(a, type_, b) for a in atoms[1:]]
    if all(isinstance(atom, ir.Value) for atom in atoms):  # 0.0 equals -0.0
        for one in b.stmts[-RECENT:]:
            match one:
                case ir.Compute(op=done, args=args, out=out):
                    if (done, list(args), out.type) == (op, atoms, type_):
                        return out
                case _:
                    pass
    return b.compute(op, atoms, type_)


def _widened(atom: ir.Atom, type_: Scalar, b: Builder) -> ir.Atom:
    """``atom`` as an arm of a choice of ``type_``."""
    if not type_.dtype.is_complex or is_complex_number(atom):
        return atom
    if isinstance(atom, ir.Const):
        return ir.Const(complex(atom.value), type_)
    return b.compute("cast", (atom,), type_)
