"""Parts of parameters that the variables of a function may be, or may hold.

Followed by the text alone, before anything is lowered: ``row = out[0]``, ``parts = [out, rest]``,
``for p in particles``, ``state.q``. Types are those of the annotations, as far as they are known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.name.bindings import ClassBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.text.trees import bindings, walk
from mooncake_transpiler.types import Array, List, Tuple, Type

_VIEWS = frozenset({"diagonal", "ravel", "reshape", "squeeze", "swapaxes", "transpose", "view"})
_VIEW_FUNCTIONS = frozenset(
    f"numpy.{f}"
    for f in ("asarray", "asanyarray", "ascontiguousarray", "atleast_1d", "atleast_2d",
              "expand_dims", "flip", "fliplr", "flipud", "moveaxis", "rollaxis", "rot90")
)  # fmt: skip
_SPLITTING = frozenset(f"numpy.{f}" for f in ("array_split", "dsplit", "hsplit", "split", "vsplit"))
_HOLDING = frozenset(f"builtins.{f}" for f in ("dict", "list", "reversed", "tuple", "zip"))
_VIEW_ATTRIBUTES = frozenset({"T", "flat", "imag", "real"})
_ROUNDS = 8  # of following names: `a = out`, `b = a[1:]`, ...


class ParameterPart(NamedTuple):
    """A part of a parameter: its name there, and the type of the part if that is known."""

    param: str
    type: Type | None


Views = frozenset[ParameterPart]
Held = frozenset[
    tuple[str | None, ParameterPart]
]  # views by the key in a list or dict, if that is known


def is_writable(type_: Type) -> bool:
    """True for what a function can change for its caller: arrays, objects, lists, their holders."""
    match type_:
        case Array() | List():
            return True
        case Tuple(items=items):
            return type_.is_mutable or any(map(is_writable, items))
        case _:
            return False


@dataclass(slots=True)
class ParameterViews:
    """For the variables of ``node``, the parts of parameters that they may be, or may hold."""

    resolver: Resolver
    module: str
    node: cst.FunctionDef
    views: dict[str, Views]
    held: dict[str, Held] = field(default_factory=dict)

    @classmethod
    def of(
        cls, resolver: Resolver, module: str, node: cst.FunctionDef, params: Mapping[str, Views]
    ) -> ParameterViews:
        """The views in ``node``, of which ``params`` are the arguments."""
        found = cls(resolver, module, node, dict(params))
        for _ in range(_ROUNDS):
            before = dict(found.views), dict(found.held)
            found._follow()
            if (found.views, found.held) == before:
                break
        return found

    def _follow(self) -> None:
        for one in bindings(walk(self.node.body)):
            if isinstance(one.node, cst.For | cst.CompFor) and one.value is not None:
                self._bind_items(one.target, one.value)
            elif one.value is not None and not isinstance(one.node, cst.AugAssign):
                self._bind(one.target, one.value)
        for node in walk(self.node.body):
            self._keep(node)

    # ---- variables ------------------------------------------------------------------------------

    def _bind(self, target: cst.CSTNode, value: cst.BaseExpression) -> None:
        match target, value:
            case (
                cst.Tuple(elements=targets) | cst.List(elements=targets),
                cst.Tuple(elements=values) | cst.List(elements=values),
            ) if len(targets) == len(values):
                for part, one in zip(targets, values, strict=True):
                    self._bind(part.value, one.value)
            case cst.Name(value=name), _:
                self._add(name, self.views_in(value))
                self._hold(name, self._held(value))
            case (
                cst.Attribute(value=cst.Name(value=name))
                | cst.Subscript(value=cst.Name(value=name)),
                _,
            ) if name not in self.views:
                self._hold(name, self._within(None, value))
            case _:
                self._bind_items(target, value)

    def _bind_items(self, target: cst.CSTNode, over: cst.BaseExpression) -> None:
        """``for target in over``, or ``target`` taken apart from ``over``."""
        match target, over:
            case cst.Tuple(elements=[_, item]), cst.Call(
                func=cst.Name(value="enumerate"), args=[cst.Arg(value=value), *_]
            ):
                self._bind_items(item.value, value)
            case cst.Tuple(elements=items), cst.Call(func=cst.Name(value="zip"), args=args):
                for item, arg in zip(items, args, strict=False):
                    self._bind_items(item.value, arg.value)
            case cst.Name(value=name), _:
                self._add(name, _lower(self.views_in(over), 1) | self._items(over))
                self._hold(name, self._held(over))
            case cst.Tuple(elements=items) | cst.List(elements=items), _:
                for item in items:
                    self._bind_items(item.value, over)
            case _:
                pass

    def _add(self, name: str, found: Views) -> None:
        if found:
            self.views[name] = self.views.get(name, frozenset()) | found

    def _hold(self, name: str, found: Held) -> None:
        if found:
            self.held[name] = self.held.get(name, frozenset()) | found

    def _keep(self, node: cst.CSTNode) -> None:
        """Note what ``xs.append(out)`` adds to a list."""
        match node:
            case cst.Call(
                func=cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value="append")),
                args=[cst.Arg(value=value)],
            ):
                self._hold(name, self._within(None, value))
            case _:
                pass

    # ---- expressions ----------------------------------------------------------------------------

    def views_in(self, node: cst.BaseExpression) -> Views:
        """The views that ``node`` may be."""
        match node:
            case cst.Name(value=name):
                return self.views.get(name, frozenset())
            case cst.Attribute(value=value, attr=cst.Name(value=attr)):
                own = self.views_in(value)
                return _attribute(own, attr) | (
                    frozenset() if attr in _VIEW_ATTRIBUTES else self._items(value)
                )
            case cst.Subscript(value=value, slice=parts):
                taken = [one.slice for one in parts]
                found = self._items(value, node)
                return (
                    found
                    if any(map(_copies, taken))
                    else found | _indexed(self.views_in(value), taken)
                )
            case cst.Call(args=[cst.Arg(value=value), *_]) if (
                self.external(node.func) in _VIEW_FUNCTIONS
            ):
                return _reshaped(self.views_in(value))
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value=attr)), args=args):
                if attr not in _VIEWS:
                    return frozenset()
                is_function = self.external(node.func) is not None and args
                return _reshaped(self.views_in(args[0].value if is_function else value))
            case cst.IfExp(body=body, orelse=orelse):
                return self.views_in(body) | self.views_in(orelse)
            case cst.NamedExpr(value=value):
                return self.views_in(value)
            case _:
                return frozenset()

    def external(self, func: cst.BaseExpression) -> str | None:
        """The name of what ``func`` is, where that is not of the program."""
        found = self.resolver.lookup(self.module, func)
        return found.qualname if isinstance(found, External) else None

    def _held(self, node: cst.BaseExpression) -> Held:
        """The views that ``node`` may hold."""
        match node:
            case cst.Name(value=name):
                return self.held.get(name, frozenset())
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                is_plain = not any(isinstance(one, cst.StarredElement) for one in elements)
                return frozenset().union(
                    *(self._within(str(k) if is_plain else None, one.value)
                      for k, one in enumerate(elements))
                )  # fmt: skip
            case cst.Dict(elements=elements):
                return frozenset().union(
                    *(self._within(_key(getattr(one, "key", None)), one.value) for one in elements)
                )
            case cst.Subscript(value=value) | cst.Attribute(value=value):
                return frozenset((None, view) for view in self._items(value, node))
            case cst.IfExp(body=body, orelse=orelse):
                return self._held(body) | self._held(orelse)
            case cst.Call(func=func, args=args):
                called = self.external(func)
                if called in _SPLITTING or called in _HOLDING or self._is_class(func):
                    return frozenset().union(*(self._within(None, arg.value) for arg in args))
                return frozenset()
            case _:
                return frozenset()

    def _within(self, key: str | None, value: cst.BaseExpression) -> Held:
        """The share of ``value``, at ``key``, in what a list, dict or object holds."""
        views = self.views_in(value) | {view for _, view in self._held(value)}
        return frozenset((key, view) for view in views)

    def _items(self, holder: cst.BaseExpression, at: cst.CSTNode | None = None) -> Views:
        """The views that ``holder`` holds, or those that ``at``, an item of it, may be."""
        match at:
            case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Index(value=index))]):
                wanted = _key(index)
            case _:
                wanted = None
        return frozenset(
            view for key, view in self._held(holder) if None in (wanted, key) or key == wanted
        )

    def _is_class(self, func: cst.BaseExpression) -> bool:
        found = self.resolver.lookup(self.module, func)
        return isinstance(found, BoundName) and isinstance(found.binding, ClassBinding)


def _key(node: cst.BaseExpression | None) -> str | None:
    """A literal that items are known by: text and places from the front."""
    match node:
        case cst.Integer(value=text):
            return text
        case cst.SimpleString():
            return repr(node.evaluated_value)
        case _:
            return None


def _copies(index: cst.BaseSlice) -> bool:
    """True for lists and masks: they make arrays of their own."""
    return (
        isinstance(index, cst.Index)
        and isinstance(
            index.value, cst.Comparison | cst.BooleanOperation | cst.List | cst.UnaryOperation
        )
        and not isinstance(getattr(index.value, "operator", None), cst.Minus)
    )


def _attribute(views: Views, attr: str) -> Views:
    """The attribute ``attr`` of ``views``: a field of an object, the real part of an array."""
    found: set[ParameterPart] = set()
    for view in views:
        match view.type:
            case Tuple(names=tuple() as names, items=items) if attr in names:
                found.add(ParameterPart(view.param, items[names.index(attr)]))
            case Array() | None if attr in _VIEW_ATTRIBUTES:
                found.add(view)
            case _:
                pass
    return _only_writable(found)


def _indexed(views: Views, taken: list[cst.BaseSlice]) -> Views:
    """``views`` with the axes gone that an index names."""
    gone = 0
    for index in taken:
        match index:
            case cst.Slice() | cst.Index(value=cst.Ellipsis()):
                pass
            case cst.Index(value=cst.Name(value="None")):
                gone -= 1
            case _:
                gone += 1
    if gone == len(taken):
        return _lower(views, gone)
    return frozenset(_with_axes(view, -gone) for view in views if not isinstance(view.type, List))


def _lower(views: Views, axes: int) -> Views:
    """The items of ``views`` behind so many indices, if they can be written."""
    found: set[ParameterPart] = set()
    for view in views:
        match view.type:
            case Array(ndim=ndim) if ndim > axes:
                found.add(_with_axes(view, -axes))
            case List(item=item):
                found.add(ParameterPart(view.param, item))
            case Tuple(items=items) if not view.type.is_object:
                found.update(ParameterPart(view.param, item) for item in items)
            case _:
                pass
    return _only_writable(found)


def _with_axes(view: ParameterPart, more: int) -> ParameterPart:
    if not isinstance(view.type, Array):
        return view
    return ParameterPart(view.param, replace(view.type, ndim=max(view.type.ndim + more, 0)))


def _only_writable(found: set[ParameterPart]) -> Views:
    return frozenset(view for view in found if view.type is None or is_writable(view.type))


def _reshaped(views: Views) -> Views:
    return frozenset(ParameterPart(view.param, None) for view in views)
