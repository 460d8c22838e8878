"""Outlines of classes from their text: kind, fields, methods, and those that are inherited.

Nothing is typed here; see ``annotations`` for the types of instances, and ``structs`` for the
declaration that lowering works with.
"""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import libcst as cst

from mooncake_transpiler.frontend.class_text import classbodies, total_ordering
from mooncake_transpiler.frontend.class_text.attributes import attributes_of, calls_base
from mooncake_transpiler.frontend.class_text.classbodies import ENUMS
from mooncake_transpiler.frontend.class_text.followed import is_followed
from mooncake_transpiler.frontend.entities import ClassKind, External
from mooncake_transpiler.frontend.name.bindings import ClassBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.text.named_tuples import MAKER, class_of_call
from mooncake_transpiler.frontend.text.trees import by_name, maker, statements

# Bases that say nothing about how instances behave.
_NAMED = frozenset({"typing.NamedTuple", MAKER})
_RECORDS = frozenset({"typing.TypedDict", "typing_extensions.TypedDict"})
_NEUTRAL = frozenset({"builtins.object", "abc.ABC", "typing.Protocol", "typing.Generic"})
_MIXED = frozenset({"builtins.int", "builtins.str"})  # what members of an enum may be, too
_DATACLASS = External("dataclasses.dataclass")
_ORDERED = External("functools.total_ordering")
_MAX_BASES = 30  # one behind the other


@dataclass(frozen=True, slots=True, eq=False)
class Spec:
    """A field as its class states it."""

    name: str
    annotation: cst.BaseExpression
    module: str
    default: cst.BaseExpression | None = None
    factory: bool = False
    init: bool = True
    kwonly: bool = False
    passed_on: bool = False  # an InitVar: given to __post_init__ and not kept
    compare: bool = True
    optional: bool = False  # a key that a TypedDict may lack
    assigned: bool = False  # an attribute that __init__ assigns: what it is, is told by that


@dataclass(frozen=True, slots=True, eq=False)
class ClassOutline:
    """A class; what it inherits is in ``bases``, in the order in which it is looked up.

    ``problem`` says why it can't be understood. ``made``: it has fields that make its __init__.
    ``decorated``: that __init__ takes the place of one that it inherits. ``options``: those of
    @dataclass, None without it. ``is_ordered``: ``total_ordering`` adds comparisons.
    """

    found: BoundName
    node: cst.ClassDef
    kind: ClassKind
    bases: tuple[ClassOutline, ...]
    own: tuple[Spec, ...]
    made: bool
    problem: str | None
    decorated: bool = False
    options: Mapping[str, bool] | None = None
    is_ordered: bool = False
    untold: str | None = None  # an attribute whose type is not told by __init__

    @property
    def line(self) -> tuple[ClassOutline, ...]:
        """The class and all that it is derived from, each once and before its own bases."""
        found: list[ClassOutline] = []
        for base in reversed(self.bases):
            found = [*(b for b in base.line if b.found not in {f.found for f in found}), *found]
        return (self, *found)

    @property
    def untyped(self) -> str | None:
        """An attribute, of the class or inherited, whose type is not told by __init__."""
        return next((one.untold for one in self.line if one.untold), None)

    @property
    def fields(self) -> tuple[Spec, ...]:
        """All fields, those of bases first; one that is stated again keeps its place."""
        return tuple(spec for spec in self.parameters if not spec.passed_on)

    @property
    def parameters(self) -> tuple[Spec, ...]:
        """The fields, and what __init__ takes and passes on to __post_init__.

        A dataclass has none of classes that are no dataclasses.
        """
        found: dict[str, Spec] = {}
        for one in reversed(self.line):
            if one.made and (one.options is not None or self.options is None):
                found |= {spec.name: spec for spec in one.own}
        if self.options is None and self.untyped:
            found = {name: spec for name, spec in found.items() if not spec.assigned}
        positional = [spec for spec in found.values() if not spec.kwonly]
        return (*positional, *(spec for spec in found.values() if spec.kwonly))


