"""Names and expressions of a function that stand for parts of its parameters.

def loss(layers: list[tuple[V, V]], x: V):   w: layers, each, item 0
    for w, b in layers:                      b: layers, each, item 1
        x = np.tanh(w @ x + b)
    first = layers[0][1][2:]                 first: layers, each, item 1
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.name.resolve import Found, Resolver
from mooncake_transpiler.frontend.rank.rank_numbers import is_number_property
from mooncake_transpiler.frontend.rank.rank_syntax import axes, index_arrays, integer, numbers
from mooncake_transpiler.frontend.rank.rank_tables import ELEMENTWISE, LIKE, REDUCING
from mooncake_transpiler.frontend.rank_evidence import EACH, Evidence, Part, Path
from mooncake_transpiler.frontend.text.trees import assigned, bindings, parameters
from mooncake_transpiler.reaching import grouped
from mooncake_transpiler.types import Array, List, Scalar, Tuple, Type, without_none


@dataclass(slots=True)
class ParameterParts:
    """The parts of ``params`` that the names of a function stand for.

    ``types`` of parameters tell what is inside them. ``run_over`` are the parts that loops run
    over, and that are unpacked.
    """

    resolver: Resolver
    module: str
    params: frozenset[str]
    types: Mapping[str, Type]
    numbers: frozenset[str] = frozenset()  # parameters that are numbers, as their text says
    objects: Mapping[cst.CSTNode, Part] = field(default_factory=dict)  # that are made
    parts: dict[str, Part] = field(default_factory=dict)
    run_over: list[Part] = field(default_factory=list)
    several: dict[Part, list[Part]] = field(default_factory=dict)  # by the name of each of them
    kept: frozenset[str] = frozenset()  # names of arrays of indices

    @classmethod
    def of(
        cls, resolver: Resolver, module: str, given: cst.Parameters, types: Mapping[str, Type],
        nodes: Sequence[cst.CSTNode], objects: Mapping[cst.CSTNode, Part] | None = None,
    ) -> ParameterParts:  # fmt: skip
        """The parts that names stand for in the function of ``nodes`` that takes ``given``."""
        params = frozenset(p.name.value for p in parameters(given))
        found = cls(resolver, module, params, types, numbers(given), objects or {})
        given_indices = {name for name in params if isinstance(types.get(name), Array | List)}
        found.kept = index_arrays(bindings(nodes)) - params | given_indices
        found._find(nodes)
        return found

    def _find(self, nodes: Sequence[cst.CSTNode]) -> None:
        """Find the names that stand for (parts of) parameters, wherever they are bound."""
        self.parts = {name: Part(name) for name in self.params}
        for name, parts in grouped(self._bindings(nodes)).items():
            given = [Part(name)] if name in self.params else []
            distinct = {*given, *parts}
            one = distinct.pop() if len(distinct) == 1 else None
            if one is None:
                self.parts.pop(name, None)
            else:
                self.parts[name] = one

    def _bindings(self, nodes: Sequence[cst.CSTNode]) -> Iterator[tuple[str, Part | None]]:
        for binding in bindings(nodes):
            target, value = binding.target, binding.value
            match binding.node:
                case cst.AugAssign():
                    pass
                case cst.For(iter=over) | cst.CompFor(iter=over):
                    yield from self._looped(target, over)
                case _ if value is not None:
                    yield from self._bound(target, value, self.part(value))
                case cst.AnnAssign():
                    pass
                case _:
                    yield from ((name, None) for name in binding.names)

    def _bound(
        self, target: cst.CSTNode, value: cst.BaseExpression | None, part: Part | None
    ) -> Iterator[tuple[str, Part | None]]:
        match target:
            case cst.Name(value=name):
                yield name, part
                if part is not None:  # also for what comes after it
                    self.parts.setdefault(name, part)
            case cst.Tuple(elements=targets) | cst.List(elements=targets):
                values: Sequence[cst.BaseExpression | None] = [None] * len(targets)
                if isinstance(value, cst.Tuple) and len(value.elements) == len(targets):
                    values = [element.value for element in value.elements]
                self._run_over(part)
                for k, (element, own) in enumerate(zip(targets, values, strict=True)):
                    mine = self._item(part, k) if own is None else self.part(own)
                    if isinstance(element, cst.StarredElement):
                        mine = part if part is None or self.type_of(part) is None else None
                    yield from self._bound(element.value, own, mine)
            case _:
                pass

    def _looped(
        self, target: cst.CSTNode | None, over: cst.BaseExpression
    ) -> Iterator[tuple[str, Part | None]]:
        """Names of a loop over a parameter, and over several with ``zip`` or ``enumerate``."""
        if isinstance(over, cst.Call):
            parts = target.elements if isinstance(target, cst.Tuple | cst.List) else ()
            inner = [part.value for part in parts]
            given = [arg.value for arg in over.args if arg.keyword is None]
            maker = self.lookup(over.func)
            if maker == External("builtins.zip"):
                targets = inner if len(inner) == len(given) else [None] * len(given)
                for one, run in zip(targets, given, strict=True):
                    yield from self._looped(one, run)
                return
            if maker == External("builtins.enumerate") and given:
                yield from self._looped(inner[1] if len(inner) == 2 else None, given[0])
                return
        if isinstance(over, cst.Tuple | cst.List):
            items = [element.value for element in over.elements]
            yield from () if target is None else self._displayed(target, items)
            return
        part = self.part(over)
        self._run_over(part)
        if target is not None:
            yield from self._bound(target, None, self._item(part))

    def _displayed(
        self, target: cst.CSTNode, items: Sequence[cst.BaseExpression]
    ) -> Iterator[tuple[str, Part | None]]:
        """``for w, b in ((w1, b1), (w2, b2))``: each name stands for an array of each item."""
        match target:
            case cst.Name(value=name):
                found = [part for part in map(self.part, items) if part is not None]
                arrays = [part for part in found if self.type_of(part) is None]
                each = Part(f"{name}#{len(self.several)}")
                if arrays and len(found) == len(arrays):
                    self.several[each] = arrays
                yield from self._bound(target, None, each if each in self.several else None)
            case cst.Tuple(elements=targets):
                rows = [
                    [element.value for element in item.elements]
                    for item in items
                    if isinstance(item, cst.Tuple) and len(item.elements) == len(targets)
                ]
                if len(rows) == len(items):
                    for one, column in zip(targets, zip(*rows, strict=True), strict=True):
                        yield from self._displayed(one.value, column)
            case _:
                pass

    def part(self, node: cst.BaseExpression) -> Part | None:
        """The part of a parameter that an expression gives, or an array of the same rank."""
        match node:
            case cst.Name(value=name):
                return self.parts.get(name)
            case cst.Call() if node in self.objects:
                return self.objects[node]
            case cst.Subscript(value=value):
                inner = self.part(value)
                return None if inner is None else self._subscripted(inner, node)
            case cst.Attribute(value=value, attr=cst.Name(value=name)):
                whole = self.part(value)
                if name == "T" and whole is not None and self.type_of(whole) is None:
                    return None if whole.dropped else whole
                return self._attribute(whole, name)
            case cst.IfExp(body=body, orelse=orelse):
                return self._one_of(body, orelse)
            case cst.BinaryOperation():
                return self._computed(node)
            case cst.UnaryOperation(operator=cst.Minus(), expression=value):
                return self.part(value)
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value="copy"))):
                return self.part(value)
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value="astype"))):
                whole = self.part(value)
                return None if whole is None else whole.computed()
            case cst.Call(func=func, args=[cst.Arg(value=first, keyword=None), *others]):
                maker = self.lookup(func)
                name = maker.qualname if isinstance(maker, External) else ""
                return self._made(name, first, [arg.value for arg in others])
            case _:
                return None

    def _computed(self, node: cst.BinaryOperation) -> Part | None:
        """The part that has the rank of what arithmetic makes of it."""
        match node:
            case cst.BinaryOperation(left=left, right=right) if self._is_number(left):
                return self.part(right)
            case cst.BinaryOperation(left=left, right=right) if self._is_number(right):
                return self.part(left)
            case cst.BinaryOperation(left=value, right=cst.Call() as call):
                whole = self.part(value)
                return whole if self.reduced(call) == whole else None
            case cst.BinaryOperation(
                left=cst.Name() | cst.Subscript() as left,
                operator=cst.Add() | cst.Subtract(),
                right=cst.Name() | cst.Subscript() as right,
            ):
                whole = self.part(left)
                return whole if self.part(right) == whole else None
            case _:
                return None

    def _made(
        self, name: str, first: cst.BaseExpression, others: Sequence[cst.BaseExpression]
    ) -> Part | None:
        """The array that a function of a library makes, if it has the rank of what it is given."""
        if name in LIKE:
            return self.part(first)
        if name == "numpy.where" and len(others) == len("xy"):
            whole = self._one_of(*others)
        else:
            arrays = [one for one in (first, *others) if not self._is_number(one)]
            is_one = name in ELEMENTWISE and len(arrays) == 1
            whole = self.part(arrays[0]) if is_one else None
        return None if whole is None or self.type_of(whole) is not None else whole.computed()

    def _one_of(self, *nodes: cst.BaseExpression) -> Part | None:
        """The part that one of ``nodes`` is, as all of them have one rank."""
        found = {self.part(node) for node in nodes} - {None}
        return found.pop() if len(found) == 1 else None

    def _is_number(self, node: cst.BaseExpression) -> bool:
        match node:
            case cst.Integer() | cst.Float():
                return True
            case cst.Name(value=name):
                return name in self.numbers
            case cst.UnaryOperation(operator=cst.Minus(), expression=inner):
                return self._is_number(inner)
            case cst.BinaryOperation(left=left, right=right):
                return self._is_number(left) and self._is_number(right)
            case cst.Attribute(value=value, attr=cst.Name(value=name)):
                whole = self.part(value)
                return whole is not None and self._has_number(whole, name)
            case _:
                return False

    def _has_number(self, part: Part, name: str) -> bool:
        """True if the attribute ``name`` of ``part`` is a number, by its annotation."""
        of = self.type_of(part)
        if not isinstance(of, Tuple):
            return False
        if name in (of.names or ()):
            return isinstance(without_none(of.items[(of.names or ()).index(name)]), Scalar)
        return of.of is not None and is_number_property(self.resolver, of.of, name)

    def type_of(self, part: Part) -> Type | None:
        """The type of ``part``; None for an array, and where it is not known."""
        type_ = self.types.get(part.param)
        for step in part.path:
            match type_:
                case List(item=item):
                    type_ = item
                case Tuple(items=items, names=names):
                    at = names.index(step) if names and isinstance(step, str) else step
                    type_ = items[at] if isinstance(at, int) else None
                case _:
                    return None
            type_ = None if type_ is None else without_none(type_)
        return type_ if isinstance(type_, List | Tuple) else None

    def _item(self, part: Part | None, k: int | None = None) -> Part | None:
        """Item ``k`` of ``part``, or any of them."""
        if part is None:
            return None
        match self.type_of(part):
            case None:
                return part.fixed(1)
            case List():
                return part.inside(EACH)
            case Tuple(items=items, names=names) if k is not None and -len(items) <= k < len(items):
                return part.inside(names[k] if names else k % len(items))
            case _:
                return None

    def _attribute(self, part: Part | None, name: str) -> Part | None:
        of = None if part is None else self.type_of(part)
        if isinstance(of, Tuple) and name in of.links:
            return part  # another object of the class, whose arrays have the same ranks
        is_field = isinstance(of, Tuple) and not of.is_record and name in (of.names or ())
        return part.inside(name) if part is not None and is_field else None

    def _subscripted(self, part: Part, node: cst.Subscript) -> Part | None:
        match self.type_of(part), node.slice:
            case None, _:
                fixed, _, new = axes(node, self.kept)
                return None if new else part.fixed(fixed)
            case List(), [cst.SubscriptElement(slice=cst.Slice())]:
                return part
            case List(), [_]:
                return part.inside(EACH)
            case Tuple() as of, [cst.SubscriptElement(slice=cst.Index(value=index))]:
                if of.is_record and isinstance(index, cst.SimpleString):
                    key = index.evaluated_value
                    return part.inside(str(key)) if key in (of.names or ()) else None
                k = integer(index)
                return None if k is None else self._item(part, k)
            case _:
                return None

    def reduced(self, call: cst.Call) -> Part | None:
        """``x`` of ``x.sum(axis=0)`` and ``np.sum(x, axis=0)``, which have an axis less."""
        match call.func:
            case cst.Attribute(value=value, attr=attr) if attr.value in REDUCING:
                if (own := self.part(value)) is not None:
                    return own
            case _:
                pass
        maker = self.lookup(call.func)
        if not isinstance(maker, External) or not call.args:
            return None
        is_one = maker.qualname.removeprefix("numpy.") in REDUCING
        return self.part(call.args[0].value) if is_one else None

    def lookup(self, node: cst.BaseExpression) -> Found | None:
        match node:
            case cst.Name(value=name) if name in self.params or name in self.parts:
                return None
            case cst.Name() | cst.Attribute():
                return self.resolver.lookup(self.module, node)
            case _:
                return None

    def given(self, names: Sequence[str], args: Iterable[cst.Arg]) -> dict[str, Part]:
        """The parts that arguments are, by their parameters; ``names`` are those by position."""
        parts = {name: self.part(value) for name, value in assigned(names, args)}
        return {name: part for name, part in parts.items() if part is not None}

    def _run_over(self, part: Part | None) -> None:
        if part is not None:
            self.run_over.append(part)


@dataclass(frozen=True, slots=True)
class ArrayEvidence:
    """Facts about arrays in parameters, by these and the ways inside them, as they are found."""

    parts: ParameterParts
    found: dict[tuple[str, Path], Evidence] = field(default_factory=dict)

    def array(self, node: cst.BaseExpression) -> Part | None:
        """The array in a parameter, or the part of one, that ``node`` is."""
        part = self.parts.part(node)
        return None if part is None or self.parts.type_of(part) is not None else part

    def about(self, part: Part) -> Evidence:
        """The facts about ``part``, to be added to."""
        return self.found.setdefault(part.place, Evidence())

    def need(self, part: Part | None, axes: int) -> None:
        """Note that ``part`` has so many axes at least, if it is an array."""
        if part is not None and axes and self.parts.type_of(part) is None:
            mine = self.about(part)
            mine.least = max(mine.least, part.dropped + axes)
