"""The values of parameters as they come in, and the state of their objects in the end.

What a parameter is one of several of (``x: float | None``) is told apart at the start: the body is
lowered once for each alternative, in an arm of its own, and knows which one it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.border.borders import CONTENT, flat
from mooncake_transpiler.border.paths import fields
from mooncake_transpiler.frontend.entities import EnumMember
from mooncake_transpiler.frontend.lower.call import over_tables
from mooncake_transpiler.frontend.lower.call.results import closed
from mooncake_transpiler.frontend.lower.container import listed, recorded
from mooncake_transpiler.frontend.lower.instance import given_rows, heap, linked_rows
from mooncake_transpiler.frontend.lower.instance.given_rows import GivenRows
from mooncake_transpiler.frontend.lower.instance.linked_rows import Linked
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.row import optional_items
from mooncake_transpiler.frontend.lower.scalar.scalars import compute, constant
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import final
from mooncake_transpiler.frontend.lower.state.flow import NO_NAMES
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText, Turned
from mooncake_transpiler.frontend.lower.state.leaves import is_text, options_of, same
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Conflict,
    Either,
    Items,
    Maybe,
    Operand,
    Passed,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held, PoolOf, RowOf, TableOf
from mooncake_transpiler.types import (
    NONE,
    List,
    NoneType,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    Tuple,
    Type,
    leaves,
    parts,
)

MAX_ARMS = 16  # alternatives of all parameters together
Chosen = Mapping[str, int]  # which alternative is there, by path


@dataclass(frozen=True, slots=True)
class Open:
    """Something that may be one of several: where, and the number that says which."""

    path: str
    tag: ir.Value
    type: OneOf


@dataclass(slots=True)
class Arm:
    """The parameters of a function as one arm of it sees them."""

    ctx: Context
    node: cst.CSTNode
    chosen: Chosen
    objects: dict[str, Ref] = field(default_factory=dict)  # by path
    before: dict[str, Operand] = field(default_factory=dict)  # fields of objects, by path
    lists: dict[str, tuple[Ref, List]] = field(default_factory=dict)  # by path
    absent: set[ir.Value] = field(default_factory=set)  # leaves of other alternatives
    changed: set[str] = field(default_factory=set)  # of the fields
    in_place: set[str] = field(default_factory=set)  # those that hold changed arrays
    relinked: set[str] = field(default_factory=set)  # those that refer to others of the objects
    types: dict[str, Type] = field(default_factory=dict)  # declared, of what holds lists
    rows: list[GivenRows] = field(default_factory=list)  # lists of objects that are in tables
    linked: dict[str, Linked] = field(default_factory=dict)  # objects with links, by path

    def bind(self, param: ir.Param) -> None:
        value = self._made(param.type, iter(param.leaves), param.name)
        self.ctx.frame.bind(param.name, value)

    def tabulate(self) -> None:
        """Put the objects in lists into the tables that are there for them."""
        self.rows += linked_rows.tabulate(self.ctx, self.node, self.linked)
        for path, (ref, type_) in self.lists.items():
            found = given_rows.taken(self.ctx, self.node, path, ref, type_)
            if found is not None:
                if path in self.chosen or path not in self.ctx.frame.values:
                    why = f"{path} is a part of a parameter"
                    raise self.ctx.heap.plan.keep_out(found[1].cls, why)
                self.lists[path] = found[0], type_
                self.ctx.frame.bind(path, found[0])
                self.rows.append(found[1])

    def _made(self, type_: Type, values: Iterator[ir.Value], path: str) -> Operand:
        match type_:
            case Tuple(cls=Held.TOLD | Held.MAYBE | Held.EITHER):
                return self._held(type_, values, path)
            case Tuple():
                return self._struct(type_, values, path)
            case OneOf(options=options):
                next(values)
                made: list[Operand] = []
                for k, option in enumerate(options):
                    own = [next(values) for _ in leaves(option)]
                    if k == self.chosen[path] and _is_open(option):
                        made.append(_passed(options, k, path))
                    elif k == self.chosen[path]:
                        made.append(self._made(option, iter(own), path))
                    else:
                        self.absent.update(own)
                return made[0]
            case Selector(value=value, of=None):
                return Static(value)
            case Selector(value=value, of=of) if of is not None:
                return Static(EnumMember(self.ctx.source.classes[of.module, of.name], value))
            case NoneType():
                return NOTHING
            case Opaque(spelled=spelled):
                return Passed(spelled, path)
            case List():
                ref = listed.given(self.ctx, self.node, type_, values, path)
                if type_.links:
                    return linked_rows.given(self.ctx, self.node, type_, ref, path, self.linked)
                self.lists[path] = containers.pairs(self.ctx, ref) or ref, type_
                return ref
            case Scalar(is_text=True):
                return RunText(next(values))
            case _:
                leaf = next(values)
                return self.ctx.numbers.constants.get(leaf, leaf)

    def _held(self, type_: Tuple, values: Iterator[ir.Value], path: str) -> Operand:
        """One of several members or texts, what may be None, a number or an array."""
        first = next(values)
        if type_.cls == Held.TOLD:
            return Told(first, options_of(type_))
        sides = [self._made(side, values, path) for side in type_.items[1:]]
        return Maybe(first, *sides) if type_.cls == Held.MAYBE else Either(first, *sides)

    def _struct(self, type_: Tuple, values: Iterator[ir.Value], path: str) -> Operand:
        if isinstance(type_.cls, RowOf):
            return over_tables.row(self.ctx, type_.cls, values)
        if isinstance(type_.cls, TableOf | PoolOf):
            return over_tables.given(self.ctx, type_.cls, [next(values) for _ in type_.items])
        if type_.is_record:
            return self._record(type_, values, path)
        made = {inner: self._made(item, values, inner) for inner, item in fields(type_, path)}
        if not type_.is_mutable or type_.of is None:
            items = Items(tuple(made.values()), type_.names, type_.cls, type_.of)
            return optional_items.whole(items) if optional_items.is_one_by_number(items) else items
        cls = self.ctx.source.classes[type_.of.module, type_.of.name]
        ref = objects.new(self.ctx, cls, flat(path))
        self.ctx.heap.given.add(ref.key)
        self.objects[path] = ref
        self.before |= made
        for (inner, part), item in zip(made.items(), type_.items, strict=True):
            self.ctx.frame.bind(objects.variable(ref, _last(inner)), part)
            if any(isinstance(part, List) for part in parts(item)):
                self.types[inner] = item
        return ref

    def _record(self, type_: Tuple, values: Iterator[ir.Value], path: str) -> Operand:
        """A dict: a key that it may lack comes with a number, 0 where it is there."""
        held: dict[str, tuple[ir.Atom, Operand]] = {}
        for key, (inner, item) in zip(type_.names or (), fields(type_, path), strict=True):
            there: ir.Atom = constant(True)
            if key in type_.optional:
                assert isinstance(item, OneOf)
                there = compute(self.ctx, self.node, "eq", (next(values), ir.ZERO))
                item = item.options[0]
            held[key] = there, self._made(item, values, inner)
        return recorded.given(self.ctx, held, path)

    # ---- what has become of objects --------------------------------------------------------------

    def assigned(self) -> tuple[ir.Atom | str, ...]:
        """The fields assigned so far, each behind its path: numbers and texts.

        Nothing if there is anything else among it: what the caller has must be of one moment.
        Arrays in an exception would never be freed by numba.
        """
        found: list[ir.Atom | str] = []
        values = self.ctx.frame.values
        if any(ref.key in self.ctx.heap.deeds.changed for ref, _ in self.lists.values()):
            return ()
        if self.ctx.heap.plan.copied or any(one.has_changed(self.ctx) for one in self.rows):
            return ()
        for path, ref in self.objects.items():
            for name in objects.fields(self.ctx.frame, ref):
                inner, value = f"{path}.{name}", values[objects.variable(ref, name)]
                if same(value, self.before.get(inner)):
                    continue
                if is_text(value):
                    found += (inner, str(value.value))
                elif isinstance(value, ir.Value | ir.Const) and isinstance(value.type, Scalar):
                    found += (inner, value)
                else:
                    return ()
        return tuple(found)

    def keep(self) -> None:
        """Note what the fields of all objects hold, where the body of this arm has ended."""
        frame, node = self.ctx.frame, self.node
        own = {ref.key for ref in self.objects.values()}
        own |= {ref.key for ref, _ in self.lists.values()}
        self._keep_lists()
        for path, ref in self.objects.items():
            for name in objects.fields(frame, ref):
                inner = f"{path}.{name}"
                value = frame.values[objects.variable(ref, name)]
                if inner not in self.before:
                    message = f"{inner} is assigned, which is no field of {ref.cls.name}"
                    raise self.ctx.refuse(node, "MK361", message, "declare it in the class")
                if not same(value, self.before[inner]):
                    if inner in self.linked:
                        raise linked_rows.root_assigned(self.ctx, self.node, inner)
                    self.changed.add(inner)
                    if isinstance(value, Ref) and value.key in own:
                        message = f"{inner} is assigned an object that the caller has"
                        raise self.ctx.refuse(node, "MK361", message, "assign a copy of it")
                    value = heap.snapshot(self.ctx, node, value)
                    if inner in self.types:
                        value = closed(self.ctx, node, value, self.types[inner])
                elif isinstance(value, Ref):
                    value = Conflict("not every alternative of the parameters assigns it")
                frame.values[final(inner, f"{ref.hint}_{name}")] = value

    def _keep_lists(self) -> None:
        """Note what lists hold that are parameters."""
        linked_rows.check_lists(self.ctx, self.node, self.linked)
        for one in self.rows:
            for name in one.assigned(self.ctx):
                if name in one.item.links:
                    path, of, held = linked_rows.last_links(self.ctx, self.node, one, name)
                    self.relinked.add(path)
                else:
                    path, of, held = one.last(self.ctx, self.node, name)
                    if one.is_in_place(self.ctx, self.node, name):
                        self.in_place.add(path)
                self.changed.add(path)
                self.types[path] = of
                value = listed.closed(self.ctx, self.node, held, of)
                self.ctx.frame.values[final(path, name)] = value
        tabled = {one.path for one in self.rows}
        for path, (ref, type_) in self.lists.items():
            is_changed = ref.key in self.ctx.heap.deeds.changed and not containers.is_tuple(ref)
            if path in tabled and not is_changed:
                continue
            if path in self.ctx.heap.plan.copied:
                if is_changed:
                    message = f"arrays in {path!r} are changed in place, and {path!r} is, too"
                    help_ = f"do one of them: {path}[k] = {path}[k] + ..., or {path}[k] += ..."
                    raise self.ctx.refuse(self.node, "MK312", message, help_)
                self.in_place.add(f"{path}{CONTENT}")
            if is_changed or path in self.ctx.heap.plan.copied:
                self.changed.add(f"{path}{CONTENT}")
            value = listed.closed(
                self.ctx, self.node, heap.snapshot(self.ctx, self.node, ref), type_
            )
            self.types[f"{path}{CONTENT}"] = type_
            self.ctx.frame.values[final(f"{path}{CONTENT}", ref.hint)] = value


def lower_arms(
    ctx: Context, node: cst.CSTNode, params: Sequence[ir.Param], body: Callable[[Arm], None]
) -> list[Arm]:
    """Lower ``body`` for all combinations of alternatives."""
    arms: list[Arm] = []

    def run(chosen: Chosen) -> None:
        found = next(_open(params, chosen), None)
        if found is None:
            if len(arms) == MAX_ARMS:
                message = f"the parameters have more than {MAX_ARMS} combinations of alternatives"
                help_ = "make a function for each, and choose among them in the caller"
                raise ctx.refuse(node, "MK362", message, help_)
            arm = Arm(ctx, node, chosen)
            arms.append(arm)
            ctx.assigned = arm.assigned
            for param in params:
                arm.bind(param)
            body(arm)
            arm.keep()
            return
        choose(found, chosen, 0)

    def choose(found: Open, chosen: Chosen, k: int) -> None:
        def this() -> None:
            run({**chosen, found.path: k})

        if k == len(found.type.options) - 1:
            this()
            return
        cond = compute(ctx, node, "eq", (found.tag, ir.int_const(k)))
        branches.branch(ctx, cond, this, lambda: choose(found, chosen, k + 1), NO_NAMES, False)

    run({})
    return arms


def _open(params: Sequence[ir.Param], chosen: Chosen) -> Iterator[Open]:
    """The alternatives that are not chosen yet."""
    for param in params:
        yield from _open_in(param.type, iter(param.leaves), param.name, chosen)


def _open_in(type_: Type, values: Iterator[ir.Value], path: str, chosen: Chosen) -> Iterator[Open]:
    match type_:
        case Tuple():
            for inner, item in fields(type_, path):
                of = type_.is_record and isinstance(item, OneOf) and item.options[-1] == NONE
                yield from _open_in(item, values, inner, {**chosen, inner: 0} if of else chosen)
        case OneOf(options=options):
            tag = next(values)
            own = [[next(values) for _ in leaves(option)] for option in options]
            if path not in chosen:
                yield Open(path, tag, type_)
            else:
                k = chosen[path]
                yield from _open_in(options[k], iter(own[k]), path, chosen)
        case _:
            for _ in leaves(type_):
                next(values)


def _last(path: str) -> str:
    return path.rpartition(".")[2]


def _is_open(option: Type) -> bool:
    """True for all other texts, and for texts that are told by what methods make of them."""
    return isinstance(option, Opaque) or (isinstance(option, Selector) and bool(option.methods))


def _passed(options: Sequence[Type], chosen: int, path: str) -> Passed:
    """The text that is option ``chosen``, as Python tests them: those of the texts first."""
    selectors = [one for one in options if isinstance(one, Selector) and one.of is None]
    texts = tuple(one.value for one in selectors if not one.methods)
    here = options[chosen]
    facts = []
    for one in selectors:
        is_before = options.index(one) < chosen
        is_same = isinstance(here, Selector) and here.methods == one.methods
        if one.methods and (is_before or is_same):
            facts.append(Turned(one.methods, one.value, one == here))
    spelled = here.spelled if isinstance(here, Opaque) else "str"
    return Passed(spelled, path, texts, tuple(facts))
