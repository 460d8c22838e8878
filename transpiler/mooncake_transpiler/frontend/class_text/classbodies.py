"""Names bound in the body of a class: values, fields and methods; other statements are problems."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import NamedTuple

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.name.resolve import Resolver
from mooncake_transpiler.frontend.text.trees import (
    by_name,
    by_position,
    dotted,
    parameters,
    statements,
    walk,
)

ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum"})
_PLAIN = frozenset(
    {"__slots__", "__hash__", "__doc__", "__match_args__", "__module__", "__version__"}
    | {"__array_ufunc__", "__array_priority__"}  # `beside_numpy.py` reads these
)
_NOT_OF_BUILTINS = (  # operators and protocols that no built-in class has
    "aenter aexit aiter anext await copy deepcopy del enter exit fspath getattr get ilshift imatmul"
    " ipow irshift itruediv length_hint matmul missing mro_entries next post_init replace rmatmul"
    " set set_name setstate"
)
_LOOKED_UP = frozenset(
    [f"__{name}__" for name in _NOT_OF_BUILTINS.split()]
    + [n for c in (complex, dict, float, int, list, property, set, str, type) for n in dir(c)]
)
_ACCESSORS = frozenset({"setter", "getter", "deleter"})
_HALVES = frozenset({"fget", "fset"})
IsBuiltin = Callable[[cst.BaseExpression], bool]
_MAKERS = frozenset({"auto", "field"})  # what they make is another thing each time


def _statements(node: cst.ClassDef) -> Iterator[cst.CSTNode]:
    """The statements of the body; ``a, b = x, y`` as two, where no value is one of the names."""
    for stmt in statements(node.body):
        match stmt:
            case cst.Assign(
                targets=[cst.AssignTarget(cst.Tuple(elements=names))],
                value=cst.Tuple(elements=given),
            ) if len(names) == len(given) and _are_apart(names, given):
                for name, one in zip(names, given, strict=True):
                    yield cst.Assign(
                        [cst.AssignTarget(cst.ensure_type(name.value, cst.Name))], one.value
                    )
            case _:
                yield stmt


def _are_apart(names: Sequence[cst.BaseElement], given: Sequence[cst.BaseElement]) -> bool:
    """True if ``names`` are names, and not among those that the values mention."""
    if any(isinstance(one, cst.StarredElement) for one in (*names, *given)):
        return False
    bound = {one.value.value for one in names if isinstance(one.value, cst.Name)}
    return len(bound) == len(names) and not any(_mentions(one.value, bound) for one in given)


def values(node: cst.ClassDef, before: cst.CSTNode | None = None) -> dict[str, cst.BaseExpression]:
    """The values that names are bound to, annotated or not; they don't name one another.

    ``before``: by the statements in front of that one only.
    """
    found: dict[str, cst.BaseExpression] = {}
    for stmt in _statements(node):
        if stmt is before:
            break
        match stmt:
            case cst.Assign(targets=targets, value=value):
                value = _with_values(value, found)
                names = [t.target.value for t in targets if isinstance(t.target, cst.Name)]
                found |= dict.fromkeys(names, value)
            case cst.AnnAssign(target=cst.Name(value=name), value=cst.BaseExpression() as value):
                found[name] = _with_values(value, found)
            case _:
                pass
    return found


def default(
    node: cst.ClassDef, method: cst.FunctionDef, value: cst.BaseExpression | None
) -> cst.BaseExpression | None:
    """The default ``value`` of a parameter, with the values of names that the class has bound."""
    return None if value is None else _with_values(value, values(node, method))


def names(node: cst.ClassDef) -> set[str]:
    """Names that the class itself binds to values and functions."""
    defined = (one for one in statements(node.body) if isinstance(one, cst.FunctionDef))
    return {*values(node), *(one.name.value for one in defined)}


def constants(
    node: cst.ClassDef, resolver: Resolver, module: str
) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Names that the class itself binds to values; the annotated ones of most are fields."""
    fields = {
        stmt.target.value
        for stmt in statements(node.body)
        if isinstance(stmt, cst.AnnAssign) and isinstance(stmt.target, cst.Name)
        and not _is_of_class(resolver, module, stmt.annotation.annotation)
    }  # fmt: skip
    is_enum = any(_is_enum(resolver, module, base) for base in node.bases)
    for name, value in values(node).items():
        if is_enum or name not in fields:
            yield name, value


def _is_enum(resolver: Resolver, module: str, base: cst.Arg) -> bool:
    found = resolver.lookup(module, base.value)
    return isinstance(found, External) and found.qualname in ENUMS


def _is_of_class(resolver: Resolver, module: str, annotation: cst.BaseExpression) -> bool:
    head = annotation.value if isinstance(annotation, cst.Subscript) else annotation
    return resolver.lookup(module, head) == External("typing.ClassVar")


