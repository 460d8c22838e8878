"""Names followed through imports, re-exports and ``import *`` to where they are bound."""

from __future__ import annotations

import builtins
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

import libcst as cst
import numpy as np

from mooncake_transpiler.frontend.entities import External, Module, ModuleRef
from mooncake_transpiler.frontend.name import library_classes
from mooncake_transpiler.frontend.name.bindings import (
    Binding,
    Bindings,
    ChoiceBinding,
    ClassBinding,
    FunctionBinding,
    ImportBinding,
    Star,
    UnknownBinding,
    ValueBinding,
)
from mooncake_transpiler.frontend.rank_evidence import Evidence, Path
from mooncake_transpiler.frontend.text.trees import dotted
from mooncake_transpiler.types import ArrayLibrary

# Modules outside the program whose names are known, for ``from math import *``.
_STARS: Mapping[str, frozenset[str]] = {
    "math": frozenset(name for name in dir(math) if not name.startswith("_")),
    "numpy": frozenset(np.__all__),
}

# Modules that Python may find elsewhere before it looks into a folder of the user's.
_ELSEWHERE = sys.stdlib_module_names | {
    "cupy", "cupyx", "mooncake_runtime", "numba", "numpy", "scipy",
}  # fmt: skip
_AMBIGUOUS = "{} is a module of SRC, but also one that Python may find elsewhere: rename it"

_VENDORED = "_mooncake_runtime."  # the copy of the runtime that ``--vendor`` makes

# Packages that pass on the names of others, under the name that tables use.
_CANONICAL = (
    ("typing_extensions.", "typing."),
    ("numba.core.types.", "numba."),
    ("numba.types.", "numba."),
    ("numpy._typing.", "numpy.typing."),
)

# Packages whose functions mean what those of another do, for arrays of their own.
_TWINS = (("cupyx.scatter_add", "numpy.add.at"), ("cupyx.scipy", "scipy"), ("cupy", "numpy"))


@dataclass(frozen=True, slots=True)
class BoundName:
    """A name bound by a statement of the program's module ``module``."""

    module: str
    name: str
    binding: FunctionBinding | ClassBinding | ValueBinding | UnknownBinding


Found = BoundName | External | ModuleRef


@dataclass(frozen=True, slots=True)
class Exported:
    """The names of ``import *``: ``names`` if that is certain, others too if not complete."""

    names: AbstractSet[str]
    is_certain: bool = True
    is_complete: bool = True


