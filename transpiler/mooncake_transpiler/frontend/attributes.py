"""The attributes of a plain class, as its ``__init__`` assigns them.

    class Spring:                                          stiffness: float
        def __init__(self, stiffness: float, steps: int):  steps: int
            self.stiffness = stiffness                     energy: float
            self.steps = steps
            self.energy = 0.0

Types are those of annotations: of the assignment, or of the parameter that is assigned; and those
of literals, and of arithmetic on such numbers. An attribute of which this tells nothing, or which
methods alone assign, leaves the class without types.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import libcst as cst

from mooncake_transpiler.frontend.trees import bindings, bound_names, parameters, statements, walk

_FLOAT, _INT = cst.Name("float"), cst.Name("int")
_NUMBERS = ("float", "int")
_CONVERSIONS = {"float": "float", "int": "int", "bool": "bool", "str": "str", "len": "int"}


@dataclass(frozen=True, slots=True)
class Attributes:
    """The annotations of attributes by their names; ``untold`` is one that has none."""

    told: Mapping[str, cst.BaseExpression]
    untold: str | None = None


class _Assigned(NamedTuple):
    """An assignment to an attribute; ``is_whole`` is false for ``+=``, loops and the like."""

    name: str
    value: cst.BaseExpression | None
    annotation: cst.BaseExpression | None = None
    is_whole: bool = True


def attributes_of(node: cst.ClassDef) -> Attributes:
    """The attributes that the ``__init__`` of the class ``node`` itself assigns."""
    methods = [one for one in statements(node.body) if isinstance(one, cst.FunctionDef)]
    init = next((one for one in methods if one.name.value == "__init__"), None)
    if init is None or not init.params.params:
        return Attributes({})
    told: dict[str, cst.BaseExpression] = {}
    counted: set[str] = set()  # integers that no annotation tells
    known = _Numbers(_parameters(init))
    for one in _assigned(init):
        found = one.annotation or known.annotation(one.value)
        if one.is_whole and (found is None or not _fits(told.get(one.name), found)):
            return Attributes({}, one.name)
        if one.is_whole and found is not None:
            told[one.name] = found
            if _is(found, "int") and not (one.annotation or isinstance(one.value, cst.Name)):
                counted.add(one.name)
    for method in methods:
        numbers = known if method is init else _Numbers({})
        for one in _assigned(method):
            is_int = _is(numbers.annotation(one.value), "int")
            if one.name not in told or (one.name in counted and not is_int):
                return Attributes({}, one.name)
    return Attributes(told)


def calls_base(node: cst.ClassDef) -> bool:
    """True if the class has no ``__init__`` of its own, or one that calls that of a base."""
    for one in statements(node.body):
        if isinstance(one, cst.FunctionDef) and one.name.value == "__init__":
            return any(
                isinstance(part, cst.Call)
                and isinstance(part.func, cst.Attribute)
                and part.func.attr.value == "__init__"
                for part in walk(one.body)
            )
    return True


def _parameters(init: cst.FunctionDef) -> dict[str, cst.BaseExpression]:
    """The annotations of the parameters that the body binds to nothing else."""
    every = parameters(init.params)
    rebound = bound_names(walk(init.body))
    return {
        param.name.value: param.annotation.annotation
        for param in every
        if param.annotation is not None and param.name.value not in rebound
    }


def _assigned(method: cst.FunctionDef) -> Iterator[_Assigned]:
    """The assignments to attributes of the first parameter of ``method``."""
    if not method.params.params:
        return
    owner = method.params.params[0].name.value
    for one in bindings(walk(method.body)):
        match one.node:
            case cst.AnnAssign(annotation=annotation):
                found = _targets(owner, one.target, one.value)
                yield from (each._replace(annotation=annotation.annotation) for each in found)
            case cst.Assign():
                yield from _targets(owner, one.target, one.value)
            case _:
                found = _targets(owner, one.target, one.value)
                yield from (each._replace(is_whole=False) for each in found)


def _targets(
    owner: str, target: cst.CSTNode, value: cst.BaseExpression | None
) -> Iterator[_Assigned]:
    """The attributes of ``owner`` in ``target``, each with its part of ``value``."""
    match target:
        case cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=name)) if base == owner:
            yield _Assigned(name, value)
        case cst.Tuple(elements=targets) | cst.List(elements=targets):
            values: list[cst.BaseExpression | None] = [None] * len(targets)
            if isinstance(value, cst.Tuple | cst.List) and len(value.elements) == len(targets):
                values = [one.value for one in value.elements]
            for part, one in zip(targets, values, strict=True):
                yield from _targets(owner, part.value, one)
        case _:
            pass


def _fits(told: cst.BaseExpression | None, found: cst.BaseExpression) -> bool:
    return told is None or told.deep_equals(found)


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The annotations of expressions over ``params``, which have theirs."""

    params: Mapping[str, cst.BaseExpression]

    def annotation(self, node: cst.BaseExpression | None) -> cst.BaseExpression | None:
        """The annotation that fits the value of ``node``; None if that is not told."""
        match node:
            case cst.Name(value="True" | "False"):
                return cst.Name("bool")
            case cst.Name(value=name):
                return self.params.get(name)
            case cst.Float():
                return _FLOAT
            case cst.Integer():
                return _INT
            case cst.SimpleString():
                return cst.Name("str")
            case cst.UnaryOperation(operator=cst.Minus() | cst.Plus(), expression=inner):
                found = self.annotation(inner)
                return found if _is(found, *_NUMBERS) else None
            case cst.BinaryOperation(left=left, operator=operator, right=right):
                return self._arithmetic(operator, self.annotation(left), self.annotation(right))
            case cst.Call(func=cst.Name(value=name), args=[cst.Arg(keyword=None, star="")]) if (
                name in _CONVERSIONS and name not in self.params
            ):
                return cst.Name(_CONVERSIONS[name])
            case cst.Call(func=cst.Attribute(value=base, attr=cst.Name(value="copy")), args=[]):
                found = self.annotation(base)
                return None if _is(found, *_NUMBERS) else found
            case _:
                return None

    def _arithmetic(
        self,
        operator: cst.BaseBinaryOp,
        left: cst.BaseExpression | None,
        right: cst.BaseExpression | None,
    ) -> cst.BaseExpression | None:
        """The type of a sum, a product and the like of numbers."""
        if not (_is(left, *_NUMBERS) and _is(right, *_NUMBERS)):
            return None
        if isinstance(operator, cst.Divide):
            return _FLOAT
        if not isinstance(operator, cst.Add | cst.Subtract | cst.Multiply):
            return None
        return _INT if _is(left, "int") and _is(right, "int") else _FLOAT


def _is(annotation: cst.BaseExpression | None, *names: str) -> bool:
    return isinstance(annotation, cst.Name) and annotation.value in names