def _with_values(
    expr: cst.BaseExpression, known: Mapping[str, cst.BaseExpression]
) -> cst.BaseExpression:
    """``expr`` with the values of the names that the class has bound before."""
    if not _mentions(expr, known):
        return expr
    found = expr.visit(_Values(known))
    assert isinstance(found, cst.BaseExpression)
    return found


class _Values(cst.CSTTransformer):
    """Values for names; functions and comprehensions see no names of a class in their bodies."""

    def __init__(self, known: Mapping[str, cst.BaseExpression]) -> None:
        super().__init__()
        self._known = known

    def on_visit(self, node: cst.CSTNode) -> bool:
        return not isinstance(node, cst.BaseComp | cst.Lambda) and super().on_visit(node)

    def on_leave(
        self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT
    ) -> cst.CSTNodeT | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNodeT]:
        if isinstance(original_node, cst.BaseComp):
            first = original_node.for_in
            return updated_node.with_changes(for_in=first.with_changes(iter=first.iter.visit(self)))
        return super().on_leave(original_node, updated_node)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self._known.get(original_node.value, updated_node)

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)


class Property(NamedTuple):
    """``property(getter, setter)``, by the names of the two methods."""

    getter: str
    setter: str | None


def property_of(value: cst.BaseExpression, is_builtin: IsBuiltin) -> Property | None:
    """The property that ``value`` makes of methods of the class, if that is what it does."""
    if not isinstance(value, cst.Call) or not is_builtin(value.func):
        return None
    given = dict(zip(("fget", "fset"), by_position(value.args), strict=False)) | by_name(value.args)
    found = {key: name.value for key, name in given.items() if isinstance(name, cst.Name)}
    if "fget" not in found or len(found) < len(value.args) or not found.keys() <= _HALVES:
        return None
    return Property(found["fget"], found.get("fset"))


def problem(node: cst.ClassDef, is_builtin: IsBuiltin) -> str | None:
    """Why what the class binds can't be told from its statements one by one.

    ``is_builtin``: an expression is Python's ``property``.
    """
    bound = _Bound(node, is_builtin)
    return next((why for stmt in _statements(node) if (why := bound.problem(stmt))), None)


class _Bound:
    """The names that the statements of a class have bound so far."""

    def __init__(self, node: cst.ClassDef, is_builtin: IsBuiltin) -> None:
        self._node = node
        self._is_builtin = is_builtin
        self._in_properties: set[str] = set()
        self._kinds: dict[str, type[cst.CSTNode]] = {}
        self._once: set[str] = set()  # names whose values can't stand in for them
        self._methods: set[str] = set()
        self._fixed: set[str] = set()  # names whose values are numbers, text and the like

    def problem(self, stmt: cst.CSTNode) -> str | None:
        """Why ``stmt``, the next one, can't be understood."""
        match stmt:
            case cst.FunctionDef(name=cst.Name(value=name)):
                self._once.add(name)
                self._methods.add(name)
                odd = any(_is_odd_accessor(self._node, name, one) for one in stmt.decorators)
                if odd:
                    return f"{name} is made from a property of another name or class"
                return self._defined(name, stmt) or self._again(name, cst.FunctionDef)
            case cst.ClassDef(name=cst.Name(value=name)):
                return self._defined(name, stmt) or self._again(name, cst.ClassDef)
            case cst.Assign(targets=targets, value=value):
                if not all(isinstance(target.target, cst.Name) for target in targets):
                    return "it assigns to more than names"
                names = [cst.ensure_type(target.target, cst.Name).value for target in targets]
                problems = [self._assigned(name, value) for name in names]
                return next(filter(None, problems), None)
            case cst.AnnAssign(value=cst.Name(value=name)) if name in self._once:
                return "a value is made from a method or field of the class"
            case cst.AnnAssign(target=cst.Name(value=name), value=cst.BaseExpression() as value):
                return self._assigned(name, value)
            case cst.AnnAssign(target=cst.Name()) | cst.Pass() | cst.TypeAlias():
                return None
            case cst.Expr(value=cst.BaseString() | cst.BaseNumber() | cst.Ellipsis()):
                return None
            case _:
                kind = type(stmt).__name__.lower()
                return f"its body has a statement that is not understood there: {kind}"

    def _again(self, name: str, kind: type[cst.CSTNode]) -> str | None:
        is_other = self._kinds.setdefault(name, kind) is not kind or name in self._in_properties
        return f"it binds {name} twice" if is_other else None

    def _defined(self, name: str, stmt: cst.FunctionDef | cst.ClassDef) -> str | None:
        seen = any(_mentions(one, self._kinds) for one in _evaluated(stmt))
        open_ = self._kinds.keys() - self._fixed
        seen = seen or any(_mentions(one, open_) for one in _defaults(stmt))
        return f"{name} is made with a name of the class" if seen else None

    def _assigned(self, name: str, value: cst.BaseExpression) -> str | None:
        alias = value.value if isinstance(value, cst.Name) else None
        lambdas = [part for part in walk(value) if isinstance(part, cst.Lambda)]
        if found := property_of(value, self._is_builtin):
            halves = set(filter(None, found))
            self._in_properties |= halves
            self._once.add(name)
            if halves <= self._methods:
                return self._again(name, cst.Assign)
        if alias is None and _mentions(value, self._once):
            return "a value is made from a method or field of the class"
        if any(_mentions(one.params, self._kinds) for one in lambdas):
            return f"{name} is made with a name of the class"
        if alias in self._methods:
            self._methods.add(name)
        elif _is_special(name, value):
            return f"its special method {name} is no `def` of its own"
        if _is_made(value):
            self._once.add(name)
        elif not _mentions(value, self._kinds.keys() - self._fixed) and not _can_change(value):
            self._fixed.add(name)
        return self._again(name, cst.Assign)


