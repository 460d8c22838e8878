"""Ranks of arrays that annotations leave open, by what a function does with its parameters.

``x[i, j]``, ``n, m = x.shape``, ``x.shape[1]``, ``for row in x`` or a call with a parameter of
known rank say how many axes an array has at least, or exactly. Where nothing does, it is taken for
a vector in functions that no other calls. A rank that is not meant is a TypeError of the
derivatives, never a wrong result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.name.bindings import FunctionBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.rank import rank_conventions, rank_tables
from mooncake_transpiler.frontend.rank.called_ranks import called_with
from mooncake_transpiler.frontend.rank.documented_ranks import documented
from mooncake_transpiler.frontend.rank.rank_libraries import Need, along, needs
from mooncake_transpiler.frontend.rank.rank_numbers import numbers
from mooncake_transpiler.frontend.rank.rank_objects import MadeObject, made_objects, method
from mooncake_transpiler.frontend.rank.rank_operators import Operators
from mooncake_transpiler.frontend.rank.rank_parts import ArrayEvidence, ParameterParts
from mooncake_transpiler.frontend.rank.rank_syntax import (
    axes,
    factors,
    integer,
    names_mask,
    product,
    raises,
    whole,
)
from mooncake_transpiler.frontend.rank.rank_tests import tests, untested
from mooncake_transpiler.frontend.rank_evidence import Evidence, Part, Path
from mooncake_transpiler.frontend.text.trees import bindings, positional
from mooncake_transpiler.types import Tuple, Type

MAX_CALLS = 8  # how deep parameters are followed into functions that are called

Places = Mapping[tuple[str, Path], Evidence]  # by parameters, and the ways inside them


def evidence(
    resolver: Resolver,
    module: str,
    node: cst.FunctionDef,
    types: Mapping[str, Type],
    around: tuple[str, ...] = (),
) -> Places:
    """Facts about what is in each parameter of ``node``, by its body; ``around`` call it.

    ``types`` of parameters tell what is inside; their ranks do not matter.
    """
    nodes = list(untested(node.body))
    made = list(made_objects(resolver, module, nodes))
    inside = {**types, **{one.name: one.type for one in made}}
    objects: dict[cst.CSTNode, Part] = {one.call: Part(one.name) for one in made}
    parts = ParameterParts.of(resolver, module, node.params, inside, nodes, objects)
    facts = ArrayEvidence(parts)
    reading = _Reading(
        resolver, module, around, parts, facts, Operators(facts, numbers(node, nodes))
    )
    reading.follow(nodes)
    rank_conventions.note(facts)
    for one in made:
        reading.pass_on(one)
    reading.share()
    handed = {name: (False,) * n for name, n in _called_with(resolver, module, node).items()}
    for name, shape in {**handed, **documented(node)}.items():
        if (part := facts.array(cst.Name(name))) is not None:
            facts.about(part).documented = shape
    return facts.found


def _called_with(resolver: Resolver, module: str, node: cst.FunctionDef) -> Mapping[str, int]:
    """The ranks that the module itself hands to its function ``node``."""
    if module not in resolver.called:
        resolver.called[module] = called_with(resolver.modules[module].tree)
    return resolver.called[module].get(node, {})


@dataclass(slots=True)
class _Reading:
    resolver: Resolver
    module: str
    around: tuple[str, ...]
    parts: ParameterParts
    facts: ArrayEvidence
    operators: Operators
    products: dict[str, Part] = field(default_factory=dict)  # names of what @ makes of these

    def follow(self, nodes: Sequence[cst.CSTNode]) -> None:
        for part in self.parts.run_over:
            self.facts.need(part, 1)
        for test in tests(nodes):
            if (array := self.parts.part(test.array)) is not None:
                self.facts.about(array).tested |= {array.dropped + rank for rank in test.ranks}
        for binding in bindings(nodes):
            if binding.value is not None and not isinstance(binding.node, cst.For | cst.CompFor):
                self.operators.rebound(set(binding.names), binding.value)
            match binding.value:
                case cst.BinaryOperation(operator=cst.MatrixMultiply(), left=left, right=right):
                    factor = self.parts.part(left)
                    if factor is not None and self.parts.part(right) is None:
                        self.products |= dict.fromkeys(binding.names, factor)
                case _:
                    pass
        for one in nodes:
            self._read(one)

    def pass_on(self, made: MadeObject) -> None:
        """Facts about fields of an object are about what it is made of."""
        given = made.given(self.parts)
        for (name, path), facts in list(self.facts.found.items()):
            part = made.source(path, given) if name == made.name else None
            if part is not None:
                self.facts.about(part).join(facts, part)

    def share(self) -> None:
        """Facts about what a loop over several arrays runs over are about each of them."""
        for part, arrays in self.parts.several.items():
            for array in arrays if part.place in self.facts.found else ():
                self.facts.about(array).join(self.facts.found[part.place], array)

    def _read(self, node: cst.CSTNode) -> None:
        match node:
            case cst.Subscript():
                self._subscript(node)
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple() as target)], value=value):
                self._unpacked(target, value)
            case cst.Call():
                self._call(node)
            case cst.For(iter=over) | cst.CompFor(iter=over):
                self._columns(over)
            case cst.Assert(test=test):
                self._checked(test, cst.Equal)
            case cst.If(test=test, body=cst.IndentedBlock(body=[first, *_])) if raises(first):
                self._checked(test, cst.NotEqual)
            case cst.If(test=test) | cst.While(test=test) | cst.IfExp(test=test):
                self._tested(test)
            case cst.UnaryOperation(operator=cst.Not(), expression=inner):
                self._tested(inner)
            case cst.UnaryOperation(operator=cst.BitInvert(), expression=inner):
                self._integral(inner, is_mask=True)
            case cst.Attribute(value=cst.Name(value=name)) if name in self.products:
                self.facts.need(self.products[name], 2)
            case cst.Attribute(value=value, attr=cst.Name(value="T")):
                part = self.parts.part(value)
                if part is not None and self.parts.type_of(part) is None:
                    self.facts.about(part).is_transposed = True
            case cst.BinaryOperation(
                left=left, operator=cst.BitAnd() | cst.BitOr() | cst.BitXor(), right=right
            ):
                for one, other in ((left, right), (right, left)):
                    if isinstance(other, cst.Integer):
                        self._integral(one, is_index=True)
            case cst.BinaryOperation():
                self.operators.binary(node)
            case _:
                pass

    def _subscript(self, node: cst.Subscript) -> None:
        fixed, sliced, new = axes(node, self.parts.kept)
        part = self.parts.part(node.value)
        is_item = part is not None and part.dropped and new and not fixed + sliced
        self.facts.need(part, 1 if is_item else fixed + sliced)  # x[0][None]: x[0] is no number
        self._columns(node.value)
        shape = self._shape_of(node.value)
        match node.slice:
            case [cst.SubscriptElement(slice=cst.Index(value=index))] if shape is not None:
                k = integer(index)
                self.facts.need(shape, 0 if k is None else k + 1 if k >= 0 else -k)
            case _:
                pass
        for element in node.slice:
            for one in whole(element):
                if isinstance(one, cst.Name | cst.Subscript):
                    is_mask = len(node.slice) == 1 and names_mask(one)
                    self._integral(one, is_index=len(node.slice) > 1, is_mask=is_mask)

    def _columns(self, node: cst.BaseExpression) -> None:
        """``m.T`` where its items are asked for: for a vector that is written without ``T``."""
        match node:
            case cst.Attribute(value=value, attr=cst.Name(value="T")):
                self.facts.need(self.parts.part(value), 2)
            case cst.Call(func=cst.Name(value="zip" | "enumerate"), args=args):
                for arg in args:
                    self._columns(arg.value)
            case _:
                pass

    def _unpacked(self, target: cst.Tuple, value: cst.BaseExpression) -> None:
        self.facts.need(self.parts.part(value), 1)
        self._columns(value)
        shape = self._shape_of(value)
        if shape is not None and not any(
            isinstance(one, cst.StarredElement) for one in target.elements
        ):
            self.facts.about(shape).exact.add(shape.dropped + len(target.elements))

    def _shape_of(self, node: cst.BaseExpression) -> Part | None:
        match node:
            case cst.Attribute(value=value, attr=cst.Name(value="shape")):
                return self.parts.part(value)
            case cst.Call(func=func, args=[cst.Arg(value=value)]):
                is_shape = self.parts.lookup(func) == External("numpy.shape")
                return self.parts.part(value) if is_shape else None
            case _:
                return None

    def _checked(self, test: cst.BaseExpression, sign: type[cst.BaseCompOp]) -> None:
        """``assert x.ndim == 2``, or ``if x.ndim != 2: raise ...``."""
        match test:
            case cst.Comparison(
                left=cst.Attribute(value=value, attr=cst.Name(value="ndim")),
                comparisons=[cst.ComparisonTarget(operator=operator, comparator=right)],
            ) if isinstance(operator, sign):
                part, rank = self.parts.part(value), integer(right)
                if part is not None and rank is not None:
                    self.facts.about(part).exact.add(part.dropped + rank)
            case _:
                pass

    def _call(self, node: cst.Call) -> None:
        maker = self.parts.lookup(node.func)
        match maker:
            case External(qualname=name):
                self._library(name, node)
            case BoundName(module=module, binding=FunctionBinding(node=callee)):
                self._program(module, callee, node.args)
            case _:
                pass
        if isinstance(node.func, cst.Attribute):
            is_dot = node.func.attr.value == "dot" and len(node.args) == 1
            if is_dot and not isinstance(maker, External):
                self.operators.multiplied(node.func.value, node.args[0].value)
            if node.func.attr.value in rank_tables.REDUCING:
                for need in along(node.func.value, node.args, 0):
                    self._need_for(need)
            self._method(node.func, node.args)
        if product(node) is not None:
            self.operators.form(list(factors(node)))
        for arg in node.args:
            if arg.star == "*":
                self.facts.need(self.parts.part(arg.value), 1)

    def _library(self, name: str, node: cst.Call) -> None:
        parts = [self.parts.part(arg.value) for arg in node.args if arg.keyword is None]
        if name in ("numpy.dot", "numpy.matmul", "numpy.inner") and len(node.args) > 1:
            self.operators.multiplied(node.args[0].value, node.args[1].value)
            self.operators.number(node, *(arg.value for arg in node.args[:2]))
        for need in needs(name, node.args):
            self._need_for(need)
        joined = [arg.value for arg in node.args[:1] if name in rank_tables.JOINING]
        for display in joined:
            for element in display.elements if isinstance(display, cst.List | cst.Tuple) else ():
                self._measured(self.parts.part(element.value))
        if name in rank_tables.BUILTIN_READERS and len(parts) == 1:
            self._measured(parts[0])
        for k in rank_tables.INTEGRAL.get(name, ()):
            if k < len(node.args):
                self._integral(node.args[k].value, is_index=True)

    def _need_for(self, need: Need) -> None:
        part = self.parts.part(need.array)
        if part is None or self.parts.type_of(part) is not None:
            return
        if need.is_exact:
            self.facts.about(part).exact.add(part.dropped + need.axes)
            return
        self.facts.need(part, need.axes)
        if need.is_batch and not part.dropped:
            self.facts.about(part).usual.add(part.dropped + 2)

    def _program(self, module: str, callee: cst.FunctionDef, args: Sequence[cst.Arg]) -> None:
        """Arguments have the ranks that a function of the program needs its parameters to have."""
        given = self.parts.given([p.name.value for p in positional(callee.params)], args)
        key = f"{module}:{callee.name.value}"
        if key in self.around or len(self.around) == MAX_CALLS or not given:
            return
        types = {name: self.parts.type_of(part) for name, part in given.items()}
        known = {name: type_ for name, type_ in types.items() if type_ is not None}
        inner = evidence(self.resolver, module, callee, known, (*self.around, key))
        for (name, path), found in inner.items():
            if name in given:
                part = given[name]
                outer = Part(part.param, (*part.path, *path)) if path else part
                self.facts.about(outer).join(found, outer)

    def _method(self, func: cst.Attribute, args: Sequence[cst.Arg]) -> None:
        """The method of an object knows the ranks of its fields and of what it is given."""
        part = self.parts.part(func.value)
        of = None if part is None else self.parts.type_of(part)
        if isinstance(of, Tuple) and of.of is not None:
            found = self.resolver.follow(of.of.module, of.of.name)
        else:
            found = self.parts.lookup(func.value) if part is None else None
        if (called := method(self.resolver, found, func.attr.value)) is not None:
            owner = (cst.Arg(func.value),) if called.takes_owner(part is not None) else ()
            self._program(called.module, called.node, (*owner, *args))

    def _measured(self, part: Part | None) -> None:
        """``len(x)``: there is one axis, and there may well be more."""
        if part is not None and part.dropped:
            self.facts.need(part, 1)
        elif part is not None and self.parts.type_of(part) is None:
            self.facts.about(part).is_long = True

    def _tested(self, test: cst.BaseExpression) -> None:
        """``if mask[i]:`` is about a mask, as people call it; other arrays are of numbers."""
        array = test.value if isinstance(test, cst.Subscript) else test
        if names_mask(array):
            self._integral(test, is_mask=True)

    def _integral(self, node: cst.CSTNode, is_index: bool = False, is_mask: bool = False) -> None:
        if isinstance(node, cst.Name | cst.Subscript):
            part = self.parts.part(node)
            if part is not None and not part.is_computed:
                self.facts.about(part).is_integral = True
                self.facts.about(part).is_index |= is_index
                self.facts.about(part).is_mask |= is_mask