@dataclass(frozen=True, slots=True)
class Resolver:
    """Follows names; ``package`` is the dotted name of SRC where that is a package, else empty.

    ``circles`` are pairs of modules of which the first is needed to make the second.
    """

    modules: Mapping[str, Module]
    bindings: Mapping[str, Bindings]
    package: str = ""
    circles: AbstractSet[tuple[str, str]] = frozenset()
    folders: frozenset[str] = field(init=False)  # the dotted names of those with modules in them
    has_cupy: bool = field(init=False)  # some text mentions it
    # Ranks of arrays in instances of classes, by module and name, and the ways to the arrays.
    field_ranks: dict[tuple[str, str], Mapping[Path, Evidence]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    # The functions that functions and classes name, noted when first asked for.
    named: dict[cst.CSTNode, frozenset[cst.CSTNode]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    # Decorators that put things into registries, and leave them as they are.
    registering: set[cst.Decorator] = field(
        default_factory=set, init=False, compare=False, repr=False
    )

    # The ranks of what each module hands its functions where it runs, noted when first asked for.
    called: dict[str, Mapping[cst.CSTNode, Mapping[str, int]]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    # The attributes that each module follows from objects to others, noted when first asked for.
    followed: dict[str, frozenset[str]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        parts = [name.split(".") for name in self.modules]
        folders = frozenset(".".join(path[:k]) for path in parts for k in range(1, len(path)))
        object.__setattr__(self, "folders", folders)
        has_cupy = any("cupy" in module.text for module in self.modules.values())
        object.__setattr__(self, "has_cupy", has_cupy)

    def follow(self, module: str, name: str) -> Found | None:
        """The binding of ``name`` among the globals of ``module``, through imports."""
        return self._follow(module, name, frozenset())

    def lookup(self, module: str, node: cst.CSTNode) -> Found | None:
        """The binding of a name or dotted name at the top level of ``module``."""
        path = dotted(node)
        if path is None:
            return None
        found = self.follow(module, path[0])
        if found is None and hasattr(builtins, path[0]):
            found = External(f"builtins.{path[0]}")
        for attr in path[1:]:
            found = self.member(found, attr)
        return found

    def library_names(self, module: str) -> Callable[[cst.BaseExpression], str | None]:
        """A function that tells what names of libraries in ``module`` stand for."""

        def qualname(node: cst.BaseExpression) -> str | None:
            found = self.lookup(module, node)
            return found.qualname if isinstance(found, External) else None

        return qualname

    def member(self, found: Found | None, attr: str) -> Found | None:
        """``found.attr``."""
        match found:
            case ModuleRef(module=module):
                return self._member(module, attr, frozenset())
            case External(qualname=qualname, library=library):
                inner = self._outside(f"{qualname}.{attr}")
                return replace(inner, library=library) if isinstance(inner, External) else inner
            case _:
                return None

    def names(self, module: str) -> Iterator[str]:
        """The global names of ``module``, its own first."""
        own = self.bindings[module]
        yield from own.names
        for star in own.stars:
            inside = self.locate(star.module)
            if inside is None:
                yield from _STARS.get(star.module, ())
            elif inside in self.bindings and inside != module:
                yield from sorted(self._exported(inside).names)

    def imports(self, module: str) -> tuple[str, ...]:
        """The program's modules that ``module`` imports."""
        own = self.bindings[module]
        targets = [b for b in own.names.values() if isinstance(b, ImportBinding)]
        names = [f"{b.module}.{b.name}" for b in targets if b.name]
        names += [star.module for star in own.stars]
        located = (self.locate(name) for name in [*names, *(b.module for b in targets)])
        found = {name for name in located if name is not None and name in self.modules}
        return tuple(sorted(found - {module}))

    def locate(self, path: str) -> str | None:
        """The dotted name in the program of the absolute name ``path``, if it is a module there."""
        if not self.package:
            return self._inside(path)
        if not f"{path}.".startswith(f"{self.package}."):
            return None  # what stands in a package is not found under its short name
        return self._inside(path[len(self.package) + 1 :])

    def _inside(self, path: str) -> str | None:
        """``path``, relative to SRC, if there is such a module or folder."""
        if not path:
            return "__init__" if "__init__" in self.modules else None
        if path in self.modules or path in self.folders:
            return path
        return None

    def _follow(self, module: str, name: str, seen: frozenset[tuple[str, str]]) -> Found | None:
        if (module, name) in seen or module not in self.bindings:
            return None
        seen |= {(module, name)}
        own = self.bindings[module].names.get(name)
        later = [star for star in self.bindings[module].stars if name in star.before]
        if own is None:
            return self._starred(module, name, self.bindings[module].stars, seen)
        found = self._bound(module, name, own, seen)
        other = self._starred(module, name, later, seen) if later else None
        if other not in (None, found):
            return BoundName(module, name, UnknownBinding("a later `import *` replaces it"))
        return found

    def _bound(
        self, module: str, name: str, binding: Binding, seen: frozenset[tuple[str, str]]
    ) -> Found | None:
        match binding:
            case ImportBinding(module=target) if self._is_ambiguous(target):
                return BoundName(module, name, UnknownBinding(_AMBIGUOUS.format(target)))
            case ImportBinding() as imported if self._is_circular(module, imported):
                return BoundName(
                    module, name, UnknownBinding("it is made from this module, or by way of it")
                )
            case ImportBinding() as imported:
                return self._imported(imported, seen)
            case ChoiceBinding():
                return BoundName(
                    module, name, UnknownBinding("it is bound in more than one branch")
                )
            case FunctionBinding() | ClassBinding() | ValueBinding() | UnknownBinding() as binding:
                return BoundName(module, name, binding)

    def _is_circular(self, module: str, imported: ImportBinding) -> bool:
        """True if the import closes a circle: ``module`` is needed to make that gradient module."""
        if not self.circles:
            return False
        prefix = f"{self.package}." if self.package else ""
        paths = (imported.module, f"{imported.module}.{imported.name}")
        return any((module, path.removeprefix(prefix)) in self.circles for path in paths)

    def _is_ambiguous(self, path: str) -> bool:
        """True if the absolute name ``path`` may be a module of SRC or a well-known one."""
        return path.partition(".")[0] in _ELSEWHERE and self.locate(path) is not None

    def _outside(self, qualname: str) -> Found:
        """A name outside, unless it is that of the package that SRC is."""
        inside = self.locate(qualname) if self.package == qualname else None
        return self._external(qualname) if inside is None else ModuleRef(inside)

    def _external(self, qualname: str) -> Found:
        """A name outside; a class of Python's library may be written out in the program."""
        name = library_classes.CLASSES.get(qualname)
        found = None if name is None else self.follow(library_classes.NAME, name)
        return found or external(qualname)

    def _imported(self, imported: ImportBinding, seen: frozenset[tuple[str, str]]) -> Found | None:
        target, attr = imported.module, imported.name
        inside = self.locate(target)
        if attr is None:
            return external(target) if inside is None else ModuleRef(inside)
        if inside is None:
            return self._external(f"{target}.{attr}")
        return self._member(inside, attr, seen)

    def _member(self, module: str, attr: str, seen: frozenset[tuple[str, str]]) -> Found | None:
        found = self._follow(module, attr, seen)
        if found is None:
            path = attr if module == "__init__" else f"{module}.{attr}"
            inside = self._inside(path)
            return None if inside is None else ModuleRef(inside)
        return found

    def _starred(
        self, module: str, name: str, stars: Sequence[Star], seen: frozenset[tuple[str, str]]
    ) -> Found | None:
        """The binding of ``name`` by the last of ``stars`` in ``module`` that has it."""
        unknown = ""  # a module with names that are not known
        for path in (star.module for star in reversed(stars)):
            inside = self.locate(path)
            known = _STARS.get(path, frozenset())
            brought = Exported(known, is_complete=bool(known))
            if inside is not None:
                brought = self._exported(inside)
            if name not in brought.names:
                unknown = unknown if brought.is_complete else unknown or path
                continue
            if self._is_ambiguous(path):
                return BoundName(module, name, UnknownBinding(_AMBIGUOUS.format(path)))
            if unknown or not brought.is_certain:
                why = f"it is not known what `from {unknown or path} import *` brings"
                return BoundName(module, name, UnknownBinding(why))
            if inside is None:
                return external(f"{path}.{name}")
            return self._follow(inside, name, seen)
        return None

    def _exported(self, module: str, seen: frozenset[str] = frozenset()) -> Exported:
        """The names that ``from module import *`` binds."""
        own = self.bindings[module] if module in self.bindings else Bindings()
        if (declared := own.names.get("__all__")) is not None:
            expr = declared.expr if isinstance(declared, ValueBinding) else None
            names = None if expr is None else self._strings(module, expr, frozenset())
            return Exported(own.names.keys(), False, False) if names is None else Exported(names)
        found, is_complete = set(own.names), True
        for path in {star.module for star in own.stars} - seen:
            inside = self.locate(path)
            if inside is None:
                found |= _STARS.get(path, frozenset())
                is_complete = is_complete and path in _STARS
            else:
                below = self._exported(inside, seen | {path})
                found |= below.names
                is_complete = is_complete and below.is_complete
        return Exported({n for n in found if not n.startswith("_")}, is_complete=is_complete)

    def _strings(
        self, module: str, expr: cst.BaseExpression, seen: frozenset[tuple[str, str]]
    ) -> frozenset[str] | None:
        """The strings in a list, as ``__all__`` is written; None where they are not known."""
        match expr:
            case cst.SimpleString():
                return frozenset({str(expr.evaluated_value)})
            case cst.List(elements=elements) | cst.Tuple(elements=elements):
                parts = [element.value for element in elements]
            case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
                parts = [left, right]
            case cst.Name() | cst.Attribute():
                found = self.lookup(module, expr)
                if not (isinstance(found, BoundName) and isinstance(found.binding, ValueBinding)):
                    return None
                key = (found.module, found.name)
                parts = [found.binding.expr]
                if key in seen:
                    return None
                module, seen = found.module, seen | {key}
            case _:
                return None
        known = [self._strings(module, part, seen) for part in parts]
        strings = [part for part in known if part is not None]
        return frozenset().union(*strings) if len(strings) == len(known) else None


def external(qualname: str) -> External:
    """A name outside the program, in its canonical spelling."""
    _, vendored, rest = qualname.rpartition(_VENDORED)
    if vendored:
        return External(f"mooncake_runtime.{rest}")
    for prefix, canonical in _CANONICAL:
        if qualname.startswith(prefix):
            library = ArrayLibrary.NUMPY if prefix.startswith("numpy") else None
            return External(canonical + qualname.removeprefix(prefix), library)
    for package, twin in _TWINS:
        if f"{qualname}.".startswith(f"{package}."):
            return External(twin + qualname.removeprefix(package), ArrayLibrary.CUPY)
    is_numeric = qualname.partition(".")[0] in ("numpy", "scipy")
    return External(qualname, ArrayLibrary.NUMPY if is_numeric else None)