def _evaluated(node: cst.FunctionDef | cst.ClassDef) -> Iterator[cst.CSTNode]:
    """The parts evaluated where a function or class is defined, but for defaults."""
    if isinstance(node, cst.ClassDef):
        yield from (*node.bases, *node.keywords)
    for one in node.decorators:
        if (dotted(one.decorator) or ("",))[-1] not in _ACCESSORS:
            yield one


def _defaults(node: cst.FunctionDef | cst.ClassDef) -> Iterator[cst.BaseExpression]:
    if isinstance(node, cst.FunctionDef):
        yield from (one.default for one in parameters(node.params) if one.default is not None)


def accessor(name: str, decorator: cst.Decorator) -> str | None:
    """``"setter"`` of ``@name.setter`` and of ``@Base.name.setter``, and so on."""
    match dotted(decorator.decorator):
        case (*_, owner, kind) if owner == name and kind in _ACCESSORS:
            return kind
        case _:
            return None


def _is_odd_accessor(node: cst.ClassDef, name: str, decorator: cst.Decorator) -> bool:
    """True for ``@other.setter`` and the like, of which it is not told what property it makes."""
    path = dotted(decorator.decorator) or ()
    if not path or path[-1] not in _ACCESSORS:
        return False
    if accessor(name, decorator) is None:
        return True
    return len(path) > 2 and [path[:-2]] != [dotted(base.value) for base in node.bases]


def _is_special(name: str, value: cst.BaseExpression) -> bool:
    """True for names that Python itself looks up in classes, to call what they are bound to.

    A number under a name that only the program knows, ``__epsilon__ = 1e-5``, is a field.
    """
    if not (name.startswith("__") and name.endswith("__")) or name in _PLAIN:
        return False
    return not isinstance(value, cst.BaseNumber) or name in _LOOKED_UP or "array" in name


def _is_made(value: cst.BaseExpression) -> bool:
    """True if another evaluation of ``value`` gives a new object."""
    for part in walk(value):
        path = dotted(part.func) if isinstance(part, cst.Call) else None
        if isinstance(part, cst.Lambda) or (path is not None and path[-1] in _MAKERS):
            return True
    return False


def _can_change(value: cst.BaseExpression) -> bool:
    """True if ``value`` may be an object that is changed: a list, or what a function gives."""
    kinds = (cst.List, cst.Dict, cst.Set, cst.BaseComp, cst.Call)
    return any(isinstance(part, kinds) for part in walk(value))


def _mentions(expr: cst.CSTNode, names: Container[str]) -> bool:
    labels: set[int] = set()  # names of attributes and arguments
    for part in walk(expr):
        match part:
            case cst.Attribute(attr=label) | cst.Arg(keyword=cst.Name() as label):
                labels.add(id(label))
            case cst.Name(value=name) if name in names and id(part) not in labels:
                return True
            case _:
                pass
    return False


def slots(node: cst.ClassDef) -> frozenset[str] | None:
    """The names in ``__slots__``; None if there are none, or they are not written out."""
    for stmt in _statements(node):
        match stmt:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name("__slots__"))], value=value):
                texts = _texts(value)
                owner = node.name.value.lstrip("_")
                return None if texts is None else frozenset(_mangled(t, owner) for t in texts)
            case _:
                pass
    return None


def _texts(node: cst.BaseExpression) -> list[str] | None:
    match node:
        case cst.SimpleString():
            return [str(node.evaluated_value)]
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            found = [_texts(element.value) for element in elements]
            return None if None in found else [text for one in found for text in one or ()]
        case _:
            return None


def _mangled(text: str, owner: str) -> str:
    return f"_{owner}{text}" if text.startswith("__") and not text.endswith("__") else text
