"""Ranks of arrays that annotations leave open, by what a function does with its parameters.

``x[i, j]``, ``n, m = x.shape``, ``x.shape[1]``, ``for row in x`` or a call with a parameter of
known rank say how many axes an array has at least, or exactly. Where nothing does, it is taken for
a vector in functions that no other calls. A rank that is not meant is a TypeError of the
derivatives, never a wrong result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst

from mooncake_transpiler.frontend.bindings import FunctionBinding
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.rank_syntax import axes, integer, not_compared, raises, terms
from mooncake_transpiler.frontend.rank_tables import (
    BUILTIN_READERS,
    INTEGRAL,
    LIKE,
    MATRICES,
    REDUCING,
    VECTORS,
)
from mooncake_transpiler.frontend.resolve import BoundName, Found, Resolver
from mooncake_transpiler.frontend.trees import bindings, walk

MAX_CALLS = 8  # how deep parameters are followed into functions that are called


@dataclass(frozen=True, slots=True)
class Part:
    """The array in ``param`` without its first ``dropped`` axes."""

    param: str
    dropped: int = 0


@dataclass(slots=True)
class Evidence:
    """Facts about the number of axes of one parameter."""

    least: int = 0
    exact: set[int] = field(default_factory=set)
    is_integral: bool = False  # it, or an element of it, is an index or a condition
    is_multiplied: bool = False  # by @, as vectors and matrices are

    @property
    def rank(self) -> int | None:
        """The rank; None if nothing tells it, or what tells it is at odds."""
        if not self.exact:
            return self.least or None
        return max(self.exact) if len(self.exact) == 1 and max(self.exact) >= self.least else None

    @property
    def tells_nothing(self) -> bool:
        """True where it may well be a vector."""
        return not self.exact and not self.least and not self.is_multiplied


def evidence(
    resolver: Resolver, module: str, node: cst.FunctionDef, around: tuple[str, ...] = ()
) -> Mapping[str, Evidence]:
    """Facts about each parameter of ``node``, by its body; ``around`` call it."""
    params = [*node.params.posonly_params, *node.params.params, *node.params.kwonly_params]
    reading = _Reading(resolver, module, around, {p.name.value: Evidence() for p in params})
    reading.follow(node)
    return reading.found


@dataclass(slots=True)
class _Reading:
    resolver: Resolver
    module: str
    around: tuple[str, ...]
    found: dict[str, Evidence]
    parts: dict[str, Part] = field(default_factory=dict)
    products: dict[str, Part] = field(default_factory=dict)  # names of what @ makes of these

    def follow(self, node: cst.FunctionDef) -> None:
        nodes = list(walk(node.body))
        self._name_parts(nodes)
        for binding in bindings(nodes):
            match binding.value:
                case cst.BinaryOperation(operator=cst.MatrixMultiply(), left=left, right=right):
                    part = self.part(left)
                    if part is not None and self.part(right) is None:
                        self.products |= dict.fromkeys(binding.names, part)
                case _:
                    pass
        for one in nodes:
            self._read(one)

    def _name_parts(self, nodes: Sequence[cst.CSTNode]) -> None:
        """Find the names that stand for (parts of) parameters, wherever they are bound."""
        self.parts = {name: Part(name) for name in self.found}
        bound: dict[str, list[Part | None]] = {}
        for name, part in self._bindings(nodes):
            bound.setdefault(name, []).append(part)
        for name, parts in bound.items():
            given = [Part(name)] if name in self.found else []
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
                self._need(part, 1)
                inner = None if part is None else Part(part.param, part.dropped + 1)
                for element, own in zip(targets, values, strict=True):
                    mine = inner if own is None else self.part(own)
                    yield from self._bound(element.value, own, mine)
            case _:
                pass

    def _looped(
        self, target: cst.CSTNode, over: cst.BaseExpression
    ) -> Iterator[tuple[str, Part | None]]:
        """Names of a loop over a parameter, and over several with ``zip`` or ``enumerate``."""
        targets: list[cst.CSTNode] = [target]
        runs: list[cst.BaseExpression | None] = [over]
        if isinstance(over, cst.Call) and isinstance(target, cst.Tuple | cst.List):
            maker = self._lookup(over.func)
            inner: list[cst.CSTNode] = [element.value for element in target.elements]
            given = [arg.value for arg in over.args if arg.keyword is None]
            if maker == External("builtins.zip") and len(inner) == len(given):
                targets, runs = inner, list(given)
            elif maker == External("builtins.enumerate") and len(inner) == 2 and over.args:
                targets, runs = inner, [None, over.args[0].value]
        for one, run in zip(targets, runs, strict=True):
            part = None if run is None else self.part(run)
            self._need(part, 1)
            item = None if part is None else Part(part.param, part.dropped + 1)
            yield from self._bound(one, None, item)

    def part(self, node: cst.BaseExpression) -> Part | None:
        """The part of a parameter that an expression gives, or an array of the same rank."""
        match node:
            case cst.Name(value=name):
                return self.parts.get(name)
            case cst.Subscript(value=value):
                inner, (fixed, _, new) = self.part(value), axes(node)
                return None if inner is None or new else Part(inner.param, inner.dropped + fixed)
            case cst.BinaryOperation(left=cst.Integer() | cst.Float(), right=value):
                return self.part(value)
            case cst.BinaryOperation(left=value, right=cst.Integer() | cst.Float()):
                return self.part(value)
            case cst.BinaryOperation(left=value, right=cst.Call() as call):
                whole = self.part(value)
                return whole if self._reduces(call) == whole else None
            case cst.UnaryOperation(operator=cst.Minus(), expression=value):
                return self.part(value)
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value="copy" | "astype"))):
                return self.part(value)
            case cst.Call(func=func, args=[cst.Arg(value=value, keyword=None), *_]):
                maker = self._lookup(func)
                like = isinstance(maker, External) and maker.qualname in LIKE
                return self.part(value) if like else None
            case _:
                return None

    def _reduces(self, call: cst.Call) -> Part | None:
        """``x`` of ``x.sum(axis=0)`` and ``np.sum(x, axis=0)``, which have an axis less."""
        match call.func:
            case cst.Attribute(value=value, attr=attr) if attr.value in REDUCING:
                own = self.part(value)
                if own is not None:
                    return own
            case _:
                pass
        maker = self._lookup(call.func)
        if not isinstance(maker, External) or not call.args:
            return None
        is_one = maker.qualname.removeprefix("numpy.") in REDUCING
        return self.part(call.args[0].value) if is_one else None

    def _read(self, node: cst.CSTNode) -> None:
        match node:
            case cst.Subscript():
                self._subscript(node)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple() as target)], value=value):
                self._unpacked(target, value)
            case cst.Call():
                self._call(node)
            case cst.Assert(test=test):
                self._checked(test, cst.Equal)
            case cst.If(test=test, body=cst.IndentedBlock(body=[first, *_])) if raises(first):
                self._checked(test, cst.NotEqual)
            case cst.If(test=test) | cst.While(test=test) | cst.IfExp(test=test):
                self._integral(test)
            case cst.UnaryOperation(operator=cst.BitInvert() | cst.Not(), expression=inner):
                self._integral(inner)
            case cst.Attribute(value=cst.Name(value=name)) if name in self.products:
                self._need(self.products[name], 2)
            case cst.Attribute(value=value, attr=cst.Name(value="T")):
                self._need(self.part(value), 2)
            case cst.BinaryOperation(operator=cst.MatrixMultiply(), left=left, right=right):
                self._multiplied(left, right)
            case _:
                pass

    def _multiplied(self, *factors: cst.BaseExpression) -> None:
        for part in map(self.part, factors):
            if part is not None:
                self.found[part.param].is_multiplied = True
                self._need(part, 1 if part.dropped else 0)

    def _subscript(self, node: cst.Subscript) -> None:
        fixed, sliced, _ = axes(node)
        self._need(self.part(node.value), fixed + sliced)
        shape = self._shape_of(node.value)
        match node.slice:
            case [cst.SubscriptElement(slice=cst.Index(value=index))] if shape is not None:
                k = integer(index)
                self._need(shape, 0 if k is None else k + 1 if k >= 0 else -k)
            case _:
                pass
        for element in node.slice:
            for one in not_compared(element):
                if isinstance(one, cst.Name | cst.Subscript):
                    self._integral(one)

    def _unpacked(self, target: cst.Tuple, value: cst.BaseExpression) -> None:
        self._need(self.part(value), 1)
        shape = self._shape_of(value)
        if shape is not None and not any(
            isinstance(one, cst.StarredElement) for one in target.elements
        ):
            self.found[shape.param].exact.add(shape.dropped + len(target.elements))

    def _shape_of(self, node: cst.BaseExpression) -> Part | None:
        match node:
            case cst.Attribute(value=value, attr=cst.Name(value="shape")):
                return self.part(value)
            case cst.Call(func=func, args=[cst.Arg(value=value)]):
                return self.part(value) if self._lookup(func) == External("numpy.shape") else None
            case _:
                return None

    def _checked(self, test: cst.BaseExpression, sign: type[cst.BaseCompOp]) -> None:
        """``assert x.ndim == 2``, or ``if x.ndim != 2: raise ...``."""
        match test:
            case cst.Comparison(
                left=cst.Attribute(value=value, attr=cst.Name(value="ndim")),
                comparisons=[cst.ComparisonTarget(operator=operator, comparator=right)],
            ) if isinstance(operator, sign):
                part, rank = self.part(value), integer(right)
                if part is not None and rank is not None:
                    self.found[part.param].exact.add(part.dropped + rank)
            case _:
                pass

    def _call(self, node: cst.Call) -> None:
        maker = self._lookup(node.func)
        match maker:
            case External(qualname=name):
                self._library(name, node)
            case BoundName(module=module, binding=FunctionBinding(node=callee)):
                self._program(module, callee, node.args)
            case _:
                pass
        if isinstance(node.func, cst.Attribute) and node.func.attr.value in REDUCING:
            self._along(self.part(node.func.value), node.args)
        for arg in node.args:
            if arg.star == "*":
                self._need(self.part(arg.value), 1)

    def _library(self, name: str, node: cst.Call) -> None:
        parts = [self.part(arg.value) for arg in node.args if arg.keyword is None]
        if name in ("numpy.dot", "numpy.matmul", "numpy.inner"):
            self._multiplied(*(arg.value for arg in node.args))
        if name in MATRICES and node.args:
            for term in terms(node.args[0].value):
                self._need(self.part(term), 2)
        for k in VECTORS.get(name, ()):
            self._need(parts[k] if k < len(parts) else None, 1)
        if name in BUILTIN_READERS and len(parts) == 1:
            self._need(parts[0], 1)
        if name in INTEGRAL:
            for arg in node.args:
                self._integral(arg.value)
        if name.removeprefix("numpy.") in REDUCING:
            self._along(parts[0] if parts else None, node.args[1:])

    def _along(self, part: Part | None, args: Sequence[cst.Arg]) -> None:
        """``np.sum(x, axis=1)``: there is such an axis."""
        for k, arg in enumerate(args):
            if (arg.keyword is None and k == 0) or (arg.keyword and arg.keyword.value == "axis"):
                axis = integer(arg.value)
                if axis is not None:
                    self._need(part, axis + 1 if axis >= 0 else -axis)

    def _program(self, module: str, callee: cst.FunctionDef, args: Sequence[cst.Arg]) -> None:
        """Arguments have the ranks that a function of the program needs its parameters to have."""
        key = f"{module}:{callee.name.value}"
        given = [(arg, self.part(arg.value)) for arg in args if not arg.star]
        if key in self.around or len(self.around) == MAX_CALLS or not any(p for _, p in given):
            return
        inner = evidence(self.resolver, module, callee, (*self.around, key))
        names = [p.name.value for p in (*callee.params.posonly_params, *callee.params.params)]
        for k, (arg, part) in enumerate(given):
            name = arg.keyword.value if arg.keyword else names[k] if k < len(names) else ""
            if part is not None and name in inner:
                own, mine = inner[name], self.found[part.param]
                mine.exact |= {part.dropped + rank for rank in own.exact}
                mine.is_integral |= own.is_integral
                self._need(part, own.least)

    def _need(self, part: Part | None, axes: int) -> None:
        if part is not None and axes:
            mine = self.found[part.param]
            mine.least = max(mine.least, part.dropped + axes)

    def _integral(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.Name | cst.Subscript):
            part = self.part(node)
            if part is not None:
                self.found[part.param].is_integral = True

    def _lookup(self, node: cst.BaseExpression) -> Found | None:
        match node:
            case cst.Name(value=name) if name in self.found or name in self.parts:
                return None
            case cst.Name() | cst.Attribute():
                return self.resolver.lookup(self.module, node)
            case _:
                return None
