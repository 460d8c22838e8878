"""The body of one function, lowered for the types of its arguments and what is known of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import is_open
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import FunctionDecl, Source
from mooncake_transpiler.frontend.lower import calls
from mooncake_transpiler.frontend.lower.array import aliasing
from mooncake_transpiler.frontend.lower.builtin.growth import finished
from mooncake_transpiler.frontend.lower.call import (
    dimension_names,
    knowing,
    making_objects,
    over_tables,
    parameter_leaves,
    recursion,
    settled_flags,
)
from mooncake_transpiler.frontend.lower.call.changed_fields import border, expect_seen, rebound
from mooncake_transpiler.frontend.lower.call.exact_types import exact
from mooncake_transpiler.frontend.lower.call.parameter_defaults import default_shown
from mooncake_transpiler.frontend.lower.call.parameters import Arm, lower_arms
from mooncake_transpiler.frontend.lower.call.result_types import (
    dict_type,
    may_be_none,
    on_all_paths,
    result_type,
    unfit,
)
from mooncake_transpiler.frontend.lower.call.results import closed, convert_result, there
from mooncake_transpiler.frontend.lower.container import callers_lists, rebinding
from mooncake_transpiler.frontend.lower.dispatch import SYNTAX
from mooncake_transpiler.frontend.lower.instance import (
    from_tables,
    heap,
    linked_rows,
    once_only,
    tables,
)
from mooncake_transpiler.frontend.lower.object import absent_lists
from mooncake_transpiler.frontend.lower.row import pooled, replacing
from mooncake_transpiler.frontend.lower.scalar import given, made_texts, text_types
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.scalar.texts import told_apart
from mooncake_transpiler.frontend.lower.state import unset
from mooncake_transpiler.frontend.lower.state.context import Context, Functions, InLine
from mooncake_transpiler.frontend.lower.state.flags import EXIT, OBJECT, RESULT, RETURNED, meet
from mooncake_transpiler.frontend.lower.state.flow import NO_NAMES, written
from mooncake_transpiler.frontend.lower.state.identities import StepsNeeded
from mooncake_transpiler.frontend.lower.state.known import Facts
from mooncake_transpiler.frontend.lower.state.leaves import atoms, describe, type_of
from mooncake_transpiler.frontend.lower.state.operands import (
    FAILED,
    NOTHING,
    Conflict,
    Frame,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.lower.state.properties import Heap
from mooncake_transpiler.frontend.lower.state.syntax import Stmt, flat
from mooncake_transpiler.frontend.lower.state.tabled import (
    CODES,
    Again,
    Anew,
    ColumnsNeeded,
    KeysNeeded,
    TablePlan,
    later,
    others,
)
from mooncake_transpiler.frontend.lower.state.unset import Learnt
from mooncake_transpiler.frontend.lower.written import seeds
from mooncake_transpiler.types import NONE, Array, Tuple, Type, is_differentiable, without_none

MAX_PLANS = 100  # that are tried for the tables of a function


@dataclass(slots=True)
class FunctionLowering:
    """One function for one tuple of argument types, and the facts about its arguments."""

    source: Source
    functions: Functions
    decl: FunctionDecl
    types: tuple[Type, ...]
    known: Facts
    name: str
    outside: bool = False  # for callers outside of SRC alone
    supposing: bool = False  # calls that lead back don't return
    by_text: bool = field(default=False, init=False)  # attributes are one of the texts compared
    settled: tuple[str, ...] = field(default=(), init=False)  # flags that are their defaults
    names: Learnt = field(default_factory=Learnt, init=False)
    skipped: frozenset[object] = field(default=frozenset(), init=False)  # statements: `survey.py`
    learnt: Facts = field(default=(), init=False)  # about the result
    writes: frozenset[int] = field(default=frozenset(), init=False)  # leaves of the parameters
    copies: bool | None = field(default=None, init=False)  # see ``Callee``

    @property
    def there(self) -> Type | None:
        """The result of a public function that may return None, which is an error then."""
        declared = None if self.decl.result is None else self.decl.result.type
        if declared is None or not self.decl.is_public or declared == without_none(declared):
            return None
        return without_none(declared)

    @property
    def _is_there(self) -> bool:
        """True if None is an error as the result."""
        return self.there is not None or (self.outside and may_be_none(self.source, self.decl))

    def run(self) -> ir.Func:
        """The function; refused for text, for each text that is compared, or by texts' numbers."""
        if not self.outside and may_be_none(self.source, self.decl):
            raise InLine  # None is no error for others of the program
        try:
            return self._planned()
        except Refused as refusal:
            found = refusal
        for flags in settled_flags.flags(self.decl, found):
            self.settled = flags
            with suppress(Refused):
                return self._planned()
        self.settled = ()
        self.by_text = found.diagnostic.code == "MK363"
        with suppress(Refused):
            if self.by_text:
                return self._planned()
        self.by_text = False
        types = tuple(map(text_types.by_number, self.types))
        decl = text_types.result_by_number(self.decl)
        if decl.is_public and (types, decl) != (self.types, self.decl):
            self.types, self.decl = types, decl
            try:
                return self._planned()
            except Refused as refusal:
                found = later(found, refusal)
        raise found

    def _planned(self) -> ir.Func:
        """The function; if it is refused for its objects or lists, with these in tables."""
        if self.decl.node in self.functions.over_tables.makers:
            return self._making()
        plan = linked_rows.first_plan(self.types)
        try:
            return self._learnt(plan) if plan.is_wanted else self._lower(plan)
        except Refused as refusal:
            is_open = refusal.diagnostic.code in CODES or plan.is_made_in_recursion
            if not is_open and not plan.is_wanted:
                raise
            found = refusal
        except Again:  # the tables are the caller's, and stay as they are
            found = over_tables.changed(self.source, self.decl)
        for other in others(plan):
            try:
                return self._learnt(other, found)
            except Refused as refusal:
                found = later(found, refusal)
        raise found

    def _making(self) -> ir.Func:
        """The function, which makes objects in the tables that it is given."""
        plan = TablePlan(is_wanted=True)
        known = making_objects.columns(self.source, self.types)
        plan.columns |= known
        for _ in range(MAX_PLANS):
            with suppress(Again):
                return self._lower(plan)
            if plan.columns != known:
                raise ColumnsNeeded(plan.columns)
        raise linked_rows.unlearnt(self.source, self.decl)

    def _learnt(self, plan: TablePlan, first: Refused | None = None) -> ir.Func:
        """The function with objects and lists in the tables of ``plan``, which is learnt."""
        for _ in range(MAX_PLANS):
            with suppress(Again):
                return self._lower(plan)
        raise first or linked_rows.unlearnt(self.source, self.decl)

    def _lower(self, plan: TablePlan) -> ir.Func:
        """The function, with flags for the names that need them, and with dicts to be searched."""
        first: Refused | None = None
        while True:
            try:
                return self._lowered(plan)
            except Anew as item:
                first = first or item.refusal
            except StepsNeeded as steps:
                plan.stepped.add(steps.node)
            except KeysNeeded as keys:
                if keys.node in plan.searched:
                    raise keys.refusal from None
                plan.searched.add(keys.node)
                first = keys.refusal
            except Refused as second:
                raise (later(first, second) if first else second) from None

    def _lowered(self, plan: TablePlan) -> ir.Func:
        decl = self.decl
        body = (*settled_flags.settled(decl, self.settled), *flat(decl.node.body))
        shows = decl.written and decl.result is not None and decl.result.type == NONE
        if self._is_there or shows or (decl.result is None and not decl.is_public):
            body = (*body, cst.Return())  # what Python does at the end
        ctx = self._context(body, plan)
        result = self.names.result or (decl.outcome if self.there is None else None)
        origin = ctx.begin(decl.node)
        params = self._params(ctx)
        inputs = [leaf for param in params for leaf in param.leaves]
        ctx.memory.inputs.update(leaf for leaf in inputs if isinstance(leaf.type, Array))
        given.declare(ctx, decl, params, self.outside)
        ctx.numbers.constants.update(knowing.state(ctx, inputs, self.known))

        lower_arm = partial(self._lower_arm, ctx, params, body, result)
        arms = lower_arms(ctx, decl.node.name, params, lower_arm)
        value, type_ = self._given_back(ctx, result)
        self._note(ctx, value, inputs)
        changed = rebound(ctx, decl.node.name, arms)
        if any(one.is_content for one, _ in changed) and recursion.is_recursive(self.source, decl):
            message = f"{decl.name}, which is recursive, changes a list that it is given"
            raise ctx.refuse(decl.node.name, "MK304", message, "change a copy: list(xs)")
        if decl.written:
            expect_seen(ctx, decl, params, changed)
        if changed:
            type_ = Tuple((type_, Tuple(tuple(one.type for one, _ in changed))))
        made_texts.check(ctx, decl.node.name, type_)
        once_only.check(ctx)
        block = finished(ctx, [value, *(final for _, final in changed)])
        doc = decl.node.get_docstring() or ""
        apart = tuple(one for param in params for one in parameter_leaves.apart(param))
        return ir.Func(
            self.name, apart, type_, block, doc, origin, border=border(ctx, changed, arms)
        )

    def _lower_arm(
        self,
        ctx: Context,
        params: Sequence[ir.Param],
        body: Sequence[Stmt],
        declared: Type | None,
        arm: Arm,
    ) -> None:
        """The body for one combination of alternatives; ``declared`` is the type of the result."""
        frame, decl = ctx.frame, self.decl
        frame.returns.forget(0)  # those of other arms
        tables.begin(ctx)
        pooled.begin(ctx)
        seeds.begin(ctx)
        rebinding.begin(ctx, decl.node)
        arm.tabulate()
        outputs = tuple(frame.values[frame.variable(name)] for name in decl.written)
        dimension_names.declare(ctx, decl, params, arm.absent)
        if decl.is_public:
            dimension_names.check(ctx, decl, params, arm.absent)
        with callers_lists.copied(ctx, decl.node.name, params):
            self._run(ctx, body)
        if outputs and not isinstance(own := frame.values.get(RESULT), Conflict | None):
            shown = outputs if own == NOTHING else (own, *outputs)
            frame.values[RESULT] = shown[0] if len(shown) == 1 else Items(shown)
        self._close(ctx, declared)

    def _note(self, ctx: Context, value: Operand, inputs: Sequence[ir.Value]) -> None:
        """Note what callers may know: about the result, and what is written."""
        self.learnt = knowing.of_result(ctx, atoms(value), inputs)
        shown = ctx.memory.roots(*atoms(value)) & ctx.memory.shown.keys()
        if shown and self.copies is None and not self.outside:
            raise InLine  # a copy, where Python's result is a view of something
        self.writes = aliasing.writes_of(ctx, self.name, inputs)

    def _params(self, ctx: Context) -> list[ir.Param]:
        pairs = zip(self.decl.params, self.types, strict=True)
        told = [(p, told_apart(ctx.source, self.decl, p, t, self.by_text)) for p, t in pairs]
        types = [(p, exact(ctx.source, t)) for p, t in told]
        return [parameter_leaves.declared(p, t, default_shown(ctx, self.decl, p)) for p, t in types]

    def _given_back(self, ctx: Context, result: Type | None) -> tuple[Operand, Type]:
        """The result as it leaves the function, and its type; ``result`` is the annotated one."""
        decl = self.decl
        value = on_all_paths(ctx, self.decl, result)
        result = self.there or result
        type_ = self._result_type(ctx, value, result)
        if decl.infers_result and not decl.gives_dict and is_scalar(value):
            # The annotation says that it is an array: ranks that give one are better.
            ctx.functions.reduced[decl.node] = True
        if recursion.is_recursive(self.source, decl):
            value, self.copies = recursion.in_new_memory(ctx, value)
        return value, type_

    def _result_type(self, ctx: Context, value: Operand, declared: Type | None) -> Type:
        """The type of ``value`` as a result; without one, calls take the body instead."""
        node = self.decl.node.name
        if self.decl.gives_dict and declared is None:
            if isinstance(value, Items) and value.cls == Held.SEARCHED:
                raise unfit(ctx, self.decl, value, "a dict")
            found: Type | None = dict_type(ctx, node, value)
        elif declared is None:
            found = type_of(value)
        else:
            found = result_type(ctx, node, value, declared)
        is_unsaid = self.decl.result is None and not self.outside
        if found is None and self.outside:
            raise unfit(ctx, self.decl, value, describe(value))
        if found is None or (is_unsaid and is_open(found)):
            raise InLine
        is_one = self.decl.gives_dict or knowing.crosses(value)  # on all paths
        is_fit = is_one and is_differentiable(found)
        if self.decl.node.returns is None and is_one:
            return found
        if self.decl.infers_result and self.decl.is_public and not is_fit:
            got = str(found) if is_one else "that on some paths only"
            raise unfit(ctx, self.decl, value, got)
        return found

    def _context(self, body: Sequence[Stmt], plan: TablePlan) -> Context:
        """The state of lowering at the start of the function."""
        decl = self.decl
        stars = (decl.node.params.star_arg, decl.node.params.star_kwarg)
        refused = [star.name.value for star in stars if isinstance(star, cst.Param)]  # by the fence
        names = [*(p.name for p in decl.params), *written(body), *refused]
        said = decl.result if self.there is None else None
        result = self.names.result if said is None else said.type
        frame = Frame(self.source.modules[decl.module], body, names, None, result)
        frame.share(f"{OBJECT}0", decl.node, self.names.shared.get(decl.node, NO_NAMES))
        frame.decl, frame.is_there = decl, self._is_there
        for name in refused:
            frame.bind(name, FAILED)
        unset.begin(frame, decl.node, self.names)
        return Context(
            self.source, self.functions, SYNTAX, frame,
            heap=Heap(plan=plan), learnt=self.names, skipped=self.skipped,
            supposing=self.supposing, outside=self.outside,
        )  # fmt: skip

    def _run(self, ctx: Context, body: Sequence[Stmt]) -> None:
        """The body; or a call of what the decorators of the function make of it."""
        decl, frame = self.decl, ctx.frame
        if not calls.is_decorated(ctx, decl):
            ctx.lower.block(ctx, body, NO_NAMES, False)
            return
        args = [frame.values[p.name] for p in decl.params if not p.kwonly]
        keywords = {p.name: frame.values[p.name] for p in decl.params if p.kwonly}
        call = cst.Call(cst.Name(decl.node.name.value))
        value = ctx.lower.call(ctx, call, Static(decl), args, keywords)
        frame.values[RESULT] = convert_result(ctx, decl.node.name, value)
        frame.leave(EXIT, RETURNED)

    def _close(self, ctx: Context, declared: Type | None) -> None:
        """The result of one arm as Python gets it: without objects that can be changed."""
        frame, node = ctx.frame, self.decl.node.name
        value = over_tables.given_back(ctx, self.decl, frame.values.get(RESULT))
        if absent_lists.is_one(value):
            value = absent_lists.seen(ctx, value)
        if value is not None and not isinstance(value, Conflict):
            undeclared = declared is None and not self.decl.is_public
            if undeclared and (replacing.is_in_arrays(ctx, value) or not knowing.crosses(value)):
                raise InLine
            absent_lists.refuse(ctx, node, value)
            if frame.is_there:
                declared = self.there or declared
                value = there(ctx, node, value, self.there)
            after, frame.bound = frame.bound, meet([frame.bound, *frame.returns.bounds])
            is_declared = declared is not None
            if self.decl.is_public:
                value = from_tables.taken_out(ctx, node, value)
            value = heap.snapshot(ctx, node, value, is_declared=is_declared)
            frame.bound = after
            frame.values[RESULT] = value if declared is None else closed(ctx, node, value, declared)
