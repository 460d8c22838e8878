"""What names of the user's modules stand for: the interface between reading and lowering."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

import libcst as cst
from libcst.metadata import CodeRange

from mooncake_transpiler.types import Type, is_differentiable

Dim = int | str | None  # a literal, a name or small expression ("n+1"), or unknown


@dataclass(frozen=True, slots=True)
class Annotation:
    """A resolved annotation: the type, and for arrays the dimensions that it names.

    ``dims`` holds one entry per array leaf of ``type`` (``None`` for an array without dimensions).
    """

    type: Type
    dims: tuple[tuple[Dim, ...] | None, ...] = ()


@dataclass(frozen=True, slots=True)
class ParamDecl:
    name: str
    annotation: Annotation | None  # None: un-annotated (helpers are specialised)
    default: cst.BaseExpression | None
    kwonly: bool
    node: cst.Param


@dataclass(frozen=True, slots=True)
class Directive:
    """``# mooncake: wrt=x,y modes=reverse,forward`` or ``# mooncake: skip`` above a function."""

    wrt: tuple[str, ...] | None = None
    modes: tuple[str, ...] | None = None
    skip: bool = False


class Role(Enum):
    """What a function is to the transpiler, by its decorator from ``mooncake_runtime``."""

    RULE = "rule_for"
    OVERLAY = "overlay"
    NONDIFF = "nondiff"


@dataclass(frozen=True, slots=True)
class Mark:
    """``target``: the qualified name of the function that a rule or an overlay is for."""

    role: Role
    target: str = ""


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

    @property
    def qualname(self) -> str:
        return f"{self.module}:{self.name}"

    @property
    def is_public(self) -> bool:
        """Whether derivatives are emitted: public, annotated, floats in and out, not skipped."""
        if self.name.startswith("_") or self.directive.skip or self.node.asynchronous:
            return False
        if self.mark is not None:
            return False
        notes = [param.annotation for param in self.params]
        if self.result is None or None in notes:
            return False
        takes_floats = any(note is not None and is_differentiable(note.type) for note in notes)
        return takes_floats and is_differentiable(self.result.type)


@dataclass(frozen=True, slots=True)
class ConstantDecl:
    """A module-level constant: a scalar, string, None or a (nested) tuple of them."""

    value: object


@dataclass(frozen=True, slots=True)
class ArrayConstantDecl:
    """A module-level array that nothing in the program writes."""

    module: str
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class ModuleRef:
    """A module of the program (``import a.b``), by dotted name."""

    module: str


@dataclass(frozen=True, slots=True)
class External:
    """A name outside the program, fully qualified: ``numpy``, ``numpy.sin``, ``math.pi``."""

    qualname: str


@dataclass(frozen=True, slots=True)
class TypeAlias:
    annotation: Annotation


@dataclass(frozen=True, slots=True)
class Mutable:
    """A module-level name that is written, or not known ahead of time: reading it is an error."""

    module: str
    name: str
    why: str = "it is changed somewhere"


Entity = (
    FunctionDecl | ConstantDecl | ArrayConstantDecl | ModuleRef | External | TypeAlias | Mutable
)


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """A parsed module: ``scope`` maps its global names to what they stand for."""

    name: str  # dotted, relative to SRC; "pkg" for pkg/__init__.py
    path: str  # relative to SRC, with forward slashes; for messages
    text: str
    tree: cst.Module
    positions: Mapping[cst.CSTNode, CodeRange]
    is_package: bool
    scope: dict[str, Entity] = field(default_factory=dict)
    imports: tuple[str, ...] = ()  # dotted names of the program's modules that it imports


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """All modules of one run, by dotted name."""

    modules: dict[str, Module]
    marked: dict[tuple[Role, str], FunctionDecl] = field(default_factory=dict)  # by target

    def functions(self) -> list[FunctionDecl]:
        """All module-level functions, in order of module name and position."""
        found = []
        for name in sorted(self.modules):
            for key, entity in self.modules[name].scope.items():
                if isinstance(entity, FunctionDecl) and (entity.module, entity.name) == (name, key):
                    found.append(entity)
        return found
