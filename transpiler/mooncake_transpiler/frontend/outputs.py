"""Parameters that a function gives its results in: it returns None and writes to them.

The text shows ``out[i] = x[i]``, ``out += x``, ``out.fill(0.0)``, the same with views that have
names (``row = out[0]``) or are held by lists, dicts and objects (``parts[0][:] = x``), and what
functions of the program do that are called with them; where lowering finds another write, the
function is refused (MK237).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import libcst as cst

from mooncake_transpiler.frontend.bindings import ClassBinding, FunctionBinding
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.trees import bindings, own_nodes, walk

_WRITING_METHODS = frozenset({"fill", "sort", "partition", "put", "itemset"})
_WRITING = frozenset(f"numpy.{f}" for f in ("copyto", "fill_diagonal", "place", "put", "putmask"))
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

View = tuple[str, int | None]  # of a parameter: its name, the rank of the view if that is known
Views = frozenset[View]
Held = frozenset[tuple[str | None, View]]  # views by the key in a list or dict, if that is known


def returns_nothing(node: cst.FunctionDef) -> bool:
    """True if no ``return`` or ``yield`` of ``node`` itself gives a value."""
    return not any(
        isinstance(one, cst.Yield) or (isinstance(one, cst.Return) and one.value is not None)
        for one in own_nodes(node.body)[0]
    )


def written_parameters(
    resolver: Resolver, module: str, node: cst.FunctionDef, arrays: Mapping[str, int | None]
) -> tuple[str, ...]:
    """The parameters that ``node`` is seen to write to, among ``arrays`` with their ranks."""
    found = _Body(resolver, module, node, arrays).written()
    return tuple(name for name in arrays if name in found)


@dataclass(slots=True)
class _Body:
    """The body of a function, and what its variables may be views of, or ``hold`` views of."""

    resolver: Resolver
    module: str
    node: cst.FunctionDef
    arrays: Mapping[str, int | None]
    around: tuple[cst.FunctionDef, ...] = ()  # those whose call is followed
    views: dict[str, Views] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)

    def written(self) -> set[str]:
        self.views = {name: frozenset({(name, rank)}) for name, rank in self.arrays.items()}
        for _ in range(_ROUNDS):
            before = dict(self.views), dict(self.held)
            for one in bindings(walk(self.node.body)):
                if isinstance(one.node, cst.For | cst.CompFor) and one.value is not None:
                    self._bind_items(one.target, one.value)
                elif one.value is not None and not isinstance(one.node, cst.AugAssign):
                    self._bind(one.target, one.value)
            for node in walk(self.node.body):
                self._keep(node)
            if (self.views, self.held) == before:
                break
        return {name for one in walk(self.node.body) for name, _ in self._writes(one)}

    # ---- views ----------------------------------------------------------------------------------

    def _bind(self, target: cst.CSTNode, value: cst.BaseExpression) -> None:
        match target, value:
            case (
                cst.Tuple(elements=targets) | cst.List(elements=targets),
                cst.Tuple(elements=values) | cst.List(elements=values),
            ) if len(targets) == len(values):
                for part, one in zip(targets, values, strict=True):
                    self._bind(part.value, one.value)
            case cst.Name(value=name), _:
                self._add(name, self._of(value))
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
                self._add(name, _lower(self._of(over), 1) | self._items(over))
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
                called = self._external(func)
                if called in _SPLITTING or called in _HOLDING or self._is_class(func):
                    return frozenset().union(*(self._within(None, arg.value) for arg in args))
                return frozenset()
            case _:
                return frozenset()

    def _within(self, key: str | None, value: cst.BaseExpression) -> Held:
        """The share of ``value``, at ``key``, in what a list, dict or object holds."""
        views = self._of(value) | {view for _, view in self._held(value)}
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

    def _of(self, node: cst.BaseExpression) -> Views:
        """The views that ``node`` may be."""
        match node:
            case cst.Name(value=name):
                return self.views.get(name, frozenset())
            case cst.Attribute(value=value, attr=cst.Name(value=attr)) if attr in _VIEW_ATTRIBUTES:
                return self._of(value)
            case cst.Subscript(value=value, slice=parts):
                taken = [one.slice for one in parts]
                found = self._items(value, node)
                return (
                    found if any(map(_copies, taken)) else found | _indexed(self._of(value), taken)
                )
            case cst.Attribute(value=value):
                return self._items(value)
            case cst.Call(args=[cst.Arg(value=value), *_]) if (
                self._external(node.func) in _VIEW_FUNCTIONS
            ):
                return _reshaped(self._of(value))
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value=attr)), args=args):
                if attr not in _VIEWS:
                    return frozenset()
                is_function = self._external(node.func) is not None and args
                return _reshaped(self._of(args[0].value if is_function else value))
            case cst.IfExp(body=body, orelse=orelse):
                return self._of(body) | self._of(orelse)
            case cst.NamedExpr(value=value):
                return self._of(value)
            case _:
                return frozenset()

    def _external(self, func: cst.BaseExpression) -> str | None:
        found = self.resolver.lookup(self.module, func)
        return found.qualname if isinstance(found, External) else None

    # ---- writes ---------------------------------------------------------------------------------

    def _writes(self, node: cst.CSTNode) -> Views:
        match node:
            case cst.AssignTarget(target=target):
                return self._stored(target)
            case cst.AugAssign(target=cst.Name() as target):
                return self._of(target)
            case cst.AugAssign(target=target):
                return self._stored(target) | self._of(target)
            case cst.Arg(keyword=cst.Name(value="out"), value=value):
                return self._of(value)
            case cst.Call():
                return self._by_call(node)
            case _:
                return frozenset()

    def _stored(self, target: cst.BaseExpression) -> Views:
        """The views of which an assignment stores items."""
        match target:
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                return frozenset(view for one in elements for view in self._stored(one.value))
            case cst.Subscript(value=cst.Subscript() as value):
                return self._stored(value) | self._of(value)
            case cst.Subscript(value=value):
                return self._of(value)
            case cst.Attribute(attr=cst.Name(value=attr)) if attr in _VIEW_ATTRIBUTES:
                return self._of(target)
            case _:
                return frozenset()

    def _by_call(self, node: cst.Call) -> Views:
        name = self._external(node.func)
        if name is not None and node.args and (name in _WRITING or name.endswith(".at")):
            return self._of(node.args[0].value)
        match node.func:
            case cst.Attribute(value=value, attr=cst.Name(value=attr)) if attr in _WRITING_METHODS:
                return self._of(value)
        callee = self._callee(node.func)
        if callee is None or callee in (self.node, *self.around):
            return frozenset()
        params = [p.name.value for p in (*callee.params.posonly_params, *callee.params.params)]
        by_name = {arg.keyword.value: arg.value for arg in node.args if arg.keyword}
        plain = [arg.value for arg in node.args if not (arg.keyword or arg.star)]
        given = dict(zip(params, plain, strict=False)) | by_name
        around = (*self.around, self.node)
        views = {name: self._of(value) for name, value in given.items()}
        ranks = {name: _rank(found) for name, found in views.items() if found}
        inner = _Body(self.resolver, self.module, callee, ranks, around)
        return frozenset(view for name in inner.written() for view in views.get(name, ()))

    def _callee(self, func: cst.BaseExpression) -> cst.FunctionDef | None:
        if isinstance(func, cst.Name):
            for one in walk(self.node.body):
                if isinstance(one, cst.FunctionDef) and one.name.value == func.value:
                    return one
        found = self.resolver.lookup(self.module, func)
        if isinstance(found, BoundName) and isinstance(found.binding, FunctionBinding):
            return found.binding.node
        return None


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
    is_item = gone == len(taken)
    return (
        _lower(views, gone)
        if is_item
        else frozenset((name, rank if rank is None else rank - gone) for name, rank in views)
    )


def _lower(views: Views, axes: int) -> Views:
    """``views`` with so many axes fewer, if arrays are left."""
    return frozenset((n, rank - axes) for n, rank in views if rank is not None and rank > axes)


def _reshaped(views: Views) -> Views:
    return frozenset((name, None) for name, _ in views)


def _rank(views: Views) -> int | None:
    ranks = {rank for _, rank in views}
    return ranks.pop() if len(ranks) == 1 else None
