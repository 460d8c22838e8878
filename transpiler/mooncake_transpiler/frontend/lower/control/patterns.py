"""``case`` patterns: literals, alternatives, sequences, classes, dicts, captures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind, External
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.container import dicts
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.instance import instances, membership, protocols
from mooncake_transpiler.frontend.lower.object import containers, objects, unifying
from mooncake_transpiler.frontend.lower.operation import logic, shortcut
from mooncake_transpiler.frontend.lower.row import replacing
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE, TRUE
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand, Static

Capture = Callable[[], Operand]  # what a name stands for, to be looked up where the pattern fits
Fit = tuple[ir.Atom, Mapping[str, Capture]]  # whether it fits, and what is captured then

_SEQUENCE = Static(External("collections.abc.Sequence"))
_MAPPING = Static(External("collections.abc.Mapping"))
_LEN, _SLICE = Static(External("builtins.len")), Static(External("builtins.slice"))
_ITEM = Static(External("operator.getitem"))
_TEXT = Static(External("builtins.str"))

# Classes whose only positional pattern is for all of the instance.
_WHOLE = tuple(
    f"builtins.{name}" for name in ("bool", "dict", "float", "int", "list", "str", "tuple")
)


@dataclass(frozen=True, slots=True)
class TakenCase:
    """A condition, that a case takes its subject and its guard holds, and what it captures."""

    test: ir.Atom
    captured: Mapping[str, Capture]

    def bind(self, ctx: Context) -> None:
        """Let the names stand for what is captured, where the case is taken."""
        for name, value in self.captured.items():
            ctx.frame.bind(name, delayed.settle(ctx, value(), name))


def test(ctx: Context, case: cst.MatchCase, subject: Operand) -> TakenCase:
    """The condition that ``case`` takes ``subject``; names are bound if the pattern fits."""
    fits, captured = _fits(ctx, case.pattern, subject)
    guard, taken = case.guard, TakenCase(fits, captured)
    if guard is None or fits == FALSE:
        return taken

    def asked() -> Operand:
        taken.bind(ctx)
        return logic.condition(ctx, guard)

    both = shortcut.short_circuit(ctx, case.pattern, True, fits, asked)
    return TakenCase(numbers.as_scalar(ctx, case.pattern, both), captured)


def _fits(ctx: Context, pattern: cst.MatchPattern, subject: Operand) -> Fit:
    match pattern:
        case cst.MatchValue(value=value) | cst.MatchSingleton(value=value):
            operator = cst.Equal() if isinstance(pattern, cst.MatchValue) else cst.Is()
            literal = ctx.lower.expression(ctx, value)
            found = logic.compare(ctx, pattern, operator, subject, literal)
            return protocols.truth(ctx, pattern, found), {}
        case cst.MatchAs(pattern=within, name=name):
            fits, inner = (TRUE, {}) if within is None else _fits(ctx, within, subject)
            return fits, inner if name is None else {**inner, name.value: lambda: subject}
        case cst.MatchOr(patterns=options):
            return _any(ctx, pattern, [option.pattern for option in options], subject)
        case cst.MatchSequence(patterns=elements):
            return _sequence(ctx, pattern, elements, subject)
        case cst.MatchClass():
            return _instance(ctx, pattern, subject)
        case cst.MatchMapping():
            return _mapping(ctx, pattern, subject)
        case _:
            raise ctx.refuse(pattern, "MK110", "this kind of pattern is not supported")


def _sequence(
    ctx: Context,
    node: cst.CSTNode,
    elements: Sequence[cst.MatchSequenceElement | cst.MatchStar],
    subject: Operand,
) -> Fit:
    is_sequence = membership.instance_of(ctx, node, subject, _SEQUENCE)
    if is_sequence == FALSE or membership.instance_of(ctx, node, subject, _TEXT) == TRUE:
        return FALSE, {}
    if containers.is_list(subject):
        about = ctx.frame.values.get(containers.variable(subject))
        if isinstance(about, Items) and (
            containers.is_arrays(about) or containers.is_pooled(about)
        ):
            return _of_any_length(ctx, node, elements, subject)
        subject = containers.content(ctx, node, subject)
    if not isinstance(subject, Items) or is_sequence is None:
        message = f"a sequence pattern needs a tuple, got {describe(subject)}"
        raise ctx.refuse(node, "MK110", message)
    items, extra = list(subject.items), len(subject.items) - len(elements)
    captured: dict[str, Capture] = {}
    parts = []
    for k, element in enumerate(elements):
        if isinstance(element, cst.MatchSequenceElement):
            parts.append(element.value)
            continue
        if extra < -1:
            return FALSE, {}
        rest, items[k : k + extra + 1] = tuple(items[k : k + extra + 1]), []
        if element.name is not None:
            captured[element.name.value] = partial(Items, rest, is_list=True)
    if len(parts) != len(items):
        return FALSE, {}
    return _all(ctx, list(zip(parts, items, strict=True)), captured)


def _of_any_length(
    ctx: Context,
    node: cst.CSTNode,
    elements: Sequence[cst.MatchSequenceElement | cst.MatchStar],
    subject: Operand,
) -> Fit:
    """``[a, *rest, b]`` of a list of run-time length: it is long enough; items are captured."""
    call, count = partial(ctx.lower.call, ctx, cst.Call(cst.Name("_"))), len(elements)
    length = numbers.as_scalar(ctx, node, call(_LEN, (subject,)))
    starred = [k for k, one in enumerate(elements) if isinstance(one, cst.MatchStar)]
    least = ir.int_const(count - len(starred))
    fits = scalars.compute(ctx, node, "ge" if starred else "eq", (length, least))
    captured: dict[str, Capture] = {}
    for k, element in enumerate(elements):
        place = k - count if starred and k > starred[0] else k
        match element:
            case cst.MatchStar(name=cst.Name(value=name)):
                bounds = k, k + 1 - count or None
                ends = (Static(None) if b is None else ir.int_const(b) for b in bounds)
                key: Operand = call(_SLICE, tuple(ends))
            case cst.MatchSequenceElement(
                value=cst.MatchAs(pattern=None, name=cst.Name(value=name))
            ):
                key = ir.int_const(place)
            case cst.MatchStar() | cst.MatchSequenceElement(value=cst.MatchAs(pattern=None)):
                continue
            case _:
                message = "how many items this list has is not known ahead of time"
                help_ = "capture its items, and test them in a guard: `case [a, b] if a > 0`"
                raise ctx.refuse(node, "MK110", message, help_)
        captured[name] = partial(call, _ITEM, (subject, key))
    return fits, captured


def _all(
    ctx: Context, pairs: Sequence[tuple[cst.MatchPattern, Operand]], captured: dict[str, Capture]
) -> Fit:
    """All patterns fit their subjects; what they capture, beside ``captured``."""
    fits: ir.Atom = TRUE
    for inner, item in pairs:
        one, names = _fits(ctx, inner, item)
        fits = scalars.conjunction(ctx, fits, one)
        captured |= names
        if fits == FALSE:
            break
    return fits, captured


def _instance(ctx: Context, pattern: cst.MatchClass, subject: Operand) -> Fit:
    """``C(...)``: an instance of ``C`` whose attributes fit."""
    cls = ctx.lower.expression(ctx, pattern.cls)
    found = membership.instance_of(ctx, pattern, subject, cls)
    inner = [element.value for element in pattern.patterns]
    named = {element.key.value: element.pattern for element in pattern.kwds}
    sides = [
        side
        for side in unifying.sides_of(subject)
        if membership.instance_of(ctx, pattern, side, cls) == TRUE
    ]
    is_open = not isinstance(found, ir.Const) and (inner or named)
    if found is None or (is_open and len(sides) != 1):
        message = f"whether {describe(subject)} is an instance of this is not known ahead of time"
        raise ctx.refuse(pattern, "MK343", message, "test with isinstance, in an if")
    if found == FALSE or not (inner or named):
        return found, {}
    if isinstance(cls, Static) and isinstance(cls.value, External):
        if cls.value.qualname not in _WHOLE or len(inner) != 1 or named:
            message = "the attributes of this class are not known here"
            raise ctx.refuse(pattern, "MK110", message, "capture all of it: `case C() as x`")
        return _fits(ctx, inner[0], subject)
    assert isinstance(cls, Static)
    assert isinstance(cls.value, ClassDecl)
    names = [*_positional(ctx, pattern, cls.value, len(inner)), *named]
    pairs = dict(zip(names, [*inner, *named.values()], strict=True))
    if not is_open:
        return _all(ctx, [(p, _attribute(ctx, pattern, subject, n)) for n, p in pairs.items()], {})
    return _of_side(ctx, pattern, sides[0], found, pairs)


def _of_side(
    ctx: Context,
    node: cst.CSTNode,
    side: Operand,
    found: ir.Atom,
    pairs: Mapping[str, cst.MatchPattern],
) -> Fit:
    """The attributes of an object that is ``side`` where it is ``found`` to be of that class."""
    captured: dict[str, Capture] = {}
    tested: dict[str, cst.MatchPattern] = {}
    for name, pattern in pairs.items():
        match pattern:
            case cst.MatchAs(pattern=None, name=None):
                pass
            case cst.MatchAs(pattern=None, name=cst.Name(value=to)):
                captured[to] = partial(_attribute, ctx, node, side, name)
            case _:
                tested[name] = pattern

    def fits() -> Operand:
        items = [(p, _attribute(ctx, node, side, n)) for n, p in tested.items()]
        held, inner = _all(ctx, items, {})
        if inner:
            message = "what is captured inside of an object that may be of several classes"
            raise ctx.refuse(node, "MK110", message, "capture the attribute, and match that")
        return held

    both = shortcut.short_circuit(ctx, node, True, found, fits) if tested else found
    return numbers.as_scalar(ctx, node, both), captured


def _positional(ctx: Context, pattern: cst.MatchClass, cls: ClassDecl, count: int) -> Sequence[str]:
    """The attributes that the first patterns are for: fields of dataclasses and NamedTuples."""
    made = (ClassKind.NAMED, ClassKind.FROZEN, ClassKind.MUTABLE)
    options = cls.options or {}
    own = "__match_args__" in cls.constants or not options.get("match_args", True)
    if count and (cls.kind not in made or own or not cls.decorated):
        message = f"which attributes of {cls.name} these are for is not known here"
        raise ctx.refuse(pattern, "MK110", message, f"name them: {cls.name}(x=...)")
    names = [field.name for field in cls.parameters if not field.kwonly]
    if count > len(names):
        message = f"{cls.name}() accepts {len(names)} positional sub-patterns ({count} given)"
        raise ctx.refuse(pattern, "MK303", message)
    return names[:count]


def _attribute(ctx: Context, node: cst.CSTNode, subject: Operand, name: str) -> Operand:
    """An attribute that is certainly there, and no property."""
    cls = objects.declared(ctx, subject)
    if (cls is not None and name in cls.methods) or membership.has(ctx, subject, name) is not True:
        message = f"whether {describe(subject)} has an attribute {name} is not known ahead of time"
        raise ctx.refuse(node, "MK343", message, "match attributes that are set on all paths")
    return instances.get(ctx, subject, name)


def _mapping(ctx: Context, pattern: cst.MatchMapping, subject: Operand) -> Fit:
    """``{"a": ..., **rest}``: a dict that has these keys."""
    if not containers.is_dict(subject):
        if membership.instance_of(ctx, pattern, subject, _MAPPING) == FALSE:
            return FALSE, {}
        raise ctx.refuse(
            pattern, "MK110", f"a mapping pattern needs a dict, got {describe(subject)}"
        )
    keys = [ctx.lower.expression(ctx, element.key) for element in pattern.elements]
    if not all(dicts.has(ctx, pattern, subject, key) for key in keys):
        return FALSE, {}
    captured: dict[str, Capture] = {}
    if pattern.rest is not None:
        rest = replacing.new_dict(ctx, dicts.mapping(ctx, pattern, subject))
        for key in keys:
            dicts.remove(ctx, pattern, rest, key)
        captured[pattern.rest.value] = lambda: rest
    items = [dicts.item(ctx, pattern, subject, key) for key in keys]
    patterns = [element.pattern for element in pattern.elements]
    return _all(ctx, list(zip(patterns, items, strict=True)), captured)


def _any(
    ctx: Context, node: cst.CSTNode, options: Sequence[cst.MatchPattern], subject: Operand
) -> Fit:
    """The first of ``options`` that fits: it captures."""
    found: ir.Atom = FALSE
    for option in options:
        fits, captured = _fits(ctx, option, subject)
        if captured and (found != FALSE or not isinstance(fits, ir.Const)):
            message = "which alternative fits, and captures, is known at run time only"
            raise ctx.refuse(node, "MK110", message, "write a case for each")
        if fits == TRUE and found == FALSE:
            return TRUE, captured
        both = shortcut.short_circuit(ctx, node, False, found, lambda fits=fits: fits)  # type: ignore[misc]
        found = numbers.as_scalar(ctx, node, both)
    return found, {}