def outline(
    resolver: Resolver, found: BoundName, node: cst.ClassDef, depth: int = 0
) -> ClassOutline:
    """The outline of the class ``node``, bound as ``found``."""
    bases, external, problem = _bases(resolver, found, node, depth)
    options, unclear = _options(resolver, found.module, node)
    is_ordered, unsuited = _ordering(resolver, found.module, node, bases)
    problem = problem or unsuited or unclear or _keywords(resolver, found.module, node)
    problem = problem or classbodies.problem(node, partial(is_property, resolver, found.module))
    problem = problem or next((base.problem for base in bases if base.problem), None)
    kind = _kind(external, options, bases)
    derived = kind is ClassKind.NAMED and not external & _NAMED
    if derived and (taken := classbodies.names(node) & {f.name for b in bases for f in b.fields}):
        problem = problem or f"{sorted(taken)[0]} is a field of the NamedTuple that it is made from"
    kinds = (ClassKind.NAMED, ClassKind.PLAIN, ClassKind.RECORD)
    made = options is not None or (kind in kinds and not derived)
    kwonly = options is not None and options.get("kw_only", False)
    own = tuple(_specs(resolver, found.module, node, kwonly)) if kind is not ClassKind.ENUM else ()
    untold = None
    if kind is ClassKind.PLAIN and options is None and external <= _NEUTRAL:
        stated = {spec.name for spec in own}
        assigned, untold = _attributes(resolver, found.module, node, bases, stated)
        own, untold = (*own, *assigned), None if own else untold
    decorated = options is not None or kind is ClassKind.NAMED
    return ClassOutline(
        found, node, kind, bases, own, made, problem, decorated, options,
        is_ordered and problem is None, untold,
    )  # fmt: skip


def is_property(resolver: Resolver, module: str, node: cst.BaseExpression) -> bool:
    """True for Python's ``property``."""
    return resolver.lookup(module, node) == External("builtins.property")


def _bases(
    resolver: Resolver, found: BoundName, node: cst.ClassDef, depth: int
) -> tuple[tuple[ClassOutline, ...], set[str], str | None]:
    """The base classes: those of the program, the names of others, and what is wrong with them."""
    bases: list[ClassOutline] = []
    problem = None
    external: set[str] = set()
    for base in node.bases:
        match resolver.lookup(found.module, base.value):
            case BoundName(binding=ClassBinding(node=inner)) as bound if depth < _MAX_BASES:
                bases.append(outline(resolver, bound, inner, depth + 1))
            case BoundName(binding=ClassBinding()):
                problem = f"there are more than {_MAX_BASES} base classes one behind the other"
            case External(qualname=qualname):
                external.add(qualname)
            case _ if _is_generic(resolver, found.module, base.value):
                pass
            case _ if made_by := class_of_call(f"{node.name.value}Fields", base.value):
                unnamed = BoundName(found.module, made_by.name.value, ClassBinding(made_by))
                bases.append(outline(resolver, unnamed, made_by, depth + 1))
            case _:
                problem = "a base class is not known"
    known = _NEUTRAL | ENUMS | _NAMED | _RECORDS | (_MIXED if external & ENUMS else set())
    unknown = {name for name in external - known if not is_exception(name)}
    if unknown:
        problem = f"{sorted(unknown)[0]} is no base class that is known"
    return tuple(bases), external, problem


def _ordering(
    resolver: Resolver, module: str, node: cst.ClassDef, bases: Sequence[ClassOutline]
) -> tuple[bool, str | None]:
    """True if ``total_ordering`` adds comparisons; and why it can't."""
    if not any(resolver.lookup(module, one.decorator) == _ORDERED for one in node.decorators):
        return False, None
    inherited = [total_ordering.names(base.node) for one in bases for base in one.line]
    if any(inherited) or not total_ordering.names(node):
        return True, "total_ordering takes a class that defines a comparison, and inherits none"
    return True, None


def _attributes(
    resolver: Resolver, module: str, node: cst.ClassDef, bases: Sequence[ClassOutline],
    stated: Collection[str],
) -> tuple[tuple[Spec, ...], str | None]:  # fmt: skip
    """The attributes that a plain class assigns itself, and one whose type is not told."""
    is_link = partial(is_followed, resolver, module)
    found = attributes_of(node, resolver.library_names(module), stated, is_link)
    inherited = [spec.name for base in bases for spec in base.fields]
    if inherited and not calls_base(node):
        return (), inherited[0]
    specs = (Spec(n, told, module, init=False, assigned=True) for n, told in found.told.items())
    return tuple(specs), found.untold


def is_exception(qualname: str) -> bool:
    module, _, name = qualname.rpartition(".")
    found = getattr(builtins, name, None) if module == "builtins" else None
    return isinstance(found, type) and issubclass(found, BaseException)


def _kind(
    external: set[str], options: Mapping[str, bool] | None, bases: Sequence[ClassOutline]
) -> ClassKind:
    if external & _NAMED:
        return ClassKind.NAMED
    if external & _RECORDS:
        return ClassKind.RECORD
    if external & ENUMS:
        return ClassKind.ENUM
    if options is not None:
        return ClassKind.FROZEN if options.get("frozen", False) else ClassKind.MUTABLE
    return next((b.kind for b in bases if b.kind is not ClassKind.PLAIN), ClassKind.PLAIN)


