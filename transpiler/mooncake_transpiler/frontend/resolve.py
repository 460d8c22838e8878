"""Names followed through imports, re-exports and ``import *`` to where they are bound."""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import libcst as cst
import numpy as np

from mooncake_transpiler.frontend.bindings import (
    Binding,
    Bindings,
    Class,
    Function,
    Import,
    Unknown,
    Value,
)
from mooncake_transpiler.frontend.entities import External, Module, ModuleRef
from mooncake_transpiler.frontend.trees import dotted

# Modules outside the program whose names are known, for ``from math import *``.
_STARS: Mapping[str, frozenset[str]] = {
    "math": frozenset(name for name in dir(math) if not name.startswith("_")),
    "numpy": frozenset(np.__all__),
}

# Packages that pass on the names of others, under the name that tables use.
_CANONICAL = (
    ("typing_extensions.", "typing."),
    ("numba.core.types.", "numba."),
    ("numba.types.", "numba."),
    ("numpy._typing.", "numpy.typing."),
)


@dataclass(frozen=True, slots=True)
class Bound:
    """A name bound by a statement of the program's module ``module``."""

    module: str
    name: str
    binding: Function | Class | Value | Unknown


Found = Bound | External | ModuleRef


@dataclass(frozen=True, slots=True)
class Resolver:
    """``package`` is the name of SRC where SRC itself is a package, else empty."""

    modules: Mapping[str, Module]
    bindings: Mapping[str, Bindings]
    package: str = ""

    def follow(self, module: str, name: str) -> Found | None:
        """What ``name`` stands for among the globals of ``module``."""
        return self._follow(module, name, frozenset())

    def lookup(self, module: str, node: cst.CSTNode) -> Found | None:
        """What a name or dotted name stands for at the top level of ``module``."""
        path = dotted(node)
        if path is None:
            return None
        found = self.follow(module, path[0])
        if found is None and hasattr(builtins, path[0]):
            found = External(f"builtins.{path[0]}")
        for attr in path[1:]:
            found = self.member(found, attr)
        return found

    def member(self, found: Found | None, attr: str) -> Found | None:
        """``found.attr``."""
        match found:
            case ModuleRef(module=module):
                return self._member(module, attr, frozenset())
            case External(qualname=qualname):
                return external(f"{qualname}.{attr}")
            case _:
                return None

    def names(self, module: str) -> Iterator[str]:
        """The global names of ``module``, its own first."""
        own = self.bindings[module]
        yield from own.names
        for star in own.stars:
            inside = self.locate(star)
            if inside is None:
                yield from _STARS.get(star, ())
            elif inside in self.bindings and inside != module:
                yield from self._exported(inside)

    def imports(self, module: str) -> tuple[str, ...]:
        """The program's modules that ``module`` imports."""
        own = self.bindings[module]
        targets = [b for b in own.names.values() if isinstance(b, Import)]
        names = [f"{b.module}.{b.name}" for b in targets if b.name] + own.stars
        located = (self.locate(name) for name in [*names, *(b.module for b in targets)])
        found = {name for name in located if name is not None and name in self.modules}
        return tuple(sorted(found - {module}))

    def locate(self, path: str) -> str | None:
        """The dotted name in the program of the absolute name ``path``, if it is a module there."""
        if self.package and (path == self.package or path.startswith(f"{self.package}.")):
            path = path[len(self.package) + 1 :]
        if not path:
            return "__init__" if "__init__" in self.modules else None
        if path in self.modules or any(name.startswith(f"{path}.") for name in self.modules):
            return path
        return None

    def _follow(self, module: str, name: str, seen: frozenset[tuple[str, str]]) -> Found | None:
        if (module, name) in seen or module not in self.bindings:
            return None
        seen |= {(module, name)}
        match self.bindings[module].names.get(name):
            case None:
                return self._starred(module, name, seen)
            case Import() as imported:
                return self._imported(imported, seen)
            case Function() | Class() | Value() | Unknown() as binding:
                return Bound(module, name, binding)

    def _imported(self, imported: Import, seen: frozenset[tuple[str, str]]) -> Found | None:
        target, attr = imported.module, imported.name
        inside = self.locate(target)
        if attr is None:
            return external(target) if inside is None else ModuleRef(inside)
        return external(f"{target}.{attr}") if inside is None else self._member(inside, attr, seen)

    def _member(self, module: str, attr: str, seen: frozenset[tuple[str, str]]) -> Found | None:
        found = self._follow(module, attr, seen)
        if found is None:
            path = attr if module == "__init__" else f"{module}.{attr}"
            inside = self.locate(path)
            return None if inside is None else ModuleRef(inside)
        return found

    def _starred(self, module: str, name: str, seen: frozenset[tuple[str, str]]) -> Found | None:
        for star in reversed(self.bindings[module].stars):
            inside = self.locate(star)
            if inside is None:
                if name in _STARS.get(star, ()):
                    return external(f"{star}.{name}")
            elif name in self._exported(inside):
                return self._follow(inside, name, seen)
        return None

    def _exported(self, module: str) -> frozenset[str]:
        """The names that ``from module import *`` brings."""
        if module not in self.bindings:
            return frozenset()
        own: Binding | None = self.bindings[module].names.get("__all__")
        if isinstance(own, Value) and isinstance(own.expr, cst.List | cst.Tuple):
            items = (element.value for element in own.expr.elements)
            return frozenset(
                str(item.evaluated_value) for item in items if isinstance(item, cst.SimpleString)
            )
        return frozenset(n for n in self._all_names(module) if not n.startswith("_"))

    def _all_names(self, module: str) -> set[str]:
        """The names of ``module`` and of what it star-imports (cycles end)."""
        pending, seen, names = [module], set[str](), set[str]()
        while pending:
            top = pending.pop()
            if top in seen:
                continue
            seen.add(top)
            if top in self.bindings:
                names.update(self.bindings[top].names)
                pending += [self.locate(star) or star for star in self.bindings[top].stars]
            else:
                names.update(_STARS.get(top, ()))
        return names


def external(qualname: str) -> External:
    """A name outside the program, in its canonical spelling."""
    for prefix, canonical in _CANONICAL:
        if qualname.startswith(prefix):
            return External(canonical + qualname.removeprefix(prefix))
    return External(qualname)
