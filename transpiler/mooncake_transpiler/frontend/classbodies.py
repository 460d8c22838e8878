"""Names bound in the body of a class: values, fields and methods; other statements are problems."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.resolve import Resolver
from mooncake_transpiler.frontend.trees import dotted, statements, walk

ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum"})
_PLAIN = frozenset(
    {"__slots__", "__hash__", "__doc__", "__match_args__", "__module__", "__version__"}
)
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


def values(node: cst.ClassDef) -> dict[str, cst.BaseExpression]:
    """The values that names are bound to, annotated or not; they don't name one another."""
    found: dict[str, cst.BaseExpression] = {}
    for stmt in _statements(node):
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
    def __init__(self, known: Mapping[str, cst.BaseExpression]) -> None:
        super().__init__()
        self._known = known

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self._known.get(original_node.value, updated_node)

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.Attribute:
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:
        return updated_node.with_changes(keyword=original_node.keyword)


def problem(node: cst.ClassDef) -> str | None:
    """Why what the class binds can't be told from its statements one by one."""
    bound: dict[str, type[cst.CSTNode]] = {}
    once: set[str] = set()  # names whose values can't stand in for them
    methods: set[str] = set()
    for stmt in _statements(node):
        match stmt:
            case cst.FunctionDef(name=cst.Name(value=name)):
                if bound.get(name, cst.FunctionDef) is not cst.FunctionDef:
                    return f"it binds {name} twice"
                if any(_is_odd_accessor(node, name, one) for one in stmt.decorators):
                    return f"{name} is made from a property of another name or class"
                bound[name] = cst.FunctionDef
                methods.add(name)
                once.add(name)
            case cst.Assign(targets=targets, value=value):
                if not all(isinstance(target.target, cst.Name) for target in targets):
                    return "it assigns to more than names"
                if not isinstance(value, cst.Name) and _mentions(value, once):
                    return "a value is made from a method or field of the class"
                for target in targets:
                    assert isinstance(target.target, cst.Name)
                    name = target.target.value
                    if bound.get(name, cst.Assign) is not cst.Assign:
                        return f"it binds {name} twice"
                    bound[name] = cst.Assign
                    if _is_made(value):
                        once.add(name)
                    if isinstance(value, cst.Name) and value.value in methods:
                        methods.add(name)
                    elif _is_special(name):
                        return f"its special method {name} is no `def` of its own"
            case cst.AnnAssign(target=cst.Name(value=name), value=cst.BaseExpression() as value):
                if _is_special(name):
                    return f"its special method {name} is no `def` of its own"
                if _mentions(value, once):
                    return "a value is made from a method or field of the class"
                if _is_made(value):
                    once.add(name)
            case cst.AnnAssign(target=cst.Name()):
                pass
            case cst.Expr(value=cst.BaseString() | cst.BaseNumber() | cst.Ellipsis()):
                pass
            case cst.Pass() | cst.ClassDef() | cst.TypeAlias():
                pass
            case _:
                kind = type(stmt).__name__.lower()
                return f"its body has a statement that is not understood there: {kind}"
    return None


def accessor(name: str, decorator: cst.Decorator) -> str | None:
    """``"setter"`` of ``@name.setter`` and of ``@Base.name.setter``, and so on."""
    match dotted(decorator.decorator):
        case (*_, owner, ("setter" | "getter" | "deleter") as kind) if owner == name:
            return kind
        case _:
            return None


def _is_odd_accessor(node: cst.ClassDef, name: str, decorator: cst.Decorator) -> bool:
    """True for ``@other.setter`` and the like, of which it is not told what property it makes."""
    path = dotted(decorator.decorator) or ()
    if path[-1:] not in (("setter",), ("getter",), ("deleter",)):
        return False
    if accessor(name, decorator) is None:
        return True
    return len(path) > 2 and [path[:-2]] != [dotted(base.value) for base in node.bases]


def _is_special(name: str) -> bool:
    """True for names that Python itself looks up in classes, to call what they are bound to."""
    return name.startswith("__") and name.endswith("__") and name not in _PLAIN


def _is_made(value: cst.BaseExpression) -> bool:
    """True if another evaluation of ``value`` gives a new object."""
    for part in walk(value):
        path = dotted(part.func) if isinstance(part, cst.Call) else None
        if isinstance(part, cst.Lambda) or (path is not None and path[-1] in _MAKERS):
            return True
    return False


def _mentions(expr: cst.BaseExpression, names: Container[str]) -> bool:
    return any(isinstance(node, cst.Name) and node.value in names for node in walk(expr))


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
