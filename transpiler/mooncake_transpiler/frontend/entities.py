"""Entities, the meanings of the user's names: the interface between reading and lowering."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

import libcst as cst
from libcst.metadata import CodeRange

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Start
from mooncake_transpiler.types import NONE, ArrayLibrary, ClassRef, Tuple, Type, is_differentiable

Bounds = tuple[float, float]  # the least and the largest value
# A decorator that puts what is below it, by its name, into a registry; or a statement that does.
Filling = tuple[cst.Decorator | cst.BaseSmallStatement, str]
Dim = int | str | None  # a literal, a name or small expression ("n+1"), or unknown


@dataclass(frozen=True, slots=True)
class Annotation:
    """A resolved annotation: the type, and for each array leaf the dimensions it names, or None."""

    type: Type
    dims: tuple[tuple[Dim, ...] | None, ...] = ()


@dataclass(frozen=True, slots=True)
class ParamDecl:
    name: str
    annotation: Annotation | None  # None: un-annotated (helpers are specialised)
    default: cst.BaseExpression | None
    kwonly: bool
    node: cst.Param
    is_inferred: bool = False  # its rank, by what the function does with it
    is_guessed: bool = False  # a vector, as nothing told the rank
    fewest: int = 0  # axes of an array of an open rank that its function asks for at least
    leads: bool = False  # it stands before what it is multiplied with by @
    alternatives: tuple[Annotation, ...] = ()  # where nothing but what fits tells its ranks
    inferred_fields: tuple[tuple[str, int], ...] = ()  # arrays in objects, and their ranks


@dataclass(frozen=True, slots=True)
class Directive:
    """``# mooncake: wrt=x,y modes=reverse,forward`` or ``# mooncake: skip`` above a function.

    ``domain``: what numbers in a parameter may be, for ``verify``; derivatives don't depend on it.
    """

    wrt: tuple[str, ...] | None = None
    modes: tuple[str, ...] | None = None
    skip: bool = False
    domain: tuple[tuple[str, Bounds], ...] = ()


class FunctionRole(Enum):
    """The role of a function for the transpiler, by its decorator from ``mooncake_runtime``."""

    RULE = "rule_for"
    OVERLAY = "overlay"
    NONDIFF = "nondiff"


@dataclass(frozen=True, slots=True)
class Mark:
    """A role given by a decorator; ``target``: the function that a rule or an overlay is for."""

    role: FunctionRole
    target: str = ""


_HALVES = ("_fwd", "_pullback")  # generated functions that hand residuals to one another


@dataclass(frozen=True, slots=True, eq=False)
class FunctionDecl:
    """A module-level function."""

    module: str
    name: str
    node: cst.FunctionDef
    params: tuple[ParamDecl, ...]
    result: Annotation | None
    directive: Directive
    mark: Mark | None = None
    is_plain: bool = False  # as it is written, without its decorators
    is_lifted: bool = False  # nested in another function, in the source
    library: ArrayLibrary | None = None  # whose arrays it works with, if its text says so
    shared: frozenset[Start] = frozenset()  # where it changes what may have another name, too
    is_generated: bool = False  # by us: what its result is follows from its body
    infers_result: bool = False  # as an array of a rank that is not said, or a dict
    gives_dict: bool = False  # with keys that its body tells
    ambiguous: tuple[Diagnostic, ...] = ()  # parameters whose ranks nothing tells but what fits
    is_refused: bool = False  # its signature, by diagnostics
    no_derivatives: str = ""  # the reason, where its signature is no signature for derivatives
    written: tuple[str, ...] = ()  # it returns no floats, and derivatives have these parameters
    unshown: str = ""  # the reason, where it changes parameters and has no such derivatives
    proposal: FunctionDecl | None = None  # with ranks that may fit, of a helper that lacks them

    @property
    def qualname(self) -> str:
        return f"{self.module}:{self.name}"

    @property
    def owner(self) -> str:
        """The name of the class whose method this is; empty for a function."""
        return self.name.rpartition(".")[0]

    @property
    def own_name(self) -> str:
        """The name without that of the class whose method this is."""
        return self.name.rpartition(".")[2]

    @property
    def is_public(self) -> bool:
        """True if derivatives are emitted: public, annotated, floats in and out, not skipped."""
        if self.name.startswith("_") or self.directive.skip or self.node.asynchronous:
            return False
        if self.mark is not None or self.is_plain:
            return False
        if self.is_generated and self.name.endswith(_HALVES):
            return False
        notes = [param.annotation for param in self.params]
        if None in notes or (self.result is None and not (self.is_generated or self.infers_result)):
            return False
        takes_floats = any(note is not None and is_differentiable(note.type) for note in notes)
        if self.result is None or self.written:
            return takes_floats
        return takes_floats and is_differentiable(self.result.type)

    @property
    def outcome(self) -> Type | None:
        """The type of the result, and of what it has ``written`` where derivatives have that."""
        if not self.written:
            return None if self.result is None else self.result.type
        own = () if self.result is None or self.result.type == NONE else (self.result.type,)
        notes = {p.name: p.annotation for p in self.params}
        found = tuple(note.type for name in self.written if (note := notes[name]) is not None)
        return found[0] if len(found) == 1 and not own else Tuple((*own, *found))

    @property
    def in_place(self) -> FunctionDecl:
        """The function as others of the program call it, with its own result."""
        return replace(self, name=f"_{self.name}_in_place", written=()) if self.written else self


class ClassKind(Enum):
    """The kind of a class of the program, as far as making and using instances goes."""

    NAMED = "a NamedTuple"
    FROZEN = "a frozen dataclass"
    MUTABLE = "a dataclass"
    PLAIN = "a class"
    ENUM = "an enum"
    RECORD = "a TypedDict"


@dataclass(frozen=True, slots=True, eq=False)
class FieldDecl:
    """A field of a dataclass or NamedTuple; ``module`` is where its default is evaluated.

    ``factory``: the default is called for each instance. ``init``: it is a parameter. ``compare``:
    instances that are equal have equal ones.
    """

    name: str
    annotation: Annotation | None
    module: str
    default: cst.BaseExpression | None = None
    factory: bool = False
    init: bool = True
    kwonly: bool = False
    passed_on: bool = False  # an InitVar: given to __post_init__ and not kept
    compare: bool = True


class MethodKind(Enum):
    METHOD = "method"
    PROPERTY = "property"
    CLASS = "classmethod"
    STATIC = "staticmethod"


@dataclass(frozen=True, slots=True, eq=False)
class MethodDecl:
    kind: MethodKind
    function: FunctionDecl


@dataclass(frozen=True, slots=True, eq=False)
class ClassDecl:
    """A class of the program; what it inherits is among ``fields``, ``methods``, ``constants``.

    ``problem`` says why instances can't be made or used. ``annotation`` is the type of instances,
    if the types of all fields are known. ``line``: the classes that attributes are looked up in
    after this one. ``parameters``: those of the __init__ that the fields make, which ``decorated``
    classes have even if they inherit another. ``options``: those of @dataclass, if it has that.
    ``slots``: the only attributes of instances, where it says so. ``setters``: those of
    properties, which are among ``methods`` themselves.
    """

    module: str
    name: str
    node: cst.ClassDef
    kind: ClassKind
    bases: tuple[ClassDecl, ...] = ()
    fields: tuple[FieldDecl, ...] = ()
    methods: Mapping[str, MethodDecl] = field(default_factory=dict)
    constants: Mapping[str, tuple[str, cst.BaseExpression]] = field(default_factory=dict)
    annotation: Annotation | None = None
    problem: str | None = None
    own_methods: Mapping[str, MethodDecl] = field(default_factory=dict)
    own_constants: Mapping[str, tuple[str, cst.BaseExpression]] = field(default_factory=dict)
    line: tuple[ClassDecl, ...] = ()
    parameters: tuple[FieldDecl, ...] = ()
    decorated: bool = False
    options: Mapping[str, bool] | None = None
    slots: frozenset[str] | None = None
    ref: ClassRef | None = None  # of instances, if types of fields are known but for ranks
    setters: Mapping[str, FunctionDecl] = field(default_factory=dict)
    own_setters: Mapping[str, FunctionDecl] = field(default_factory=dict)

    @property
    def qualname(self) -> str:
        return f"{self.module}:{self.name}"

    @property
    def functions(self) -> Iterator[FunctionDecl]:
        """The functions of its methods and setters."""
        yield from (method.function for method in self.methods.values())
        yield from self.setters.values()

    def is_a(self, other: ClassDecl) -> bool:
        """True if this is ``other`` or derived from it."""
        return self is other or any(base.is_a(other) for base in self.bases)


@dataclass(frozen=True, slots=True)
class EnumMember:
    """A member of an enum, by the name that stands first among those with its value."""

    cls: ClassDecl
    name: str


@dataclass(frozen=True, slots=True)
class ConstantDecl:
    """A module-level constant: a scalar, string, None, limits of a dtype, or a tuple of them."""

    value: object


@dataclass(frozen=True, slots=True)
class ArrayConstantDecl:
    """A module-level array that nothing in the program writes."""

    module: str
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class SharedDecl:
    """A module-level list, dict, object or function that each use makes anew, to be read only.

    ``value``: what is known of it, of constants; else ``expr`` makes it, and ``fillings`` fill it.
    """

    module: str
    name: str
    expr: cst.BaseExpression
    value: object = None
    fillings: tuple[Filling, ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleRef:
    """A module of the program (``import a.b``), by dotted name."""

    module: str


@dataclass(frozen=True, slots=True)
class Logger:
    """``logging.getLogger(name)``."""

    name: str


@dataclass(frozen=True, slots=True)
class External:
    """A name outside the program, fully qualified: ``numpy``, ``numpy.sin``, ``math.pi``.

    Names of CuPy are those of NumPy, whose meaning they have; ``library`` tells them apart.
    """

    qualname: str
    library: ArrayLibrary | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TypeAlias:
    annotation: Annotation


@dataclass(frozen=True, slots=True)
class Mutable:
    """A module-level name that is written, or not known ahead of time: reading it is an error."""

    module: str
    name: str
    why: str = "it is changed somewhere"


@dataclass(frozen=True, slots=True)
class Default:
    """The default of a parameter, as ``module`` states it: a generated module names it."""

    module: str
    expr: cst.BaseExpression


Entity = (
    FunctionDecl | ClassDecl | ConstantDecl | ArrayConstantDecl | ModuleRef | External | TypeAlias
    | Mutable | Default | SharedDecl
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """A parsed module: ``scope`` maps its global names to what they stand for."""

    name: str  # dotted, relative to SRC; "pkg" for pkg/__init__.py
    path: str  # relative to SRC, with forward slashes; for messages
    text: str
    tree: cst.Module
    positions: Mapping[cst.CSTNode, CodeRange]
    is_package: bool
    is_generated: bool = False  # by us: a gradient module
    scope: dict[str, Entity] = field(default_factory=dict)
    imports: tuple[str, ...] = ()  # dotted names of the program's modules that it imports

    def with_positions(self, more: Mapping[cst.CSTNode, CodeRange]) -> Module:
        """This module with the positions of nodes that have been made of its own."""
        return replace(self, positions=ChainMap(dict(more), dict(self.positions)))


@dataclass(frozen=True, slots=True)
class AttributeWrites:
    """Names of attributes that are bound anew through a class, and of those changed in place.

    ``*`` among them stands for any name.
    """

    bound: frozenset[str] = frozenset()
    filled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """All modules of one run, by dotted name; ``enums``: the program's, as Python makes them.

    ``mentioned``: the words of its text, those behind a ``def`` or before a quote left out.
    """

    modules: dict[str, Module]
    marked: dict[tuple[FunctionRole, str], FunctionDecl] = field(default_factory=dict)  # by target
    classes: dict[tuple[str, str], ClassDecl] = field(default_factory=dict)  # by module and name
    package: str = ""  # the dotted name of SRC where that is a package
    enums: dict[ClassDecl, type[Enum]] = field(default_factory=dict)
    mentioned: frozenset[str] = frozenset()
    attribute_writes: Mapping[str, AttributeWrites] = field(default_factory=dict)  # by module
    registering: frozenset[cst.Decorator] = frozenset()  # they leave what they decorate as it is

    def imported_name(self, module: str) -> str:
        """``__name__`` in ``module`` when it is imported."""
        if not self.package or module == "__init__":
            return self.package or module
        return f"{self.package}.{module}"

    def functions(self) -> list[FunctionDecl]:
        """All module-level functions, in order of module name and position."""
        found = []
        for name in sorted(self.modules):
            for key, entity in self.modules[name].scope.items():
                if not isinstance(entity, FunctionDecl) or entity.is_lifted:
                    continue
                if (entity.module, entity.name) == (name, key):
                    found.append(entity)
        return found

    def redeclare(self, decl: FunctionDecl, other: FunctionDecl) -> None:
        """Let ``other`` stand for ``decl``, by whatever name."""
        for module in self.modules.values():
            for name, entity in module.scope.items():
                if entity is decl:
                    module.scope[name] = other
