"""Parameters that a function gives its results in: it returns no floats and writes to them.

The text shows ``out[i] = x[i]``, ``out += x``, ``out.fill(0.0)``, ``p.x += p.v``, ``xs.append(v)``,
the same with parts of them that have names (``row = out[0]``, ``for p in particles``) or are held
by lists, dicts and objects (``parts[0][:] = x``), and what functions and methods of the program do
that are called with them; where lowering finds another write, the function is refused (MK237).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import libcst as cst

from mooncake_transpiler.frontend.declaration.parameter_views import (
    ParameterPart,
    ParameterViews,
    Views,
)
from mooncake_transpiler.frontend.name.bindings import FunctionBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.rank.rank_objects import method
from mooncake_transpiler.frontend.text.trees import (
    by_name,
    by_position,
    own_nodes,
    positional,
    walk,
)
from mooncake_transpiler.types import Array, List, Tuple, Type

_ARRAY_METHODS = frozenset({"fill", "sort", "partition", "put", "itemset"})
LIST_METHODS = frozenset(
    {"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"}
)
_WRITING = frozenset(
    [
        *(f"numpy.{f}" for f in ("copyto", "fill_diagonal", "place", "put", "putmask")),
        *(f"operator.i{f}" for f in ("add", "concat", "mul", "sub", "pow", "truediv", "matmul")),
        *("operator.delitem", "operator.setitem", "builtins.setattr"),
    ]
)

_Called = tuple[str, cst.FunctionDef]  # a function of the program: its module, and its text


def returns_nothing(node: cst.FunctionDef) -> bool:
    """True if no ``return`` or ``yield`` of ``node`` itself gives a value."""
    return not any(
        isinstance(one, cst.Yield) or (isinstance(one, cst.Return) and one.value is not None)
        for one in own_nodes(node.body)[0]
    )


def returns_dicts(node: cst.FunctionDef) -> bool:
    """True if all that ``node`` returns are dicts that are written out."""
    found = [one.value for one in own_nodes(node.body)[0] if isinstance(one, cst.Return)]
    return bool(found) and all(isinstance(value, cst.Dict) for value in found)


def written_parameters(
    resolver: Resolver, module: str, node: cst.FunctionDef, params: Mapping[str, Type]
) -> tuple[str, ...]:
    """The parameters that ``node`` is seen to write to, among ``params`` with their types."""
    views = {name: frozenset({ParameterPart(name, type_)}) for name, type_ in params.items()}
    found = {view.param for view in _Body(resolver, module, node, views).writes()}
    return tuple(name for name in params if name in found)


def _writes(name: str, node: cst.Call) -> bool:
    """True if a function of the library writes to its first argument."""
    if name == "numpy.nan_to_num":
        kept = cst.Name("False")
        return any(
            one.keyword is not None and one.keyword.value == "copy" and one.value.deep_equals(kept)
            for one in node.args
        )
    return name in _WRITING or name.endswith(".at")


@dataclass(slots=True)
class _Body:
    """The body of the function ``node`` of ``module``, called with ``given`` parts of parameters.

    ``around``: the functions whose calls have led to this one.
    """

    resolver: Resolver
    module: str
    node: cst.FunctionDef
    given: Mapping[str, Views]
    around: tuple[cst.FunctionDef, ...] = ()
    views: ParameterViews = field(init=False)

    def __post_init__(self) -> None:
        self.views = ParameterViews.of(self.resolver, self.module, self.node, self.given)

    def writes(self) -> Views:
        """The parts that the body writes to."""
        return frozenset(view for one in walk(self.node.body) for view in self._by(one))

    def _by(self, node: cst.CSTNode) -> Views:
        """The parts that ``node`` itself writes to."""
        match node:
            case cst.AssignTarget(target=target) | cst.Del(target=target):
                return self._stored(target)
            case cst.AugAssign(target=cst.Name() as target):
                views = self.views.views_in(target)
                return frozenset(view for view in views if not isinstance(view.type, Tuple))
            case cst.AugAssign(target=target) | cst.AnnAssign(target=target):
                return self._stored(target) | self.views.views_in(target)
            case cst.Arg(keyword=cst.Name(value="out"), value=value):
                return self.views.views_in(value)
            case cst.Call():
                return self._by_call(node)
            case _:
                return frozenset()

    def _stored(self, target: cst.BaseExpression) -> Views:
        """The parts of which an assignment stores items, or fields."""
        match target:
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                return frozenset(view for one in elements for view in self._stored(one.value))
            case cst.Subscript(value=cst.Subscript() as value):
                return self._stored(value) | self.views.views_in(value)
            case cst.Subscript(value=value):
                return self.views.views_in(value)
            case cst.Attribute(value=value):
                owners = self.views.views_in(value)
                objects = frozenset(v for v in owners if isinstance(v.type, Tuple))
                arrays = self.views.views_in(target)
                return objects | frozenset(v for v in arrays if not isinstance(v.type, List))
            case _:
                return frozenset()

    def _by_call(self, node: cst.Call) -> Views:
        name = self.views.external(node.func)
        if name is not None and node.args and _writes(name, node):
            return self.views.views_in(node.args[0].value)
        found = self._by_method(node)
        for callee, given in self._callees(node):
            found |= self._by_function(callee, given)
        return found

    def _by_method(self, node: cst.Call) -> Views:
        """The arrays and lists that a method of theirs changes."""
        match node.func:
            case cst.Attribute(value=value, attr=cst.Name(value=attr)):
                return frozenset(
                    view
                    for view in self.views.views_in(value)
                    if (attr in LIST_METHODS and isinstance(view.type, List))
                    or (attr in _ARRAY_METHODS and isinstance(view.type, Array | None))
                )
            case _:
                return frozenset()

    def _by_function(self, called: _Called, given: Mapping[str, Views]) -> Views:
        module, callee = called
        if callee in (self.node, *self.around):
            return frozenset()
        around = (*self.around, self.node)
        return _Body(self.resolver, module, callee, given, around).writes()

    # ---- calls ----------------------------------------------------------------------------------

    def _callees(self, node: cst.Call) -> Iterator[tuple[_Called, dict[str, Views]]]:
        """The functions and methods of the program that ``node`` may call, and what with."""
        if (function := self._function(node.func)) is not None:
            yield function, self._arguments(function[1], node, ())
        match node.func:
            case cst.Attribute(value=value, attr=cst.Name(value=attr)):
                for view in self.views.views_in(value):
                    if (called := self._method(view.type, attr)) is not None:
                        yield called, self._arguments(called[1], node, (frozenset({view}),))
            case _:
                pass

    def _arguments(
        self, callee: cst.FunctionDef, node: cst.Call, first: tuple[Views, ...]
    ) -> dict[str, Views]:
        """The views that ``node`` gives the parameters of ``callee``, behind those of ``first``."""
        params = [p.name.value for p in positional(callee.params)]
        places = (*first, *map(self.views.views_in, by_position(node.args)))
        given = dict(zip(params, places, strict=False))
        named = by_name(node.args)
        return given | {name: self.views.views_in(value) for name, value in named.items()}

    def _function(self, func: cst.BaseExpression) -> _Called | None:
        if isinstance(func, cst.Name):
            for one in walk(self.node.body):
                if isinstance(one, cst.FunctionDef) and one.name.value == func.value:
                    return self.module, one
        found = self.resolver.lookup(self.module, func)
        if isinstance(found, BoundName) and isinstance(found.binding, FunctionBinding):
            return found.module, found.binding.node
        return None

    def _method(self, type_: Type | None, attr: str) -> _Called | None:
        if not isinstance(type_, Tuple) or type_.of is None:
            return None
        owner = self.resolver.follow(type_.of.module, type_.of.name)
        found = method(self.resolver, owner, attr)
        return None if found is None else (found.module, found.node)