def _is_generic(resolver: Resolver, module: str, node: cst.BaseExpression) -> bool:
    """``Generic[T]`` and ``Protocol[T]``."""
    if not isinstance(node, cst.Subscript):
        return False
    head = resolver.lookup(module, node.value)
    return isinstance(head, External) and head.qualname in _NEUTRAL


# Decorators of classes; jitclass compiles what the class says, which is Python.
_AS_WRITTEN = (
    External("typing.final"), External("enum.unique"),
    External("numba.experimental.jitclass"), External("numba.jitclass"), _ORDERED,
)  # fmt: skip


def _options(
    resolver: Resolver, module: str, node: cst.ClassDef
) -> tuple[Mapping[str, bool] | None, str | None]:
    """The options of @dataclass, None without it; and what is wrong with the decorators."""
    options: dict[str, bool] | None = None
    for decorator in node.decorators:
        made = decorator.decorator
        entity = resolver.lookup(module, maker(decorator))
        if entity in _AS_WRITTEN or decorator in resolver.registering:
            continue
        if entity != _DATACLASS:
            return options, "what its decorator makes of it can't be told"
        options = {}
        for arg in made.args if isinstance(made, cst.Call) else ():
            if arg.keyword is None or not _is_bool(arg.value):
                return options, "the options of @dataclass must be True or False"
            options[arg.keyword.value] = (
                isinstance(arg.value, cst.Name) and arg.value.value == "True"
            )
        if options.get("init") is False and "__init__" not in classbodies.names(node):
            return options, "@dataclass(init=False) leaves it without an __init__ of its own"
    return options, None


def _is_bool(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Name) and node.value in ("True", "False")


def _keywords(resolver: Resolver, module: str, node: cst.ClassDef) -> str | None:
    for keyword in node.keywords:
        if keyword.keyword is not None and keyword.keyword.value == "total":
            continue
        if resolver.lookup(module, keyword.value) != External("abc.ABCMeta"):
            return "a metaclass makes of it what can't be told"
    return None


def _specs(resolver: Resolver, module: str, node: cst.ClassDef, kwonly: bool) -> Iterator[Spec]:
    values = classbodies.values(node)
    partial = _is_partial(node)
    for stmt in statements(node.body):
        if not isinstance(stmt, cst.AnnAssign) or not isinstance(stmt.target, cst.Name):
            continue
        annotation = stmt.annotation.annotation
        name = stmt.target.value
        value = values.get(name)
        head = annotation.value if isinstance(annotation, cst.Subscript) else annotation
        match resolver.lookup(module, head):
            case External(qualname="dataclasses.KW_ONLY"):
                kwonly = True
                continue
            case External(qualname="typing.ClassVar"):
                continue
            case External(qualname="dataclasses.InitVar") if isinstance(annotation, cst.Subscript):
                yield Spec(name, _inner(annotation), module, value, kwonly=kwonly, passed_on=True)
            case External(qualname=marker) if isinstance(annotation, cst.Subscript) and (
                marker.partition(".")[2] in ("NotRequired", "Required")
            ):
                optional = marker.endswith("NotRequired")
                yield Spec(name, _inner(annotation), module, value, optional=optional)
            case _:
                plain = Spec(name, annotation, module, value, kwonly=kwonly, optional=partial)
                yield _spec(resolver, module, plain)


def _inner(annotation: cst.Subscript) -> cst.BaseExpression:
    """``T`` of ``InitVar[T]``."""
    inner = annotation.slice[0].slice
    return inner.value if isinstance(inner, cst.Index) else annotation


def _is_partial(node: cst.ClassDef) -> bool:
    """True for a TypedDict with ``total=False``."""
    return any(
        one.keyword is not None and one.keyword.value == "total" and not _flag(one.value, True)
        for one in node.keywords
    )


def _spec(resolver: Resolver, module: str, plain: Spec) -> Spec:
    """``plain``, whose default may be a call of ``field``."""
    call = plain.default
    if not isinstance(call, cst.Call):
        return plain
    if resolver.lookup(module, call.func) != External("dataclasses.field"):
        return plain
    given = by_name(call.args)
    factory = given.get("default_factory")
    return Spec(
        plain.name, plain.annotation, module, factory or given.get("default"), factory is not None,
        _flag(given.get("init"), True), _flag(given.get("kw_only"), plain.kwonly),
        compare=_flag(given.get("compare"), True),
    )  # fmt: skip


def _flag(node: cst.BaseExpression | None, default: bool) -> bool:
    return node.value == "True" if isinstance(node, cst.Name) else default
