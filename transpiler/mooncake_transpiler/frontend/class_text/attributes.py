"""The attributes of a plain class, as its ``__init__`` assigns them.

    class Spring:                                          stiffness: float
        def __init__(self, stiffness: float, steps: int):  steps: int
            self.stiffness = stiffness                     energy: float
            self.steps = steps
            self.energy = 0.0

Types are those of annotations: of the assignment, or of the parameter that is assigned; and those
of literals, of arithmetic on such numbers, and of arrays that are made (``np.zeros(3)``). An
attribute of which this tells nothing, or which methods alone assign, leaves the class without
types, unless its body annotates others: then it is merely not known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import libcst as cst

from mooncake_transpiler.frontend.class_text.attribute_values import Qualname, Values, no_names
from mooncake_transpiler.frontend.text.trees import (
    bindings,
    bound_names,
    is_name,
    parameters,
    statements,
    walk,
)


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


def attributes_of(
    node: cst.ClassDef,
    qualname: Qualname = no_names,
    stated: Collection[str] = (),
    is_link: Callable[[str], bool] = lambda name: False,
) -> Attributes:
    """The attributes that the ``__init__`` of the class ``node`` itself assigns.

    ``qualname`` tells functions of libraries, ``stated`` are annotated in the body of the class,
    ``is_link`` what leads to another object of the class where nothing else tells.
    """
    methods = [one for one in statements(node.body) if isinstance(one, cst.FunctionDef)]
    init = next((one for one in methods if one.name.value == "__init__"), None)
    if init is None or not init.params.params:
        return Attributes({})
    told: dict[str, cst.BaseExpression] = {}
    counted: set[str] = set()  # integers that no annotation tells
    untold: dict[str, None] = {}  # those of which nothing tells the type
    known = Values(_parameters(init), init.params.params[0].name.value, told, qualname)
    for one in _assigned(init):
        if one.name in stated:
            continue
        found = one.annotation or known.annotation(one.value)
        if found is None and is_link(one.name) and _is_none(init, one.value):
            found = cst.BinaryOperation(cst.Name(node.name.value), cst.BitOr(), cst.Name("None"))
        if one.is_whole and (found is None or not _fits(told.get(one.name), found)):
            untold[one.name] = None
        if one.is_whole and found is not None:
            told[one.name] = found
            if is_name(found, "int") and not (one.annotation or isinstance(one.value, cst.Name)):
                counted.add(one.name)
    for method in methods:
        numbers = known if method is init else Values({}, "", {}, qualname)
        for one in _assigned(method):
            is_other = one.name in counted and not is_name(numbers.annotation(one.value), "int")
            if one.name not in stated and (one.name not in told or is_other):
                untold[one.name] = None
    if untold and not stated:
        return Attributes({}, next(iter(untold)))
    return Attributes({name: of for name, of in told.items() if name not in untold})


def _is_none(init: cst.FunctionDef, value: cst.BaseExpression | None) -> bool:
    """True for None, and for a parameter that is None if it is not given."""
    if not isinstance(value, cst.Name):
        return False
    own = (p.default for p in parameters(init.params) if p.name.value == value.value)
    default = next(own, value)
    return is_name(default, "None")


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
